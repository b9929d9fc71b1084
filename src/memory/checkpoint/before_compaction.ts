/**
 * The save before a compaction. Where the hook before it failed, or the client has none, the start after it makes
 * the save: the transcript still has all that was said.
 */
import type { Transcript } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import { updateSession } from "../session/state/state.ts";
import { readTurns } from "../session/turns.ts";
import { type ExtractiveOutcome, saveExtractive } from "./extractive.ts";

/** Saves what no save has yet. The caller records in the session's state that everything is saved. */
export async function saveBefore(
  memory: Memory,
  session: string,
  transcript: Transcript,
): Promise<ExtractiveOutcome> {
  return await saveExtractive(memory, transcript, {
    session,
    trigger: "precompact",
    confidence: 0.6,
    always: true,
  });
}

/** Makes the save that was missed; undefined without a transcript. */
export async function saveMissed(
  memory: Memory,
  session: string,
  transcriptPath: string | undefined,
): Promise<ExtractiveOutcome | undefined> {
  const transcript = await readTurns(memory, transcriptPath, { whole: true });
  if (transcript === undefined) return undefined;
  const saved = await saveBefore(memory, session, transcript);
  updateSession(memory, session, (state) => ({ ...state, savedForCompaction: memory.now() }));
  return saved;
}
