/** The end of a session, if the editor reports it: closes the session note as handoff and leaves the registry. */
import type { Env } from "../base/environment.ts";
import { attempt } from "../base/attempt.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import type { Memory } from "../memory/memory.ts";
import { saveExtractive } from "../memory/checkpoint/extractive.ts";
import { makeLeftOwed } from "../memory/checkpoint/owed.ts";
import { writeSessionNote } from "../memory/session/note.ts";
import { prepareOrientation } from "../memory/session/orientation/prepare.ts";
import { readSession, updateSession } from "../memory/session/state/state.ts";
import { readTurns } from "../memory/session/turns.ts";
import { withMemory } from "./handler.ts";

export async function handle(input: HookInput, env: Env): Promise<HookReply> {
  return await withMemory(input, env, async (memory, isAlone) => {
    const at = memory.now();
    const reason = input.reason ?? "other";
    const path = input.transcriptPath ?? readSession(memory, input.sessionId)?.transcriptPath;
    const transcript = await readTurns(memory, path, { whole: true });
    // A save that a server promised and did not live to make. The note is written even if this
    // fails.
    const owed = isAlone
      ? await attempt(
        "failed",
        async () => (await makeLeftOwed(memory, input.sessionId, transcript))?.kind,
      )
      : undefined;
    const note = transcript === undefined
      ? "no transcript"
      : (await writeSessionNote(memory, input.sessionId, transcript, { at, reason })).kind;
    // A note that a person took over is theirs; what came after their edit is kept beside it.
    const save = transcript === undefined || note !== "kept"
      ? owed
      : (await saveExtractive(memory, transcript, {
        session: input.sessionId,
        trigger: "session_end",
        confidence: 0.5,
      })).kind;
    updateSession(memory, input.sessionId, (state) => ({ ...state, ended: at, endReason: reason }));
    if (transcript !== undefined) {
      const { askAboutPreferences } = await import("../memory/question/preferences.ts");
      await askAboutPreferences(memory, input.sessionId, transcript.turns);
    }
    const learned = await tend(memory, input.startDir ?? input.cwd);
    return { reply: {}, receipt: { reason, note, save, learned: learned || undefined } };
  }, { saves: true });
}

/**
 * Maintenance that nothing waits for. What is not reached is done at the next session's end. Returns
 * how many thresholds were learned.
 */
async function tend(memory: Memory, dir: string): Promise<number> {
  // At most once a day, and before the next start is prepared from the result.
  await attempt(undefined, async () => {
    const { lookForAged } = await import("../memory/freshness/proposal.ts");
    await lookForAged(memory);
  });
  await prepareOrientation(memory, dir);
  // Last, and at most once a day: a process that is killed here has lost nothing.
  const learned = await attempt(undefined, async () => {
    const { learnThresholds } = await import("../memory/learn/thresholds.ts");
    return await learnThresholds(memory);
  });
  await attempt(undefined, async () => {
    const { lookForTip } = await import("../memory/coaching/look.ts");
    await lookForTip(memory);
  });
  // A waiting server does this too.
  await attempt(undefined, async () => {
    const { tidy } = await import("../memory/sweep/tidy.ts");
    await tidy(memory);
  });
  return learned?.length ?? 0;
}
