/**
 * Edits JSON so that only one value changes: comments, order, indentation, line ends and the final line
 * break stay. The only file that uses jsonc-parser.
 */
import { type Node, parse, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { SageError } from "../base/errors.ts";
import { isObject } from "../base/fields.ts";
import { withoutBom } from "../base/utf8.ts";

/** What the parser's errors mean, in plain words. */
const PLAIN_ERRORS: Readonly<Record<string, string>> = {
  InvalidSymbol: "a word that is not JSON",
  InvalidNumberFormat: "an invalid number",
  PropertyNameExpected: "a key is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a } is missing",
  CloseBracketExpected: "a ] is missing",
  EndOfFileExpected: "there is text after the end",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a quotation mark is missing",
};

export type JsonPath = readonly (string | number)[];
export type JsonObject = Record<string, unknown>;

const PARSE = { allowTrailingComma: true };
const NESTING_MAX = 256;
/** A bracket, or a string or comment, whose brackets do not count. Unclosed ones reach to the end. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[[\]{}]/g;

/** The object in a file's text. Anything else is an error that names line and column. */
export function parseObject(text: string, file: string): JsonObject {
  const body = withoutBom(text);
  if (body.trim() === "") return {};
  const unreadable = (what: string, offset: number): SageError => {
    const before = body.slice(0, offset).split("\n");
    const place = `${before.length}:${(before.at(-1) ?? "").length + 1}`;
    return new SageError("invalid_config", `Cannot read "${file}": ${what} at ${place}`, {
      hint: "mend the file, then repeat; nothing was changed",
    });
  };
  const deep = tooDeepAt(body);
  if (deep !== undefined) throw unreadable(`nested deeper than ${NESTING_MAX}`, deep);
  const errors: ParseError[] = [];
  const value: unknown = parse(body, errors, PARSE);
  const [error] = errors;
  if (error !== undefined) throw unreadable(plainError(error.error), error.offset);
  if (!isObject(value)) throw unreadable("expected an object", 0);
  return value;
}

/** The offset where brackets nest too deeply: the parser is recursive, and its stack limited. */
function tooDeepAt(body: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of body.matchAll(TOKEN)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > NESTING_MAX) return index;
  }
  return undefined;
}

/** The text with one value set. Missing parents are added. */
export function setValue(text: string, path: JsonPath, value: unknown): string {
  return onBody(text, (body) => {
    const root = parseTree(body, [], PARSE);
    const present = root && nodeAt(root, path);
    if (present !== undefined) {
      return splice(body, present.offset, present.length, render(value, body, path.length));
    }
    for (let depth = path.length - 1; root !== undefined && depth >= 0; depth--) {
      const parent = nodeAt(root, path.slice(0, depth));
      if (parent === undefined) continue;
      const missing = path.slice(depth + 1).reduceRight<unknown>(
        (inner, key) => ({ [key]: inner }),
        value,
      );
      return insertLast(body, parent, `${JSON.stringify(path[depth])}: `, missing, depth);
    }
    return body;
  });
}

/** The text without one value and its comma; comments and neighbours stay. */
export function removeValue(text: string, path: JsonPath): string {
  return onBody(text, (body) => {
    const root = parseTree(body, [], PARSE);
    const value = root && nodeAt(root, path);
    const member = value?.parent?.type === "property" ? value.parent : value;
    const siblings = member?.parent?.children ?? [];
    if (member === undefined || member.parent === undefined) return body;
    const at = siblings.indexOf(member);
    const [previous, next] = [siblings[at - 1], siblings[at + 1]];
    const end = member.offset + member.length;
    if (next !== undefined) {
      const comma = commaAfter(body, end);
      const rest = body.slice(comma + 1);
      return body.slice(0, member.offset) + body.slice(end, comma) + rest.trimStart();
    }
    const head = body.slice(0, member.offset).trimEnd();
    // The comma after an only member is removed too, even after a comment.
    const close = member.parent.offset + member.parent.length - 1;
    const left = previous === undefined ? commaAfter(body.slice(0, close), end) : close;
    const tail = body.slice(end, left) + body.slice(left < close ? left + 1 : left);
    const from = previous === undefined
      ? member.parent.offset + 1
      : previous.offset + previous.length;
    if (head.length === from) return head + tail.replace(/^\s+(?=[\]}])/, "");
    // A line comment must not swallow what follows.
    const gap = head.includes("//", from) && !/^[ \t]*\r?\n/.test(tail) ? layoutOf(body).eol : "";
    const comma = previous === undefined ? head.length : commaAfter(body, from);
    return head.slice(0, comma) + head.slice(comma + 1) + gap + tail;
  });
}

/** The text with a value appended to the list at `path`, which is added if missing. */
export function appendValue(text: string, path: JsonPath, value: unknown): string {
  const root = parseTree(bodyOf(text), [], PARSE);
  const list = root && nodeAt(root, path);
  if (list === undefined) return setValue(text, path, [value]);
  return onBody(text, (body) => insertLast(body, list, "", value, path.length));
}

/** The value at a path. Of a duplicate key the last one counts. */
function nodeAt(root: Node, path: JsonPath): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => {
    if (typeof step === "number") return node?.type === "array" ? node.children?.[step] : undefined;
    return node?.type === "object"
      ? node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1]
      : undefined;
  }, root);
}

/** Inserts after the last member, or between empty brackets. */
function insertLast(
  body: string,
  parent: Node,
  key: string,
  value: unknown,
  depth: number,
): string {
  const { eol, unit } = layoutOf(body);
  const content = eol + unit.repeat(depth + 1) + key + render(value, body, depth + 1);
  const last = parent.children?.at(-1);
  if (last !== undefined) {
    const end = last.offset + last.length;
    // A comment on the last member's line stays on it, and so does a comma after it.
    const [found = "", comma = "", remark = ""] =
      /^([ \t]*,)?([ \t]*(?:\/\/[^\r\n]*|\/\*[^\r\n]*?\*\/))?/.exec(body.slice(end)) ?? [];
    return splice(body, end, found.length, "," + remark + content + comma.trim());
  }
  const close = parent.offset + parent.length - 1;
  const inside = body.slice(parent.offset + 1, close);
  const kept = inside.trimEnd();
  return splice(body, parent.offset + 1, inside.length, kept + content + eol + unit.repeat(depth));
}

/** A value in the file's own layout; short lists of words on one line. */
function render(value: unknown, body: string, depth: number): string {
  const { eol, unit } = layoutOf(body);
  const words = /\[\s+("[\w./-]*"(?:,\s+"[\w./-]*")*)\s+\]/g;
  return JSON.stringify(value, null, unit)
    .replace(words, (_, list: string) => `[${list.replace(/,\s+/g, ", ")}]`)
    .split("\n").join(eol + unit.repeat(depth));
}

/** The comma after a member, ignoring those in comments. */
function commaAfter(body: string, from: number): number {
  for (let i = from; i < body.length; i++) {
    if (body.startsWith("//", i)) i = endOf(body, "\n", i);
    else if (body.startsWith("/*", i)) i = endOf(body, "*/", i + 2) + 1;
    else if (body[i] === ",") return i;
  }
  return body.length;
}

function endOf(body: string, mark: string, from: number): number {
  const at = body.indexOf(mark, from);
  return at < 0 ? body.length : at;
}

/** The file's line ends and indentation; two spaces if no line is indented. */
function layoutOf(body: string): { eol: string; unit: string } {
  return {
    eol: body.includes("\r\n") ? "\r\n" : "\n",
    unit: /\n([ \t]{1,8})["\/}\]{[]/.exec(body)?.[1] ?? "  ",
  };
}

function splice(text: string, offset: number, length: number, insert: string): string {
  return text.slice(0, offset) + insert + text.slice(offset + length);
}

function onBody(text: string, edit: (body: string) => string): string {
  return text.slice(0, text.length - withoutBom(text).length) + edit(bodyOf(text));
}

/** The text without a byte order mark; an empty file counts as `{}`. */
function bodyOf(text: string): string {
  const body = withoutBom(text);
  return body.trim() === "" ? "{}\n" : body;
}

function plainError(code: ParseError["error"]): string {
  const name = printParseErrorCode(code);
  return PLAIN_ERRORS[name] ?? name;
}
