/** Patterns without Unicode tables say of Latin text what those with them say. */
import assert from "node:assert/strict";
import { isLatin, pattern, patternFor } from "../../src/base/text/pattern.ts";
import { fold } from "../../src/base/text/text.ts";

/** Every character that Latin text may have, each between two letters and alone. */
const LATIN = Array.from({ length: 0x10000 }, (_, code) => String.fromCharCode(code)).filter(
  isLatin,
);
const TEXT = LATIN.map((one) => `a${one}b ${one}`).join("");

Deno.test("patternFor() finds what the Unicode classes find in Latin text", () => {
  for (
    const [source, flags] of [
      [String.raw`[\p{L}\p{N}]+`, "gu"],
      [String.raw`[^\p{L}\p{N}]+`, "gu"],
      [String.raw`[\p{L}]`, "gu"],
      [String.raw`(?<![\p{L}\p{N}-])[\p{N}]`, "gu"],
      [String.raw`[a-zà-ÿ][\p{N}]?`, "giu"],
    ] as const
  ) {
    assert.deepEqual(
      TEXT.match(patternFor(TEXT, source, flags)),
      TEXT.match(pattern(source, flags)),
    );
  }
});

Deno.test("patternFor() knows letters of other scripts", () => {
  for (const text of ["привет", "ℂ and 𝒜", "漢字", "ſo", "ⁿ", "❶"]) {
    const source = String.raw`[\p{L}\p{N}]+`;
    assert.deepEqual(
      text.match(patternFor(text, source, "gu")),
      text.match(pattern(source, "gu")),
    );
  }
});

Deno.test("fold() takes all marks from Latin text", () => {
  const bare = LATIN.map((one) => one.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase());
  assert.deepEqual(LATIN.map(fold), bare);
});
