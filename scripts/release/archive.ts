/**
 * Minimal, reproducible archives: `tar.gz` for all systems, and `zip`, which Windows opens without other
 * programs.
 */
import { crc32, deflateRawSync, gzipSync } from "node:zlib";
import { concat } from "../../src/base/concat.ts";

type Bytes = Uint8Array<ArrayBuffer>;

const BLOCK = 512;

export function tarGz(files: ReadonlyMap<string, Bytes>): Bytes {
  const parts: Uint8Array[] = [];
  for (const [name, bytes] of files) {
    parts.push(tarHeader(name, bytes.length), bytes, new Uint8Array(padding(bytes.length)));
  }
  parts.push(new Uint8Array(2 * BLOCK));
  const packed = new Uint8Array(gzipSync(concat(parts), { level: 9 }));
  // The gzip header's operating system: unknown, so that the bytes are the same everywhere.
  packed[9] = 255;
  return packed;
}

/** A ustar header: mode by name, owner root, time 0. */
function tarHeader(name: string, size: number): Uint8Array {
  if (name.length > 100) throw new Error(`"${name}" is too long a name for ustar (100 bytes)`);
  const header = new Uint8Array(BLOCK);
  const put = (text: string, at: number): void => header.set(new TextEncoder().encode(text), at);
  const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, "0");
  put(name, 0);
  put(octal(isProgram(name) ? 0o755 : 0o644, 7), 100);
  put(octal(0, 7), 108);
  put(octal(0, 7), 116);
  put(octal(size, 11), 124);
  put(octal(0, 11), 136);
  put("        0", 148);
  put("ustar\x0000", 257);
  put(octal(header.reduce((sum, byte) => sum + byte, 0), 6) + "\0 ", 148);
  return header;
}

function isProgram(name: string): boolean {
  return name === "sage" || name === "sage.exe";
}

function padding(size: number): number {
  return (BLOCK - size % BLOCK) % BLOCK;
}

export function zip(files: ReadonlyMap<string, Bytes>): Bytes {
  const locals: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let offset = 0;
  for (const [name, bytes] of files) {
    const packed = new Uint8Array(deflateRawSync(bytes, { level: 9 }));
    const label = new TextEncoder().encode(name);
    const facts = [crc32(bytes), packed.length, bytes.length] as const;
    const local = concat([zipHeader(facts, label.length), label, packed]);
    locals.push(local);
    central.push(concat([zipHeader(facts, label.length, offset), label]));
    offset += local.length;
  }
  const directory = concat(central);
  const end = new DataView(new ArrayBuffer(22));
  end.setUint32(0, 0x06054b50, true);
  end.setUint16(8, files.size, true);
  end.setUint16(10, files.size, true);
  end.setUint32(12, directory.length, true);
  end.setUint32(16, offset, true);
  return concat([...locals, directory, new Uint8Array(end.buffer)]);
}

const [LOCAL_HEADER, DIRECTORY_HEADER] = [0x04034b50, 0x02014b50];
/** Version 2.0 of the format, for deflate. */
const ZIP_VERSION = 20;
const DEFLATE = 8;
const DATE_1980 = 0x0021;

/** A file's local header; with the offset of that header, its entry in the central directory. */
function zipHeader(
  facts: readonly [crc: number, packed: number, size: number],
  nameLength: number,
  offset?: number,
): Uint8Array {
  const isDirectory = offset !== undefined;
  const bytes = new DataView(new ArrayBuffer(46));
  let at = 0;
  const short = (value: number): void => void (bytes.setUint16(at, value, true), at += 2);
  const long = (value: number): void => void (bytes.setUint32(at, value, true), at += 4);
  long(isDirectory ? DIRECTORY_HEADER : LOCAL_HEADER);
  if (isDirectory) short(ZIP_VERSION);
  [ZIP_VERSION, 0, DEFLATE, 0, DATE_1980].forEach(short);
  facts.forEach(long);
  [nameLength, 0].forEach(short);
  if (isDirectory) {
    // Comment length, disk and internal attributes; external attributes and the offset.
    [0, 0, 0].forEach(short);
    [0, offset].forEach(long);
  }
  return new Uint8Array(bytes.buffer, 0, at);
}
