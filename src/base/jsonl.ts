/** JSON lines: append-only files of machine-made records. A torn line is skipped, not an error. */
import type { Fs } from "./fs.ts";
import { encode } from "./utf8.ts";

const decoder = new TextDecoder();
const NEWLINE = 0x0a;

/** The records of all valid lines; the last one need not end in a line break. */
export function readJsonLines(bytes: Uint8Array): unknown[] {
  return [...jsonLines(bytes)];
}

/** The same one by one, for files whose records would take too much memory together. */
export function* jsonLines(bytes: Uint8Array): Generator<unknown> {
  for (const { record } of numberedJsonLines(bytes)) yield record;
}

/** The same with the number of each line, from 1. `onTorn`: called for a line that is skipped. */
export function* numberedJsonLines(
  bytes: Uint8Array,
  onTorn?: () => void,
): Generator<{ readonly record: unknown; readonly line: number }> {
  const text = decoder.decode(bytes);
  let start = 0;
  let line = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const json = text.slice(start, end);
    start = end + 1;
    line++;
    if (json === "") continue;
    let record: unknown;
    try {
      record = JSON.parse(json);
    } catch {
      // A line that a crash tore, or two lines joined; the others are complete.
      onTorn?.();
      continue;
    }
    yield { record, line };
  }
}

/**
 * Appends records in one write, which POSIX keeps together if it is small. If the last line has no end,
 * because of a crash or an editor, it gets one first; otherwise both lines would be lost.
 */
export function appendJsonLine(fs: Fs, path: string, ...records: readonly unknown[]): void {
  using file = fs.open(path, { read: true, append: true, create: true, mode: 0o600 });
  const last = new Uint8Array(1);
  file.seek(Math.max(0, file.info().size - 1));
  const isOpen = file.read(last) > 0 && last[0] !== NEWLINE;
  const lines = records.map((record) => JSON.stringify(record) + "\n");
  file.write(encode((isOpen ? "\n" : "") + lines.join("")));
}
