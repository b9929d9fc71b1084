/** What Sage saves by itself before words are dropped: something, however they were said. */
import assert from "node:assert/strict";
import { saveExtractive } from "../../src/memory/checkpoint/extractive.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { NOW, OTHER, read, SESSION, transcriptFile, world } from "../support/world.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { listCheckpoints } from "../../src/memory/checkpoint/list.ts";

Deno.test("saveExtractive() before a compaction keeps the last words where no sentence stands for them", async () => {
  using on = await world({ hook: true });
  const breathless = "and then the one after it too ".repeat(20);
  const said = new TranscriptBuilder({ sessionId: SESSION, startMs: NOW, bare: true })
    .user("go through the steps of the runbook please")
    .assistant(breathless)
    .user("and now?")
    .assistant("waiting, nightly job");
  const transcript = await readTurns(on.memory, transcriptFile(on, said));
  assert.ok(transcript !== undefined);
  const cause = { session: SESSION, trigger: "precompact", confidence: 0.6 } as const;
  assert.notEqual((await saveExtractive(on.memory, transcript, cause)).kind, "saved");
  const saved = await saveExtractive(on.memory, transcript, { ...cause, always: true });
  assert.ok(saved.kind === "saved", JSON.stringify(saved));
  assert.match(read(saved.path), /## Thesis\n\nwaiting, nightly job/);
});

Deno.test("saveExtractive() before a second compaction saves nothing where nothing was said since", async () => {
  using on = await world({ hook: true });
  const said = new TranscriptBuilder({ sessionId: SESSION, startMs: NOW, bare: true })
    .user("why does the importer stall on large files?")
    .assistant(
      "It stalls because it collects all rows before it writes; batches of 500 rows fix it.",
    );
  const save = async () => {
    const transcript = await readTurns(on.memory, transcriptFile(on, said));
    assert.ok(transcript !== undefined);
    const cause = { session: SESSION, trigger: "precompact", confidence: 0.6 } as const;
    return await saveExtractive(on.memory, transcript, { ...cause, always: true });
  };
  assert.equal((await save()).kind, "saved");
  said.user("ok");
  assert.deepEqual(await save(), { kind: "nothing", reason: "the same as the last save" });
  assert.equal((await listCheckpoints(on.memory)).length, 1);
});

Deno.test("saveExtractive() before a compaction saves again what another session has saved, rather than nothing", async () => {
  using on = await world({ hook: true });
  const save = async (session: string) => {
    const said = new TranscriptBuilder({ sessionId: session, startMs: NOW, bare: true })
      .user("why does the importer stall on large files?")
      .assistant(
        "It stalls because it collects all rows before it writes; batches of 500 rows fix it.",
      );
    const transcript = await readTurns(on.memory, transcriptFile(on, said));
    assert.ok(transcript !== undefined);
    const cause = { session, trigger: "precompact", confidence: 0.6, always: true } as const;
    return (await saveExtractive(on.memory, transcript, cause)).kind;
  };
  assert.equal(await save(SESSION), "saved");
  assert.equal(await save(OTHER), "saved");
});
