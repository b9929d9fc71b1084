/** Conversations that a client has in one process, as Codex has those of all terminals, and who is told of whom. */
import assert from "node:assert/strict";
import { socketPath } from "../../src/memory/session/handover.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { hasUnsaidOverlap } from "../../src/memory/session/pending_notices.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { sayOverlaps } from "../../src/memory/session/overlap.ts";
import { readSession } from "../../src/memory/session/state/state.ts";
import { touch } from "../../src/memory/session/touch.ts";
import { readTurns } from "../../src/memory/session/turns.ts";
import { TranscriptBuilder } from "../support/transcript.ts";
import {
  begin,
  conversation,
  hookInput,
  MINUTE,
  OTHER,
  put,
  SESSION,
  transcriptFile,
  type World,
  world,
} from "../support/world.ts";

const THIRD = "third";

/** A client that does not say which process it is; what runs the tests has it, and a server of ours. */
async function shared(on: World): Promise<Memory> {
  const memory = await on.open();
  put(socketPath(memory.places.stateDir, Deno.ppid), "");
  return memory;
}

async function turn(memory: Memory, on: World, session: string, edits = false): Promise<void> {
  const said = edits
    ? conversation("The heap was full.", { session })
    : new TranscriptBuilder({ sessionId: session, bare: true })
      .user("Why does the importer stall?").assistant("It holds each file as one text.");
  const transcriptPath = transcriptFile(on, said);
  const transcript = await readTurns(memory, transcriptPath);
  assert.ok(transcript !== undefined);
  const input = hookInput(on, { event: "stop", sessionId: session, transcriptPath });
  await touch(memory, input, transcript);
  on.later(MINUTE);
}

function starts(memory: Memory, on: World, session: string, source = "startup"): void {
  begin(memory, on, { sessionId: session, source });
  on.later(MINUTE);
}

/** What is said beside the next prompt, of nothing but who is at work. */
function said(memory: Memory, session: string): string {
  return hasUnsaidOverlap(readSession(memory, session)) ? sayOverlaps(memory, session) : "";
}

const TOLD = 'Sage: another session works here now on "Why does the importer stall?".';

Deno.test("of two terminals in one process, the later one is told when the earlier one continues", async () => {
  using on = await world();
  const memory = await shared(on);
  starts(memory, on, SESSION);
  await turn(memory, on, SESSION);
  starts(memory, on, OTHER);
  const first = await orient(memory, OTHER, "startup");
  assert.doesNotMatch(first?.text ?? "", /Another session works/, "it may have been left");
  await turn(memory, on, OTHER);
  assert.equal(said(memory, OTHER) + said(memory, SESSION), "");

  await turn(memory, on, SESSION);
  assert.equal(said(memory, OTHER), TOLD);
  await turn(memory, on, SESSION);
  assert.equal(said(memory, OTHER) + said(memory, SESSION), "", "once, and the later alone");
  begin(memory, on, { sessionId: OTHER, source: "compact" });
  const after = await orient(memory, OTHER, "compact");
  assert.match(after?.text ?? "", /Another session works here now on "Why does the importer/);
});

Deno.test("a conversation that a terminal left is no parallel session, also after it is taken up again", async () => {
  using on = await world();
  const memory = await shared(on);
  starts(memory, on, SESSION);
  await turn(memory, on, SESSION);
  // `/new`, then `/resume` there and back: a conversation that is taken up begins.
  starts(memory, on, OTHER);
  await turn(memory, on, OTHER);
  starts(memory, on, SESSION, "resume");
  await turn(memory, on, SESSION);
  assert.equal(said(memory, SESSION), "");
  starts(memory, on, OTHER, "resume");
  await turn(memory, on, OTHER);
  assert.equal(said(memory, OTHER), "");

  // Another terminal goes on beside it; it is left before it was told, and taken up when that is over.
  starts(memory, on, THIRD);
  await turn(memory, on, OTHER);
  starts(memory, on, THIRD, "resume");
  assert.equal(said(memory, THIRD), "", "nothing was heard since");
});

Deno.test("after /new the conversation before counts as another session only once it goes on", async () => {
  using on = await world();
  const memory = await shared(on);
  starts(memory, on, SESSION);
  await turn(memory, on, SESSION, true);
  starts(memory, on, OTHER);
  await turn(memory, on, OTHER, true);
  assert.equal(said(memory, OTHER), "", "the other was left, for all that is known");
  assert.match(said(memory, SESSION), /has changed "\/p\/importer\.ts", too/);
  await turn(memory, on, SESSION, true);
  assert.match(said(memory, OTHER), /has changed "\/p\/importer\.ts", too/);
  assert.equal(said(memory, OTHER) + said(memory, SESSION), "");
});

Deno.test("for a client that names its process, only the start of a session tells of others", async () => {
  using on = await world();
  on.env["CLAUDE_PID"] = String(Deno.pid);
  const memory = await on.open();
  starts(memory, on, SESSION);
  starts(memory, on, OTHER);
  await turn(memory, on, SESSION);
  assert.equal(readSession(memory, OTHER)?.overlaps, undefined);
});
