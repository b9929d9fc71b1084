/**
 * R28: a back-fill that stops at any call that changes the disk, and is run again, comes to the same
 * notes as one that was never stopped. On the real disk, in this process; the program itself is killed
 * in tests/cli/migrate_test.ts.
 */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { initStores } from "../../src/memory/init.ts";
import { type Memory, openMemory } from "../../src/memory/memory.ts";
import { migrateTranscripts, planTranscripts } from "../../src/memory/migrate/transcripts.ts";
import { depth } from "../support/depth.ts";
import { dyingAt } from "../support/dying_fs.ts";
import { SESSIONS } from "../support/sessions.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { put } from "../support/world.ts";

/** After the made-up sessions, which say when they were in their lines. */
const NOW = Date.UTC(2026, 11, 1);
const NAMES = ["debugging", "designChoice", "blockedByLicence"];

async function world(): Promise<{ home: string; cwd: string }> {
  const home = tempDir();
  const cwd = `${home}/project`;
  await Deno.mkdir(cwd);
  const memory = await open({ home, cwd }, realFs);
  await initStores(memory, { project: true });
  memory.close();
  const folder = `${home}/.claude/projects/${cwd.replace(/[^A-Za-z0-9]/g, "-")}`;
  for (const [n, name] of NAMES.entries()) {
    const id = `${String(n + 1).padStart(8, "0")}-1111-4000-8000-000000000001`;
    const text = SESSIONS[name]?.().text() ?? "";
    put(
      `${folder}/${id}.jsonl`,
      text.replaceAll("11111111-0000-4000-8000-000000000001", id)
        .replaceAll("/home/user/project", cwd),
    );
    await Deno.utime(`${folder}/${id}.jsonl`, NOW / 1000 - 86_400, NOW / 1000 - 86_400 - n);
  }
  return { home, cwd };
}

function open(on: { home: string; cwd: string }, fs: Fs): Promise<Memory> {
  const env: Record<string, string> = { HOME: on.home };
  return openMemory({ cwd: on.cwd, env: (name) => env[name], holder: "test", fs, now: () => NOW });
}

/** One process: true when it came to its end. */
async function run(on: { home: string; cwd: string }, fs: Fs): Promise<boolean> {
  let memory: Memory | undefined;
  try {
    memory = await open(on, fs);
    const plan = await planTranscripts(memory, { limit: 100, all: false });
    await migrateTranscripts(memory, plan, () => {});
    return true;
  } catch {
    return false;
  } finally {
    memory?.close();
  }
}

const notesOf = (on: { cwd: string }): string[] =>
  filesIn(`${on.cwd}/.sage`).filter((name) => name.endsWith(".md"));

Deno.test({
  name: "a back-fill that dies at any change of the disk comes to the same notes when run again",
  // What a dead process holds is not closed by the test.
  sanitizeResources: false,
  async fn() {
    const whole = await world();
    const counted = dyingAt(Infinity);
    assert.ok(await run(whole, counted.fs));
    const expected = notesOf(whole);
    assert.equal(expected.length, 2 * NAMES.length, expected.join("\n"));
    const changes = counted.changes();
    assert.ok(changes > 50, `${changes} changes`);
    for (let n = 1; n <= changes; n += depth(17, 1)) {
      const on = await world();
      await run(on, dyingAt(n).fs);
      assert.ok(await run(on, realFs), `dead at ${n}: the next run fails`);
      assert.deepEqual(notesOf(on), expected, `dead at ${n} of ${changes}`);
      // And once more: nothing is left to do.
      assert.ok(await run(on, realFs));
      assert.deepEqual(notesOf(on), expected, `dead at ${n}, a third run`);
    }
  },
});
