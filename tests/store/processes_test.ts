/** R3, R4 and R5: several real processes on the same notes, writing, reading, dying, frozen. */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { type Store, withNoteLock } from "../../src/store/handle.ts";
import { foldInbox, listInbox } from "../../src/store/inbox.ts";
import { loadNote } from "../../src/store/load.ts";
import { replaceNote, updateNote } from "../../src/store/store.ts";
import { listVersions } from "../../src/store/versions.ts";
import { depth } from "../support/depth.ts";
import { newNote, tempStore } from "../support/temp_store.ts";
import { assertInTime } from "../support/quick.ts";
import { orKilled, WAIT_MS_MAX } from "../support/within.ts";

const WRITER = new URL("../crash/writer.ts", import.meta.url).pathname;

function spawn(...args: string[]): Deno.ChildProcess {
  return new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", WRITER, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
}

async function linesOf(child: Deno.ChildProcess): Promise<string[]> {
  const msMax = depth(3, 30) * WAIT_MS_MAX;
  const { stdout } = await orKilled("the end of a writer", child, child.output(), msMax);
  return new TextDecoder().decode(stdout).split("\n").filter((line) => line !== "");
}

/** The child has its lock once it says so. */
async function holder(store: Store, noteId: string): Promise<Deno.ChildProcess> {
  const child = spawn("hold", store.root, noteId);
  const reader = child.stdout.getReader();
  await orKilled("the lock", child, reader.read());
  reader.releaseLock();
  return child;
}

async function end(child: Deno.ChildProcess): Promise<void> {
  child.kill("SIGKILL");
  await child.stdout.cancel();
  await child.status;
}

Deno.test("processes that write the same notes never lose each other's updates", async () => {
  const store = tempStore();
  const paths = [0, 1, 2].map((n) => newNote(store, `shared-${n}`));
  const names = Array.from({ length: depth(4, 8) }, (_, n) => `w${n}`);
  const count = depth(60, 500);
  const children = names.map((name) => spawn("tokens", store.root, name, String(count)));
  const lines = (await Promise.all(children.map(linesOf))).flat();
  const acknowledged = lines.filter((line) => !line.startsWith("!")).map((line) => line.split(" "));
  assert.equal(lines.filter((line) => line.startsWith("!")).length, 0, lines[0]);
  assert.equal(acknowledged.length, names.length * count);
  for (const path of paths) {
    const { text } = await loadNote(store, path);
    const tokens = text.split("\n").filter((line) => /^w\d+-\d+$/.test(line));
    const expected = acknowledged.filter(([at]) => at === path).map(([, token]) => token);
    assert.deepEqual(tokens.toSorted(), expected.toSorted(), path);
    assert.equal(listVersions(store, path.slice(10, -3)).length, expected.length);
  }
});

Deno.test("a reader sees the old or the new note, never a part of one", async () => {
  const store = tempStore();
  const path = newNote(store, "flip");
  await updateNote(store, path, ({ text }) => `${text}start\nend\n`);
  const child = spawn("flip", store.root, path, String(depth(1500, 20_000)));
  let isDone = false;
  const writer = linesOf(child).finally(() => isDone = true);
  const seen = new Set<string>();
  while (!isDone) {
    for (let i = 0; i < 50; i++) {
      const { text } = await loadNote(store, path);
      const body = text.slice(text.indexOf("# "));
      assert.match(body, /^# flip\n\ntext\nstart\nend\n$|^# ([a-h])\n\1+\nend\n$/);
      const letter = body.charAt(2);
      const size = 10_000 + 1_000 * "abcdefgh".indexOf(letter);
      if (body.length > 100) assert.equal(body.length, size + 9);
      seen.add(letter);
    }
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  await writer;
  // How many depends on the machine; of two at least one was put over the other while it was read.
  assert.ok(seen.size > 1, [...seen].join());
});

Deno.test("a killed holder blocks nobody", async () => {
  const store = tempStore();
  const path = newNote(store, "held");
  for (let i = 0; i < depth(3, 100); i++) {
    const child = await holder(store, "held");
    await end(child);
    const start = performance.now();
    withNoteLock(store, "held", () => {});
    await assertInTime(performance.now() - start, 1000, "withNoteLock()");
  }
  assert.equal((await loadNote(store, path)).note.id, "held");
});

Deno.test("a frozen holder sends hooks to the inbox in 250 ms, and the next process folds it in", async () => {
  const store = tempStore();
  const path = newNote(store, "held");
  const hook = tempStore({ hook: true, like: store });
  const child = await holder(store, "held");
  child.kill("SIGSTOP");
  try {
    const loaded = await loadNote(hook, path);
    const start = performance.now();
    const result = await replaceNote(hook, loaded, loaded.text + "from a hook\n");
    const took = performance.now() - start;
    assert.equal(result.kind, "deferred");
    await assertInTime(took, 2000, "replaceNote()");
    assert.equal(listInbox(store).length, 1);
  } finally {
    await end(child);
  }
  assert.deepEqual(foldInbox(store), { folded: 1, copies: [], left: 0, problems: [] });
  assert.match((await loadNote(store, path)).text, /from a hook\n$/);
  assert.deepEqual(listInbox(store), []);
});

Deno.test({
  name: "a frozen holder is named to others after five seconds",
  ignore: depth(0, 1) === 0,
  async fn() {
    const store = tempStore();
    const path = newNote(store, "held");
    const child = await holder(store, "held");
    child.kill("SIGSTOP");
    try {
      const loaded = await loadNote(store, path);
      const start = performance.now();
      const error = await replaceNote(store, loaded, loaded.text + "x\n").catch((error) => error);
      const took = performance.now() - start;
      assert(error instanceof SageError);
      assert.equal(error.code, "locked");
      assert.match(error.message, new RegExp(`writer hold \\(pid ${child.pid}\\)`));
      await assertInTime(took, 9000, "replaceNote()");
      assert.doesNotMatch((await loadNote(store, path)).text, /x\n$/);
    } finally {
      await end(child);
    }
  },
});
