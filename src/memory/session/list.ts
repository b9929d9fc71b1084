/** Lists the notes of sessions, latest first, with what is known of each beside its note. */
import { rfc3339 } from "../../base/clock.ts";
import { defined } from "../../base/defined.ts";
import { readSession as readSessionNote } from "../../note/session.ts";
import { catalogue, catalogued } from "../catalogue.ts";
import type { ChainLink } from "../checkpoint/chain.ts";
import { listCheckpoints } from "../checkpoint/list.ts";
import {
  afterCursor,
  isHere,
  isListed,
  lastUpdatedFirst,
  type Page,
  readEntries,
} from "../index/entries.ts";
import { findNote, type Found, oneOrMany } from "../find.ts";
import { type NoteItem, refOf, type StoredNote, toItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { readNote } from "../read.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { type Taken, takenBy } from "./handoff.ts";
import type { SessionState } from "./state/session_state.ts";
import { readSession } from "./state/state.ts";
import { latestOf } from "./local_sessions.ts";

export interface SessionItem extends NoteItem {
  readonly session: string;
  readonly started: string;
  readonly ended?: string;
  readonly end_reason?: string;
  readonly summary: string;
}

export async function listSessions(
  memory: Memory,
  { limit, all, cursor }: Page & { readonly limit: number; readonly all: boolean },
): Promise<{ readonly items: readonly SessionItem[]; readonly total: number }> {
  const entries = (await catalogue(memory, ["session"]))
    .filter((entry) => isListed(entry) && (all || isHere(memory, entry)))
    .sort(lastUpdatedFirst);
  const notes = await readEntries(afterCursor(entries, cursor).slice(0, limit));
  return { items: notes.map((stored) => toSessionItem(memory, stored)), total: entries.length };
}

/** The id of the latest note, of this person where there is one; undefined where there is none. */
export async function latestSession(memory: Memory): Promise<string | undefined> {
  const entries = (await catalogue(memory, ["session"]))
    .filter((entry) => isListed(entry) && isHere(memory, entry));
  return latestOf(memory, entries)?.note.id;
}

export function toSessionItem(memory: Memory, stored: StoredNote): SessionItem {
  const note = withoutPrivate(stored.note);
  const { session, started, ended, endReason, summary } = readSessionNote(note);
  const end = ended === undefined ? endKnown(memory, session) : { ended, end_reason: endReason };
  return { ...toItem({ ...stored, note }), session, started, ...defined(end), summary };
}

/** The end as the state has it, for a note that was committed in the middle of its session, or edited. */
function endKnown(memory: Memory, session: string) {
  const { ended, endReason } = readSession(memory, session) ?? {};
  return ended === undefined ? {} : { ended: rfc3339(ended), end_reason: endReason };
}

/** A session's note: by the note's names, or by the editor's id of the session or its beginning. */
export async function findSession(memory: Memory, ref: string): Promise<Found> {
  const found = await findNote(memory, ref, ["session"]);
  if (found.kind !== "none" || !/^[0-9a-f-]{4,36}$/i.test(ref)) return found;
  const entries = catalogued(memory, ["session"]).filter(({ note }) =>
    (note.session ?? "").startsWith(ref)
  );
  return oneOrMany(await readEntries(entries)) ?? found;
}

/** A session as every surface shows it. */
export interface SessionShown {
  readonly item: SessionItem;
  /** The text of its note. */
  readonly text: string;
  readonly hash: string;
  readonly about: AboutSession;
}

/** Undefined where the note was moved or removed since it was found. */
export async function showSession(
  memory: Memory,
  stored: StoredNote,
): Promise<SessionShown | undefined> {
  const item = toSessionItem(memory, stored);
  // First, because an agent that reads the note takes its handoff up.
  const about = await aboutSession(memory, item);
  const read = await readNote(memory, item.path);
  return read.kind === "one" ? { item, text: read.text, hash: read.hash, about } : undefined;
}

/** What is known of a session beside its note. */
export interface AboutSession {
  /** Saved in it, newest first. */
  readonly checkpoints: readonly ChainLink[];
  /** What its last compaction kept and lost; undefined where it had none, or long ago. */
  readonly compaction: AtMoment<NonNullable<SessionState["compaction"]>> | undefined;
  /** The later session that continued it. */
  readonly taken: AtMoment<Taken> | undefined;
}

/** With its time in RFC 3339. */
type AtMoment<T> = Omit<T, "at"> & { readonly at: string };

function atMoment<T extends { readonly at: number }>(one: T): AtMoment<T> {
  return { ...one, at: rfc3339(one.at) };
}

const CHECKPOINTS_MAX = 50;

async function aboutSession(
  memory: Memory,
  { session, updated }: Pick<SessionItem, "session" | "updated">,
): Promise<AboutSession> {
  const saved = session === ""
    ? []
    : await listCheckpoints(memory, { session, all: true, limit: CHECKPOINTS_MAX });
  const compaction = readSession(memory, session)?.compaction;
  const taken = session === "" ? undefined : takenBy(memory, session, updated);
  return {
    checkpoints: saved.map((item) => ({ ...refOf(item), created: item.created })),
    compaction: compaction && atMoment(compaction),
    taken: taken && atMoment(taken),
  };
}
