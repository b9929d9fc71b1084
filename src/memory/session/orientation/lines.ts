/**
 * The lines of an orientation beside where the last session stopped: one function for each sort of
 * line, giving none where there is nothing to say. pack.ts decides which fit, orientation.ts which
 * are asked.
 */
import { DAY_MS, parseTime } from "../../../base/clock.ts";
import { isAbsolute } from "../../../base/path.ts";
import { type Entry, knownEntries, newestFirst, readEntry } from "../../index/entries.ts";
import { readFreshnessState } from "../../freshness/state.ts";
import type { Memory } from "../../memory.ts";
import { withoutPrivate } from "../../write/public_part.ts";
import { howToLoad, howToRead } from "../../pointer.ts";
import { quote } from "../../recalled.ts";
import { explain } from "../../teaching.ts";
import { closedTrust, remoteTrusted } from "../../trust.ts";
import { isLeft, neighbours } from "../instances.ts";
import type { LastSession } from "./last_session.ts";
import { openTodos } from "./open_todos.ts";
import { isTrusted } from "./notes.ts";
import { whereOf, worktreeOf } from "../overlap.ts";
import type { Candidate } from "./pack.ts";
import type { SessionState } from "../state/session_state.ts";
import { readSession } from "../state/state.ts";

/** A checkpoint this much older than the last session's beginning is left to search. */
const CHECKPOINT_DAYS = 3;
/** And so is one that this many sessions have come after: the first of them was told of it. */
const SESSIONS_SINCE_MAX = 1;

/** Loaded for the few sessions that were compacted. */
export async function compactionLines(
  memory: Memory,
  session: string,
  entries: readonly Entry[],
): Promise<Candidate[]> {
  const { afterCompaction } = await import("../after_compaction.ts");
  return await afterCompaction(memory, session, entries);
}

/** A title of a word or two may occur in any text. */
const SAID_CHARACTERS_MIN = 24;

export async function checkpointLines(
  memory: Memory,
  session: string,
  entries: readonly Entry[],
  told: readonly Candidate[],
  { session: last, started = "" }: LastSession,
): Promise<Candidate[]> {
  const own = readSession(memory, session)?.lastSave?.id;
  const [newest] = entries.filter(({ note }) => note.kind === "checkpoint" && !note.problem)
    .sort(newestFirst);
  // Its own checkpoints are in the conversation already, or named as what a compaction left behind.
  if (newest === undefined || newest.note.id === own) return [];
  const stored = await readEntry(newest);
  if (stored === undefined) return [];
  const { created } = stored.note;
  // Nobody would continue from a checkpoint that is much older than the last session.
  if (ageMs(created, started) > CHECKPOINT_DAYS * DAY_MS) return [];
  if (created < started && sessionsSince(created, entries) > SESSIONS_SINCE_MAX) return [];
  // The last session may have done its next step, so an older checkpoint is marked as such; and one of a
  // session beside it has another matter.
  const { session: saver = last } = newest.note;
  const isOfAnother = last !== undefined && saver !== last;
  const whose = created < started
    ? ", before that session"
    : isOfAnother
    ? ", of another session"
    : "";
  const when = created.slice(0, 10) + whose;
  const { title } = withoutPrivate(stored.note);
  // The title of a checkpoint often repeats what its session was asked, or what came of it.
  const said = title.replace(/…$/, "");
  const isTold = title !== "" &&
    told.some(({ text }) =>
      text.includes(`→ ${said}`) || said.length >= SAID_CHARACTERS_MIN && text.includes(said)
    );
  const what = isTold ? "what came out, in full" : quote(title, 100);
  return [{
    priority: 4,
    note: stored.note.id,
    text: `- Latest checkpoint ${when}: ${what}. ${howToLoad(stored.note.id)}`,
  }];
}

function sessionsSince(moment: string, entries: readonly Entry[]): number {
  return entries.filter(({ note }) => note.kind === "session" && note.created > moment).length;
}

/** Milliseconds between two moments; 0 where either says nothing. */
function ageMs(then: string, moment: string): number {
  return (parseTime(moment) ?? 0) - (parseTime(then) ?? Infinity);
}

export async function todoLines(memory: Memory, entries: readonly Entry[]): Promise<Candidate[]> {
  const open = await openTodos(memory, entries);
  return open === undefined ? [] : [{ priority: 5, ...open }];
}

/** Two sessions on one project learn of each other, and of the files that both touch. */
export function neighbourLines(memory: Memory, session: string): Candidate[] {
  const own = readSession(memory, session);
  const mine = new Set(own?.filesTouched ?? []);
  const elsewhere = neighbours(memory, session).filter((state) =>
    !isLeft(memory, state, own) && !isUntouched(memory, state)
  );
  return elsewhere.slice(0, 3).map((state) => {
    // Plans and notes that a client keeps for itself elsewhere concern nobody else.
    const theirs = (state.filesTouched ?? []).filter((file) => !isAbsolute(file));
    const shared = theirs.filter((file) => mine.has(file));
    const files = shared.length > 0 ? shared : theirs.slice(-3);
    const topic = state.topic === undefined ? "" : ` on ${quote(state.topic, 80)}`;
    const verb = shared.length > 0 ? "which also changed" : "touching";
    const touched = files.length === 0
      ? ""
      : `, ${verb} ${files.map((file) => quote(file, 60)).join(", ")}`;
    const where = whereOf(worktreeOf(state, memory.places.checkoutDir));
    return { priority: 3, text: `- Another session works ${where} now${topic}${touched}.` };
  });
}

/** Open, or kept ready by the client for a later task, with nothing said in it: it has no file yet. */
function isUntouched({ fs }: Memory, { topic, transcriptPath }: SessionState): boolean {
  return topic === undefined && transcriptPath !== undefined &&
    fs.lstat(transcriptPath) === undefined;
}

export async function pinnedLines(memory: Memory, entries: readonly Entry[]): Promise<Candidate[]> {
  const chosen = entries.filter(({ note }) => note.pinned && note.status === "active").slice(0, 3);
  if (chosen.length === 0) return [];
  const { contradictingNotes } = await import("../../knowledge/contradicting.ts");
  const rivals = contradictingNotes(memory, chosen.map(({ note }) => note));
  return chosen.map(({ note }) => {
    const [rival] = rivals.get(note.id) ?? [];
    const doubt = rival === undefined
      ? ""
      : `, contradicted on ${rival.note.updated.slice(0, 10)} by ${quote(rival.note.title, 80)} ` +
        `(${howToRead(rival.note.id)})`;
    return {
      // A person pinned it: it comes before what Sage thinks is worth telling.
      priority: 3.5,
      note: note.id,
      text: `- Pinned: ${quote(note.title, 80)} (${howToRead(note.id)})${doubt}`,
    };
  });
}

/** Loaded only where some note is anchored to a file; in most projects none is. */
export async function staleLines(memory: Memory): Promise<Candidate[]> {
  if (knownEntries(memory, { kinds: ["knowledge"], sourced: true }, 1).length === 0) return [];
  const { latelyStale } = await import("../../source/lately_stale.ts");
  const { text, until } = await latelyStale(memory);
  return text === "" ? [] : [{ priority: 5, text, until }];
}

/** Loaded only when there is something to ask. */
export async function agedLines(memory: Memory): Promise<Candidate[]> {
  if (readFreshnessState(memory).waits !== true) return [];
  const { archiveProposal } = await import("../../freshness/proposal.ts");
  const line = archiveProposal(memory);
  return line === undefined ? [] : [line];
}

/** Says that there are notes which nobody trusts, and nothing of what they say. */
export function untrustedLines(memory: Memory): Candidate[] {
  if (knownEntries(memory, {}, 1).every(isTrusted)) return [];
  const isClosed = closedTrust(memory) !== undefined;
  const why = isClosed
    ? "are not trusted, for the file that says so cannot be read"
    : remoteTrusted(memory) === undefined
    ? "came from elsewhere and are not trusted"
    : "are trusted no more, for its remote changed";
  const what = isClosed ? "run sage doctor" : "read them, then run sage trust";
  return [{
    priority: 2,
    text: `- The notes in this project's .sage ${why}: searches mark them. The person may ${what}.`,
  }];
}

/**
 * For the person. That memory stopped because the remote changed is always said: they have trusted
 * these notes, and miss them until they do so again.
 */
export function noticeOfUntrusted(memory: Memory): readonly string[] {
  const closed = closedTrust(memory);
  if (closed !== undefined) {
    return [`Nothing of this project's notes is shown: ${closed} cannot be read. Run sage doctor.`];
  }
  const remote = remoteTrusted(memory);
  if (remote === undefined) return explain(memory, "trust");
  return [
    `Nothing of this project's notes is shown: you trusted them while the remote was ${
      quote(remote, 80)
    }. If the new one is yours, run sage trust.`,
  ];
}
