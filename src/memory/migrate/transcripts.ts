/**
 * Back-fill: makes notes of past sessions before agents delete their transcripts. Newest first, a bounded
 * number at a time, each session on its own: a killed process loses at most one, and nothing is made twice.
 * One process at a time.
 */
import { defined } from "../../base/defined.ts";
import { isSystemError, SageError, systemError } from "../../base/errors.ts";
import type { PastFile } from "../../editor/history.ts";
import { turnsNotIn } from "../../editor/claude_code/transcript.ts";
import { readStateOrThrow, updateState } from "../../store/state.ts";
import { isForgotten } from "../../store/tombstones.ts";
import { isExcluded } from "../write/capture.ts";
import { catalogue } from "../catalogue.ts";
import { saveExtractive } from "../checkpoint/extractive.ts";
import { type Memory, openFrom } from "../memory.ts";
import { writeSessionNote } from "../session/note.ts";
import { readSession, updateSession } from "../session/state/state.ts";
import { openTurns } from "../session/turns.ts";
import { isOf, Past, type PastSession } from "./history.ts";
import { holdImportLock } from "./lock.ts";

interface MigrateOptions {
  readonly limit: number;
  /** Every project of the history, each into its own store. */
  readonly all: boolean;
  readonly sinceMs?: number;
}

export interface MigratePlan {
  readonly sessions: readonly PastSession[];
  /** How many the limit left out. */
  readonly left: number;
  /** Sessions that Sage has seen itself, or has back-filled before. */
  readonly known: number;
  /** Sessions that may still be running. */
  readonly atWork: number;
  /** Paths that could not be read. */
  readonly unreadable: readonly string[];
}

type PastOutcome =
  | { readonly kind: "made"; readonly checkpoint?: string; readonly note?: string }
  | { readonly kind: "nothing" | "later"; readonly reason: string };

export interface MigratedSession extends PastSession {
  readonly outcome: PastOutcome;
}

interface Ledger {
  readonly done: Readonly<Record<string, string>>;
}

const LEDGER = "migrate/transcripts.json";
const LATER = "later";
/** Sessions remembered as done: years of them. */
const LEDGER_MAX = 20_000;
const END_REASON = "migrated";
/** A file written more recently may belong to a running session. */
const QUIET_MS = 30 * 60_000;

/** What a run would do. */
export async function planTranscripts(
  memory: Memory,
  options: MigrateOptions,
): Promise<MigratePlan> {
  const done = readLedger(memory);
  const sessions: PastSession[] = [];
  let [left, known, atWork] = [0, 0, 0];
  const past = new Past(memory);
  // A session's state is deleted after a month; its note stays.
  const { notes } = await existing(memory);
  try {
    // Postponed sessions come after new ones, so that they do not take all the room.
    const isLater = ({ sessionId }: PastFile): boolean => done[sessionId] === LATER;
    const files = await past.files({ all: options.all });
    for (const file of [...files.filter((one) => !isLater(one)), ...files.filter(isLater)]) {
      if (options.sinceMs !== undefined && file.mtimeMs < options.sinceMs) continue;
      const { sessionId, mtimeMs } = file;
      if (
        isDone(done, sessionId) || notes.has(sessionId) || wasSeen(memory, sessionId)
      ) {
        known++;
      } else if (memory.now() - mtimeMs < QUIET_MS) {
        atWork++;
      } else if (sessions.length >= options.limit) {
        left++;
      } else {
        const session = await past.look(file);
        if (session !== undefined && (options.all || isOf(memory, session))) sessions.push(session);
      }
    }
  } finally {
    await past.close();
  }
  return { sessions, left, known, atWork, unreadable: [...past.unreadable] };
}

/** Whether Sage's hooks saw the session. An interrupted back-fill does not count. */
function wasSeen(memory: Memory, session: string): boolean {
  const state = readSession(memory, session);
  return state !== undefined && state.endReason !== END_REASON;
}

/** Makes the notes, reporting each session as it is done. */
export async function migrateTranscripts(
  memory: Memory,
  plan: MigratePlan,
  tell: (done: MigratedSession, count: number) => void,
): Promise<MigratedSession[]> {
  const lock = holdImportLock(memory);
  const projects = new Projects(memory);
  const told = new Set<string>();
  const migrated: MigratedSession[] = [];
  try {
    for (const past of plan.sessions) {
      // Another process may have been here since the plan was made.
      if (isDone(readLedger(memory), past.session)) continue;
      const outcome = await migrateOne(projects, past, told);
      // Marked last: an interrupted session is begun again, and finds what exists.
      mark(memory, past.session, outcome.kind);
      const done = { ...past, outcome };
      migrated.push(done);
      tell(done, migrated.length);
    }
  } finally {
    await projects.close();
    lock.release();
  }
  return migrated;
}

async function migrateOne(
  projects: Projects,
  past: PastSession,
  told: Set<string>,
): Promise<PastOutcome> {
  try {
    const { memory, has } = await projects.of(past);
    if (await isExcluded(memory)) return later(".sageignore excludes its project");
    if (memory.project?.trust === "unknown") return later("its project's store is not trusted");
    return await makeNotes(memory, projects.history, past, has, told);
  } catch (error) {
    // A session that cannot be read must not stop the others.
    const failure = isSystemError(error) ? systemError(error, `read "${past.path}"`) : error;
    if (!(failure instanceof SageError) || STOPS.includes(failure.code)) throw failure;
    return later(failure.message);
  }
}

/** Errors that every session would meet. */
const STOPS: readonly string[] = ["disk_full", "locked", "internal", "interrupted"];

async function makeNotes(
  now: Memory,
  history: Past,
  past: PastSession,
  has: Existing,
  told: Set<string>,
): Promise<PastOutcome> {
  const { agent, session, path, bytes, cwd, endedMs } = past;
  if (has.notes.has(session)) return nothing("it has a note already");
  if (isForgotten(now.fs, now.places.stateDir, { session })) return nothing("it was forgotten");
  const file = { agent, path, sessionId: session, size: bytes, mtimeMs: endedMs, cwd };
  const whole = await openTurns(now, await history.read(file));
  if (whole.turns.length === 0) return nothing("nothing was said");
  // A branched session repeats the one before it, under the same ids.
  const transcript = { ...whole, turns: turnsNotIn(whole, told) };
  for (const { uuid } of whole.turns) told.add(uuid);
  if (transcript.turns.length === 0) return nothing("another session holds all of it");

  // The notes get the day on which it ended, and so their place in the timeline.
  const then: Memory = { ...now, now: () => endedMs, past: true };
  updateSession(then, session, (state) => ({
    ...state,
    // Only Claude Code's transcripts are read later.
    ...(agent === "claude-code" ? { transcriptPath: path } : {}),
    seen: endedMs,
    ended: endedMs,
    endReason: END_REASON,
  }));
  const cause = { session, trigger: "recovery", confidence: 0.5 } as const;
  const saved = has.checkpoints.has(session)
    ? undefined
    : await saveExtractive(then, transcript, cause);
  const written = await writeSessionNote(then, session, transcript, {
    at: endedMs,
    reason: END_REASON,
  });
  const checkpoint = saved?.kind === "saved" ? saved.id : undefined;
  const note = written.kind === "written" ? written.id : undefined;
  if (checkpoint === undefined && note === undefined) return nothing("it said too little");
  return { kind: "made", ...defined({ checkpoint, note }) };
}

function nothing(reason: string): PastOutcome {
  return { kind: "nothing", reason };
}

/** Something that a person, or the next try, can change. */
function later(reason: string): PastOutcome {
  return { kind: LATER, reason };
}

function isDone(done: Ledger["done"], session: string): boolean {
  return done[session] !== undefined && done[session] !== LATER;
}

/** Sessions that have a checkpoint or note already. */
interface Existing {
  readonly checkpoints: ReadonlySet<string>;
  readonly notes: ReadonlySet<string>;
}

/** The memory of each project, opened once. */
class Projects {
  readonly history: Past;
  readonly #here: Memory;
  readonly #opened = new Map<string, { readonly memory: Memory; readonly has: Existing }>();

  constructor(here: Memory) {
    this.#here = here;
    this.history = new Past(here);
  }

  async of(past: PastSession): Promise<{ readonly memory: Memory; readonly has: Existing }> {
    const here = this.#here;
    const isHere = isOf(here, past);
    const key = isHere ? here.places.projectDir : past.cwd;
    let opened = this.#opened.get(key);
    if (opened === undefined) {
      const memory = isHere ? here : await openFrom(here, past.cwd);
      opened = { memory, has: await existing(memory) };
      this.#opened.set(key, opened);
    }
    return opened;
  }

  async close(): Promise<void> {
    await this.history.close();
    for (const { memory } of this.#opened.values()) {
      if (memory !== this.#here) memory.close();
    }
  }
}

async function existing(memory: Memory): Promise<Existing> {
  const sets = { checkpoint: new Set<string>(), session: new Set<string>() };
  for (const { note } of await catalogue(memory, ["checkpoint", "session"])) {
    if (note.session !== undefined) sets[note.kind as keyof typeof sets].add(note.session);
  }
  return { checkpoints: sets.checkpoint, notes: sets.session };
}

function readLedger({ fs, places }: Memory): Ledger["done"] {
  return readStateOrThrow<Ledger>(fs, places.stateDir, LEDGER)?.done ?? {};
}

function mark({ fs, places }: Memory, session: string, outcome: string): void {
  updateState<Ledger>(fs, places.stateDir, LEDGER, (ledger) => {
    const entries = Object.entries({ ...ledger?.done, [session]: outcome });
    return { done: Object.fromEntries(entries.slice(-LEDGER_MAX)) };
  }, { durable: true });
}
