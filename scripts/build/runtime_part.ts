/**
 * Extracts the `denort` from a program made by `deno compile`, byte for byte except for what compiling
 * rewrites anyway. The appended program is after the end of an ELF file; in a last section of a PE file
 * (`.pedata`); in a segment of a Mach-O file for arm64 (`__SUI`); after a marker in one for x86.
 */

const decoder = new TextDecoder("latin1");

/** Throws if the file has no program where `deno compile` puts it. */
export function runtimePart(program: Uint8Array): Uint8Array {
  const magic = viewOf(program).getUint32(0, false);
  if (magic === 0x7f454c46) return elf(program);
  if (magic >>> 16 === 0x4d5a) return portableExecutable(program);
  if (magic === 0xcffaedfe) return machO(program);
  throw new Error("Neither an ELF, nor a PE, nor a Mach-O file");
}

/** An ELF file ends with its section headers. */
function elf(program: Uint8Array): Uint8Array {
  const view = viewOf(program);
  const sectionsAt = Number(view.getBigUint64(0x28, true));
  return program.subarray(0, sectionsAt + view.getUint16(0x3a, true) * view.getUint16(0x3c, true));
}

/** Removes the last section and the resource directory, which the compiler added. */
function portableExecutable(program: Uint8Array): Uint8Array {
  const header = viewOf(program).getUint32(0x3c, true);
  const sections = viewOf(program).getUint16(header + 6, true);
  const optional = header + 24;
  const last = optional + viewOf(program).getUint16(header + 20, true) + (sections - 1) * 40;
  if (nameAt(program, last, 8) !== ".pedata") throw new Error("No program in this PE file");
  const end = viewOf(program).getUint32(last + 20, true);
  const out = program.slice(0, end);
  const view = viewOf(out);
  view.setUint16(header + 6, sections - 1, true);
  view.setUint32(optional + 56, view.getUint32(last + 12, true), true);
  view.setBigUint64(optional + 128, 0n, true);
  return out.fill(0, last, last + 40);
}

const [SEGMENT, SYMBOLS, SIGNATURE] = [0x19, 0x02, 0x1d];
/**
 * Load command → offsets of its fields that are file offsets into __LINKEDIT, the last segment, which
 * moves when __SUI before it is removed.
 */
const OFFSETS: Readonly<Record<number, readonly number[]>> = {
  [SYMBOLS]: [8, 16],
  [SIGNATURE]: [8],
  0x0b: [32, 40, 48, 56, 64, 72],
  0x22: [8, 16, 24, 32, 40],
  0x80000022: [8, 16, 24, 32, 40],
  0x26: [8],
  0x29: [8],
  0x2b: [8],
  0x2d: [8],
  0x80000033: [8],
  0x80000034: [8],
};
const HEADER_BYTES = 32;

interface Command {
  readonly kind: number;
  readonly at: number;
  readonly size: number;
  /** The name of a segment, else empty. */
  readonly name: string;
}

function machO(program: Uint8Array): Uint8Array {
  const segment = commandsOf(program).find(({ name }) => name === "__SUI");
  return segment === undefined ? behindMark(program) : inSegment(program, segment);
}

/** Removes the segment and the signature: compiling signs anew. */
function inSegment(program: Uint8Array, segment: Command): Uint8Array {
  const from = Number(viewOf(program).getBigUint64(segment.at + 40, true));
  const length = Number(viewOf(program).getBigUint64(segment.at + 48, true));
  const out = new Uint8Array(program.length - length);
  out.set(program.subarray(0, from));
  out.set(program.subarray(from + length), from);
  const view = viewOf(out);
  const commandsEnd = HEADER_BYTES + view.getUint32(20, true);
  out.copyWithin(segment.at, segment.at + segment.size, commandsEnd);
  out.fill(0, commandsEnd - segment.size, commandsEnd);
  view.setUint32(16, view.getUint32(16, true) - 1, true);
  view.setUint32(20, view.getUint32(20, true) - segment.size, true);
  let end = out.length;
  for (const { kind, at } of commandsOf(out)) {
    for (const field of OFFSETS[kind] ?? []) {
      const offset = view.getUint32(at + field, true);
      if (offset >= from + length) view.setUint32(at + field, offset - length, true);
    }
    if (kind !== SIGNATURE) continue;
    end = view.getUint32(at + 8, true);
    view.setUint32(at + 12, 0, true);
  }
  const { at } = lastSegment(out);
  const address = viewOf(program).getBigUint64(segment.at + 24, true);
  view.setBigUint64(at + 24, address, true);
  view.setBigUint64(at + 40, BigInt(from), true);
  return endingAt(out, end);
}

function behindMark(program: Uint8Array): Uint8Array {
  // In two parts, so that the marker is not found in a program that contains this file.
  const mark = new TextEncoder().encode("<~sui-" + "data~>");
  const { at } = lastSegment(program);
  let end = program.length - mark.length;
  const from = Number(viewOf(program).getBigUint64(at + 40, true));
  while (end > from && mark.some((byte, i) => program[end + i] !== byte)) end--;
  if (end <= from) throw new Error("No program in this Mach-O file");
  const out = program.slice(0, end);
  for (const { kind, at } of commandsOf(out)) {
    if (kind !== SYMBOLS) continue;
    viewOf(out).setUint32(at + 20, end - viewOf(out).getUint32(at + 16, true), true);
  }
  return endingAt(out, end);
}

/** Cuts the file, and its last segment, at `end`. */
function endingAt(file: Uint8Array, end: number): Uint8Array {
  const { at } = lastSegment(file);
  const size = BigInt(end) - viewOf(file).getBigUint64(at + 40, true);
  viewOf(file).setBigUint64(at + 32, size, true);
  viewOf(file).setBigUint64(at + 48, size, true);
  return file.subarray(0, end);
}

function lastSegment(file: Uint8Array): Command {
  const found = commandsOf(file).find(({ name }) => name === "__LINKEDIT");
  if (found === undefined) throw new Error("This Mach-O file has no segment __LINKEDIT");
  return found;
}

function commandsOf(file: Uint8Array): Command[] {
  const view = viewOf(file);
  const commands: Command[] = [];
  let at = HEADER_BYTES;
  for (let left = view.getUint32(16, true); left > 0; left--) {
    const [kind, size] = [view.getUint32(at, true), view.getUint32(at + 4, true)];
    commands.push({ kind, at, size, name: kind === SEGMENT ? nameAt(file, at + 8, 16) : "" });
    at += size;
  }
  return commands;
}

function nameAt(bytes: Uint8Array, at: number, length: number): string {
  return decoder.decode(bytes.subarray(at, at + length)).replace(/\0.*$/, "");
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
