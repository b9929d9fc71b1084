/**
 * Changes one key of a YAML text by splicing: comments, unknown keys, quoting, line ends and order stay as
 * a person left them. The result is parsed and compared with what was wanted before it is returned; a change
 * that cannot be made this way is refused.
 */
import { SageError } from "../errors.ts";
import { renderBlock, renderEntry, renderInline } from "./render.ts";
import {
  type YamlEntry,
  yamlEvents,
  type YamlMapping,
  type YamlNode,
  YamlTooMuch,
  yamlValue,
} from "./parse.ts";
import { equalYaml, isMapping, isSequence, type YamlMap, type YamlValue } from "./value.ts";

interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * The text with the key at `path` set (a new one is added at the end of its mapping) or removed (undefined;
 * a mapping that becomes empty is removed too). Throws YamlError or `invalid_note`.
 */
export async function editYaml(
  text: string,
  path: readonly string[],
  value: YamlValue | undefined,
): Promise<string> {
  return (await edit({ text, root: await yamlEvents(text) }, path, value)).text;
}

/** The same for several keys, one after the other. Each text is parsed once. */
export async function editYamlKeys(
  text: string,
  changes: ReadonlyMap<string, YamlValue | undefined>,
  lineEndWhenNone?: string,
): Promise<string> {
  if (changes.size === 0) return text;
  let edited: Parsed = { text, root: await yamlEvents(text) };
  for (const [key, value] of changes) edited = await edit(edited, [key], value, lineEndWhenNone);
  return edited.text;
}

interface Parsed {
  readonly text: string;
  readonly root: YamlNode | undefined;
}

async function edit(
  parsed: Parsed,
  path: readonly string[],
  value: YamlValue | undefined,
  lineEndWhenNone = "\n",
): Promise<Parsed> {
  const { text, root } = parsed;
  const before = root === undefined ? new Map() : yamlValue(root);
  if (!isMapping(before)) throw refusal(path, "the text is not a mapping");
  const wanted = setIn(before, path, value);
  if (equalYaml(before, wanted)) return parsed;
  const eol = /\r\n|\n|\r/.exec(text)?.[0] ?? lineEndWhenNone;
  const splices = root?.kind === "mapping"
    ? plan(text, root, path, value, eol, [])
    : [append(text, text.length, 0, path, value ?? "", eol)];
  for (const attempt of [splices, value === undefined ? withBlanks(text, splices) : []]) {
    const next = apply(text, attempt);
    const after = await yamlEvents(next).catch((error) => {
      if (error instanceof YamlTooMuch) throw tooMuch(path, error);
      return undefined;
    });
    if (equalYaml(after === undefined ? new Map() : yamlValue(after), wanted)) {
      return { text: next, root: after };
    }
  }
  throw refusal(path, "its place in the text is too unusual");
}

/** The removal with the blank lines below it, which a block scalar above would otherwise absorb. */
function withBlanks(text: string, splices: readonly Splice[]): Splice[] {
  return splices.map((splice) => {
    const blank = /^(?:[ \t]*(?:\r\n|\n|\r))*/.exec(text.slice(splice.end))?.[0].length ?? 0;
    return { ...splice, end: splice.end + blank };
  });
}

function plan(
  text: string,
  mapping: YamlMapping,
  path: readonly string[],
  value: YamlValue | undefined,
  eol: string,
  parents: readonly { mapping: YamlMapping; entry: YamlEntry }[],
): Splice[] {
  const [key, ...rest] = path;
  const entry = mapping.entries.find((candidate) => candidate.key.text === key);
  if (entry === undefined) {
    return value === undefined ? [] : [add(text, mapping, path, value, eol, parents.length === 0)];
  }
  if (rest.length > 0 && entry.value.kind === "mapping" && entry.value.entries.length > 0) {
    return plan(text, entry.value, rest, value, eol, [...parents, { mapping, entry }]);
  }
  if (value !== undefined) return replace(text, mapping, entry, nest(rest, value), eol);
  let [outer, gone] = [mapping, entry];
  for (const parent of parents.toReversed()) {
    if (outer.entries.length > 1) break;
    [outer, gone] = [parent.mapping, parent.entry];
  }
  return [remove(text, outer, gone)];
}

/** Adds an entry: at the end of the text for the top level, otherwise below the last entry of its mapping. */
function add(
  text: string,
  mapping: YamlMapping,
  path: readonly string[],
  value: YamlValue,
  eol: string,
  isTop: boolean,
): Splice {
  const [key = "", ...rest] = path;
  if (!mapping.block) {
    const last = mapping.entries.at(-1);
    const at = last === undefined ? mapping.end - 1 : endOf(last);
    const entry = renderInline(new Map([[key, nest(rest, value)]])).slice(1, -1);
    return { start: at, end: at, text: last === undefined ? entry : `, ${entry}` };
  }
  const first = mapping.entries[0];
  const indent = first === undefined ? 0 : columnOf(text, first.key.start);
  const at = isTop ? text.length : lineEnd(text, mapping.end);
  return append(text, at, indent, path, value, eol);
}

function append(
  text: string,
  at: number,
  indent: number,
  path: readonly string[],
  value: YamlValue,
  eol: string,
): Splice {
  const [key = "", ...rest] = path;
  const entry = " ".repeat(indent) + renderEntry(key, nest(rest, value), indent, eol);
  const onNewLine = at === 0 || /[\r\n]/.test(text.charAt(at - 1));
  return { start: at, end: at, text: onNewLine ? entry + eol : eol + entry };
}

function replace(
  text: string,
  mapping: YamlMapping,
  entry: YamlEntry,
  value: YamlValue,
  eol: string,
): Splice[] {
  const { value: old, colon } = entry;
  if (colon < 0) throw refusal([entry.key.text], "it has no colon");
  const isSame = (old.kind === "mapping" && isMapping(value) && value.size > 0) ||
    (old.kind === "sequence" && isSequence(value) && value.length > 0);
  if (isSame && old.block && !old.decorated) {
    const block = renderBlock(value, columnOf(text, old.start), eol);
    return [{ start: old.start, end: old.end, text: block }];
  }
  if (old.end <= old.start && mapping.block && isMapping(value) && value.size > 0) {
    const indent = columnOf(text, entry.key.start) + 2;
    const at = lineContentEnd(text, colon + 1);
    const block = eol + " ".repeat(indent) + renderBlock(value, indent, eol);
    return [{ start: at, end: at, text: block }];
  }
  const inline = renderInline(value);
  const gap = text.slice(colon + 1, old.start);
  if (old.end > old.start && !/[\r\n]/.test(gap)) {
    return [{ start: old.start, end: old.end, text: gap === "" ? ` ${inline}` : inline }];
  }
  const splices = [{ start: colon + 1, end: colon + 1, text: ` ${inline}` }];
  if (old.end > old.start) {
    // Keep comments between the key and a value on its own lines.
    const line = lineStart(text, old.start);
    const cut = line - (text.slice(0, line).endsWith("\r\n") ? 2 : 1);
    splices.push({ start: Math.max(cut, colon + 1), end: old.end, text: "" });
  }
  return splices;
}

function remove(text: string, mapping: YamlMapping, entry: YamlEntry): Splice {
  const i = mapping.entries.indexOf(entry);
  if (!mapping.block) {
    const next = mapping.entries[i + 1];
    const previous = mapping.entries[i - 1];
    if (next !== undefined) return { start: entry.key.start, end: next.key.start, text: "" };
    const start = previous === undefined ? entry.key.start : endOf(previous);
    return { start, end: endOf(entry), text: "" };
  }
  const start = lineStart(text, entry.key.start);
  if (/[^ ]/.test(text.slice(start, entry.key.start))) {
    throw refusal([entry.key.text], "it does not begin its line");
  }
  return { start, end: lineEnd(text, endOf(entry)), text: "" };
}

function endOf(entry: YamlEntry): number {
  return Math.max(entry.value.end, entry.colon + 1, entry.key.end);
}

function apply(text: string, splices: readonly Splice[]): string {
  let out = text;
  // From the end; of two at the same offset, the removal before the insertion.
  const ordered = [...splices].sort((a, b) => b.start - a.start || b.end - a.end);
  for (const { start, end, text: piece } of ordered) {
    out = out.slice(0, start) + piece + out.slice(end);
  }
  return out;
}

/** The value nested in mappings for the rest of the path. */
function nest(path: readonly string[], value: YamlValue): YamlValue {
  return path.reduceRight<YamlValue>((inner, key) => new Map([[key, inner]]), value);
}

function setIn(map: YamlMap, path: readonly string[], value: YamlValue | undefined): YamlMap {
  const [key = "", ...rest] = path;
  const next = new Map(map);
  const old = map.get(key);
  const below = rest.length === 0
    ? value
    : isMapping(old) && old.size > 0
    ? setIn(old, rest, value)
    : value === undefined
    ? old
    : nest(rest, value);
  if (below === undefined) next.delete(key);
  else if (isMapping(below) && below.size === 0 && value === undefined) next.delete(key);
  else next.set(key, below);
  return next;
}

function lineStart(text: string, offset: number): number {
  return Math.max(text.lastIndexOf("\n", offset - 1), text.lastIndexOf("\r", offset - 1)) + 1;
}

/** The offset behind the line break of the line that `offset` is in. */
function lineEnd(text: string, offset: number): number {
  const at = lineContentEnd(text, offset);
  return text.startsWith("\r\n", at) ? at + 2 : Math.min(at + 1, text.length);
}

function lineContentEnd(text: string, offset: number): number {
  const found = text.slice(offset).search(/[\r\n]/);
  return found < 0 ? text.length : offset + found;
}

function columnOf(text: string, offset: number): number {
  return offset - lineStart(text, offset);
}

function refusal(path: readonly string[], why: string): SageError {
  return new SageError("invalid_note", `Cannot change "${path.join(".")}": ${why}`, {
    hint: "change it by hand",
  });
}

function tooMuch(path: readonly string[], { reason }: YamlTooMuch): SageError {
  const what = `Cannot change "${path.join(".")}": the text would then be too much, ${reason}`;
  return new SageError("invalid_note", what, { hint: "make it shorter" });
}
