/** Long strings in JSON: what is left reads the same at both ends, and everything else as it was. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { bytesAt, createCore } from "../../src/base/core.ts";
import { decode, encode } from "../../src/base/utf8.ts";
import { put, scratch } from "../support/core_memory.ts";
import { depth } from "../support/depth.ts";

const core = createCore();
const [LONGER, HEAD, TAIL] = [64, 9, 5];

const text = fc.array(
  fc.oneof(
    fc.constantFrom(
      '"',
      "\\",
      "\\\\",
      '\\"',
      "\n",
      "é",
      "—",
      "日",
      "😀",
      "\ud800",
      "\u0001",
      "u0041",
    ),
    fc.stringMatching(/^[a-z ]{1,20}$/),
  ),
  { maxLength: 60 },
).map((parts) => parts.join(""));

Deno.test("cutStrings() leaves both ends of long strings, and all of the others", () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ text, plan: text, list: fc.array(text, { maxLength: 3 }) })),
      fc.boolean(),
      (value, isEscaped) => {
        const json = isEscaped ? escaped(JSON.stringify(value)) : JSON.stringify(value);
        const left = JSON.parse(cut(json)) as typeof value;
        assert.equal(left.length, value.length);
        for (const [i, one] of value.entries()) {
          const other = left[i];
          assert.equal(other?.plan, one.plan);
          assert.equal(other?.list.length, one.list.length);
          for (
            const [a, b] of [
              [one.text, other?.text],
              ...one.list.map((a, j) => [a, other?.list[j]]),
            ]
          ) {
            assertCut(String(a), String(b));
          }
        }
      },
    ),
    { numRuns: depth(300, 20_000) },
  );
});

Deno.test("cutStrings() shortens a string that is much longer than its ends", () => {
  const left = cut(JSON.stringify({ said: "a\n".repeat(5000) }));
  assert.ok(left.length < 100, left);
});

Deno.test("cutStrings() leaves whole what has the beginning of something private in its middle", () => {
  const long = "d".repeat(200);
  for (const tag of ["<private>", "<PRIVATE why='x'>"]) {
    const text = JSON.stringify({ said: `${long}${tag}${long}` });
    assert.equal(cut(text), text);
  }
  for (const other of ["</private>", "private", "<privat"]) {
    assert.ok(cut(JSON.stringify({ said: `${long}${other}${long}` })).length < 200, other);
  }
});

Deno.test("cutStrings() leaves nothing of what a tool printed once more", () => {
  const long = "d".repeat(200);
  const said = {
    content: `"stdout":${long}`,
    stdout: long,
    toolUseResult: long,
    useResult: long,
    list: ["stdout", long],
  };
  const left = JSON.parse(cut(JSON.stringify(said))) as typeof said;
  assert.deepEqual([left.stdout, left.toolUseResult, left.list[0]], ["", "", "stdout"]);
  assertCut(said.content, left.content);
  for (const other of [left.useResult, left.list[1] ?? ""]) assertCut(long, other);
  assert.equal(cut('{"stdout":"short"}'), '{"stdout":"short"}');
});

Deno.test("cutStrings() leaves a torn text as it is from its last open string on", () => {
  const torn = '{"a":"b","c":"' + "d".repeat(200) + '\\"';
  assert.equal(cut(torn), torn);
  assert.equal(cut(""), "");
});

/** The same, or its first and last units with something left out between them. */
function assertCut(whole: string, left: string): void {
  if (left === whole) return;
  assert.ok(left.length < whole.length && left.length >= HEAD + TAIL);
  assert.ok(escaped(JSON.stringify(whole)).length > LONGER);
  assert.equal(left.slice(0, HEAD), whole.slice(0, HEAD));
  assert.equal(left.slice(-TAIL), whole.slice(-TAIL));
}

function cut(json: string): string {
  return scratch(core, () => {
    const bytes = encode(json);
    const at = put(core, bytes);
    return decode(bytesAt(core, at, core.cutStrings(at, bytes.length, LONGER, HEAD, TAIL)));
  });
}

function escaped(json: string): string {
  return json.replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
