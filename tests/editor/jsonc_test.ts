/** Edits of one value in somebody's JSON: remarks stay where they stand, and what comes out is JSON. */
import assert from "node:assert/strict";
import { parseObject, removeValue, setValue } from "../../src/editor/jsonc.ts";

Deno.test("removeValue() lets no remark take in what follows it", () => {
  const cases: readonly (readonly [before: string, after: string])[] = [
    [
      '{\n  "a": 1, // mine\n  "sage": {} }\n',
      '{\n  "a": 1 // mine\n }\n',
    ],
    ['{ // mine\n  "sage": {} }', "{ // mine\n }"],
    ['{ // mine\n  "sage": {}, // too\n}', "{ // mine\n // too\n}"],
    ['{\r\n  "a": 1, // mine\r\n  "sage": {}}', '{\r\n  "a": 1 // mine\r\n}'],
    ['{\n  "a": 1, // mine\n  "sage": {}\n}\n', '{\n  "a": 1 // mine\n}\n'],
    ['{ "a": 1, "sage": {} }', '{ "a": 1 }'],
    ['{ "sage": {}, "a": 1 }', '{ "a": 1 }'],
    ['{ "sage": {} /* , */ , "a": 1 }', '{  /* , */ "a": 1 }'],
    ['{ "a": 1, "sage": {}, }', '{ "a": 1, }'],
    ['{\n  "sage": {},\n}', "{}"],
    ['{ "sage": {} /* , */ , }', "{ /* , */  }"],
    ['{ "sage": {} // mine\n, }', "{ // mine\n }"],
  ];
  for (const [before, after] of cases) {
    assert.equal(removeValue(before, ["sage"]), after);
    assert.equal(parseObject(after, "f").sage, undefined);
  }
});

Deno.test("setValue() leaves a remark on the last line where it stands, behind a comma or not", () => {
  for (
    const [before, after] of [
      ['{\n  "a": 1 // mine\n}', '{\n  "a": 1, // mine\n  "x": 2\n}'],
      ['{\n  "a": 1, // mine\n}', '{\n  "a": 1, // mine\n  "x": 2,\n}'],
      ['{\n  "a": 1 /* mine */,\n}', '{\n  "a": 1, /* mine */\n  "x": 2,\n}'],
      ['{\n  "a": 1,\n}', '{\n  "a": 1,\n  "x": 2,\n}'],
      ['{\r\n\t"a": 1\r\n}\r\n', '{\r\n\t"a": 1,\r\n\t"x": 2\r\n}\r\n'],
      ["\ufeff{}\n", '\ufeff{\n  "x": 2\n}\n'],
    ] as const
  ) assert.equal(setValue(before, ["x"], 2), after);
});
