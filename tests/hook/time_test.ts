/** R5 and R10: hooks keep their time, with many notes, and while a frozen process holds the locks. */
import assert from "node:assert/strict";
import { HOOK_DEADLINE_MS, HOOK_INPUT_MS_MAX, QUIET_MS } from "../../src/base/limits.ts";
import { openMemory } from "../../src/memory/memory.ts";
import { depth } from "../support/depth.ts";
import { assertInTime } from "../support/quick.ts";
import { sage } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { conversation, put } from "../support/world.ts";
import {
  BINARY,
  contextOf,
  EVENTS,
  pause,
  payload,
  type Place,
  place,
  runHook,
  testHook,
} from "./process.ts";
import { orKilled } from "../support/within.ts";

const HOLDER = new URL("./hold_locks.ts", import.meta.url).pathname;
const NOTES = 10_000;
/** Between two looks at the clock, so in every session, however slow the machine. */
const INDEXED_MIN = 64;
const PROMPT = { prompt: "How fast does the lantern of valley 4711 run along the heron?" };

/** A project with many notes that no index knows yet. */
async function crowded(notes: number): Promise<Place> {
  const on = place();
  await sage(["init"], on);
  const words = ["river", "valley", "okapi", "zebra", "heron", "bridge", "harvest", "lantern"];
  for (let n = 0; n < notes; n++) {
    const [a, b] = [words[n % 8], words[(n >> 3) % 8]];
    const id = `note-${n}`;
    put(
      `${on.cwd}/.sage/knowledge/${id}.md`,
      `---\nid: ${id}\ntype: knowledge\ncreated: 2026-01-01T00:00:00Z\n---\n\n# The ${a} of valley ${n}\n\n` +
        `The ${a} number ${n} runs along the ${b} at ${
          n % 90
        } km an hour, as far as anybody knows.\n`,
    );
  }
  put(on.transcript, conversation("It stalls.").text());
  return on;
}

testHook(`hooks keep their time with ${NOTES} notes, from no index to a whole one`, async () => {
  const on = await crowded(NOTES);
  const slow: string[] = [];
  const all = async (round: string): Promise<void> => {
    for (const event of EVENTS) {
      const { milliseconds } = await runHook(event, JSON.stringify(payload(on, event, PROMPT)), on);
      slow.push(`${round} ${event} ${Math.round(milliseconds)}`);
    }
  };
  await all("no index");
  const { code } = await sage(["admin", "rebuild"], on);
  assert.equal(code, 0);
  const answer = await runHook(
    "user-prompt-submit",
    JSON.stringify(payload(on, "user-prompt-submit", { ...PROMPT, session_id: "fresh" })),
    on,
  );
  assert.match(contextOf(answer), /The lantern number 4711 runs/, slow.join("\n"));
  await all("whole index");
});

testHook("hooks keep their time in a conversation of hundreds of exchanges", async () => {
  const on = place();
  await sage(["init"], on);
  const builder = new TranscriptBuilder({ bare: true });
  const exchanges = depth(500, 2000);
  for (let n = 0; n < exchanges; n++) {
    builder.user(`Why does importer ${n} stall on file ${n} of the job? `.repeat(8)).assistant(
      `The importer ${n} stalls, because it collects all rows of table ${n}. We decided to stream. `
        .repeat(10),
    );
  }
  put(on.transcript, builder.text());
  const notes = (): number => filesIn(`${on.cwd}/.sage/sessions`).length;
  // On a busy machine time may be up before a stop has written; then the next one does.
  for (let round = 0; round === 0 || (round < 4 && notes() === 0); round++) {
    for (const event of EVENTS) await runHook(event, JSON.stringify(payload(on, event)), on);
  }
  assert.equal(notes(), 1);
});

testHook("hooks bring an index that is far behind up to date within a few sessions", async () => {
  const on = await crowded(1500);
  const last = "The name of the last one is qzxqj_7741, and no other note has it.";
  put(`${on.cwd}/.sage/todos/zz.md`, `---\nid: zz\ntype: todo\n---\n\n# Last\n\n${last}\n`);
  // What was written a moment ago is read twice, and that is another matter.
  await new Promise((resolve) => setTimeout(resolve, QUIET_MS));
  let known = 0;
  for (let n = 0; known < 1501; n++) {
    const start = payload(on, "session-start", { session_id: `s-${n}` });
    const { milliseconds } = await runHook("session-start", JSON.stringify(start), on);
    const memory = await openMemory({ cwd: on.cwd, env: homeOf(on), holder: "test" });
    const before = known;
    known = memory.index(memory.project ?? memory.user).stamps().size;
    memory.close();
    // One whose time was up, on a machine that is very busy, has had no chance.
    const hadTime = milliseconds < HOOK_DEADLINE_MS;
    const wanted = hadTime ? Math.min(1501, before + INDEXED_MIN) : before;
    assert.ok(known >= wanted, `session ${n}: ${before}, then ${known} notes`);
    assert.ok(n < 100, "the last note was never indexed");
  }
});

function homeOf({ home }: Place): (name: string) => string | undefined {
  return (name) => name === "HOME" ? home : undefined;
}

/** Holds every lock of the home, and sleeps in it for good. */
async function freeze(on: Place): Promise<Deno.ChildProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", HOLDER, `${on.home}/.sage/state/locks`],
    stdout: "piped",
  }).spawn();
  const reader = child.stdout.getReader();
  await orKilled("the locks", child, reader.read());
  await reader.cancel();
  child.kill("SIGSTOP");
  return child;
}

testHook("hooks keep their time and save while a frozen process holds every lock", async () => {
  const on = place();
  await sage(["init"], on);
  const builder = conversation("It stalls.");
  put(on.transcript, builder.text());
  await runHook("session-start", JSON.stringify(payload(on, "session-start")), on);
  await runHook("stop", JSON.stringify(payload(on, "stop")), on);
  // More was said, so the note is to be renewed and the compaction has something to save.
  builder.user("And what of the parser, does it hold rows as well?").assistant(
    "The parser holds no rows: it hands each one on as soon as its line ends, as the trace shows.",
  );
  put(on.transcript, builder.text());

  const child = await freeze(on);
  try {
    for (const event of EVENTS) {
      const fields = event === "session-start" ? { source: "resume" } : PROMPT;
      await runHook(event, JSON.stringify(payload(on, event, fields)), on);
    }
    assert.equal(filesIn(`${on.cwd}/.sage/checkpoints`).length, 1, "the compaction was saved");
    const other = payload(on, "session-start", {
      session_id: "22222222-0000-4000-8000-000000000002",
    });
    const started = await runHook("session-start", JSON.stringify(other), on);
    assert.match(contextOf(started), /Sage memory of "project"/);
  } finally {
    child.kill("SIGKILL");
    await child.status;
  }
});

testHook("a hook waits for its payload half a second and no longer", async () => {
  const on = place();
  for (const text of ["", "{", '{"session_id":']) {
    const run = await runHook("stop", text, { ...on, keepsStdin: true });
    assert.equal(run.reply, undefined);
    await assertInTime(run.milliseconds, 1400, "stop");
  }
  await sage(["init"], on);
  const whole = JSON.stringify(payload(on, "session-start"));
  const run = await runHook("session-start", whole, { ...on, keepsStdin: true });
  assert.match(contextOf(run), /Sage memory/);
});

testHook("a hook that was not let run for a while hears what came meanwhile", async () => {
  const on = place();
  await sage(["init"], on);
  const whole = new TextEncoder().encode(JSON.stringify(payload(on, "session-start")));
  for (let n = 0; n < 4; n++) {
    const child = new Deno.Command(BINARY, {
      args: ["hook", "session-start"],
      cwd: on.cwd,
      env: { HOME: on.home },
      clearEnv: true,
      stdin: "piped",
      stdout: "null",
      stderr: "null",
    }).spawn();
    await pause(200);
    child.kill("SIGSTOP");
    const writer = child.stdin.getWriter();
    await writer.write(whole);
    await writer.close();
    await pause(HOOK_INPUT_MS_MAX + 200);
    child.kill("SIGCONT");
    await orKilled("the hook", child, child.status);
  }
  const log = filesIn(`${on.home}/.sage/state/log`).map((name) =>
    Deno.readTextFileSync(`${on.home}/.sage/state/log/${name}`)
  ).join("");
  assert.match(log, /"hook":"session-start"/);
  assert.doesNotMatch(log, /unreadable_payload/);
}, Deno.build.os !== "windows");
