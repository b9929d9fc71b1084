/** JSON lines: append-only files of machine-made records. A torn last line is normal, not an error. */
import { encode, type Fs } from "./fs.ts";

const decoder = new TextDecoder();

/** The records of every whole, well-formed line. */
export function readJsonLines(bytes: Uint8Array): unknown[] {
  return numberedJsonLines(bytes).map(({ record }) => record);
}

/** The same with the number of each line, counted from 1. */
export function numberedJsonLines(bytes: Uint8Array): { record: unknown; line: number }[] {
  const records: { record: unknown; line: number }[] = [];
  const text = decoder.decode(bytes);
  let start = 0;
  let line = 0;
  for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
    const json = text.slice(start, end);
    start = end + 1;
    line++;
    try {
      if (json !== "") records.push({ record: JSON.parse(json), line });
    } catch {
      // A line that two crashes tore together; the ones around it are whole.
    }
  }
  return records;
}

/** Appends one record in one write, which POSIX keeps whole for small records. */
export function appendJsonLine(fs: Fs, path: string, record: unknown): void {
  const file = fs.open(path, { append: true, create: true, mode: 0o600 });
  try {
    file.write(encode(JSON.stringify(record) + "\n"));
  } finally {
    file.close();
  }
}
