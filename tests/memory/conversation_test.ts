/** What was said behind a checkpoint: kept only when asked for, private, without secrets, and forgotten. */
import assert from "node:assert/strict";
import {
  hasConversation,
  lastTurns,
  readConversation,
} from "../../src/memory/checkpoint/conversation.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { updateSession } from "../../src/memory/session/state/state.ts";
import { KINDS, seeded } from "../support/secrets.ts";
import { age, closedFile, filesIn, writeOld } from "../support/temp_store.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { AGENT, checkpoint, NOW, put, SAGE, SESSION, type World, world } from "../support/world.ts";

const KEPT = "privacy.keep_conversations: true\n";
const SECRET = KINDS.find(({ isGeneric }) => !isGeneric)?.make(seeded(11)) ??
  { text: "", secret: "" };

/** A session whose transcript lies where the editor would keep it. */
function talk(
  on: World,
  build: (builder: TranscriptBuilder) => TranscriptBuilder,
  startMs = NOW - 60_000,
): string {
  const folder = `${on.home}/.claude/projects/p`;
  Deno.mkdirSync(folder, { recursive: true });
  const builder = new TranscriptBuilder({ sessionId: SESSION, cwd: on.cwd, startMs });
  const path = build(builder).write(folder);
  updateSession(on.memory, SESSION, (state) => ({ ...state, transcriptPath: path }));
  return path;
}

const lines = (builder: TranscriptBuilder): TranscriptBuilder =>
  builder.user("Why do worktrees run no hooks? <private>for the Meyer account</private>")
    .assistant(`The hooks folder is shared. The key ${SECRET.text} was in the log.`, [
      { name: "Bash", input: { command: "git rev-parse --git-common-dir" }, result: "the output" },
    ]);

Deno.test("no conversation is kept unless the person turned it on", async () => {
  using on = await world();
  talk(on, lines);
  const saved = await checkpoint(on.memory, {}, AGENT);
  assert.equal(hasConversation(on.memory, saved.id), false);
  assert.deepEqual(filesIn(`${on.home}/.sage`).filter((path) => path.includes("transcripts")), []);
});

Deno.test("a kept conversation lies in the private state, compressed, without secrets, private text or output", async () => {
  using on = await world({ tuning: KEPT });
  talk(on, lines);
  const saved = await checkpoint(on.memory, {}, SAGE);
  const path = `${on.home}/.sage/state/transcripts/${saved.id}.jsonl.gz`;
  const { mode } = await Deno.stat(path);
  assert.equal((mode ?? 0) & 0o777, 0o600);
  assert.deepEqual([...(await Deno.readFile(path)).subarray(0, 2)], [0x1f, 0x8b]);
  const turns = await readConversation(on.memory, saved.id) ?? [];
  assert.deepEqual(turns.map(({ role }) => role), ["user", "assistant"]);
  assert.deepEqual(turns[1]?.did, ["Bash git rev-parse --git-common-dir"]);
  const whole = JSON.stringify(turns);
  for (const absent of [SECRET.secret, "Meyer", "the output"]) {
    assert.ok(!whole.includes(absent), absent);
  }
});

Deno.test("a damaged conversation counts as missing, and a save without a transcript still works", async () => {
  using on = await world({ tuning: KEPT });
  const saved = await checkpoint(on.memory, {}, AGENT);
  assert.equal(await readConversation(on.memory, saved.id), undefined);
  put(`${on.home}/.sage/state/transcripts/${saved.id}.jsonl.gz`, "no gzip");
  assert.equal(await readConversation(on.memory, saved.id), undefined);
});

Deno.test("forgetting a checkpoint deletes its conversation and every other one that says the same", async () => {
  using on = await world({ tuning: KEPT });
  const sentence = "Hooks are shared through the common folder of the repository itself.";
  talk(on, (builder) => builder.user("Why?").assistant(sentence));
  const first = await checkpoint(on.memory, { thesis: sentence }, AGENT);
  const second = await checkpoint(on.memory, { thesis: "Backups run at night, after the dump." });
  await Deno.copyFile(
    `${on.home}/.sage/state/transcripts/${first.id}.jsonl.gz`,
    `${on.home}/.sage/state/transcripts/${second.id}.jsonl.gz`,
  );
  await forget(on.memory, first.id);
  for (const { id } of [first, second]) assert.equal(hasConversation(on.memory, id), false, id);
});

Deno.test("forgetting takes along what cannot be unpacked, and leaves a file that is not Sage's", async () => {
  using on = await world({ tuning: KEPT });
  const saved = await checkpoint(on.memory, { thesis: "Backups run at night, after the dump." });
  const folder = `${on.home}/.sage/state/transcripts`;
  const whole = new Response("{}\n").body?.pipeThrough(new CompressionStream("gzip"));
  const packed = new Uint8Array(await new Response(whole ?? null).arrayBuffer());
  put(`${folder}/other.jsonl.gz`, "");
  await Deno.writeFile(`${folder}/other.jsonl.gz`, packed.subarray(0, packed.length - 9));
  put(`${folder}/.DS_Store`, "no gzip");
  const outcome = await forget(on.memory, saved.id);
  assert.ok(outcome.kind === "forgotten", JSON.stringify(outcome));
  assert.ok(outcome.places.includes(`${folder}/other.jsonl.gz`), outcome.places.join("\n"));
  assert.deepEqual(filesIn(folder), [".DS_Store"]);
});

Deno.test("nothing is forgotten while a conversation may not be read", async () => {
  using on = await world({ tuning: KEPT });
  const saved = await checkpoint(on.memory, { thesis: "Backups run at night, after the dump." });
  const path = `${on.home}/.sage/state/transcripts/other.jsonl.gz`;
  put(path, "packed");
  const memory = await on.open({ fs: closedFile(path) });
  await assert.rejects(forget(memory, saved.id), /denied/);
  assert.ok(filesIn(`${on.cwd}/.sage/checkpoints`).length === 1);
});

Deno.test("forget() works with a line of a conversation that is not a turn", async () => {
  using on = await world();
  const sentence = "Hooks are shared through the common folder of the repository itself.";
  const saved = await checkpoint(on.memory, { thesis: sentence }, AGENT);
  const talks = `${on.home}/.sage/state/chats`;
  put(`${talks}/damaged.jsonl`, `null\n7\n{"role":"user"}\n`);
  put(`${talks}/told.jsonl`, `null\n${JSON.stringify({ role: "user", content: sentence })}\n`);
  await forget(on.memory, saved.id);
  assert.deepEqual(filesIn(talks), ["damaged.jsonl"]);
});

Deno.test("the oldest of too many conversations are deleted, and an excluded project's is not read", async () => {
  using on = await world({ tuning: KEPT });
  const folder = `${on.home}/.sage/state/transcripts`;
  for (let n = 0; n < 502; n++) writeOld(`${folder}/old-${n}.jsonl.gz`, "x");
  age(`${folder}/old-7.jsonl.gz`, 90_000_000);
  talk(on, lines);
  const saved = await checkpoint(on.memory, {}, AGENT);
  const left = filesIn(folder);
  assert.equal(left.length, 500);
  assert.ok(left.includes(`${saved.id}.jsonl.gz`) && !left.includes("old-7.jsonl.gz"));
  put(`${on.home}/.sage/.sageignore`, `${on.cwd}/\n`);
  on.later(60_000);
  talk(on, lines, NOW + 1000);
  const other = await checkpoint(
    on.memory,
    { thesis: "Backups run at night, after the dump." },
    AGENT,
  );
  assert.equal(hasConversation(on.memory, other.id), false);
});

Deno.test("lastTurns() gives the end of a conversation, as much as there is room for", () => {
  const turns = Array.from({ length: 50 }, (_, i) => ({
    at: "",
    role: "user" as const,
    text: `turn ${i} says something of a dozen words or so, as people do`,
    did: [],
  }));
  const last = lastTurns(turns, 200);
  assert.equal(last.at(-1), turns.at(-1));
  assert.ok(last.length > 3 && last.length < 20, `${last.length}`);
  assert.deepEqual(lastTurns(turns, 1e9), turns);
  assert.deepEqual(lastTurns(turns, 3), []);
  assert.deepEqual(lastTurns([], 100), []);
});
