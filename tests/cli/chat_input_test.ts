/** Where a message ends: at a line, behind a backslash, or where a paste does. */
import assert from "node:assert/strict";
import { messageReader } from "../../src/cli/chat/input.ts";
import type { Io } from "../../src/cli/io.ts";
import { fakeIo } from "../support/sage.ts";

/** Each message of what lies in the terminal, or in a pipe, when it is first read. */
async function messages(stdin: string, terminal = true): Promise<string[]> {
  const { io } = fakeIo({ home: "/nowhere", stdin, terminal });
  return await all(io);
}

async function all(io: Io): Promise<string[]> {
  const read = messageReader(io, (line) => /^\/\w+$/.test(line));
  const said: string[] = [];
  for (let text = await read(); text !== undefined; text = await read()) said.push(text);
  return said;
}

Deno.test("messageReader() takes a paste for one message, and a command for itself", async () => {
  assert.deepEqual(await messages("Why?\n  at f (a.ts:1)\n\n/usr/lib: gone\n"), [
    "Why?\n  at f (a.ts:1)\n\n/usr/lib: gone",
  ]);
  assert.deepEqual(await messages("/help\n/context\nWhy?\n"), ["/help", "/context", "Why?"]);
  assert.deepEqual(await messages("one\\\ntwo\nthree\n"), ["one\ntwo\nthree"]);
});

Deno.test("messageReader() waits for the person to end a paste, whose last line may have no end", async () => {
  const { io, written } = fakeIo({ home: "/nowhere", terminal: true });
  const typed = Promise.withResolvers<string>();
  const lines = [Promise.resolve("one"), Promise.resolve("two"), typed.promise];
  const never = new Promise<undefined>(() => {});
  const err = (text: string): void => {
    io.err(text);
    if (text.includes("Enter")) typed.resolve("three");
  };
  const read = messageReader({ ...io, err, readLine: () => lines.shift() ?? never }, () => false);
  assert.equal(await read(), "one\ntwo\nthree");
  assert.equal(written().stderr, ">  (Enter sends it) ");
});

Deno.test("messageReader() takes a command that is typed behind a paste for itself, and holds the paste", async () => {
  const { io, written } = fakeIo({ home: "/nowhere", terminal: true });
  const typed = Promise.withResolvers<string>();
  const lines = ["one", "two", typed.promise, "", "/quit"];
  const err = (text: string): void => {
    io.err(text);
    if (text.includes("Enter")) typed.resolve("/help");
  };
  const readLine = () => Promise.resolve(lines.shift());
  const read = messageReader({ ...io, err, readLine }, (line) => /^\/\w+$/.test(line));
  const said = [await read(), await read(), await read()];
  assert.deepEqual(said, ["/help", "one\ntwo", "/quit"]);
  assert.equal(written().stderr, ">  (Enter sends it) > (Enter sends it) > ");
});

Deno.test("messageReader() takes each line of a pipe for a message", async () => {
  assert.deepEqual(await messages("one\ntwo\\\nthree\n", false), ["one", "two\nthree"]);
});
