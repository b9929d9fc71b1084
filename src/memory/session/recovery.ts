/**
 * Finishes sessions that never ended from their transcripts: `kill -9`, a closed terminal, a power
 * cut. Runs at the next session's start, bounded in time; the rest is left to the next process.
 */
import { defined } from "../../base/defined.ts";
import { DAY_MS, monotonic } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { join } from "../../base/path.ts";
import { shortId } from "../../base/id.ts";
import { RECOVERY_MS_MAX } from "../../base/limits.ts";
import { writeLog } from "../../base/log.ts";
import type { Transcript } from "../../editor/editor.ts";
import { saveExtractive } from "../checkpoint/extractive.ts";
import { makeLeftOwed } from "../checkpoint/owed.ts";
import type { Memory } from "../memory.ts";
import { lockSession } from "./state/session_lock.ts";
import { damagedSessions, deadSessions, isLive, lostSessions, sweepSessions } from "./instances.ts";
import { lostNotes } from "./lost_note.ts";
import { writeSessionNote } from "./note.ts";
import type { SessionState } from "./state/session_state.ts";
import { readSession, recordInSession, updateSession } from "./state/state.ts";
import { readTurns } from "./turns.ts";

interface Recovered {
  readonly session: string;
  readonly checkpoint?: string;
  readonly note?: string;
}

/** Finishes every dead session of the project; `own` is the one that is starting. */
export async function recoverSessions(
  memory: Memory,
  own: string,
  millisecondsMax = RECOVERY_MS_MAX,
): Promise<Recovered[]> {
  const start = monotonic();
  const recovered: Recovered[] = [];
  await renewDamaged(memory, own);
  const left = [...deadSessions(memory, own), ...lostSessions(memory)];
  for (const [n, state] of left.entries()) {
    // The first is always tried, so that a slow disk cannot put it off for ever; then each is
    // expected to take as long as the one before.
    const spent = monotonic() - start;
    if (n > 0 && spent + spent / n > millisecondsMax) break;
    try {
      const finished = await finishAlone(memory, state);
      if (finished !== undefined) recovered.push(finished);
    } catch (error) {
      // A session that cannot be finished must not keep the others from it; the next start tries
      // again.
      const code = error instanceof SageError ? error.code : "internal";
      writeLog(memory.fs, memory.places.stateDir, memory.now(), "recovery", {
        session: state.session,
        project: memory.places.projectId,
        detail: "failed",
        error: code,
      });
    }
  }
  // If no session ends in order, nothing else deletes the old states.
  if (recovered.length > 0) sweepSessions(memory);
  return recovered;
}

/**
 * Gives a session whose state is damaged, as after a power cut, a new one, if its editor has the conversation
 * and it was of this project: else nobody would finish it.
 */
async function renewDamaged(memory: Memory, own: string): Promise<void> {
  const damaged = new Set(damagedSessions(memory, own));
  if (damaged.size === 0) return;
  const { isOf, Past } = await import("../migrate/history.ts");
  const history = new Past(memory, damaged);
  try {
    for (const file of await history.files({ all: false })) {
      const past = await history.look(file);
      if (past === undefined || !isOf(memory, past)) continue;
      const then: Memory = { ...memory, now: () => past.endedMs };
      recordInSession(then, past.session, (state) => ({ ...state, transcriptPath: past.path }));
    }
  } finally {
    await history.close();
  }
}

/** Terminals opened together find the same dead session; the first one finishes it. */
async function finishAlone(
  memory: Memory,
  { session }: SessionState,
): Promise<Recovered | undefined> {
  const lock = lockSession(memory, session, 0);
  if (lock === undefined) return undefined;
  try {
    // Somebody may have finished or resumed it since it was listed.
    const now = readSession(memory, session);
    if (now === undefined) return undefined;
    if (lostNotes(memory)?.(now) === true) return await writeAnew(memory, now);
    if (now.ended !== undefined || isLive(memory, now)) return undefined;
    return await finish(memory, now);
  } finally {
    lock.release();
  }
}

async function finish(memory: Memory, state: SessionState): Promise<Recovered> {
  const { session } = state;
  // Its notes get the date at which it was cut off, however late it is finished.
  const then: Memory = {
    ...memory,
    now: () => state.seen,
    past: memory.now() - state.seen > DAY_MS,
  };
  const read = await readTurns(memory, transcriptOf(memory, state), {
    whole: true,
    from: state,
  });
  const transcript = withRequest(read, state);
  let checkpoint: string | undefined;
  let note: string | undefined;
  let detail = "no transcript";
  if (transcript !== undefined && transcript.turns.length > 0) {
    const owed = await makeLeftOwed(then, session, transcript);
    const saved = await saveExtractive(then, transcript, {
      session,
      trigger: "recovery",
      confidence: 0.5,
      again: state.pendingAsk !== undefined,
    });
    const made = saved.kind === "saved" ? saved : owed ?? saved;
    if (made.kind === "saved") checkpoint = made.id;
    detail = made.kind;
    const written = await writeSessionNote(then, session, transcript, {
      at: state.seen,
      reason: "recovered",
    });
    if (written.kind === "written") note = written.id;
    const { askAboutPreferences } = await import("../question/preferences.ts");
    await askAboutPreferences(memory, session, transcript.turns);
  }
  // Marked last: after a crash in between the next start tries again.
  updateSession(
    memory,
    session,
    (now) => ({ ...now, seen: state.seen, ended: state.seen, endReason: "recovered" }),
  );
  writeLog(memory.fs, memory.places.stateDir, memory.now(), "recovery", {
    session,
    project: memory.places.projectId,
    checkpoint: checkpoint === undefined ? undefined : shortId(checkpoint),
    note: note === undefined ? undefined : shortId(note),
    detail,
  });
  return { session, ...defined({ checkpoint, note }) };
}

/** The note of a session that ended in order, and went with its worktree. What it saved beside is lost. */
async function writeAnew(memory: Memory, state: SessionState): Promise<Recovered> {
  const { session, seen, ended = seen, endReason = "other" } = state;
  const then: Memory = { ...memory, now: () => ended, past: memory.now() - ended > DAY_MS };
  const transcript = await readTurns(memory, transcriptOf(memory, state), {
    whole: true,
    from: state,
  });
  const written = transcript === undefined || transcript.turns.length === 0
    ? undefined
    : await writeSessionNote(then, session, transcript, { at: ended, reason: endReason });
  const note = written?.kind === "written" ? written.id : undefined;
  updateSession(memory, session, ({ note: last, ...now }) => {
    if (last === undefined) return { ...now, seen, ended, endReason };
    // Where it could not be written, the next start does not try again.
    const { worktree: _, ...own } = last;
    return { ...now, note: own, seen, ended, endReason };
  });
  writeLog(memory.fs, memory.places.stateDir, memory.now(), "recovery", {
    session,
    project: memory.places.projectId,
    note: note === undefined ? undefined : shortId(note),
    detail: "gone with its worktree",
  });
  return { session, ...defined({ note }) };
}

/** Before the first answer Gemini CLI has no file of a session, or throws it away at its next start. */
function withRequest(
  transcript: Transcript | undefined,
  { topic, readTo }: SessionState,
): Transcript | undefined {
  const isOwed = topic !== undefined && readTo === undefined && transcript?.turns.length === 0;
  if (!isOwed) return transcript;
  return { ...transcript, turns: [{ uuid: "", role: "user", at: "", text: topic, tools: [] }] };
}

/**
 * In a home that was moved, or came to another machine under another name, a transcript lies where
 * it lay in the former one.
 */
function transcriptOf(
  { fs, places }: Memory,
  { transcriptPath }: SessionState,
): string | undefined {
  if (transcriptPath === undefined || fs.lstat(transcriptPath) !== undefined) return transcriptPath;
  const parts = transcriptPath.split("/");
  const here = parts.map((_, i) => join(places.home, ...parts.slice(i)));
  return here.find((path) => fs.lstat(path)?.kind === "file") ?? transcriptPath;
}
