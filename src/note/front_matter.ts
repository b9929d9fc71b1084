/**
 * Finds, reads, writes and edits front matter, the YAML between `---` lines at the head of a note. An edit
 * changes the bytes of the given keys and nothing else. What a key means is up to each kind of note.
 */
import { SageError } from "../base/errors.ts";
import { encode } from "../base/utf8.ts";
import { FRONT_MATTER_BYTES_MAX } from "../base/limits.ts";
import { loadYaml, YamlError } from "../base/yaml/parse.ts";
import { editYamlKeys } from "../base/yaml/edit.ts";
import { renderEntry } from "../base/yaml/render.ts";
import { readSimpleYaml } from "../base/yaml/simple.ts";
import { isMapping } from "../base/yaml/value.ts";
import type { FrontChanges, FrontMap, FrontValue, NoteProblem } from "./note.ts";

/** A file split into front matter and body. Offsets are in UTF-16 units of the whole text. */
export interface SplitNote {
  readonly bom: boolean;
  /** The line end of the first line; `\n` if the text has only one line. */
  readonly eol: string;
  readonly front: FrontText | undefined;
  readonly body: string;
  readonly bodyStart: number;
  /** What is wrong, if the text begins like front matter and has none. */
  readonly problem: NoteProblem | undefined;
}

export interface FrontText {
  /** The text between the `---` lines, with its last line end. */
  readonly text: string;
  /** The line of the file that it begins on, from 1. */
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

const OPENING = /^\uFEFF?---[ \t]*(\r\n|\n|\r)/;
const CLOSING = /(?<=[\r\n])(?:---|\.\.\.)[ \t]*(?:\r\n|\n|\r|$)/g;

/** Front matter as Hugo and Zola write it too: keys or a table right below the first line. */
const TOML =
  /^\uFEFF?\+{3}[ \t]*(?:\r\n|\n|\r)\s*(?:[\w."'-]+[ \t]*=|\[)[^]*?[\r\n]\+{3}[ \t]*(?:[\r\n]|$)/;
const TOML_REASON = "front matter is TOML (+++); write it as YAML between lines of ---";

/** Splits a text into front matter and body. A rule (`---`) above prose belongs to the body. */
export function splitFrontMatter(text: string): SplitNote {
  const bom = text.startsWith("\uFEFF");
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const bodyStart = bom ? 1 : 0;
  const whole = { bom, eol, front: undefined, body: text.slice(bodyStart), bodyStart };
  const opening = OPENING.exec(text);
  if (opening === null) {
    const isToml = TOML.test(text.slice(0, FRONT_MATTER_BYTES_MAX));
    return { ...whole, problem: isToml ? { line: 1, column: 1, reason: TOML_REASON } : undefined };
  }
  const start = opening[0].length;
  CLOSING.lastIndex = start;
  const closing = CLOSING.exec(text);
  const inner = text.slice(start, closing?.index ?? start);
  const isLong = inner.length > FRONT_MATTER_BYTES_MAX ||
    encode(inner).length > FRONT_MATTER_BYTES_MAX;
  if (closing === null || isLong) {
    const isMeant = /^[ \t]*["']?[\w.-]+["']?[ \t]*:(?:\s|$)/.test(text.slice(start, start + 400));
    const reason = isLong
      ? `front matter is longer than ${FRONT_MATTER_BYTES_MAX} bytes`
      : "front matter has no closing line (---)";
    return { ...whole, problem: isMeant ? { line: 1, column: 1, reason } : undefined };
  }
  const front = { text: inner, line: 2, start, end: closing.index };
  const after = closing.index + closing[0].length;
  return { bom, eol, front, body: text.slice(after), bodyStart: after, problem: undefined };
}

/** Parses the front matter of a note's text; an empty map if there is none. */
export async function readFrontMatter(
  text: string,
): Promise<{ map: FrontMap } | { problem: NoteProblem }> {
  return await readSplit(splitFrontMatter(text));
}

/** The same for a text that was split already. */
export async function readSplit(
  { front, problem }: SplitNote,
): Promise<{ map: FrontMap } | { problem: NoteProblem }> {
  if (problem !== undefined) return { problem };
  if (front === undefined) return { map: new Map() };
  const simple = readSimpleYaml(front.text);
  if (simple !== undefined) return { map: simple };
  try {
    const value = await loadYaml(front.text);
    if (isMapping(value)) return { map: value };
    const reason = "front matter is not a list of keys and values";
    return { problem: { line: front.line, column: 1, reason } };
  } catch (error) {
    if (!(error instanceof YamlError)) throw error;
    return { problem: problemIn(front, error) };
  }
}

/**
 * Front matter for a new file, with its `---` lines; entries without a value are left out. Throws
 * `invalid_note` if it would be longer than the limit for reading, because then it would not be read back.
 */
export function renderFrontMatter(
  entries: readonly (readonly [string, FrontValue | undefined])[],
): string {
  const lines = entries.flatMap(([key, value]) =>
    value === undefined ? [] : [renderEntry(key, value, 0, "\n") + "\n"]
  );
  const front = `---\n${lines.join("")}---\n`;
  if (encode(front).length <= FRONT_MATTER_BYTES_MAX) return front;
  throw new SageError(
    "invalid_note",
    `Cannot write the front matter: it would be longer than ${FRONT_MATTER_BYTES_MAX} bytes`,
    { hint: "give shorter or fewer tags, keywords and sources" },
  );
}

/**
 * The text with keys set or removed (undefined) and every other byte unchanged. Throws `invalid_note` if the
 * front matter cannot be read, or a key cannot be changed in place.
 */
export async function editFrontMatter(text: string, changes: FrontChanges): Promise<string> {
  const { bom, eol, front, problem } = splitFrontMatter(text);
  if (problem !== undefined) throw unreadable(problem);
  if (front === undefined) {
    const block = renderFrontMatter([...changes]);
    if (block === "---\n---\n") return text;
    const start = bom ? 1 : 0;
    return text.slice(0, start) + block.replaceAll("\n", eol) + text.slice(start);
  }
  const edited = await editYamlKeys(front.text, changes, eol).catch((error) => {
    throw error instanceof YamlError ? unreadable(problemIn(front, error)) : error;
  });
  return text.slice(0, front.start) + edited + text.slice(front.end);
}

/** The problem with its line counted from the beginning of the file. */
function problemIn(front: FrontText, { line, column, reason }: YamlError): NoteProblem {
  return { line: line + front.line - 1, column, reason };
}

function unreadable({ line, column, reason }: NoteProblem): SageError {
  return new SageError(
    "invalid_note",
    `Cannot read the front matter: ${line}:${column} ${reason}`,
    { hint: "mend it by hand" },
  );
}
