/**
 * A save that was decided is recorded as owed in the session's state until it is made. So the process
 * that decides can reply first; if it is killed, the session's next process makes the save.
 */
import { parseTime } from "../../base/clock.ts";
import type { Transcript } from "../../editor/editor.ts";
import type { Memory } from "../memory.ts";
import type { SessionState } from "../session/state/session_state.ts";
import { readSession, updateSession } from "../session/state/state.ts";
import { lastTurnId } from "../session/turns.ts";
import type { ExtractiveCause, ExtractiveOutcome } from "./extractive.ts";

export type Owed = NonNullable<SessionState["pendingAsk"]>;

/** Makes the save that is owed, unless another process has made it meanwhile. */
export async function makeOwed(
  memory: Memory,
  session: string,
  transcript: Transcript,
  { at, trigger, confidence, newSubject }: Owed,
  options: Pick<ExtractiveCause, "again"> = {},
): Promise<ExtractiveOutcome> {
  if (readSession(memory, session)?.pendingAsk?.at !== at) {
    return { kind: "nothing", reason: "saved by another process" };
  }
  // Most turns save nothing, and load nothing of what saving needs.
  const { saveExtractive } = await import("./extractive.ts");
  await memory.load();
  const saved = await saveExtractive(memory, transcript, {
    session,
    trigger: trigger as ExtractiveCause["trigger"],
    confidence,
    newSubject,
    ...options,
  });
  // A save that exists settles the debt.
  if (saved.kind === "saved") return saved;
  const made = saved.kind === "duplicate" && options.again === true &&
      await isMadeIn(memory, session, saved.of.id)
    ? saved.of.id
    : undefined;
  updateSession(memory, session, ({ pendingAsk: _, ...state }) => ({
    ...state,
    ...(made === undefined || state.checkpoints?.includes(made) === true ? {} : {
      checkpoints: [...state.checkpoints ?? [], made],
      lastSave: { at, turn: lastTurnId(transcript), hash: "", id: made },
    }),
  }));
  return saved;
}

/** Whether it is this session's own save, made by a process that was killed before it recorded it. */
async function isMadeIn(memory: Memory, session: string, id: string): Promise<boolean> {
  const [{ findExact }, { readCheckpoint }] = await Promise.all([
    import("../find.ts"),
    import("../../note/checkpoint.ts"),
  ]);
  const found = await findExact(memory, id, ["checkpoint"]);
  return found.kind === "one" && readCheckpoint(found.item.note).session === session;
}

/** Makes the save that an earlier process left owed; undefined if there is none. */
export async function makeLeftOwed(
  memory: Memory,
  session: string,
  transcript: Transcript | undefined,
): Promise<ExtractiveOutcome | undefined> {
  const owed = readSession(memory, session)?.pendingAsk;
  if (owed?.isOwed !== true || transcript === undefined) return undefined;
  return await makeOwed(memory, session, until(transcript, owed.at), owed, { again: true });
}

/**
 * The transcript as it was when the save was decided. Later turns, such as the answer to an ask, are
 * not part of that save.
 */
export function until(transcript: Transcript, atMs: number): Transcript {
  const turns = transcript.turns.filter(({ at }) => (parseTime(at) ?? Infinity) <= atMs);
  if (turns.length === 0 || turns.length === transcript.turns.length) return transcript;
  // Their place in the file is unknown; the next read starts further up.
  return { ...transcript, turns, endOffset: 0 };
}
