/** The full start of a session: recover, register, refresh, orient. A step that fails does not stop the others. */
import { monotonic } from "../base/clock.ts";
import type { Env } from "../base/environment.ts";
import { defined } from "../base/defined.ts";
import { RECOVERY_MS_MAX, REFRESH_HOOK_MS_MAX } from "../base/limits.ts";
import { attempt } from "../base/attempt.ts";
import type { HookInput, HookReply } from "../editor/editor.ts";
import { settleAsked } from "../memory/freshness/state.ts";
import { foldInboxes, type Memory } from "../memory/memory.ts";
import { markAnnounced } from "../memory/question/announced.ts";
import { refreshAll } from "../memory/index/reindex.ts";
import { type Origin, register } from "../memory/session/begin.ts";
import { isAnyLeft } from "../memory/session/instances.ts";
import { takeTip } from "../memory/coaching/tip.ts";
import { orient, type Orientation } from "../memory/session/orientation/orientation.ts";
import {
  isSavedForCompaction,
  readSession,
  recordInSession,
} from "../memory/session/state/state.ts";
import { withTold } from "../memory/session/told.ts";
import { withMemory } from "./handler.ts";
import { joinNotices } from "./notices.ts";

export async function orientSession(input: HookInput, env: Env): Promise<HookReply> {
  return await withMemory(input, env, async (memory) => {
    const source = input.source ?? "startup";
    const recovered = await attempt(0, () => recover(memory, input.sessionId));
    const origin = source === "fork" ? await attempt({}, () => originOf(memory, input)) : {};
    const registered = await attempt(undefined, () => register(memory, input, origin));
    if (registered === false) return { reply: {}, receipt: { source, twice: true } };
    // The handoff of a session whose note was locked when it ended.
    await attempt(undefined, () => foldInboxes(memory.stores));
    const isSaved = source !== "compact" || await attempt(false, () => isSavedBy(memory, input));
    await attempt([], () => refreshAll(memory, { deadlineMs: REFRESH_HOOK_MS_MAX }));
    const missed = source === "compact"
      ? await attempt(undefined, () => measureLoss(memory, input))
      : undefined;
    const orientation = await attempt(
      undefined,
      () => orient(memory, input.sessionId, source, registered === true),
    );
    if (orientation !== undefined) {
      recordInSession(memory, input.sessionId, (state) => withTold(state, orientation, source));
      const { asked } = orientation;
      await attempt(
        undefined,
        () => markAnnounced(memory.fs, memory.places.stateDir, memory.now(), asked),
      );
    }
    if (orientation?.asks === true) {
      const { stateDir, projectDir } = memory.places;
      await attempt(undefined, () => settleAsked(memory.fs, stateDir, projectDir, memory.now()));
    }
    const notice = await attempt(
      {},
      () => isSaved === true ? tell(memory, source, orientation) : notSaved(memory, isSaved),
    );
    return {
      reply: {
        ...(orientation === undefined || orientation.text === ""
          ? {}
          : { context: orientation.text }),
        ...joinNotices(orientation?.notice, notice.notice),
      },
      receipt: {
        source,
        recovered,
        tokens: orientation?.tokens ?? 0,
        told: orientation?.named ?? [],
        kept: missed?.kept,
        lost: missed?.lost.length,
      },
    };
  });
}

/** The notice to the person: a tip that waits, or what the agent was told, while that is new to them. */
async function tell(
  memory: Memory,
  source: string,
  orientation: Orientation | undefined,
): Promise<HookReply> {
  const isNew = source === "startup" || source === "clear";
  const tip = isNew ? takeTip(memory.fs, memory.places.stateDir, memory.now()) : undefined;
  if (tip !== undefined) return { notice: tip };
  if (orientation === undefined || orientation.named.length === 0) return {};
  const { noticeOf } = await import("../memory/notice.ts");
  const { named, tokens, skipped } = orientation;
  const notes = named.length === 1 ? "1 note" : `${named.length} notes`;
  const left = skipped === 0 ? "" : `, and left out ${skipped} for the budget`;
  const account = `told the agent of ${notes} in ${tokens} tokens${left}`;
  return noticeOf(memory, source === "compact" ? "compaction" : "handoff", account);
}

function notSaved({ config }: Memory, isSaved: false | undefined): HookReply {
  if (isSaved === undefined || config.get("output.level") === "silent") return {};
  return {
    notice: "Sage: What was said before this compaction could not be saved; sage doctor says why.",
  };
}

/**
 * Whether what was said before the compaction is saved; a hook that failed, or a client without one, may have left
 * that to do. Undefined without a transcript.
 */
async function isSavedBy(
  memory: Memory,
  { sessionId, transcriptPath }: HookInput,
): Promise<true | undefined> {
  if (isSavedForCompaction(memory, readSession(memory, sessionId))) return true;
  const { saveMissed } = await import("../memory/checkpoint/before_compaction.ts");
  return await saveMissed(memory, sessionId, transcriptPath) === undefined ? undefined : true;
}

/** Loads the module only if there is something to recover. */
async function recover(memory: Memory, own: string): Promise<number> {
  if (!isAnyLeft(memory, own)) return 0;
  const start = monotonic();
  const { recoverSessions } = await import("../memory/session/recovery.ts");
  const left = RECOVERY_MS_MAX - (monotonic() - start);
  return (await recoverSessions(memory, own, left)).length;
}

async function originOf(memory: Memory, input: HookInput): Promise<Origin> {
  if (input.transcriptPath !== undefined) {
    const { readOrigin } = await import("../editor/session_file.ts");
    const named = await readOrigin(input.transcriptPath, memory.fs);
    if (named !== undefined) return { named };
  }
  const { forkOrigin } = await import("../memory/session/fork_origin.ts");
  return defined({ guessed: await forkOrigin(memory, input) });
}

/** For clients that do not report the end of the summariser: by now the transcript may have the summary. */
async function measureLoss(memory: Memory, input: HookInput) {
  const { measureIfMissed } = await import("../memory/session/compaction_loss.ts");
  return await measureIfMissed(memory, input.sessionId, input.transcriptPath);
}
