/**
 * A home that is a volume of several containers, or is shared by machines: numbers of processes and paths
 * of projects mean something else there. What another host writes is made here by its name.
 */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { processName, thisHost } from "../../src/base/host.ts";
import { withLock } from "../../src/base/lock.ts";
import { removeServerFile, writeServerFile } from "../../src/memory/server_file.ts";
import { deadSessions, isLeft, liveSessions } from "../../src/memory/session/instances.ts";
import { knowsProcesses, showLiveness } from "../../src/memory/session/liveness.ts";
import { readSession, updateSession } from "../../src/memory/session/state/state.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { begin, MINUTE, OTHER, put, SESSION, type World, world } from "../support/world.ts";

const HOST = "1ulz000-t0000";

/** A session that began on another host, in its process 1. */
function beganElsewhere(on: World, project?: string): void {
  on.env["CLAUDE_PID"] = "1";
  begin(on.memory, on);
  updateSession(on.memory, SESSION, (state) => ({
    ...state,
    host: HOST,
    ...(project === undefined ? {} : { project }),
  }));
}

/** What `sage mcp` there has open while it lives; afterwards it lies as one that was killed leaves it. */
function lifeThere(on: World): { release(): void } {
  const { stateDir } = on.memory.places;
  const held = showLiveness(realFs, stateDir, 1);
  Deno.renameSync(
    `${stateDir}/lives/${processName({ pid: 1 })}`,
    `${stateDir}/lives/${processName({ pid: 1, host: HOST })}`,
  );
  return held ?? assert.fail();
}

const ids = (states: readonly { session: string }[]) => states.map(({ session }) => session);

Deno.test("a session of another host counts as live while its server runs, and as dead as soon as it ends", async () => {
  using on = await world();
  beganElsewhere(on);
  const held = lifeThere(on);
  const then = new Date(on.memory.now());
  await Deno.utime(
    `${on.memory.places.stateDir}/lives/${processName({ pid: 1, host: HOST })}`,
    then,
    then,
  );
  on.later(60 * MINUTE);
  assert.deepEqual(ids(liveSessions(on.memory, OTHER)), [SESSION]);
  held.release();
  assert.deepEqual(ids(deadSessions(on.memory, OTHER)), [SESSION]);
});

Deno.test("without a server, a session of another host is live until it is silent for long", async () => {
  using on = await world();
  // Nobody here has this number.
  beganElsewhere(on);
  updateSession(on.memory, SESSION, (state) => ({ ...state, pid: 99_999_999 }));
  assert.deepEqual(ids(liveSessions(on.memory, OTHER)), [SESSION]);
  on.later(60 * MINUTE);
  assert.deepEqual(ids(deadSessions(on.memory, OTHER)), [SESSION]);
});

Deno.test("a session that an older version began without a host counts as one of this host", async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = String(Deno.pid);
  begin(await on.open(), on);
  // Its process lives, however long it says nothing.
  updateSession(on.memory, SESSION, ({ host: _, ...state }) => state);
  on.later(Math.max(0, Date.now() - on.memory.now()) + MINUTE);
  updateSession(on.memory, SESSION, (state) => state);
  on.later(60 * MINUTE);
  if (knowsProcesses(realFs)) assert.deepEqual(ids(liveSessions(on.memory, OTHER)), [SESSION]);
});

Deno.test("the process of another host with our editor's number is not our editor", async () => {
  using on = await world();
  beganElsewhere(on);
  const state = readSession(on.memory, SESSION) ?? assert.fail();
  assert.equal(isLeft(on.memory, state), false);
  assert.equal(isLeft(on.memory, { ...state, host: thisHost() }), true);
});

Deno.test("a session of another project at the same path on another host does not belong here", async () => {
  using on = await world();
  beganElsewhere(on, "another-12345678");
  on.later(60 * MINUTE);
  assert.deepEqual(deadSessions(on.memory, OTHER), []);
  // Here the folder is the project, whatever it was called.
  updateSession(on.memory, SESSION, (state) => ({ ...state, host: thisHost(), seen: 0 }));
  on.later(60 * MINUTE);
  assert.deepEqual(ids([...liveSessions(on.memory, OTHER), ...deadSessions(on.memory, OTHER)]), [
    SESSION,
  ]);
});

Deno.test("a server removes the files of a killed server of this host, and leaves those of other hosts", async () => {
  using on = await world();
  const folder = `${on.memory.places.stateDir}/serve`;
  const there = `${folder}/${processName({ pid: 1, host: HOST })}.json`;
  put(there, "{}");
  put(`${folder}/${processName({ pid: 99_999_999 })}.json`, "{}");
  const held = lifeThere(on);
  const facts = { pid: 1, url: "http://127.0.0.1:1", token: "t", project: on.cwd };
  const file = writeServerFile(on.memory, facts);
  assert.deepEqual(
    filesIn(folder).map((name) => `${folder}/${name}`),
    [there, file.path].sort(),
  );
  file.release();
  removeServerFile(on.memory, 1);
  held.release();
});

Deno.test({
  name: "files of a server of an older version stay while it runs",
  ignore: Deno.build.os !== "linux",
  async fn() {
    using on = await world();
    const folder = `${on.memory.places.stateDir}/serve`;
    put(`${folder}/${Deno.pid}.json`, "{}");
    put(`${folder}/99999999.json`, "{}");
    const facts = { pid: Deno.ppid, url: "http://127.0.0.1:1", token: "t", project: on.cwd };
    writeServerFile(on.memory, facts).release();
    assert.deepEqual(
      filesIn(folder),
      [`${Deno.pid}.json`, `${processName({ pid: Deno.ppid })}.json`].sort(),
    );
  },
});

Deno.test("an error about a lock held on another host names no process of this one", () => {
  const path = `${tempDir()}/a.lock`;
  const how = { deadlineMs: 0, holder: "sage checkpoint" };
  const message = withLock(realFs, path, how, () => {
    Deno.writeTextFileSync(`${path}.holder`, `sage checkpoint (pid 1)\n${HOST}`);
    try {
      return withLock(realFs, path, how, () => "");
    } catch (error) {
      return `${(error as Error).message}; ${(error as { hint?: string }).hint}`;
    }
  });
  assert.match(
    message,
    /held by sage checkpoint \(pid 1\) on another machine, or in another container/,
  );
  assert.match(message, /; try again in a moment$/);
});
