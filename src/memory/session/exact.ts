/**
 * The exact things of a conversation: commands that decided something, files changed, error lines,
 * measured numbers, names in code, commits, decisions. What a summary tells in general and somebody
 * needs to the letter. Pure over turns; private text and secrets are the caller's to remove.
 */
import { collapse, cut } from "../../base/text.ts";
import { findDecisions, hasReason } from "../../detect/decisions.ts";
import { errorLine } from "../../detect/evidence.ts";
import { exchangesOf } from "../../detect/exchanges.ts";
import { sentencesOf } from "../../detect/sentences.ts";
import { checkOf, commitsMade, filesChanged } from "../../detect/work.ts";
import type { ToolUse, Turn } from "../../editor/editor.ts";
import { plainText } from "./plain_text.ts";
import type { LostThing } from "./session_state.ts";

export type ExactKind = LostThing["kind"];

/** For a decision its meaning counts, and not that its mark stands there to the letter. */
export interface Exact extends LostThing {
  /** Higher is told first. */
  readonly weight: number;
}

const WEIGHTS: Readonly<Record<ExactKind, number>> = {
  decision: 5,
  error: 4,
  command: 4,
  file: 3.5,
  number: 3,
  commit: 2.5,
  name: 2,
};

const COMMAND_CHARACTERS_MAX = 120;
const SENTENCE_CHARACTERS_MAX = 140;
/** Of each kind, the weightiest. */
const OF_A_KIND_MAX = 12;

/** Looking around: whoever needs it does it again. */
const LOOKS =
  /^\s*(?:cd\b[^&|;]*(?:&&|;)\s*)?(?:ls|cat|head|tail|find|grep|rg|pwd|echo|which|wc|sed -n|tree|git (?:status|log|diff|show|branch)|file|stat)\b/;

/** A number that says something by itself: with its unit, as a status, a port, a line, a version. */
const NUMBER =
  /\b(?:(?:HTTP|port|line|PR|issue|error|version|exit code) #?\d[\d.]*|\d[\d.,]*\s?(?:%|ms|µs|ns|s|seconds?|minutes?|hours?|days?|KB|MB|GB|TB|KiB|MiB|GiB|tokens?|rows?|requests?|users?|times|fps|x)(?![\w-])|v\d+\.\d+(?:\.\d+)?)/i;

/** Everything of the kinds above, weightiest first, each once. */
export function exactThings(turns: readonly Turn[], cwd: string): Exact[] {
  const lastTurn = Math.max(1, turns.length - 1);
  const found: Exact[] = [];
  // What came late is more likely to be needed next.
  const add = (kind: ExactKind, text: string, mark: string, at: number, bonus = 0): void => {
    const weight = WEIGHTS[kind] + bonus + at / lastTurn;
    found.push({ kind, text, mark, weight });
  };
  for (const [at, turn] of turns.entries()) {
    for (const tool of turn.tools) addTool(tool, at, add);
    for (const name of namesIn(turn.text)) add("name", name, name, at);
  }
  for (const { text, turn } of findDecisions(turns)) {
    const at = turns.findIndex(({ uuid }) => uuid === turn);
    add("decision", cut(text, SENTENCE_CHARACTERS_MAX), text, at, hasReason(text) ? 0.5 : 0);
  }
  for (const path of filesChanged(turns, cwd)) add("file", path, baseName(path), lastTurn / 2);
  for (const commit of commitsMade(turns)) {
    add("commit", cut(commit, 80), commit.split(" ")[0] ?? commit, lastTurn / 2);
  }
  addNumbers(turns, add);
  return distinct(found);
}

type Add = (kind: ExactKind, text: string, mark: string, at: number, bonus?: number) => void;

function addTool(tool: ToolUse, at: number, add: Add): void {
  const error = errorLine(tool);
  if (error !== undefined) add("error", error, error.slice(0, 60), at);
  const command = collapse(tool.command ?? "");
  if (command === "" || command.length > COMMAND_CHARACTERS_MAX || LOOKS.test(command)) return;
  const decides = checkOf(tool) !== undefined || tool.failed === true;
  add("command", command, command, at, decides ? 0.5 : -0.5);
}

/** What the agent came back with; numbers in between are on the way to it. */
function addNumbers(turns: readonly Turn[], add: Add): void {
  const answers = new Set(exchangesOf(turns).map(({ answer }) => answer));
  for (const { text, turn, turnIndex } of sentencesOf(turns)) {
    if (!answers.has(turn) || text.endsWith("?")) continue;
    const number = NUMBER.exec(text)?.[0];
    if (number !== undefined) {
      add("number", cut(text, SENTENCE_CHARACTERS_MAX), collapse(number), turnIndex);
    }
  }
}

/** Names that stood in `code`; sentences and shell lines in code are no names. */
function namesIn(text: string): string[] {
  return [...text.matchAll(/(?<!`)`([^`\s]{3,60})`(?!`)/g)].map((match) => match[1] ?? "")
    .filter((name) => /[A-Za-z]/.test(name) && !/^-/.test(name));
}

function distinct(things: readonly Exact[]): Exact[] {
  const byMark = new Map<string, Exact>();
  for (const thing of things) {
    const key = `${thing.kind} ${plainText(thing.mark)}`;
    const known = byMark.get(key);
    if (known === undefined || known.weight < thing.weight) byMark.set(key, thing);
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
