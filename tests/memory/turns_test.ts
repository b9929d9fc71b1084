/** What of a conversation may be kept: no private text, and nothing that Sage itself gave back. */
import assert from "node:assert/strict";
import { fence } from "../../src/base/printable.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { saveExtractive } from "../../src/memory/checkpoint/extractive.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import { begin, SESSION, transcriptFile, world } from "../support/world.ts";

const FENCED = fence([{
  id: "oak",
  title: "Oak",
  date: "2026-01-01",
  author: "person",
  trust: "own",
  flags: [],
  body: "We decided on oak over pine because pine warps within 3 years.",
}], "0a1b2c3d4e5f");

Deno.test("an extractive checkpoint holds nothing that stood in a recalled fence", async () => {
  using on = await world();
  begin(on.memory, on);
  const said = new TranscriptBuilder({ sessionId: SESSION })
    .user(`${FENCED}\n\nWhich wood did we take for the bench, and why does the other one fail?`)
    .assistant("", [{
      name: "Bash",
      input: { command: "sage knowledge test" },
      result: `${FENCED}\n1 failed: Error: pine warps within 3 years`,
      isError: true,
    }])
    .assistant(
      `It says:\n\n${FENCED}\n\nThe bench is made of the wood that the notes name. The root cause of the failure is moisture: 14 % is too much for a board of 20 mm, and the store room has 16 % since March.`,
    );
  const transcript = readTurns(on.memory, transcriptFile(on, said));
  assert.ok(transcript);
  assert.ok(!JSON.stringify(transcript.turns).includes("oak over pine"));
  const cause = { session: SESSION, trigger: "synthesis", confidence: 0.9, always: true } as const;
  const outcome = await saveExtractive(on.memory, transcript, cause);
  assert.equal(outcome.kind, "saved");
  const saved = outcome.kind === "saved" ? await Deno.readTextFile(outcome.path) : "";
  assert.match(saved, /moisture/);
  assert.ok(!saved.includes("oak over pine") && !saved.includes("recalled 0a1b"), saved);
});
