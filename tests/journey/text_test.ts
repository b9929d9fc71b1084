/** The runner of journeys finds a difference where there is one, and rewrites no more than that. */
import assert from "node:assert/strict";
import { compare, difference, parseJourney, renew } from "../support/journey.ts";
import { splitWords } from "./world.ts";

const TEXT = [
  "# A title",
  "",
  "Prose.",
  "",
  "```console",
  "$ write a.md <<EOF",
  "$ not a command",
  "EOF",
  "$ cat a.md",
  "one",
  "",
  "two",
  "",
  "$ ls",
  "```",
  "",
  "More.",
  "",
].join("\n");

Deno.test("parseJourney() reads commands, their input and what follows", () => {
  const { title, steps } = parseJourney(TEXT);
  assert.equal(title, "A title");
  assert.deepEqual(steps, [
    { line: 6, command: "write a.md", input: "$ not a command\n", expected: [] },
    { line: 9, command: "cat a.md", input: undefined, expected: ["one", "", "two"] },
    { line: 14, command: "ls", input: undefined, expected: [] },
  ]);
});

Deno.test("parseJourney() gives back the same file when nothing changed", () => {
  const journey = parseJourney(TEXT);
  assert.equal(journey.rewrite(journey.steps.map(({ expected }) => expected)), TEXT);
});

Deno.test("parseJourney() replaces one expectation and leaves the rest", () => {
  const journey = parseJourney(TEXT);
  assert.equal(
    journey.rewrite([[], ["one", "", "two"], ["a.md"]]),
    TEXT.replace("$ ls\n", "$ ls\na.md\n"),
  );
});

Deno.test("parseJourney() refuses a block that does not begin with a command", () => {
  assert.throws(() => parseJourney("```console\nls\n```"), /begins with a command/);
});

Deno.test("compare() tells lines that differ", () => {
  assert.equal(compare(["a", "b"], ["a", "b"]).matches, true);
  assert.equal(compare(["a", "b"], ["a", "c"]).matches, false);
  assert.equal(compare(["a"], ["a", "b"]).matches, false);
  assert.equal(compare(["a", "b"], ["a"]).matches, false);
  assert.equal(compare([], ["a"]).matches, false);
  assert.equal(compare(["a.c"], ["abc"]).matches, false);
});

Deno.test("compare() takes … for any lines and […] for any text", () => {
  assert.equal(compare(["a", "…", "z"], ["a", "z"]).matches, true);
  assert.equal(compare(["a", "…", "z"], ["a", "b", "z", "z"]).matches, true);
  assert.equal(compare(["…", "z"], ["a", "b"]).matches, false);
  assert.equal(compare(["id […] (x)"], ["id 12 (x)"]).matches, true);
  assert.equal(compare(["id […] (x)"], ["id 12 (y)"]).matches, false);
});

Deno.test("compare() keeps what an expectation names", () => {
  const { captured } = compare(["…", 'load {"id":"[id=…]"}'], ["first", 'load {"id":"ab12"}']);
  assert.deepEqual([...captured], [["id", "ab12"]]);
});

Deno.test("difference() marks what was expected and what came", () => {
  assert.equal(difference(["a", "b"], ["a", "c"]), "    a\n  - b\n  + c");
});

Deno.test("renew() keeps lines that fit, and leaves out what changes at every run", () => {
  assert.deepEqual(
    renew(["load [id=…]", "old"], ["load ab12", "at 2026-11-20T11:04:05Z, note 1a2b3c4d, 5 s ago"]),
    ["load [id=…]", "at […], note […], […] ago"],
  );
});

Deno.test("splitWords() splits like a shell, and puts in what was kept", () => {
  const kept = new Map([["id", "ab12"]]);
  assert.deepEqual(splitWords(`a "b c" 'd "e"' f\\g`, kept), ["a", "b c", 'd "e"', "f\\g"]);
  assert.deepEqual(splitWords(`x '{"id":"$id"}' $other ""`, kept), [
    "x",
    '{"id":"ab12"}',
    "$other",
    "",
  ]);
  assert.throws(() => splitWords(`a "b`, kept), /not closed/);
});
