import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { canAsk, choose, confirm, readChoice, readYesNo } from "../../src/cli/terminal/prompt.ts";
import { fakeIo } from "../support/sage.ts";

const home = "/nowhere";

Deno.test("readYesNo() takes a plain yes, and silence for no", () => {
  const read = ["y", " YES ", "n", "No", "", "maybe", "yess"].map(readYesNo);
  assert.deepEqual(read, ["yes", "yes", "no", "no", "no", undefined, undefined]);
});

Deno.test("readChoice() takes a number in range, and silence for none", () => {
  const read = ["1", " 3 ", "0", "4", "1.5", "x", "", "q"].map((line) => readChoice(line, 3));
  assert.deepEqual(read, [0, 2, undefined, undefined, undefined, undefined, "none", "none"]);
});

Deno.test("confirm() asks again when the answer means nothing, on stderr only", async () => {
  const { io, written } = fakeIo({ home, stdin: "what\nyes\n", terminal: true });
  assert.equal(await confirm(io, "Sure?"), true);
  assert.deepEqual(written(), { stdout: "", stderr: "Sure? [y/N] Sure? [y/N] " });
});

Deno.test("choose() numbers what there is", async () => {
  const { io, written } = fakeIo({ home, stdin: "2\n", terminal: true });
  assert.equal(await choose(io, "Which?", ["one", "two"]), 1);
  assert.equal(written().stderr, "1) one\n2) two\nWhich? [1-2, Enter for none] ");
});

Deno.test("a question ends with the input, and after three answers that mean nothing", async () => {
  const ended = fakeIo({ home, terminal: true }).io;
  await assert.rejects(
    confirm(ended, "Sure?"),
    (error) => error instanceof SageError && error.code === "interrupted",
  );
  const silly = fakeIo({ home, terminal: true, stdin: "a\nb\nc\ny\n" }).io;
  await assert.rejects(confirm(silly, "Sure?"), /could be understood/);
});

Deno.test("canAsk() wants a terminal at both ends of a question", () => {
  assert.equal(canAsk(fakeIo({ home, terminal: true }).io), true);
  assert.equal(canAsk(fakeIo({ home }).io), false);
});
