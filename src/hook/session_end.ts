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
    await lookForOld(memory);
    await prepareOrientation(memory, input.startDir ?? input.cwd);
    const learned = await learn(memory);
    await coach(memory);
    await sweep(memory);
    return {
      reply: {},
      receipt: {
        reason,
        note,
        ...(save === undefined ? {} : { save }),
        ...(learned === 0 ? {} : { learned }),
      },
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

/** At most once a day, and before what the next start says is made ahead. */
async function lookForOld(memory: Memory): Promise<void> {
  try {
    const { lookForAged } = await import("../memory/freshness/proposal.ts");
    await lookForAged(memory);
  } catch {
    // The next session's end looks again.
  }
}

/** The same, and its server does so too. */
async function sweep(memory: Memory): Promise<void> {
  try {
    const { tidy } = await import("../memory/sweep/tidy.ts");
    await tidy(memory);
  } catch {
    // The next session's end looks again.
  }
}

/** Last, and at most once a day: whoever is killed here has lost nothing. */
async function learn(memory: Memory): Promise<number> {
  try {
    const { learnThresholds } = await import("../memory/learn/thresholds.ts");
    return (await learnThresholds(memory)).length;
  } catch {
    return 0;
  }
}

/** The same: a tip is nothing that anybody waits for. */
async function coach(memory: Memory): Promise<void> {
  try {
    const { lookForTip } = await import("../memory/coaching/look.ts");
    await lookForTip(memory);
  } catch {
    // The next session's end looks again.
  }
}
