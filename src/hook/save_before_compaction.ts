/** Before a compaction, manual or automatic: always a save, never a block. */
import type { Env } from "../base/environment.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { saveBefore } from "../memory/checkpoint/before_compaction.ts";
import { makeLeftOwed } from "../memory/checkpoint/owed.ts";
import { updateSession } from "../memory/session/state/state.ts";
import { readTurns } from "../memory/session/turns.ts";
import type { Served } from "./event_queue.ts";
import { withMemory } from "./handler.ts";

export async function saveBeforeCompaction(
  input: HookInput,
  env: Env,
  served?: Served,
): Promise<HookReply> {
  return await withMemory(input, env, async (memory, isAlone) => {
    const transcript = await readTurns(memory, input.transcriptPath, { whole: true });
    if (transcript === undefined) {
      return { reply: {}, receipt: { gate: "no transcript", save: "nothing" } };
    }
    if (isAlone) await makeLeftOwed(memory, input.sessionId, transcript);
    const saved = await saveBefore(memory, input.sessionId, transcript);
    // After a save the session note is left to the next stop: see end_turn.ts.
    const note = saved.kind === "saved"
      ? "later"
      : (await (await import("../memory/session/note.ts"))
        .writeSessionNote(memory, input.sessionId, transcript)).kind;
    // The thresholds stay crossed until the window is emptied: there may be too little to compact.
    // The start that follows is another than the last, however soon it comes.
    updateSession(
      memory,
      input.sessionId,
      ({ pendingAsk: _, offer: __, answeredStart: ___, ...rest }) => ({
        ...rest,
        savedForCompaction: memory.now(),
      }),
    );
    return { reply: {}, receipt: { trigger: input.trigger, save: saved.kind, note } };
  }, { saves: true, served });
}
