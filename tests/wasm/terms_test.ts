/** Terms: a table of what is split how, and the kernel against its twin on made-up identifiers. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { createCore, wordsAt } from "../../src/base/core.ts";
import { encode } from "../../src/base/utf8.ts";
import { put, scratch } from "../support/core_memory.ts";
import { depth } from "../support/depth.ts";
import { splitTerms, termHash } from "../support/twins.ts";

const core = createCore();

const EXAMPLES: readonly (readonly [string, string])[] = [
  ["Uploads are capped at 25 MB.", "uploads are capped at 25 mb"],
  ["getUserName()", "getusername get user name"],
  ["snake_case_name", "snake_case_name snake case name"],
  ["iOS aA planB", "ios os aa planb plan"],
  ["MAX_RETRIES", "max_retries max retries"],
  ["HTTPServerError", "httpservererror http server error"],
  ["utf8ToBase64", "utf8tobase64 utf8 to base64"],
  ["mcp__sage__search", "mcp__sage__search mcp sage search"],
  ["__init__", "init"],
  [
    "see src/base/userName.test.ts,",
    "see src/base/username.test.ts src base username.test.ts username user name test ts",
  ],
  ["C:\\Users\\ada", "c users/ada users ada"],
  ["kebab-case v1.2.3", "kebab-case kebab case v1.2.3 v1 2 3"],
  ["2026-01-13", "2026-01-13 2026 01 13"],
  ["end. Next -- a...b and/or", "end next a b and/or and or"],
  ["naïve 日本語", "naïve 日本語"],
  ["", ""],
];

Deno.test("termHashes() keeps identifiers whole and splits them", () => {
  for (const [text, terms] of EXAMPLES) {
    const expected = terms === "" ? [] : terms.split(" ").map((term) => termHash(latin1(term)));
    assert.deepEqual(hashes(text), expected, text);
  }
});

Deno.test("termHashes() cuts a term to 64 bytes", () => {
  const long = "a".repeat(64);
  assert.deepEqual(hashes(`${long}bc`), hashes(long));
  assert.notDeepEqual(hashes(long.slice(1)), hashes(long));
});

Deno.test("termHashes() stops when there is no room for more", () => {
  assert.equal(hashes("one twoThree four", 3).length, 3);
  assert.deepEqual(hashes("one twoThree four", 3), hashes("one twoThree four").slice(0, 3));
});

Deno.test("termHashes() has room for every term when it has one place a byte", () => {
  for (const unit of ["aA", "aA.", "a.", "aAa-b_", "1A", "AbAb/", "a/b.c-d_e "]) {
    const value = unit.repeat(50);
    assert.equal(hashes(value).length, hashes(value, value.length * 2).length, unit);
  }
});

const piece = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9]{1,9}$/),
  fc.constantFrom("aA", "a", "get", "User", "HTTP", "id", "é", "ß", "日本", "x".repeat(40), "🙂"),
);
const joint = fc.constantFrom("", "_", "__", ".", "-", "/", "\\", " ", "..", ", ", "-_", "\n", "'");
const text = fc.oneof(
  fc.array(fc.tuple(piece, joint), { maxLength: 12 }).map((parts) => parts.flat().join("")),
  fc.string({ unit: "binary", maxLength: 60 }),
);

Deno.test("termSpans() gives the twin's terms, places included", () => {
  fc.assert(
    fc.property(text, (value) => {
      const expected = splitTerms(value);
      const bytes = encode(value);
      scratch(core, () => {
        const at = put(core, bytes);
        const [out, spans] = [core.alloc(bytes.length * 8), core.alloc(bytes.length * 8)];
        const count = core.termSpans(at, bytes.length, out, spans, bytes.length);
        const places = wordsAt(core, spans, count * 2);
        const found = [...new BigUint64Array(core.memory.buffer, out, count)].map((hash, i) => ({
          hash,
          start: places[i * 2],
          end: places[i * 2 + 1],
        }));
        assert.deepEqual(
          found,
          expected.map(({ text, start, end }) => ({ hash: termHash(text), start, end })),
        );
        assert.deepEqual(hashes(value), expected.map((term) => termHash(term.text)));
      });
    }),
    { numRuns: depth(2000, 50_000) },
  );
});

function hashes(value: string, termsMax?: number): bigint[] {
  return scratch(core, () => {
    const bytes = encode(value);
    const at = put(core, bytes);
    const out = core.alloc(bytes.length * 16);
    const count = core.termHashes(at, bytes.length, out, termsMax ?? bytes.length);
    return [...new BigUint64Array(core.memory.buffer, out, count)];
  });
}

/** UTF-8 bytes as one character each. */
function latin1(value: string): string {
  return String.fromCharCode(...encode(value));
}
