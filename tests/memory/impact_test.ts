/** What memory did and cost: every number leads back to the lines it was counted from. */
import assert from "node:assert/strict";
import { forget } from "../../src/memory/removal/forget.ts";
import { measureImpact } from "../../src/memory/impact/impact.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { removeNote } from "../../src/memory/removal/remove.ts";
import { readNote } from "../../src/memory/read.ts";
import { leaveToolReceipt } from "../../src/memory/tool_receipt.ts";
import { useCounts } from "../../src/memory/use.ts";
import { realFs } from "../../src/base/fs.ts";
import { sage } from "../support/sage.ts";
import { closedFile } from "../support/temp_store.ts";
import {
  AGENT,
  begin,
  conversation,
  DAY,
  knowledge,
  MINUTE,
  NOW,
  OTHER,
  PERSON,
  put,
  read,
  SESSION,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";

/** Receipts as hooks leave them; the project's id is this world's. */
function receipts(on: World, day: string, lines: readonly Record<string, unknown>[]): void {
  const project = on.memory.places.projectId;
  const text = lines.map((line) =>
    JSON.stringify({ event: "hook", outcome: "done", session: SESSION, project, ...line }) + "\n"
  );
  put(`${on.home}/.sage/state/log/${day}.jsonl`, text.join(""));
}

Deno.test("measureImpact() counts tokens so that each can be found again in its line", async () => {
  using on = await world();
  receipts(on, "2026-01-12", [
    { at: "2026-01-12T09:00:00Z", hook: "session-start", source: "startup", tokens: 120, ms: 7 },
    { at: "2026-01-12T09:01:00Z", hook: "user-prompt-submit", gate: "short" },
    {
      at: "2026-01-12T09:02:00Z",
      hook: "user-prompt-submit",
      gate: "passed",
      shown: 1,
      told: ["oak"],
      tokens: 80,
    },
    { at: "2026-01-12T09:09:00Z", hook: "stop", gate: "synthesis 0.82", tokens: 40 },
    { at: "2026-01-12T09:10:00Z", hook: "session-start", source: "compact", tokens: 60, ms: 9 },
    { at: "2026-01-12T09:20:00Z", hook: "session-start", tokens: 999, project: "another" },
  ]);
  await leaveToolReceipt({ ...on.memory, session: SESSION }, {
    tool: "search_notes",
    outcome: "done",
    answer: "four words of answer",
    milliseconds: 12.4,
  });

  const impact = await measureImpact(on.memory);
  assert.deepEqual(impact.tokens.by, { start: 120, compaction: 60, prompt: 80, ask: 40, tool: 4 });
  assert.equal(impact.tokens.told, 304);
  assert.deepEqual(impact.prompts, { total: 2, silent: 1, gates: { short: 1 } });
  for (const { tokens, from } of impact.sessions.flatMap(({ costs }) => costs)) {
    const [file, line] = from.split(":");
    const text = read(`${on.home}/.sage/state/${file}`).split("\n")[Number(line) - 1] ?? "";
    assert.equal(JSON.parse(text).tokens, tokens, from);
  }
  assert.deepEqual(impact.figures.time_to_recall.start, { median: 7, longest: 9, count: 2 });
  assert.deepEqual(impact.figures.time_to_recall.asked, { median: 12, longest: 12, count: 1 });
  assert.deepEqual([impact.sessions[0]?.held, impact.tokens.share], [undefined, undefined]);
});

Deno.test("measureImpact() counts each session's first start, and no hour longer than a pause", async () => {
  using on = await world();
  const at = (minute: number): string => new Date(NOW - (90 - minute) * MINUTE).toISOString();
  const start = { hook: "session-start", source: "startup", told: [] as string[] };
  receipts(on, "2026-01-13", [
    { at: at(0), ...start, told: ["oak"] },
    { at: at(30), ...start, source: "resume" },
    { at: at(61), hook: "stop", gate: "short" },
    { at: at(61), session: OTHER, ...start, source: "compact", told: ["oak"] },
    { at: at(62), session: OTHER, ...start, outcome: "failed", told: ["oak"] },
    { at: at(63), session: OTHER, hook: "stop", told: ["oak"] },
  ]);
  const { figures } = await measureImpact(on.memory);
  const { count, of } = figures.started_with_context;
  assert.deepEqual([count, of, figures.notes_per_hour.hours], [1, 1, 0.53]);
  assert.equal(figures.updates_in_conflict.of, 0);
});

Deno.test("measureImpact() reads a transcript once while it is unchanged", async () => {
  using on = await world();
  const path = transcriptFile(on, conversation("It stalls."));
  begin(on.memory, on, { transcriptPath: path });
  receipts(on, "2026-01-13", [{ at: "2026-01-13T14:29:00Z", hook: "session-start", tokens: 90 }]);
  let opened = 0;
  const memory = await on.open({
    fs: {
      ...realFs,
      open(file, options) {
        if (file === path) opened++;
        return realFs.open(file, options);
      },
    },
  });
  const held = (await measureImpact(memory)).sessions[0]?.held;
  assert.ok((held ?? 0) > 0);
  assert.equal((await measureImpact(memory)).sessions[0]?.held, held);
  assert.equal(opened, 1);
  const more = conversation("It stalls.").user("And now?").assistant("Now it does not.");
  transcriptFile(on, more);
  assert.notEqual((await measureImpact(memory)).sessions[0]?.held, held);
  assert.equal(opened, 2);
});

Deno.test("measureImpact() tells in which session a note was shown, used and overridden", async () => {
  using on = await world();
  const oak = await knowledge(on.memory, "Oak", "It grows.");
  const ash = await knowledge(on.memory, "Ash", "It burns.");
  receipts(on, "2026-01-13", [{
    at: "2026-01-13T14:29:00Z",
    hook: "session-start",
    source: "startup",
    told: [oak.id, ash.id],
    tokens: 90,
  }, {
    at: "2026-01-13T14:29:30Z",
    session: OTHER,
    hook: "session-start",
    source: "startup",
    told: [],
    tokens: 30,
  }]);
  const agent = await on.open({ session: SESSION });
  await readNote(agent, oak.id, { forChange: true });
  await saveKnowledge(agent, { title: "Oak", content: "It falls.", onConflict: "update" }, AGENT);
  await removeNote(on.memory, ash.id, ["knowledge"]);

  const { notes, figures } = await measureImpact(on.memory);
  const [first, second] = notes;
  assert.deepEqual(first?.shown.map(({ how, session }) => [how, session]), [["start", SESSION]]);
  assert.deepEqual(first?.used.map(({ how, session }) => [how, session]), [["read", SESSION]]);
  assert.deepEqual(first?.overridden.map(({ how }) => how), ["replaced"]);
  assert.deepEqual([second?.title, second?.overridden.map(({ how, session }) => [how, session])], [
    undefined,
    [["removed", ""]],
  ]);
  assert.deepEqual([figures.started_with_context.count, figures.started_with_context.of], [1, 2]);
  assert.deepEqual([figures.went_on_from_it.count, figures.went_on_from_it.of], [1, 1]);

  const one = await measureImpact(on.memory, { session: OTHER.slice(0, 4) });
  assert.deepEqual(one.sessions.map(({ session }) => session), [OTHER]);
  assert.equal((await measureImpact(on.memory, { sinceMs: on.memory.now() })).sessions.length, 0);
});

Deno.test("measureImpact() knows nothing of a forgotten note, and its cost still", async () => {
  using on = await world();
  const oak = await knowledge(on.memory, "Oak", "It grows.");
  const at = "2026-01-13T14:29:00Z";
  receipts(on, "2026-01-13", [
    { at, hook: "user-prompt-submit", shown: 2, told: [oak.id, "ash"], tokens: 70 },
  ]);
  await forget(on.memory, oak.id);
  const impact = await measureImpact(on.memory);
  assert.deepEqual(impact.notes.map(({ id }) => id), ["ash"]);
  assert.equal(impact.tokens.by.prompt, 70);
  assert.doesNotMatch(read(`${on.home}/.sage/state/log/2026-01-13.jsonl`), /"oak"/);
});

Deno.test("measureImpact() reads back two weeks at most, and over torn lines", async () => {
  using on = await world();
  const line = { hook: "session-start", source: "startup", tokens: 10 };
  receipts(on, "2025-12-20", [{ ...line, at: "2025-12-20T10:00:00Z" }]);
  receipts(on, "2026-01-12", [{ ...line, at: "2026-01-12T10:00:00Z" }]);
  const path = `${on.home}/.sage/state/log/2026-01-12.jsonl`;
  put(path, '{"at":"2026\n' + read(path) + '{"torn');
  put(`${on.home}/.sage/state/recalls/uses.jsonl`, '\n{"id":7}\nnull\n{"id":"oak"}\n');
  const { sessions } = await measureImpact(on.memory, { sinceMs: on.memory.now() - 90 * DAY });
  assert.deepEqual(sessions.flatMap(({ costs }) => costs.map(({ from }) => from)), [
    "log/2026-01-12.jsonl:2",
  ]);
});

Deno.test("measureImpact() counts notes by the hours in which somebody worked", async () => {
  using on = await world();
  const start = Date.UTC(2026, 0, 12, 9);
  receipts(
    on,
    "2026-01-12",
    [0, 20, 40, 60, 240, 260].map((minute) => ({
      at: new Date(start + minute * MINUTE).toISOString().slice(0, 19) + "Z",
      hook: "user-prompt-submit",
      gate: "short",
    })),
  );
  await knowledge(on.memory, "Oak", "It grows.", {}, AGENT);
  await knowledge(on.memory, "Ash", "It burns.", {}, AGENT);
  await knowledge(on.memory, "Elm", "It bends.", {}, PERSON);
  const { notes_per_hour: written } = (await measureImpact(on.memory)).figures;
  assert.deepEqual([written.notes, written.hours, written.rate], [2, 1.33, 1.5]);
});

Deno.test("useCounts() does not count replacements and removals", async () => {
  using on = await world();
  const oak = await knowledge(on.memory, "Oak", "It grows.");
  await saveKnowledge(on.memory, { title: "Oak", content: "No.", onConflict: "update" }, PERSON);
  await removeNote(on.memory, oak.id, ["knowledge"]);
  assert.equal(useCounts(on.memory, [oak.id]).get(oak.id), undefined);
});

Deno.test("leaveToolReceipt() leaves none of an excluded project, and none where Sage never was", async () => {
  using on = await world();
  put(`${on.cwd}/.sageignore`, "*\n");
  const call = { tool: "search_notes", outcome: "done", answer: "words", milliseconds: 1 };
  await leaveToolReceipt({ ...on.memory, session: SESSION }, call);
  assert.deepEqual((await measureImpact(on.memory)).sessions, []);
  using bare = await world({ project: "foreign" });
  await leaveToolReceipt(bare.memory, call);
  assert.throws(() => read(`${bare.home}/.sage/state/log`), Deno.errors.NotFound);
});

Deno.test("measureImpact() says which receipts are left out, because they are damaged or cannot be read", async () => {
  using on = await world();
  receipts(on, "2026-01-11", [{ at: "2026-01-11T09:00:00Z", hook: "session-start", tokens: 10 }]);
  receipts(on, "2026-01-12", [{ at: "2026-01-12T09:00:00Z", hook: "session-start", tokens: 10 }]);
  assert.equal((await measureImpact(on.memory)).lost, undefined);
  const log = `${on.home}/.sage/state/log`;
  put(`${log}/2026-01-12.jsonl`, `${read(`${log}/2026-01-12.jsonl`)}{"at":"20\n\0\0\0\n[5]\n`);
  put(`${on.home}/.sage/state/recalls/uses.jsonl`, '{"use":"re');
  const memory = await on.open({ fs: closedFile(`${log}/2026-01-11.jsonl`) });
  const impact = await measureImpact(memory);
  assert.equal(impact.tokens.told, 10);
  assert.deepEqual(impact.lost, [
    { from: "log/2026-01-11.jsonl" },
    { from: "log/2026-01-12.jsonl", lines: 3 },
    { from: "recalls/uses.jsonl", lines: 1 },
  ]);
  assert.deepEqual(impact.unknown.slice(0, 3), [
    "what log/2026-01-11.jsonl says: it cannot be read, or not whole",
    "what 3 damaged lines of log/2026-01-12.jsonl said",
    "what 1 damaged line of recalls/uses.jsonl said",
  ]);
  // Older than what was asked for.
  const later = await measureImpact(memory, { sinceMs: NOW });
  assert.deepEqual(later.lost?.map(({ from }) => from), ["recalls/uses.jsonl"]);
});

Deno.test("sage impact does not say that no session was recorded where receipts are damaged", async () => {
  using on = await world();
  const today = new Date().toISOString().slice(0, 10);
  put(`${on.home}/.sage/state/log/${today}.jsonl`, "\0\0\0\0");
  const { code, stderr } = await sage(["impact"], { home: on.home, cwd: on.cwd });
  assert.equal(code, 3);
  assert.match(stderr, /not known: what 1 damaged line of log\/.*\.jsonl said/);
});
