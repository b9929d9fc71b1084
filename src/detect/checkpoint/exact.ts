/**
 * Exact details of a conversation, which a summary would blur and somebody needs verbatim: commands that
 * decided something, changed files, error lines, measured numbers, names in code, commits, decisions. Pure
 * over turns; the caller removes private text and secrets.
 */
import { collapse, cut, isAskedAtEnd, plainText } from "../../base/text/text.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";
import { prose } from "../text/clean.ts";
import { findDecisions } from "../decisions/decisions.ts";
import { hasReason } from "../decisions/norms.ts";
import { errorLine } from "./evidence.ts";
import { answersOf, exchangesOf } from "../text/exchanges.ts";
import { stillStanding } from "../decisions/reversals.ts";
import { sentencesOf } from "../text/sentences.ts";
import { commandLine, isTorn } from "../summary/shell.ts";
import { checkOf, commitsMade, filesChanged } from "../summary/work.ts";
import type { Salient } from "./salience.ts";

export interface ExactDetail {
  readonly kind: "decision" | "command" | "error" | "file" | "number" | "commit" | "name";
  readonly text: string;
  /** The part that must be repeated verbatim; of a decision the meaning is enough. */
  readonly mark: string;
  /** Higher comes first. */
  readonly weight: number;
}

type ExactKind = ExactDetail["kind"];

/**
 * Chosen so that a small budget holds the most strings that readers of labelled conversations wanted kept.
 */
const WEIGHTS: Readonly<Record<ExactKind, number>> = {
  decision: 5,
  error: 4,
  command: 3,
  file: 3,
  number: 3,
  commit: 2.5,
  name: 4,
};

const COMMAND_CHARACTERS_MAX = 120;
const NAME_CHARACTERS_MIN = 3;
const NAME_CHARACTERS_MAX = 64;
const SENTENCE_CHARACTERS_MAX = 140;
const CLAUSE_CHARACTERS_MAX = 90;
const MARK_CHARACTERS_MAX = 60;
/** Added for each repetition: what is repeated is likely to be needed again. */
const REPEATED = 0.4;
/** How many of a kind are kept, by weight. */
const OF_A_KIND_MAX = 24;

/** Commands that only look around; their output is cheap to get again. */
const LOOKS =
  /^\s*(?:cd\b[^&|;]*(?:&&|;)\s*)*(?:rtk )?(?:ls|cat|head|tail|find|grep|rg|pwd|cd|echo|which|less|wc|sed -n|tree|sleep|mkdir|cp|mv|rm|git (?:status|log|diff|show|branch|add|commit|push|checkout)|gh (?:pr|issue) (?:create|view|list|diff|comment|checks)|file|stat)\b/;

/**
 * The guard removes the secrets it knows; commands with a password are left out for those it does not know.
 */
const MAY_HOLD_SECRETS =
  /authorization|bearer|passw|secret|token|api[-_]?key|credential|:\/\/[^/\s]{1,120}:[^/\s]{1,120}@|\bmysql.{0,120}\s-p\S/i;

/** Inline code of any length: missing an opening backtick would turn the text between two spans into code. */
const CODE_SPAN = /(?<!`)`([^`\n]+)`(?!`)/g;
const PATH =
  /(?<![\w/:.@-])(?:[\w@.-]{1,60}\/){0,8}[\w@-][\w@.-]{0,60}\.[a-z][a-z0-9]{0,9}(?![\w/])/gi;
/** Prefilter: a text that does not match has no path. */
const DOTTED = /[\w@.-]\.[a-z]/i;

/** A number that means something by itself: a measurement, thousands, a time, an address, a version. */
const NUMBER =
  /(?:\b(?:HTTP|port|line|PR|issue|error|version|exit code) #?\d[\d.]*|(?<![\w.,/-])[−-]?\d[\d.,]*\s?(?:%|‰|ms|µs|ns|s|h|min|seconds?|minutes?|hours?|days?|weeks?|months?|KB|MB|GB|TB|KiB|MiB|GiB|kB|px|km|mm|mA|µA|V|Hz|MHz|tokens?|rows?|requests?|users?|times|fps|x|€|euros?|dollars?)(?![\w-])|[$€£]\s?\d[\d.,]*|(?<![\w.,/-])[−-]?\d+[.,]\d+(?![\w-])|(?<![\w.,/-])\d{1,3}(?:[.,]\d{3})+(?!\w)|(?<![\w:])\d{1,2}:\d{2}(?!\w)|\b0x[0-9a-f]{3,}\b|\bv\d+\.\d+(?:\.\d+)?|\b[45]\d\d [A-Z][\w ]{2,30})/gi;

/** All kinds, not shortened, by weight, without duplicates; `salient` adds decisions. */
export function exactDetails(
  turns: readonly Turn[],
  cwd: string,
  salient: readonly Salient[] = [],
): ExactDetail[] {
  const found: ExactDetail[] = [];
  const add = adderTo(found, turns);
  addStrings(turns, cwd, add);
  for (const { text, turn } of stillStanding(findDecisions(turns, salient))) {
    const at = turns.findIndex(({ uuid }) => uuid === turn);
    add("decision", text, text, at, hasReason(text) ? 0.5 : 0);
  }
  addNumbers(turns, add);
  return distinct(found);
}

/**
 * Cuts a detail to the length that is kept. After redaction, because the guard does not recognise half a
 * secret.
 */
export function shortened<T extends Pick<ExactDetail, "kind" | "text" | "mark">>(thing: T): T {
  const { kind, text } = thing;
  if (kind === "decision") return { ...thing, text: cut(text, SENTENCE_CHARACTERS_MAX) };
  if (kind === "number") return { ...thing, text: cut(text, CLAUSE_CHARACTERS_MAX) };
  return kind === "error" ? { ...thing, mark: markOf(text) } : thing;
}

function markOf(error: string): string {
  return error.slice(0, MARK_CHARACTERS_MAX);
}

/** Without decisions and numbers, which are parts of sentences. */
export function exactStrings(turns: readonly Turn[], cwd: string): ExactDetail[] {
  const found: ExactDetail[] = [];
  addStrings(turns, cwd, adderTo(found, turns));
  return distinct(found);
}

type Add = (kind: ExactKind, text: string, mark: string, at: number, bonus?: number) => void;

/** Later details weigh more: they are likelier to be needed next. */
function adderTo(found: ExactDetail[], turns: readonly Turn[]): Add {
  const lastTurn = Math.max(1, turns.length - 1);
  return (kind, text, mark, at, bonus = 0) => {
    found.push({ kind, text, mark, weight: WEIGHTS[kind] + bonus + at / lastTurn });
  };
}

function addStrings(turns: readonly Turn[], cwd: string, add: Add): void {
  for (const [at, turn] of turns.entries()) {
    for (const tool of turn.tools) addTool(tool, at, add);
    if (turn.text === "") continue;
    for (const name of namesIn(turn.text)) add("name", name, name, at, peculiarity(name));
  }
  for (const { replies, start } of exchangesOf(turns)) {
    for (const path of filesChanged(replies, cwd)) add("file", path, baseName(path), start);
    for (const commit of commitsMade(replies)) {
      add("commit", cut(commit, 80), commit.split(" ")[0] ?? commit, start);
    }
  }
}

function addTool(tool: ToolUse, at: number, add: Add): void {
  const error = errorLine(tool);
  if (error !== undefined) add("error", error, markOf(error), at);
  const command = commandLine(tool.command ?? "");
  if (command.length < 4 || command.length > COMMAND_CHARACTERS_MAX || LOOKS.test(command)) return;
  // Of a here-document the line says what runs, and not what it does.
  if (MAY_HOLD_SECRETS.test(command) || isRandom(command) || isTorn(command)) return;
  const decides = checkOf(tool) !== undefined || tool.failed === true;
  add("command", command, command, at, decides ? 0.5 : -0.5);
}

/** Numbers of both speakers, each with the clause that says what it measures. */
function addNumbers(turns: readonly Turn[], add: Add): void {
  const answers = answersOf(exchangesOf(turns));
  for (const { text, turn, turnIndex } of sentencesOf(turns)) {
    if (isAskedAtEnd(text)) continue;
    // The final answer counts more than remarks before it.
    const bonus = turn.role === "user" || answers.has(turn) ? 0 : -1;
    const seen = new Set<string>();
    for (const clause of text.split(/(?<=[,;:]) | [–—] /)) {
      const number = clause.match(NUMBER)?.[0];
      if (number === undefined || seen.has(clause)) continue;
      seen.add(clause);
      add("number", clause.replace(/[,;:.]$/, ""), collapse(number), turnIndex, bonus);
    }
  }
}

/** Names in code, and paths, each once. */
function namesIn(text: string): Set<string> {
  const said = prose(text);
  return new Set(
    [
      ...[...said.matchAll(CODE_SPAN)].flatMap(([, name]) => name ?? []),
      ...(DOTTED.test(said) ? said.match(PATH) ?? [] : []),
    ].filter(isName),
  );
}

function isName(text: string): boolean {
  return text.length >= NAME_CHARACTERS_MIN && text.length <= NAME_CHARACTERS_MAX &&
    /[a-z]/i.test(text) && !/^(?:-|\w+:\/\/)/.test(text) && !ABBREVIATED.test(text) &&
    !MAIL_ADDRESS.test(text) &&
    !isRandom(text);
}

/** '3 a.m.' and 'e.g.' look like file names. */
const ABBREVIATED = /^(?:[ap]\.m|e\.g|i\.e|z\.b|d\.h|u\.a|p\.ej)$/i;

/** Of somebody, and no name of a thing. */
const MAIL_ADDRESS = /^[\w.+-]+@[\w.-]+\.[a-z]{2,}$/i;

/** Mixed case and digits in one long run: a key, not a name. */
function isRandom(text: string): boolean {
  return (text.match(/[A-Za-z0-9]{14,}/g) ?? []).some((run) =>
    /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run)
  );
}

/** How hard a name is to guess: punctuation, digits, capitals inside, spaces. */
function peculiarity(name: string): number {
  return (/[_./=:()-]/.test(name) ? 0.5 : 0) + (/\d/.test(name) ? 0.4 : 0) +
    (/[a-z][A-Z]|[A-Z]{2}/.test(name) ? 0.3 : 0) + (/ /.test(name) ? 0.3 : 0);
}

function distinct(things: readonly ExactDetail[]): ExactDetail[] {
  const byMark = new Map<string, ExactDetail>();
  for (const thing of things) {
    const key = `${thing.kind} ${plainText(thing.mark)}`;
    const known = byMark.get(key);
    const again = known === undefined ? 0 : REPEATED;
    if (known === undefined || known.weight < thing.weight) {
      byMark.set(key, { ...thing, weight: Math.max(thing.weight, known?.weight ?? 0) + again });
    } else byMark.set(key, { ...known, weight: known.weight + again });
  }
  const counts = new Map<ExactKind, number>();
  return [...byMark.values()].sort((a, b) => b.weight - a.weight).filter(({ kind }) => {
    const count = (counts.get(kind) ?? 0) + 1;
    counts.set(kind, count);
    return count <= OF_A_KIND_MAX;
  });
}

function baseName(path: string): string {
  return path.slice(path.replaceAll("\\", "/").lastIndexOf("/") + 1);
}
