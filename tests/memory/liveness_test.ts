/** An editor's life where the system does not tell of processes: on Windows and macOS, and of other hosts. */
import assert from "node:assert/strict";
import { DAY_MS } from "../../src/base/clock.ts";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { processName } from "../../src/base/host.ts";
import { deadSessions, liveSessions } from "../../src/memory/session/instances.ts";
import { knowsProcesses, livenessOf, showLiveness } from "../../src/memory/session/liveness.ts";
import { updateSession } from "../../src/memory/session/state/state.ts";
import { age, tempDir } from "../support/temp_store.ts";
import { begin, OTHER, SESSION, world } from "../support/world.ts";

/** The disk of such a system. */
const fs: Fs = {
  ...realFs,
  lstat: (path) => path.startsWith("/proc") ? undefined : realFs.lstat(path),
};
const PID = 4184;
const MINUTE = 60_000;

Deno.test("an editor counts as alive while its server holds the lock file, and as dead once nobody does", () => {
  const state = tempDir();
  assert.equal(livenessOf(fs, state, { pid: PID }, Date.now()), "unknown", "nobody said anything");
  const held = showLiveness(fs, state, PID);
  assert.equal(livenessOf(fs, state, { pid: PID }, Date.now()), "alive");
  assert.equal(livenessOf(fs, state, { pid: PID }, Date.now() - 1000), "alive", "clocks differ");
  const second = showLiveness(fs, state, PID);
  held?.release();
  assert.equal(
    livenessOf(fs, state, { pid: PID }, Date.now()),
    "alive",
    "of two servers one is left",
  );
  assert.equal(
    Deno.readTextFileSync(`${state}/lives/${processName({ pid: PID })}`),
    "",
    "which may be killed yet",
  );
  second?.release();
  assert.equal(livenessOf(fs, state, { pid: PID }, Date.now()), "dead");
});

Deno.test("knowsProcesses() ignores a /proc on Windows, which is another machine's", () => {
  const share = { lstat: () => realFs.lstat(tempDir()) };
  assert.equal(knowsProcesses(share, "windows"), false);
  assert.equal(knowsProcesses(share, "linux"), true);
  assert.equal(knowsProcesses(fs, "linux"), false, "a container without it");
});

Deno.test("an editor that goes on without its server is not taken for dead", () => {
  const state = tempDir();
  showLiveness(fs, state, PID)?.release();
  assert.equal(livenessOf(fs, state, { pid: PID }, Date.now() + MINUTE), "unknown");
  // One that was killed wrote nothing: the machine may have gone with it.
  Deno.writeTextFileSync(`${state}/lives/${processName({ pid: PID })}`, "");
  assert.equal(livenessOf(fs, state, { pid: PID }, Date.now() + MINUTE), "dead");
});

Deno.test("a server that started after the last sign of life may belong to another editor", () => {
  const state = tempDir();
  const held = showLiveness(fs, state, PID);
  assert.equal(livenessOf(fs, state, { pid: PID }, Date.now() - MINUTE), "unknown");
  held?.release();
});

Deno.test("the next server removes files of editors that are gone", () => {
  const state = tempDir();
  showLiveness(fs, state, 1)?.release();
  const held = showLiveness(fs, state, 2);
  for (const pid of [1, 2]) age(`${state}/lives/${processName({ pid })}`, DAY_MS);
  const other = showLiveness(fs, state, 3);
  assert.deepEqual([...Deno.readDirSync(`${state}/lives`)].map(({ name }) => name).sort(), [
    processName({ pid: 2 }),
    processName({ pid: 3 }),
  ]);
  held?.release();
  other?.release();
});

Deno.test("showLiveness() creates nothing where Sage has kept nothing", () => {
  const state = tempDir();
  assert.equal(showLiveness(fs, `${state}/none`, PID), undefined);
  assert.equal(showLiveness(fs, state, 0), undefined);
  assert.deepEqual([...Deno.readDirSync(state)], []);
});

Deno.test("a session without a process that was seen in the future is dead, unless its transcript changes", async () => {
  using on = await world();
  begin(on.memory, on);
  const transcriptPath = `${on.home}/transcript.jsonl`;
  updateSession(on.memory, SESSION, (state) => ({ ...state, transcriptPath }));
  on.later(-365 * DAY_MS);
  assert.deepEqual(deadSessions(on.memory, OTHER).map(({ session }) => session), [SESSION]);
  await Deno.writeTextFile(transcriptPath, "");
  await Deno.utime(transcriptPath, on.memory.now() / 1000, on.memory.now() / 1000);
  assert.deepEqual(liveSessions(on.memory, OTHER).map(({ session }) => session), [SESSION]);
});

Deno.test("a session whose editor was killed counts as dead at once, not after half an hour", async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = String(PID);
  const memory = await on.open({ fs });
  begin(memory, on);
  updateSession(memory, SESSION, (state) => ({ ...state, seen: Date.now() }));
  on.later(Date.now() - memory.now());
  const held = showLiveness(fs, memory.places.stateDir, PID);
  assert.deepEqual(liveSessions(memory, OTHER).map(({ session }) => session), [SESSION]);
  held?.release();
  assert.deepEqual(deadSessions(memory, OTHER).map(({ session }) => session), [SESSION]);
});
