/**
 * A fast parser of the part of YAML that people and Sage write in practice, without a package, for hooks.
 * What it accepts it parses like js-yaml (a property test compares them); for everything else it returns
 * undefined, which means: use the real parser.
 */
import { lazyPattern } from "../text/pattern.ts";
import {
  FRONT_MATTER_BYTES_MAX,
  FRONT_MATTER_DEPTH_MAX,
  FRONT_MATTER_KEYS_MAX,
} from "../limits.ts";
import type { YamlMap, YamlValue } from "./value.ts";

/** Characters that YAML forbids or that some parsers take for a line end, and tabs. */
const FOREIGN = lazyPattern(
  String.raw`(?![\n\r])\p{Cc}|[\u2028\u2029\uFEFF\uFFFE\uFFFF]|\p{Cs}|\r(?!\n)`,
  "u",
);
/** Most texts match, and need no Unicode classes, which cost a millisecond at their first use. */
const ASCII = /^[\n -~]*$/;
const KEY = /^([A-Za-z_][A-Za-z0-9_.-]*):(?: +(.*))?$/;
const PLAIN_START = lazyPattern(String.raw`^[\p{L}\p{N}]`, "u");
const PLAIN_ASCII = /^[A-Za-z0-9_./(+$~]/;
const DOUBLE = /^"((?:[^"\\]|\\["\\\/nrt]|\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4})*)"/;
const SINGLE = /^'((?:[^']|'')*)'/;
const AFTER_QUOTES = /^ *(?: #.*)?$/;

/** Parses a text to a mapping; undefined if it needs the real parser. */
export function readSimpleYaml(
  text: string,
  { bytesMax, keysMax } = { bytesMax: FRONT_MATTER_BYTES_MAX, keysMax: FRONT_MATTER_KEYS_MAX },
): YamlMap | undefined {
  // At most three bytes a character: a text that may be too long is left to the real parser.
  if (text.length * 3 > bytesMax) return undefined;
  if (!ASCII.test(text) && FOREIGN().test(text)) return undefined;
  try {
    return new SimpleReader(text, keysMax).read();
  } catch (error) {
    if (error === BEYOND) return undefined;
    throw error;
  }
}

interface Line {
  readonly indent: number;
  readonly text: string;
}

/** Thrown to leave the recursion; `readSimpleYaml` catches it. */
const BEYOND = new Error("beyond the simple part of YAML");

class SimpleReader {
  readonly #lines: Line[] = [];
  #next = 0;
  #keys = 0;
  readonly #keysMax: number;

  constructor(text: string, keysMax: number) {
    this.#keysMax = keysMax;
    for (const raw of text.split(/\r?\n/)) {
      const line = withoutTail(raw);
      const indent = line.search(/[^ ]/);
      if (indent >= 0 && line.charAt(indent) !== "#") {
        this.#lines.push({ indent, text: line.slice(indent) });
      }
    }
  }

  read(): YamlMap {
    const first = this.#lines[0];
    if (first === undefined) return new Map();
    const map = this.#mapping(first.indent, 1);
    if (this.#next < this.#lines.length) throw BEYOND;
    return map;
  }

  #mapping(indent: number, level: number): YamlMap {
    if (level >= FRONT_MATTER_DEPTH_MAX / 2) throw BEYOND;
    const map = new Map<string, YamlValue>();
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      if (line.indent < indent) break;
      const match = KEY.exec(line.text);
      const key = match?.[1];
      if (line.indent > indent || key === undefined || map.has(key)) throw BEYOND;
      if (++this.#keys > this.#keysMax) throw BEYOND;
      this.#next++;
      const rest = match?.[2] ?? "";
      const value = rest === "" || rest.startsWith("#")
        ? this.#below(indent, level)
        : readScalar(rest);
      map.set(key, value);
      // A list at the indent of a key that has a scalar already is no valid YAML.
      if (this.#lines[this.#next]?.indent === indent && this.#isItem()) throw BEYOND;
    }
    return map;
  }

  #below(indent: number, level: number): YamlValue {
    const line = this.#lines[this.#next];
    if (line === undefined || line.indent < indent) return "";
    if (this.#isItem()) return this.#sequence(line.indent, level + 1);
    return line.indent === indent ? "" : this.#mapping(line.indent, level + 1);
  }

  #sequence(indent: number, level: number): YamlValue[] {
    const items: YamlValue[] = [];
    for (let line = this.#lines[this.#next]; line !== undefined; line = this.#lines[this.#next]) {
      if (line.indent < indent || (line.indent === indent && !this.#isItem())) break;
      if (line.indent > indent) throw BEYOND;
      const rest = line.text.slice(1).replace(/^ +/, "");
      if (rest === "" || rest.startsWith("#") || rest.startsWith("-")) throw BEYOND;
      if (KEY.test(rest)) {
        const inner = indent + line.text.length - rest.length;
        this.#lines[this.#next] = { indent: inner, text: rest };
        items.push(this.#mapping(inner, level + 1));
      } else {
        this.#next++;
        items.push(readScalar(rest));
      }
    }
    return items;
  }

  #isItem(): boolean {
    const text = this.#lines[this.#next]?.text ?? "";
    return text === "-" || text.startsWith("- ");
  }
}

function readScalar(rest: string): YamlValue {
  if (rest === "[]") return [];
  if (rest === "{}") return new Map();
  if (rest.startsWith("[")) return readList(rest);
  const quoted = readQuoted(rest);
  if (quoted !== undefined) {
    if (!AFTER_QUOTES.test(rest.slice(quoted.length))) throw BEYOND;
    return quoted.text;
  }
  const comment = rest.indexOf(" #");
  const text = comment < 0 ? rest : withoutTail(rest.slice(0, comment));
  if (!startsPlain(text) || /:(?: |$)/.test(text)) throw BEYOND;
  return text;
}

/** Without spaces at the end. A pattern would take quadratic time for a long run of spaces in the middle. */
function withoutTail(text: string): string {
  let end = text.length;
  while (text[end - 1] === " ") end--;
  return text.slice(0, end);
}

function startsPlain(text: string): boolean {
  return PLAIN_ASCII.test(text) || PLAIN_START().test(text);
}

function readQuoted(rest: string): { text: string; length: number } | undefined {
  const double = DOUBLE.exec(rest);
  if (double !== null) return { text: unescape(double[1] ?? ""), length: double[0].length };
  const single = SINGLE.exec(rest);
  if (single === null) return undefined;
  return { text: (single[1] ?? "").replaceAll("''", "'"), length: single[0].length };
}

/** `[a, "b"]` on one line. */
function readList(rest: string): YamlValue[] {
  const items: YamlValue[] = [];
  let left = rest.slice(1);
  while (true) {
    left = left.replace(/^ +/, "");
    const quoted = readQuoted(left);
    const plain = quoted === undefined ? /^[^,\[\]{}]+/.exec(left)?.[0] ?? "" : "";
    const text = quoted?.text ?? withoutTail(plain);
    if (quoted === undefined && (!startsPlain(text) || / #|:(?: |$)/.test(text))) {
      throw BEYOND;
    }
    items.push(text);
    left = left.slice(quoted?.length ?? plain.length).replace(/^ +/, "");
    if (left === "]") return items;
    if (!left.startsWith(",")) throw BEYOND;
    left = left.slice(1);
  }
}

function unescape(text: string): string {
  return text.replace(
    /\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|(.))/g,
    (_, byte: string | undefined, unit: string | undefined, ch: string | undefined) => {
      const code = byte ?? unit;
      if (code !== undefined) return String.fromCharCode(parseInt(code, 16));
      return ch === "n" ? "\n" : ch === "r" ? "\r" : ch === "t" ? "\t" : ch ?? "";
    },
  );
}
