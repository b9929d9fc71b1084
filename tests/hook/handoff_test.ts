/** What one session leaves is what the next one is told, whatever came in between. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { sha256Hex } from "../../src/base/hash.ts";
import { basename } from "../../src/base/path.ts";
import { TRANSCRIPT_TAIL_BYTES } from "../../src/base/limits.ts";
import { holdLock } from "../../src/base/lock.ts";
import { lockDir, openStore } from "../../src/store/handle.ts";
import { stemOf } from "../../src/store/layout.ts";
import { sage } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { conversation, put } from "../support/world.ts";
import {
  contextOf,
  type Event,
  type HookOptions,
  payload,
  type Place,
  place,
  runHook,
  SESSION,
  testHook,
} from "./process.ts";

const NEXT = { session_id: "22222222-0000-4000-8000-000000000002" };

/** No process has such a number. */
const GONE = { env: { CLAUDE_PID: "99999999" } };

async function run(
  on: Place,
  event: Event,
  fields: Record<string, unknown> = {},
  options: Partial<HookOptions> = {},
) {
  return await runHook(event, JSON.stringify(payload(on, event, fields)), { ...on, ...options });
}

testHook("a session whose folder is gone leaves its note where the project is now", async () => {
  const on = place();
  await sage(["init"], on);
  put(on.transcript, conversation("It stalls because all rows are collected.").text());
  await run(on, "session-start");
  const moved = { ...on, cwd: `${on.cwd}-moved` };
  await Deno.rename(on.cwd, moved.cwd);
  await sage(["todo", "add", "Measure it"], moved);
  await run(on, "session-end", {}, { cwd: on.home });
  const [note = ""] = filesIn(`${moved.cwd}/.sage/sessions`);
  assert.match(note, /11111111\.md$/);
  assert.match(contextOf(await run(moved, "session-start", NEXT)), /- Last session .* all rows/);
});

testHook("the next session is told of a handoff that had to wait for a lock", async () => {
  const on = place();
  await sage(["init"], on);
  const said = conversation("It stalls because all rows are collected.");
  put(on.transcript, said.text());
  await run(on, "session-start");
  await run(on, "stop");
  const store = openStore({
    root: `${on.cwd}/.sage`,
    scope: "project",
    stateDir: `${on.home}/.sage/state`,
    holder: "test",
  });
  said.user("And what is left to do?")
    .assistant("The importer streams. Next step: tell the night shift about the new importer.");
  put(on.transcript, said.text());
  const held = holdLock(realFs, `${lockDir(store)}/store.lock`, { deadlineMs: 0 });
  try {
    await run(on, "session-end");
  } finally {
    held.release();
  }
  const started = await run(on, "session-start", NEXT);
  assert.match(contextOf(started), /- Next: "tell the night shift about the new importer\."/);
  // What Sage did is explained below it, the first time.
  const [systemMessage = ""] = String(started.reply?.systemMessage).split("\n");
  assert.match(
    systemMessage,
    /^I remember where we stopped \(.*UTC\): ".*" Next was "tell the night shift about the new importer\."$/,
  );
});

testHook("old notes are asked for at one start, and not at the next", async () => {
  const on = place();
  await sage(["init"], on);
  put(`${on.home}/.sage/tuning.yaml`, "teaching:\n  enabled: false\n");
  const at = "2024-01-01T10:00:00Z";
  put(
    `${on.cwd}/.sage/knowledge/importer.md`,
    `---\nid: importer\ntype: knowledge\ncreated: ${at}\nupdated: ${at}\n---\n# The importer\n\nIt stalls.\n`,
  );
  const told: boolean[] = [];
  for (let n = 0; n < 4; n++) {
    const session = { session_id: `33333333-0000-4000-8000-00000000000${n}` };
    const started = await run(on, "session-start", session);
    told.push(/Ask the person once whether to archive/.test(contextOf(started)));
    await run(on, "session-end", session);
  }
  assert.deepEqual(told, [false, true, false, false]);
});

testHook("a compaction that saves leaves the session's note to the next stop", async () => {
  const on = await compacted();
  assert.deepEqual(notes(on, "sessions"), []);
  const [checkpoint] = notes(on, "checkpoints");
  assert.ok(checkpoint !== undefined);
  const said = conversation("It stalls because all rows are collected.");
  said.user("Then stream them.").assistant("The importer streams its rows now.".repeat(200));
  put(on.transcript, said.text());
  await run(on, "stop");
  const [note = ""] = notes(on, "sessions");
  const text = await Deno.readTextFile(`${on.cwd}/.sage/${note}`);
  assert.ok(text.includes(stemOf(basename(checkpoint))));
});

testHook("a note that was renewed a moment ago is renewed again for a checkpoint", async () => {
  const on = place();
  await sage(["init"], on);
  put(`${on.home}/.sage/tuning.yaml`, "detection:\n  mode: off\n");
  const said = conversation("It stalls because all rows are collected.");
  put(on.transcript, said.text());
  await run(on, "session-start");
  await run(on, "stop", { last_assistant_message: "" });
  const [note = assert.fail("no note")] = notes(on, "sessions");
  await run(on, "pre-compact");
  const [checkpoint = assert.fail("no checkpoint")] = notes(on, "checkpoints");
  said.user("Then stream them.").assistant("The importer streams its rows now. ".repeat(200));
  put(on.transcript, said.text());
  await run(on, "stop", { last_assistant_message: "" });
  const text = await Deno.readTextFile(`${on.cwd}/.sage/${note}`);
  assert.ok(text.includes(stemOf(basename(checkpoint))), text);
});

testHook("a compaction that has nothing to save leaves the session's note itself", async () => {
  const on = await compacted();
  await run(on, "pre-compact");
  assert.deepEqual(["checkpoints", "sessions"].map((kind) => notes(on, kind).length), [1, 1]);
});

testHook(
  "what is said while a compaction runs is not saved once more by the start after it",
  async () => {
    const on = await compacted();
    const said = conversation("It stalls because all rows are collected.");
    said.user("Then stream them.").assistant("The importer streams its rows now. ".repeat(20));
    put(on.transcript, said.text());
    await run(on, "session-start", { source: "compact" });
    assert.equal(notes(on, "checkpoints").length, 1);
  },
);

testHook(
  "where nobody reports the end of a summary, what it left out is told all the same",
  async () => {
    const on = place();
    await sage(["init"], on);
    const said = conversation("It stalls.", { startMs: Date.now() - 60_000 });
    put(on.transcript, said.text());
    await run(on, "session-start");
    await run(on, "pre-compact");
    put(on.transcript, said.compact("It was looked at.").text());
    const started = await run(on, "session-start", { source: "compact" });
    assert.match(contextOf(started), /- The summary left out: .*importer\.ts/);
  },
);

testHook("a compaction is saved also where the session's lock cannot be made", async () => {
  const on = place();
  await sage(["init"], on);
  put(on.transcript, conversation("It stalls because all rows are collected.").text());
  const stripe = sha256Hex(SESSION).slice(0, 2);
  const lock = `${on.home}/.sage/state/locks/session-${stripe}.lock`;
  await Deno.mkdir(lock, { recursive: true });
  await run(on, "pre-compact");
  assert.equal(notes(on, "checkpoints").length, 1);
});

testHook("the end of a session that names no transcript is that of the one it had", async () => {
  const on = place();
  await sage(["init"], on);
  put(on.transcript, conversation("It stalls because all rows are collected.").text());
  await run(on, "session-start");
  await run(on, "session-end", { transcript_path: undefined });
  assert.equal(notes(on, "sessions").length, 1);
});

testHook("a compaction that follows another at once is answered as well", async () => {
  const on = await compacted();
  for (let n = 0; n < 2; n++) {
    const started = await run(on, "session-start", { source: "compact" });
    assert.match(contextOf(started), /- Before this compaction: ".*rows are collected/);
    await run(on, "pre-compact");
  }
});

testHook("that a compaction was not saved is not told to who wants to hear nothing", async () => {
  const on = place();
  await sage(["init"], on);
  put(on.transcript, conversation("It stalls because all rows are collected.").text());
  put(`${on.home}/.sage/tuning.yaml`, "output:\n  level: silent\n");
  await Deno.remove(`${on.cwd}/.sage/checkpoints`, { recursive: true }).catch(() => {});
  put(`${on.cwd}/.sage/checkpoints`, "A file where the folder was.");
  const failed = await run(on, "session-start", { source: "compact" });
  assert.equal(failed.reply?.systemMessage, undefined);
});

testHook("a session belongs to the folder that it began in, wherever the agent went", async () => {
  const on = place();
  await sage(["init"], on);
  put(`${on.home}/.sage/tuning.yaml`, "teaching:\n  enabled: false\n");
  put(on.transcript, conversation("It stalls because all rows are collected.").text());
  const env = { CLAUDE_PROJECT_DIR: on.cwd };
  await run(on, "session-start", {}, { env });
  await run(on, "session-end", { cwd: on.home }, { env });
  assert.equal(notes(on, "sessions").length, 1);
  const started = await run(on, "session-start", NEXT, { env });
  assert.match(contextOf(started), /- Last session .* all rows/);
  const log = `${on.home}/.sage/state/log`;
  const [day = ""] = filesIn(log);
  assert.match(await Deno.readTextFile(`${log}/${day}`), /"prepared":true/);
});

testHook(
  "what the hook before a compaction did not save is saved by the start after it",
  async () => {
    const on = place();
    await sage(["init"], on);
    put(on.transcript, conversation("It stalls because all rows are collected.").text());
    const started = await run(on, "session-start", { source: "compact" });
    assert.match(contextOf(started), /- Before this compaction: ".*rows are collected/);
    assert.match(String(started.reply?.systemMessage), /A checkpoint was saved before this/);
    assert.equal(notes(on, "checkpoints").length, 1);
  },
);

testHook(
  "a compaction of which there is no transcript is told neither as saved nor as lost",
  async () => {
    const on = place();
    await sage(["init"], on);
    const started = await run(on, "session-start", { source: "compact" });
    assert.doesNotMatch(JSON.stringify(started.reply ?? {}), /before this compaction/i);
  },
);

testHook("nobody is told that a compaction was saved if it was not", async () => {
  const on = await compacted();
  await run(on, "session-start", { source: "compact" });
  const said = conversation("It stalls because all rows are collected.");
  said.user("Then stream them.").assistant("The importer streams its rows now. ".repeat(20));
  put(on.transcript, said.text());
  const [folder, away] = [`${on.cwd}/.sage/checkpoints`, `${on.cwd}/away`];
  await Deno.rename(folder, away);
  put(folder, "A file where the folder was: nothing can be saved there.");
  // Another start in between, because two of the same kind so soon count as one.
  await run(on, "session-start", { source: "resume" });
  await run(on, "pre-compact");
  const failed = await run(on, "session-start", { source: "compact" });
  assert.match(String(failed.reply?.systemMessage), /before this compaction could not be saved/);
  assert.doesNotMatch(contextOf(failed), /Before this compaction/);
  await Deno.remove(folder);
  await Deno.rename(away, folder);
  await run(on, "session-start", { source: "resume" });
  const mended = await run(on, "session-start", { source: "compact" });
  assert.match(contextOf(mended), /- Before this compaction: ".*streams its rows now/);
  assert.equal(notes(on, "checkpoints").length, 2);
});

testHook("whoever dies after a compaction is told of at the next start", async () => {
  const on = await compacted();
  const started = await run(on, "session-start", NEXT);
  assert.match(
    contextOf(started),
    /- Last session \(.*cut off and recovered\): ".*rows are collected/,
  );
  assert.equal(notes(on, "sessions").length, 1);
  // Its conversation has it by now.
  const resumed = await run(on, "session-start", { ...NEXT, source: "resume" });
  assert.doesNotMatch(contextOf(resumed), /Last session/);
});

testHook("what a long session began with is kept by its compaction and by its end", async () => {
  const on = place();
  await sage(["init"], on);
  const said = conversation("It stalls because all rows are collected.");
  const printed = "a line that a build printed\n".repeat(TRANSCRIPT_TAIL_BYTES / 4 / 28);
  for (let n = 0; n < 5; n++) {
    said.assistant("", [{ name: "Bash", input: { command: "make" }, result: printed }]);
  }
  put(on.transcript, said.assistant("It is built.").text());
  put(`${on.home}/.sage/tuning.yaml`, "detection:\n  mode: off\n");
  await run(on, "session-start");
  // The file is behind by the last reply.
  await run(on, "stop", { last_assistant_message: "The build takes four minutes now." });
  const [noted = assert.fail("a stop keeps nothing")] = notes(on, "sessions");
  const text = await Deno.readTextFile(`${on.cwd}/.sage/${noted}`);
  assert.match(text, /importer/);
  assert.match(text, /The build takes four minutes now/);
  for (
    const [event, kind] of [["pre-compact", "checkpoints"], ["session-end", "sessions"]] as const
  ) {
    await run(on, event);
    const [note = assert.fail(`${event} keeps nothing`)] = notes(on, kind);
    assert.match(await Deno.readTextFile(`${on.cwd}/.sage/${note}`), /importer/, event);
  }
});

testHook("what is said after a person took the session's note over is kept beside it", async () => {
  const on = place();
  await sage(["init"], on);
  const said = conversation("It stalls because all rows are collected.");
  put(on.transcript, said.text());
  await run(on, "session-start");
  await run(on, "session-end");
  const [note = ""] = notes(on, "sessions");
  const path = `${on.cwd}/.sage/${note}`;
  const theirs = `${await Deno.readTextFile(path)}\nWritten by hand.\n`;
  await Deno.writeTextFile(path, theirs);
  said.user("How large are its batches to be?").assistant(
    "We decided on batches of 500 rows, because a larger one brought nothing in the measurement. " +
      "The nightly job takes the same. Next I would write it down in the manual.",
  );
  put(on.transcript, said.text());
  await run(on, "session-end");
  assert.equal(await Deno.readTextFile(path), theirs);
  const [beside = assert.fail("it is lost"), ...more] = notes(on, "checkpoints");
  assert.match(await Deno.readTextFile(`${on.cwd}/.sage/${beside}`), /batches of 500 rows/);
  assert.deepEqual(more, []);
});

testHook("what a person wishes for in general is asked about when the session ends", async () => {
  const on = place();
  await sage(["init"], on);
  const said = conversation("It stalls because all rows are collected.")
    .user("please never mock the database in tests, it hid a broken migration in June")
    .assistant("I will use a real one.");
  put(on.transcript, said.text());
  await run(on, "session-start");
  await run(on, "session-end");
  const { stdout } = await sage(["inbox", "list"], on);
  assert.match(stdout, /never mock the database/);
});

/** A session of which nothing is written but the checkpoint of its compaction. */
async function compacted(): Promise<Place> {
  const on = place();
  await sage(["init"], on);
  put(on.transcript, conversation("It stalls because all rows are collected.").text());
  await run(on, "session-start", {}, GONE);
  await run(on, "pre-compact");
  return on;
}

/** Their paths in the project's store. */
function notes({ cwd }: Place, kind: string): string[] {
  return filesIn(`${cwd}/.sage`).filter((path) => path.startsWith(`${kind}/`));
}
