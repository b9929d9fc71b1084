/** A prompt of several sentences: which of them are asked alone, and what each then needs. */
import assert from "node:assert/strict";
import { levelOf, partsOf } from "../../src/memory/prompt_parts.ts";

Deno.test("partsOf() has questions first, then what was said last, and no more than four", () => {
  const prompt = "Rename the parser module. Which retries does the importer make? " +
    "The export needs a header row. Then bump the minor version. Add the fixture for Lisbon. " +
    "Move the reports into archive.";
  assert.deepEqual(partsOf(prompt), [
    "Which retries does the importer make?",
    "Move the reports into archive.",
    "Add the fixture for Lisbon.",
    "Then bump the minor version.",
  ]);
});

Deno.test("partsOf() leaves out what could be no prompt: courtesies, short ones, orders of the moment, code", () => {
  const prompt = "Great, thank you! Run the tests and commit. Why? " +
    "The importer stalls on large files.\n\n```\nawait importer.run(); // the importer runs here\n```";
  assert.deepEqual(partsOf(prompt), ["The importer stalls on large files."]);
});

Deno.test("partsOf() has nothing of one sentence, nor of none", () => {
  for (const prompt of ["Why does the importer stall on large files?", "", "...", "\n\n"]) {
    assert.deepEqual(partsOf(prompt), []);
  }
});

Deno.test("partsOf() ends soon, however long the prompt is", () => {
  assert.equal(partsOf("The importer stalls on large files. ".repeat(20_000)).length, 4);
});

Deno.test("levelOf() asks for so many times the odds as sentences and the prompt were asked", () => {
  const odds = (level: number) => level / (1 - level);
  for (const sentences of [1, 2, 4]) {
    assert.ok(Math.abs(odds(levelOf(0.7, sentences)) / odds(0.7) - (1 + sentences)) < 1e-9);
  }
  assert.equal(levelOf(0, 3), 0);
  assert.ok(levelOf(1, 3) > 0.999 && levelOf(1, 3) <= 1);
});
