/**
 * The session's server answers a stop before it saves. Whatever becomes of the server then, and whoever
 * comes next for the session, there is one whole checkpoint in the end, and the receipts say what was.
 */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { LOCK_HOOK_MS_MAX } from "../../src/base/limits.ts";
import { holdLock } from "../../src/base/lock.ts";
import { depth } from "../support/depth.ts";
import { filesIn } from "../support/temp_store.ts";
import {
  converse,
  type Event,
  pause,
  payload,
  type Place,
  place,
  runHook,
  SESSION,
  testHook,
} from "./process.ts";
import { hasSockets, receipts, serve } from "./server.ts";
import { until } from "../support/within.ts";

/** Moments after the answer at which the server is killed. */
const KILLS = depth(4, 16);
/** More of them, where none came in time. */
const TRIES = 20;
const KILL_MS_MAX = 60;
/** Of what must be done in time, where it was not. */
const PATIENT_TRIES = 3;
/** What a stop takes, its process included. */
const STOP_MS_MAX = 240;

testHook(
  "a stop is answered before it is saved, and the save is as if it had been waited for",
  async () => {
    const [alone, beside] = [await ready(), await ready()];
    await run(alone, "stop");
    await using _server = await serve(beside);
    await run(beside, "stop");
    await saveIsDone(beside);
    assert.deepEqual(texts(beside), texts(alone));
    assert.deepEqual([checkpoints(beside).length, pending(beside)], [1, undefined]);
    assert.deepEqual(saves(beside), ["saved"]);
    // The server lives on, and holds nobody up.
    const lock = `${beside.home}/.sage/state/locks/session-${sha256Hex(SESSION).slice(0, 2)}.lock`;
    await until("the lock", () => isFree(lock));
  },
  hasSockets,
);

function isFree(lock: string): boolean {
  try {
    holdLock(realFs, lock, { deadlineMs: 0 }).release();
    return true;
  } catch {
    return false;
  }
}

/** Who may come next, and by what they find the conversation saved. */
const NEXT: Readonly<Record<string, (on: Place) => Promise<unknown>>> = {
  "the next stop": (on) => run(on, "stop"),
  "the session's end": (on) => run(on, "session-end"),
  "a compaction": (on) => run(on, "pre-compact"),
  "the start of another session": (on) => run(on, "session-start", { session_id: OTHER }),
};

const OTHER = "22222222-0000-4000-8000-000000000002";

for (const [who, comes] of Object.entries(NEXT)) {
  testHook(
    `a server that was killed after it answered leaves the save to ${who}, whole and once`,
    async () => {
      let unsaved = 0;
      // On a busy machine the save may be done before the hook's end is noticed.
      for (let n = 0; n < KILLS || (unsaved === 0 && n < KILLS + TRIES); n++) {
        const on = await ready();
        await using server = await serve(on);
        await run(on, "stop");
        await pause(n < KILLS ? KILL_MS_MAX * n / KILLS : 0);
        server.kill("SIGKILL");
        await server.status;
        const left = checkpoints(on).length;
        if (left === 0) unsaved++;
        forgetProcess(on);
        await comes(on);
        assert.deepEqual(
          [checkpoints(on).length, pending(on)],
          [1, undefined],
          `kill ${n}: ${left}`,
        );
        assertWhole(on);
        assert.ok(saves(on).filter((save) => save === "saved").length <= 1, receipts(on));
      }
      assert.ok(unsaved > 0, "no kill came before the save was done");
    },
    hasSockets,
  );
}

for (const how of ["SIGINT", "SIGTERM", "end of input"] as const) {
  testHook(
    `a server that is told to go (${how}) at any moment of a stop leaves nothing owed`,
    async () => {
      for (let n = 0; n < KILLS; n++) {
        const on = await ready();
        await using server = await serve(on);
        const hook = run(on, "stop");
        await pause(STOP_MS_MAX * n / KILLS);
        if (how === "end of input") await server.stdin.close();
        else server.kill(how);
        await Promise.all([hook, server.status]);
        assert.deepEqual([checkpoints(on).length, pending(on)], [1, undefined], `${n}`);
        assertWhole(on);
      }
    },
    hasSockets,
  );
}

testHook("what comes at once after the answer waits for the save, whoever does it", async () => {
  for (
    const events of [["stop"], ["pre-compact"], ["session-end"], ["stop", "pre-compact"]] as const
  ) {
    let on = await comeAtOnce(events);
    // On a busy machine a save may take longer than anybody waits for one that is frozen.
    for (let n = 1; n < PATIENT_TRIES && isSlow(on); n++) on = await comeAtOnce(events);
    assertWhole(on);
    // Then whoever compacts goes on: twice is what is promised, and nothing is lost.
    const most = isSlow(on) && events.some((event) => event === "pre-compact") ? 2 : 1;
    const count = checkpoints(on).length;
    assert.ok(count >= 1 && count <= most, `${events}: ${receipts(on)}`);
    if (events[0] !== "session-end" || isSlow(on)) continue;
    assert.match(notes(on), /checkpoints:\s+(?:- |\[)\d{4}-/);
  }
}, hasSockets);

async function comeAtOnce(events: readonly Event[]): Promise<Place> {
  const on = await ready();
  await using _server = await serve(on);
  await run(on, "stop");
  await Promise.all(events.map((event) => run(on, event)));
  await saveIsDone(on);
  return on;
}

/** Whether the save behind an answer took longer than the next hook waits. */
function isSlow(on: Place): boolean {
  return receipts(on).trim().split("\n").map((line) => JSON.parse(line))
    .some(({ after_ms }) => after_ms > LOCK_HOOK_MS_MAX);
}

testHook(
  "a server that is frozen after it answered holds nobody up, and does not save a second time",
  async () => {
    const on = await ready();
    await using server = await serve(on);
    await run(on, "stop");
    server.kill("SIGSTOP");
    await run(on, "stop");
    await run(on, "user-prompt-submit", {
      prompt: "What did we find out about the slow importer?",
    });
    server.kill("SIGCONT");
    await saveIsDone(on);
    assert.equal(checkpoints(on).length, 1, receipts(on));
    assertWhole(on);
  },
  hasSockets,
);

testHook(
  "a save that fails after the answer is in the receipts, and is made by the next stop",
  async () => {
    const on = await ready();
    // A file stands where the folder has to be.
    await Deno.writeTextFile(`${on.home}/.sage/checkpoints`, "");
    await using _server = await serve(on);
    await run(on, "stop");
    await until("the failure", () => /"outcome":"failed"/.test(receipts(on)));
    assert.equal(pending(on)?.isOwed, true);
    assert.deepEqual(saves(on), []);
    await Deno.remove(`${on.home}/.sage/checkpoints`);
    await run(on, "stop");
    await saveIsDone(on);
    assert.equal(checkpoints(on).length, 1, receipts(on));
  },
  hasSockets,
);

testHook(
  "a save that cannot be made at the session's end either costs no session note",
  async () => {
    const on = await ready();
    await Deno.writeTextFile(`${on.home}/.sage/checkpoints`, "");
    await run(on, "stop");
    await run(on, "session-end");
    assert.match(receipts(on), /"hook":"session-end".*"note":"written","save":"failed"/);
    assert.match(notes(on), /^type: session$/m);
  },
);

testHook(
  "in an unattended run, or where there is a word to say, the save is waited for",
  async () => {
    const quiet = await ready();
    const wordy = await ready("transparent");
    for (
      const [on, env] of [[quiet, { CLAUDE_CODE_SESSION_ATTENDED: "0" }], [wordy, {}]] as const
    ) {
      await using _server = await serve(on);
      const { reply } = await runHook("stop", told(on, "stop"), { home: on.home, env });
      assert.equal(checkpoints(on).length, 1);
      assert.equal(reply === undefined, on === quiet);
    }
    // The next prompt tells the agent of it.
    const offering = await ready();
    const settings = "detection:\n  mode: offer\noutput:\n  level: silent\n";
    await Deno.writeTextFile(`${offering.home}/.sage/tuning.yaml`, settings);
    await using _server = await serve(offering);
    await run(offering, "stop");
    assert.equal(checkpoints(offering).length, 1);
    assert.match(receipts(offering), /"delegated":true/);
    assert.doesNotMatch(receipts(offering), /"after_ms"/);
  },
  hasSockets,
);

/** A home in which a stop saves and says nothing, and a session that has begun. */
async function ready(level = "silent"): Promise<Place> {
  const on = place();
  await Deno.mkdir(`${on.home}/.sage`);
  const settings = `detection:\n  mode: silent\noutput:\n  level: ${level}\n`;
  await Deno.writeTextFile(`${on.home}/.sage/tuning.yaml`, settings);
  await run(on, "session-start");
  converse(on, "findings that come together");
  return on;
}

async function run(on: Place, event: Event, fields: Record<string, unknown> = {}) {
  return await runHook(event, told(on, event, fields), { home: on.home, cwd: on.cwd });
}

function told(on: Place, event: Event, fields: Record<string, unknown> = {}): string {
  const own = event === "stop" ? { last_assistant_message: undefined } : {};
  return JSON.stringify(payload(on, event, { ...own, ...fields }));
}

/** As after a crash: nobody speaks for the session any more. */
function forgetProcess(on: Place): void {
  const path = `${on.home}/.sage/state/instances/${SESSION}.json`;
  const state = JSON.parse(Deno.readTextFileSync(path).trim().split("\n").at(-1) ?? "");
  const hours = 3600_000;
  Deno.writeTextFileSync(path, JSON.stringify({ ...state, seen: Date.now() - hours }) + "\n");
  Deno.utimeSync(on.transcript, new Date(Date.now() - hours), new Date(Date.now() - hours));
}

interface Pending {
  readonly isOwed?: boolean;
}

function pending(on: Place): Pending | undefined {
  for (const part of ["instances", "ended"]) {
    try {
      const path = `${on.home}/.sage/state/${part}/${SESSION}.json`;
      return JSON.parse(Deno.readTextFileSync(path).trim().split("\n").at(-1) ?? "").pendingAsk;
    } catch {
      // In the other.
    }
  }
  return undefined;
}

function checkpoints({ home }: Place): string[] {
  const folder = `${home}/.sage/checkpoints`;
  try {
    return filesIn(folder).filter((name) => name.endsWith(".md")).map((name) =>
      `${folder}/${name}`
    );
  } catch {
    return [];
  }
}

/** The checkpoints but for what is of the moment. */
function texts(on: Place): string[] {
  return checkpoints(on).map((path) => Deno.readTextFileSync(path).replace(/^---[^]*?\n---\n/, ""));
}

function notes({ home }: Place): string {
  const folder = `${home}/.sage/sessions`;
  return filesIn(folder).map((name) => Deno.readTextFileSync(`${folder}/${name}`)).join("\n");
}

function assertWhole(on: Place): void {
  for (const path of checkpoints(on)) {
    assert.match(Deno.readTextFileSync(path), /^---\n[^]*\n---\n[^]*## Thesis\n\n\S[^]*\n$/);
  }
}

/** What the receipts of stops say of saves. */
function saves(on: Place): string[] {
  return receipts(on).trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ event, hook, save }) => event === "hook" && hook === "stop" && save !== undefined)
    .map(({ save }) => save);
}

async function saveIsDone(on: Place): Promise<void> {
  await until("a save", () => checkpoints(on).length > 0 && saves(on).length > 0);
}
