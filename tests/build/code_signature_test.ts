/** A made-up Mach-O file of three pages with an ad-hoc signature, and what may be wrong with one. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { signatureProblem } from "../../scripts/build/code_signature.ts";

const PAGE_BYTES = 4096;
const CONTENT_BYTES = 2 * PAGE_BYTES + 100;
const PAGES = 3;
/** Of the superblob with its one entry, and of the directory before its hashes. */
const [INDEX_BYTES, DIRECTORY_BYTES] = [20, 44];

function signed(): Uint8Array {
  const signatureBytes = INDEX_BYTES + DIRECTORY_BYTES + PAGES * 32;
  const program = new Uint8Array(CONTENT_BYTES + signatureBytes);
  const view = new DataView(program.buffer);
  view.setUint32(0, 0xfeedfacf, true);
  view.setUint32(16, 2, true);
  [0x1b, 24, 0, 0, 0, 0, 0x1d, 16, CONTENT_BYTES, signatureBytes]
    .forEach((word, i) => view.setUint32(32 + 4 * i, word, true));
  for (let at = 100; at < CONTENT_BYTES; at++) program[at] = at % 251;
  [0xfade0cc0, signatureBytes, 1, 0, INDEX_BYTES]
    .forEach((word, i) => view.setUint32(CONTENT_BYTES + 4 * i, word));
  const directory = CONTENT_BYTES + INDEX_BYTES;
  const [version, adHoc] = [0x20400, 0x2];
  [0xfade0c02, 0, version, adHoc, DIRECTORY_BYTES, 0, 0, PAGES, CONTENT_BYTES]
    .forEach((word, i) => view.setUint32(directory + 4 * i, word));
  program.set([32, 2, 0, 12], directory + 36);
  for (let page = 0; page < PAGES; page++) {
    const end = Math.min((page + 1) * PAGE_BYTES, CONTENT_BYTES);
    const hash = createHash("sha256").update(program.subarray(page * PAGE_BYTES, end)).digest();
    program.set(hash, directory + DIRECTORY_BYTES + page * 32);
  }
  return program;
}

Deno.test("signatureProblem() finds nothing where every page is what was signed", () => {
  assert.equal(signatureProblem(signed()), undefined);
});

Deno.test("signatureProblem() finds a byte that changed, a byte behind it, and no signature", () => {
  const changed = signed();
  changed[CONTENT_BYTES - 1] = 0;
  assert.equal(signatureProblem(changed), "page 2 of 3 differs from what was signed");
  const longer = new Uint8Array([...signed(), 0]);
  assert.equal(signatureProblem(longer), "something follows its signature");
  const bare = signed();
  bare[32 + 24] = 0x1a;
  assert.equal(signatureProblem(bare), "it has no signature");
});
