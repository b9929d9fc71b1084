/**
 * Verifies the ad-hoc code signature of a Mach-O file: that its page hashes match. macOS on arm64 kills a
 * program with a missing or wrong signature, with no more than "Killed: 9", and builds run on Linux, where
 * nothing else would notice.
 */
import { createHash } from "node:crypto";

const HEADER_BYTES = 32;
const SIGNATURE = 0x1d;
const [SUPERBLOB, DIRECTORY] = [0xfade0cc0, 0xfade0c02];
const SHA256 = 2;

/** A description of the problem; undefined if there is none. */
export function signatureProblem(program: Uint8Array): string | undefined {
  const view = new DataView(program.buffer, program.byteOffset, program.byteLength);
  const signature = signatureOf(view);
  if (signature === undefined) return "it has no signature";
  const { from, length } = signature;
  if (from + length !== program.length) return "something follows its signature";
  if (view.getUint32(from) !== SUPERBLOB) return "its signature is not a superblob";
  const directory = from + view.getUint32(from + 16);
  if (view.getUint32(directory) !== DIRECTORY) return "its signature has no code directory";
  const [hashesAt, pages, covered] = [16, 28, 32].map((at) => view.getUint32(directory + at));
  const [hashBytes = 0, hashType, , pageShift = 0] = program.subarray(directory + 36);
  if (hashesAt === undefined || pages === undefined || hashType !== SHA256) {
    return "its pages are not hashed by SHA-256";
  }
  const pageBytes = 2 ** pageShift;
  if (covered !== from || pages !== Math.ceil(from / pageBytes)) {
    return "its signature does not cover all that precedes it";
  }
  for (let page = 0; page < pages; page++) {
    const bytes = program.subarray(page * pageBytes, Math.min((page + 1) * pageBytes, from));
    const at = directory + hashesAt + page * hashBytes;
    const wanted = program.subarray(at, at + hashBytes);
    if (!createHash("sha256").update(bytes).digest().equals(wanted)) {
      return `page ${page} of ${pages} differs from what was signed`;
    }
  }
  return undefined;
}

function signatureOf(view: DataView): { from: number; length: number } | undefined {
  let at = HEADER_BYTES;
  for (let left = view.getUint32(16, true); left > 0; left--) {
    if (view.getUint32(at, true) === SIGNATURE) {
      return { from: view.getUint32(at + 8, true), length: view.getUint32(at + 12, true) };
    }
    at += view.getUint32(at + 4, true);
  }
  return undefined;
}
