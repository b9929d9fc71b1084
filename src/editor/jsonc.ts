/**
 * Edits to somebody's JSON that touch nothing but the value meant: comments, order, indentation, line
 * ends and the final line break stay. The only file that knows jsonc-parser.
 */
import { type Node, parse, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import { SageError } from "../base/errors.ts";
import { isObject } from "../base/fields.ts";
import { withoutBom } from "../base/fs.ts";

/** The parser's words for what people get wrong. */
const PLAIN_ERRORS: Readonly<Record<string, string>> = {
  InvalidSymbol: "a word that is not JSON",
  InvalidNumberFormat: "a number that is none",
  PropertyNameExpected: "a key is missing",
  ValueExpected: "a value is missing",
  ColonExpected: "a colon is missing",
  CommaExpected: "a comma is missing",
  CloseBraceExpected: "a } is missing",
  CloseBracketExpected: "a ] is missing",
  EndOfFileExpected: "something stands behind the end",
  UnexpectedEndOfComment: "a comment is not closed",
  UnexpectedEndOfString: "a quotation mark is missing",
};

export type JsonPath = readonly (string | number)[];
export type JsonObject = Record<string, unknown>;

const PARSE = { allowTrailingComma: true };
const NESTING_MAX = 256;
/** A bracket, or what may hold some that are none; what is not closed ends with the text. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|[[\]{}]/g;

/** The object in a file's text. Anything else is an error that names the place; nothing is guessed. */
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

/** Where brackets nest deeper than anybody's settings: the parser goes down with each, on a stack that ends. */
function tooDeepAt(body: string): number | undefined {
  let depth = 0;
  for (const { 0: token, index } of body.matchAll(TOKEN)) {
    if (token === "[" || token === "{") depth++;
    else if (token === "]" || token === "}") depth--;
    if (depth > NESTING_MAX) return index;
  }
  return undefined;
}

/** The text with one value set; what is missing on the way to it is made. */
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

/** The text with one value removed, its comma too; comments and neighbours stay. */
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
    // The comma behind an only member would stand behind nothing, wherever a remark has moved it.
    const close = member.parent.offset + member.parent.length - 1;
    const left = previous === undefined ? commaAfter(body.slice(0, close), end) : close;
    const tail = body.slice(end, left) + body.slice(left < close ? left + 1 : left);
    const from = previous === undefined
      ? member.parent.offset + 1
      : previous.offset + previous.length;
    if (head.length === from) return head + tail.replace(/^\s+(?=[\]}])/, "");
    // A remark that goes to its line's end must not take in what follows.
    const gap = head.includes("//", from) && !/^[ \t]*\r?\n/.test(tail) ? layoutOf(body).eol : "";
    const comma = previous === undefined ? head.length : commaAfter(body, from);
    return head.slice(0, comma) + head.slice(comma + 1) + gap + tail;
  });
}

/** The text with a value added at the end of the list at `path`, which is made when missing. */
export function appendValue(text: string, path: JsonPath, value: unknown): string {
  const root = parseTree(bodyOf(text), [], PARSE);
  const list = root && nodeAt(root, path);
  if (list === undefined) return setValue(text, path, [value]);
  return onBody(text, (body) => insertLast(body, list, "", value, path.length));
}

/** The value at a path; of a key that stands twice the last one's, which is the one that counts. */
function nodeAt(root: Node, path: JsonPath): Node | undefined {
  return path.reduce<Node | undefined>((node, step) => {
    if (typeof step === "number") return node?.type === "array" ? node.children?.[step] : undefined;
    return node?.type === "object"
      ? node.children?.findLast(({ children }) => children?.[0]?.value === step)?.children?.[1]
      : undefined;
  }, root);
}

/** Behind the last member, or between the empty brackets; no neighbour is touched. */
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
    // A remark on the last member's line stays on it, a comma behind it too.
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

/** The comma behind a member, not one in a comment between. */
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

/** As the file is laid out already; two blanks where it has no indented line. */
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

/** The text without its mark; an empty file is an empty object. */
function bodyOf(text: string): string {
  const body = withoutBom(text);
  return body.trim() === "" ? "{}\n" : body;
}

function plainError(code: ParseError["error"]): string {
  const name = printParseErrorCode(code);
  return PLAIN_ERRORS[name] ?? name;
}
