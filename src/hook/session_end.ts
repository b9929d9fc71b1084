/** The end, when the editor gets that far: close the session note as handoff, leave the registry. */
import type { Env } from "../base/environment.ts";
import type { HookInput, HookReply, Transcript } from "../editor/editor.ts";
import type { Memory } from "../memory/memory.ts";
import { saveExtractive } from "../memory/checkpoint/extractive.ts";
import { makeLeftOwed } from "../memory/checkpoint/owed.ts";
import { writeSessionNote } from "../memory/session/note.ts";
import { prepareOrientation } from "../memory/session/prepare.ts";
import { readSession, updateSession } from "../memory/session/state.ts";
import { readTurns } from "../memory/session/turns.ts";
import { withMemory } from "./handler.ts";

export async function handle(input: HookInput, env: Env): Promise<HookReply> {
  return await withMemory(input, env, async (memory, isAlone) => {
    const at = memory.now();
    const reason = input.reason ?? "other";
    const path = input.transcriptPath ?? readSession(memory, input.sessionId)?.transcriptPath;
    const transcript = await readTurns(memory, path, { whole: true });
    const owed = isAlone ? await saveOwed(memory, input.sessionId, transcript) : undefined;
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
    return {
      reply: {},
      receipt: { reason, note, save, learned: learned || undefined },
    };
  }, { saves: true });
}

/** What a server answered and did not live to save. The note is written even where that fails. */
async function saveOwed(
  memory: Memory,
  session: string,
  transcript: Transcript | undefined,
): Promise<string | undefined> {
  try {
    return (await makeLeftOwed(memory, session, transcript))?.kind;
  } catch {
    return "failed";
  }
}

/** What a memory needs now and then. Returns how many thresholds were learned anew. */
async function tend(memory: Memory, dir: string): Promise<number> {
  // At most once a day, and before what the next start says is made ahead.
  await mayFail(async () => {
    const { lookForAged } = await import("../memory/freshness/proposal.ts");
    await lookForAged(memory);
  });
  await prepareOrientation(memory, dir);
  // Last, and at most once a day: whoever is killed here has lost nothing.
  const learned = await mayFail(async () => {
    const { learnThresholds } = await import("../memory/learn/thresholds.ts");
    return await learnThresholds(memory);
  });
  await mayFail(async () => {
    const { lookForTip } = await import("../memory/coaching/look.ts");
    await lookForTip(memory);
  });
  // A server that waits does so too.
  await mayFail(async () => {
    const { tidy } = await import("../memory/sweep/tidy.ts");
    await tidy(memory);
  });
  return learned?.length ?? 0;
}

/** What nobody waits for: the next session's end looks again. */
async function mayFail<T>(work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch {
    return undefined;
  }
}
