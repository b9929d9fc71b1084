/**
 * Strings that are only worth something as they are: errors, verdicts of checks, files, commands, names
 * in code, links, commits. Of each kind the best come first, and the kinds take turns, so that a small
 * budget holds some of each.
 */
import type { Turn } from "../editor/editor.ts";
import { prose } from "./clean.ts";
import { errorLines, linksOf, verdictsOf } from "./evidence.ts";
import { exchangesOf } from "./exchanges.ts";
import { commitsMade, filesChanged, plain } from "./work.ts";

export interface Exact {
  readonly kind: "line" | "Changed" | "Named" | "Ran" | "Commit";
  readonly text: string;
}

/** How many of each kind there are at most, and in one round. */
const ERRORS_MAX = 3;
const VERDICTS_MAX = 3;
const LINKS_MAX = 2;
const COMMITS_MAX = 3;
const FILES_MAX = 12;
const NAMES_MAX = 14;
const COMMANDS_MAX = 6;

/** So much before and after a name may tell that it is a secret. */
const AROUND = 160;
const PLACES_MAX = 20;

const COMMAND_CHARACTERS_MAX = 110;
const NAME_CHARACTERS_MIN = 3;
const NAME_CHARACTERS_MAX = 64;
const CODE_SPAN = /`([^`\n]{2,120})`/g;
const PATH =
  /(?<![\w/:.@-])(?:[\w@.-]{1,60}\/){0,8}[\w@-][\w@.-]{0,60}\.[a-z][a-z0-9]{0,9}(?![\w/])/gi;
/** Commands that only look, and those whose outcome stands elsewhere. */
const LOOKS =
  /^(?:ls|cat|head|tail|grep|rg|find|sed -n|wc|echo|cd|pwd|which|less|tree|sleep|git (?:status|log|diff|add|commit|push|show|checkout)|mkdir|cp|mv|rm)\b/;

/** The guard takes out what it knows; a command with a password is not worth what it does not know. */
const MAY_HOLD_SECRETS =
  /authorization|bearer|passw|secret|token|api[-_]?key|credential|:\/\/[^/\s]+:[^/\s]+@|\bmysql.*\s-p\S/i;

export interface ExactOptions {
  /** What stands there already is left out. */
  readonly known: string;
  /** Paths below it become relative. */
  readonly cwd: string | undefined;
  /** Blacks out secrets: alone, a name has lost the words that gave it away as one. */
  readonly redact: ((text: string) => string) | undefined;
}

/** In the order in which they are worth their tokens. */
export function exactStrings(turns: readonly Turn[], options: ExactOptions): Exact[] {
  const { known, cwd } = options;
  const verdicts = verdictsOf(turns).slice(-VERDICTS_MAX);
  const kinds: readonly (readonly [Exact["kind"], readonly string[], round: number])[] = [
    ["line", errorLines(turns).slice(-ERRORS_MAX).reverse(), 1],
    ["line", verdicts, 1],
    ["Changed", filesByWork(turns, cwd).slice(0, FILES_MAX), 4],
    ["Named", openNames(turns, options), 4],
    ["Ran", openCommands(turns, verdicts.join("\n"), options), 2],
    ["Commit", commitsMade(turns).slice(-COMMITS_MAX).reverse(), 1],
    ["line", linksOf(turns).slice(-LINKS_MAX), 1],
  ];
  const rounds = Math.max(...kinds.map(([, texts, round]) => Math.ceil(texts.length / round)));
  const all = Array.from(
    { length: rounds },
    (_, i) =>
      kinds.flatMap(([kind, texts, round]) =>
        texts.slice(i * round, (i + 1) * round).map((text): Exact => ({ kind, text }))
      ),
  ).flat();
  return all.filter(({ text }, i) =>
    !known.includes(text) && all.findIndex((other) => other.text === text) === i
  );
}

/** Files and names stand in one line each, the rest line by line. */
export function renderExact(all: readonly Exact[]): string[] {
  const of = (kind: Exact["kind"]): string[] =>
    all.filter((one) => one.kind === kind).map(({ text }) => text);
  const list = (kind: Exact["kind"], texts: readonly string[]): string[] =>
    texts.length === 0 ? [] : [`${kind}: ${texts.join(", ")}`];
  return [
    ...of("line"),
    ...list("Changed", of("Changed")),
    ...list("Named", of("Named").map((name) => `\`${name}\``)),
    ...list("Ran", of("Ran").map((command) => `\`${command}\``)),
    ...of("Commit").map((commit) => `Commit ${commit}`),
  ];
}

/** Names that are no secret where they stand. */
function openNames(turns: readonly Turn[], { known, redact }: ExactOptions): string[] {
  const open: string[] = [];
  for (const name of namesOf(turns, known)) {
    if (open.length >= NAMES_MAX) break;
    if (redact === undefined || standsOpen(name, turns, redact)) open.push(name);
  }
  return open;
}

function standsOpen(
  name: string,
  turns: readonly Turn[],
  redact: (text: string) => string,
): boolean {
  const places = turns.flatMap(({ text }) => {
    const at = text.indexOf(name);
    return at < 0 ? [] : [text.slice(Math.max(0, at - AROUND), at + name.length + AROUND)];
  });
  return places.slice(0, PLACES_MAX).every((place) => redact(place).includes(name));
}

function openCommands(
  turns: readonly Turn[],
  known: string,
  { redact = String }: ExactOptions,
): string[] {
  return commandsOf(turns, known).slice(0, COMMANDS_MAX).filter((command) =>
    redact(command) === command
  );
}

/** Commands, newest and most repeated first, each once; shorter than a line. */
function commandsOf(turns: readonly Turn[], known: string): string[] {
  const scores = new Map<string, number>();
  const exchanges = exchangesOf(turns);
  exchanges.forEach(({ tools }, place) => {
    for (const { command, failed } of tools) {
      const line = plain(command?.split("\n")[0] ?? "");
      if (line.length < 4 || line.length > COMMAND_CHARACTERS_MAX || LOOKS.test(line)) continue;
      if (known.includes(line) || MAY_HOLD_SECRETS.test(line)) continue;
      if (isRandom(line)) continue;
      const worth = 1 + place / exchanges.length + (failed === true ? -0.5 : 0);
      scores.set(line, (scores.get(line) ?? 0) + worth);
    }
  });
  return best(scores);
}

/** Names in code and paths, of what was said. */
function namesOf(turns: readonly Turn[], known: string): string[] {
  const scores = new Map<string, number>();
  const exchanges = exchangesOf(turns);
  exchanges.forEach(({ prompt, replies }, place) => {
    const said = [prompt, ...replies].map((turn) => prose(turn?.text ?? "")).join("\n");
    const names = new Set([
      ...[...said.matchAll(CODE_SPAN)].flatMap(([, name]) => name ?? []),
      ...said.match(PATH) ?? [],
    ]);
    for (const name of names) {
      if (!isName(name) || known.includes(name)) continue;
      scores.set(name, (scores.get(name) ?? 0) + peculiarity(name) + place / exchanges.length);
    }
  });
  return best(scores);
}

/** Files that were changed, the most often changed first. */
function filesByWork(turns: readonly Turn[], cwd: string | undefined): string[] {
  const counts = new Map<string, number>();
  for (const file of exchangesOf(turns).flatMap(({ replies }) => filesChanged(replies, cwd))) {
    counts.set(file, (counts.get(file) ?? 0) + 1);
  }
  return best(counts);
}

function isName(text: string): boolean {
  return text.length >= NAME_CHARACTERS_MIN && text.length <= NAME_CHARACTERS_MAX &&
    /[a-z]/i.test(text) && !/^\w+:\/\//.test(text) && !isRandom(text);
}

/** Small, large and digits in one long run: a key, not a name. */
function isRandom(text: string): boolean {
  return (text.match(/[A-Za-z0-9]{14,}/g) ?? []).some((run) =>
    /[a-z]/.test(run) && /[A-Z]/.test(run) && /\d/.test(run)
  );
}

/** Signs, digits and capitals inside make a name that nobody guesses. */
function peculiarity(name: string): number {
  return (/[_./=:()-]/.test(name) ? 0.5 : 0) + (/\d/.test(name) ? 0.4 : 0) +
    (/[a-z][A-Z]|[A-Z]{2}/.test(name) ? 0.3 : 0) + (/ /.test(name) ? 0.3 : 0);
}

function best(scores: ReadonlyMap<string, number>): string[] {
  return [...scores].sort(([, a], [, b]) => b - a).map(([text]) => text);
}
