/**
 * Reads the lines of a session file as bytes, in bounded memory: block by block, skipping bookkeeping,
 * which shows in the first bytes of a line, and cutting huge strings before anything is parsed. A file
 * of 100 MB is mostly request records, pasted images and output of tools; none of that is worth a
 * `JSON.parse`.
 */
import { bytesAt, type Core, loadCore } from "../../base/core.ts";
import { concat } from "../../base/concat.ts";
import { isObject, parsed } from "../../base/fields.ts";
import type { FileHandle } from "../../base/fs.ts";
import { decode } from "../../base/utf8.ts";
import { TRANSCRIPT_LINE_BYTES_MAX } from "../../base/limits.ts";

const BLOCK_BYTES = 256 * 1024;
/** The head of a line decides whether it is bookkeeping: ids and flags stand before it. */
const HEAD_BYTES = 400;
/** Longer strings are cut, since memory keeps nothing longer. */
const STRING_CHARACTERS_MAX = 64 * 1024;
/** Of longer strings in a tool's output only head and tail are kept: see `headAndTail` and `flattened`. */
const PRINTED_BYTES_MAX = 8 * 1024;
const PRINTED_HEAD = 2001;
const PRINTED_TAIL = 1001;
/** Reading less is done before the core is loaded. */
const CORE_FROM_BYTES = 1024 * 1024;

const NEWLINE = 10;

/** Line types that hold conversation; every other type is the client's own bookkeeping. */
const KEPT = ["user", "assistant", "system", "custom-title", "ai-title"];
/** What hooks gave the model, Sage's own request included, and what a person typed while it worked. */
const KEPT_ATTACHMENT = /"attachment":\{"type":"(?:hook_additional_context|queued_command)"/;
const KEPT_SYSTEM = /"subtype":"(?:compact_boundary|away_summary)"/;
const KEPT_HEADS = KEPT.map((type) => `{"type":"${type}"`);

/**
 * Calls `visit` with each conversation record between two offsets, in order; returns where the last
 * whole line ended. Reading may begin in the middle of a line, which is skipped. A last line without a
 * line break counts if it is complete JSON.
 */
export function walkRecords(
  file: FileHandle,
  from: number,
  to: number,
  visit: (record: Record<string, unknown>) => void,
): number {
  const printed = to - from >= CORE_FROM_BYTES ? new PrintedText() : undefined;
  const block = printed?.block ?? new Uint8Array(BLOCK_BYTES);
  const pending = new PendingLine();
  let position = from === 0 ? 0 : from - 1;
  let endOffset = from;
  // The byte before the start shows whether a line begins there; if not, the rest of that line is dropped.
  if (from > 0) pending.drop();
  file.seek(position);
  try {
    while (position < to) {
      const count = file.read(block.subarray(0, Math.min(BLOCK_BYTES, to - position)));
      if (count === 0) break;
      const bytes = block.subarray(0, count);
      const first = lineEnd(bytes, 0);
      let rest = 0;
      if (first < count) {
        take(pending.finish(bytes.subarray(0, first)));
        rest = takeLines(bytes, first + 1);
        endOffset = Math.max(from, position + rest);
      }
      pending.add(bytes.subarray(rest));
      position += count;
    }
    if (!pending.isEmpty && take(pending.finish(new Uint8Array()))) endOffset = position;
  } finally {
    printed?.close();
  }
  return endOffset;

  /**
   * Takes the whole lines from `from` on; returns where the rest begins. They are decoded together, as
   * far as none is long: a call for each would cost more than parsing.
   */
  function takeLines(bytes: Uint8Array, from: number): number {
    let start = from;
    let together = from;
    for (let end = lineEnd(bytes, start); end < bytes.length; end = lineEnd(bytes, start)) {
      if (printed !== undefined && end - start > PRINTED_BYTES_MAX) {
        if (start > together) takeText(decode(bytes.subarray(together, start - 1)));
        take(bytes.subarray(start, end));
        together = end + 1;
      }
      start = end + 1;
    }
    if (start > together) takeText(decode(bytes.subarray(together, start - 1)));
    return start;
  }

  function lineEnd(bytes: Uint8Array, start: number): number {
    if (printed !== undefined) return printed.lineEnd(bytes, start);
    const end = bytes.indexOf(NEWLINE, start);
    return end < 0 ? bytes.length : end;
  }

  function takeText(text: string): void {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      takeLine(text.slice(start, end));
      start = end + 1;
    }
    takeLine(text.slice(start));
  }

  /** True for a record. Bookkeeping and invalid lines are skipped. */
  function takeLine(line: string): boolean {
    const record = isBookkeeping(line) ? undefined : parseLine(line);
    if (record !== undefined) visit(record);
    return record !== undefined;
  }

  function take(line: Uint8Array | undefined): boolean {
    if (line === undefined) return false;
    if (printed === undefined || line.length <= PRINTED_BYTES_MAX) return takeLine(decode(line));
    const head = decode(line.subarray(0, HEAD_BYTES));
    if (isBookkeeping(head)) return false;
    return takeLine(decode(head.includes(TOOL_RESULT) ? printed.cut(line) : line));
  }
}

/** A block of the core's memory, and beside it room for a line that two blocks share. */
class PrintedText {
  readonly block: Uint8Array;
  readonly #core: Core = loadCore();
  readonly #mark = this.#core.mark();
  readonly #at = this.#core.alloc(2 * BLOCK_BYTES);

  constructor() {
    this.block = bytesAt(this.#core, this.#at, BLOCK_BYTES);
  }

  /** Of bytes of the block. */
  lineEnd({ byteOffset, length }: Uint8Array, start: number): number {
    return this.#core.findByte(byteOffset + start, byteOffset + length, NEWLINE) - byteOffset;
  }

  /** The line with a tool's output shortened; valid until the next call. */
  cut(line: Uint8Array): Uint8Array {
    let at = line.byteOffset;
    if (line.buffer !== this.block.buffer) {
      if (line.length > BLOCK_BYTES) return line;
      at = this.#at + BLOCK_BYTES;
      bytesAt(this.#core, at, line.length).set(line);
    }
    const { length } = line;
    const left = this.#core.cutStrings(at, length, PRINTED_BYTES_MAX, PRINTED_HEAD, PRINTED_TAIL);
    return bytesAt(this.#core, at, left);
  }

  close(): void {
    this.#core.release(this.#mark);
  }
}

/** Collects a line that continues in the next block. Bookkeeping and oversized lines are not collected. */
class PendingLine {
  #parts: Uint8Array[] = [];
  #length = 0;
  #isDropped = false;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  drop(): void {
    this.#isDropped = true;
    this.#parts = [];
  }

  add(bytes: Uint8Array): void {
    if (bytes.length === 0 || this.#isDropped) return;
    if (
      this.#length === 0 && bytes.length >= HEAD_BYTES &&
      isBookkeeping(decode(bytes.subarray(0, HEAD_BYTES)))
    ) {
      return this.drop();
    }
    this.#length += bytes.length;
    if (this.#length > TRANSCRIPT_LINE_BYTES_MAX) return this.drop();
    this.#parts.push(bytes.slice());
  }

  /** The whole line unless it was dropped, and a fresh start. The bytes are valid until the next call. */
  finish(rest: Uint8Array): Uint8Array | undefined {
    const [isDropped, parts] = [this.#isDropped, this.#parts];
    this.#isDropped = false;
    this.#parts = [];
    this.#length = 0;
    if (isDropped) return undefined;
    return parts.length === 0 ? rest : concat([...parts, rest]);
  }
}

/** In the first bytes of every line with a tool's output. */
const TOOL_RESULT = '"tool_use_id":';

/** True when the line's first bytes show a type without conversation. In doubt it is parsed. */
function isBookkeeping(text: string): boolean {
  const head = text.slice(0, HEAD_BYTES);
  if (head.startsWith('{"type":"')) return !KEPT_HEADS.some((kept) => head.startsWith(kept));
  // Raw quotes cannot stand inside a JSON string, so these are keys; only their order is at stake.
  const message = head.indexOf('"message":{');
  const before = message < 0 ? head : head.slice(0, message);
  if (before.includes('"attachment":{')) return !KEPT_ATTACHMENT.test(before);
  return before.includes('"type":"system","subtype":"') && !KEPT_SYSTEM.test(before);
}

function parseLine(line: string): Record<string, unknown> | undefined {
  // Incomplete lines are normal in a file that is being written.
  const value = parsed(cutStrings(line));
  return isObject(value) ? value : undefined;
}

/** The same JSON with every string cut to `STRING_CHARACTERS_MAX`, without parsing it. */
function cutStrings(line: string): string {
  if (line.length <= STRING_CHARACTERS_MAX) return line;
  const kept: string[] = [];
  let copied = 0;
  for (let open = line.indexOf('"'); open >= 0;) {
    const close = closingQuote(line, open + 1);
    if (close < 0) break;
    if (close - open > STRING_CHARACTERS_MAX) {
      kept.push(line.slice(copied, safeEnd(line, open + 1, open + STRING_CHARACTERS_MAX)));
      copied = close;
    }
    open = line.indexOf('"', close + 1);
  }
  return kept.join("") + line.slice(copied);
}

function closingQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at >= 0; at = line.indexOf('"', at + 1)) {
    let backslashes = 0;
    while (at - backslashes > from && line[at - 1 - backslashes] === "\\") backslashes++;
    if (backslashes % 2 === 0) return at;
  }
  return -1;
}

/** The last place before `end` that splits neither a character nor an escape. */
function safeEnd(line: string, start: number, end: number): number {
  let safe = end;
  for (let back = 1; back <= 6; back++) {
    if (line[end - back] === "\\") safe = end - back;
  }
  while (safe > start && line[safe - 1] === "\\") safe--;
  const isSplit = (line.charCodeAt(safe) & 0xfc00) === 0xdc00;
  return isSplit ? safe - 1 : safe;
}
