/**
 * Writes the note of a session: rewritten while the session lasts, the handoff when it ends. Sage replaces
 * it only while its bytes are the ones that Sage wrote; after a person's first edit the file is theirs.
 * draft.ts decides what it says.
 */
import { parseTime, rfc3339 } from "../../base/clock.ts";
import { join } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { slug } from "../../base/text/text.ts";
import type { Transcript } from "../../editor/editor.ts";
import { readSession as readNote, renderSession, type SessionDraft } from "../../note/session.ts";
import { readGit } from "../../store/git/git.ts";
import type { Store } from "../../store/handle.ts";
import { loadNote } from "../../store/load.ts";
import { replaceNote } from "../../store/store.ts";
import { isForgotten } from "../../store/tombstones.ts";
import { homeStore, type Memory } from "../memory.ts";
import { indexSaved } from "../index/reindex.ts";
import { bySage } from "../write/outcome.ts";
import { registerProject, writeNote } from "../write/write.ts";
import { adopt } from "./adopt.ts";
import { type DraftedNote, draftNote, type SessionEnd } from "./draft.ts";
import type { SessionState } from "./state/session_state.ts";
import { lostNotes } from "./lost_note.ts";
import { isOwnStill, type OwnNote, rememberOwn } from "./own_bytes.ts";
import { readSession, updateSession } from "./state/state.ts";

export type SessionNoteOutcome =
  | { readonly kind: "written"; readonly id: string }
  | { readonly kind: "unchanged" }
  /** The note is locked: its new text waits in the inbox. */
  | { readonly kind: "deferred" }
  | { readonly kind: "kept"; readonly reason: string }
  | { readonly kind: "nothing"; readonly reason: string };

/** What is written, and the note of it. */
interface Writing extends Omit<DraftedNote, "kind"> {
  readonly session: string;
  /** RFC 3339. */
  readonly updated: string;
  /** Bytes of the transcript that the draft was made of. */
  readonly readTo: number;
}

const REMOVED = "a person removed it";

/** Writes or renews the note of a session from its transcript. */
export async function writeSessionNote(
  memory: Memory,
  session: string,
  whole: Transcript,
  end?: SessionEnd,
): Promise<SessionNoteOutcome> {
  const { fs, places: { stateDir } } = memory;
  if (isForgotten(fs, stateDir, { session })) return { kind: "nothing", reason: "forgotten" };
  const state = readSession(memory, session);
  const drafted = await draftNote(memory, whole, { session, state, end });
  if (drafted.kind === "nothing") return drafted;
  const { draft, redactions } = drafted;
  // By the last update, because a resumed session is later than one that began after it.
  const updated = rfc3339(end?.at ?? memory.now());
  const writing = { session, draft, redactions, updated, readTo: whole.endOffset };
  const known = state?.note === undefined ? await adopt(memory, session) : state;
  const own = known && noteHere(memory, known);
  // If the transcript was begun anew, the note holds what is recorded nowhere else, and stays.
  if (own === undefined || isBegunAnew(whole, own, known?.noteAt)) {
    return await create(memory, writing);
  }
  const renewed = await renew(memory, writing, own);
  if (renewed.kind !== "kept" || renewed.reason !== REMOVED) return renewed;
  const isLost = known !== undefined && lostNotes(memory)?.(known) === true;
  const isNews = (parseTime(whole.turns.at(-1)?.at ?? "") ?? 0) > (known?.noteAt ?? 0);
  // The branches may be merged later; then two notes of one name would conflict.
  return isLost || isNews && wentWithBranch(memory, own, known?.noteAt)
    ? await create(memory, writing, `${checkedOut(memory)}-`)
    : renewed;
}

async function create(
  memory: Memory,
  { session, draft, redactions, updated, readTo }: Writing,
  branch = "",
): Promise<SessionNoteOutcome> {
  const { title } = draft;
  const header = { ...headerOf(memory, draft), updated };
  const render = (stem: string): string => renderSession(draft, { ...header, id: stem });
  const outcome = await writeNote(memory, {
    store: homeStore(memory),
    kind: "session",
    stem: `${draft.started.slice(0, 10)}-${slug(title, 40)}-${branch}${session.slice(0, 8)}`,
    title,
    render,
    author: bySage(session),
    redactions,
  });
  if (outcome.kind !== "saved") return { kind: "nothing", reason: outcome.kind };
  const { id, path, scope } = outcome;
  const hash = sha256Hex(render(id));
  rememberOwn(memory, homeStore(memory, scope), session, { id, path, hash, scope, readTo });
  return { kind: "written", id };
}

/**
 * Whether the transcript is another file than the one that the note was made of, and begins later: the
 * client or a person deleted the old file while the session was open.
 */
function isBegunAnew({ turns, endOffset }: Transcript, { readTo = 0 }: OwnNote, at = 0): boolean {
  return endOffset < readTo && (parseTime(turns[0]?.at ?? "") ?? 0) > at;
}

/** The branch, or the commit, as part of a file name. */
function checkedOut({ fs, places }: Memory): string {
  const { branch, commit = "" } = readGit(fs, places.checkoutDir) ?? {};
  return slug(branch ?? commit, 24);
}

/** A session that worked on several branches has several notes: the one that is checked out, else the last. */
function noteHere(
  { fs }: Memory,
  { note, notesElsewhere = [] }: SessionState,
): OwnNote | undefined {
  const isHere = ({ path }: OwnNote): boolean => fs.lstat(path)?.kind === "file";
  return note === undefined || isHere(note) ? note : notesElsewhere.find(isHere) ?? note;
}

/**
 * Whether a checkout may have removed a note that was there at that time, because it was committed on
 * another branch. A checkout writes HEAD.
 */
function wentWithBranch(memory: Memory, { scope }: OwnNote, at = 0): boolean {
  const { fs, places } = memory;
  if (scope !== "project" || homeStore(memory, scope).vault !== undefined) return false;
  const git = readGit(fs, places.checkoutDir);
  return git !== undefined && (fs.lstat(join(git.gitDir, "HEAD"))?.mtimeMs ?? 0) > at;
}

async function renew(
  memory: Memory,
  { session, draft, updated, readTo }: Writing,
  note: OwnNote,
): Promise<SessionNoteOutcome> {
  const place = await placeNow(memory, note);
  if (place === undefined) return { kind: "kept", reason: REMOVED };
  const { store, path: relative } = place;
  const loaded = await loadNote(store, relative);
  if (!isOwnStill(store, note, loaded)) return { kind: "kept", reason: "a person edited it" };
  const { created } = loaded.note;
  const header = { ...headerOf(memory, draft), id: note.id, created };
  // A session that was resumed and left without a word differs in its end alone, and is not rewritten.
  const { ended, endReason } = readNote(loaded.note);
  const left = ended === undefined || draft.ended === undefined ? {} : { ended, endReason };
  const same = renderSession({ ...draft, ...left }, { ...header, updated: loaded.note.updated });
  if (same === loaded.text) {
    // It says what there is to say by now: else every stop would read the whole transcript again.
    updateSession(memory, session, (state) => ({ ...state, noteAt: memory.now() }));
    return { kind: "unchanged" };
  }
  const text = renderSession(draft, { ...header, updated });
  // No version is kept, because all of it is Sage's, and there would be one for every stop.
  const outcome = await replaceNote(store, loaded, text, { keepVersion: false });
  const { waiting: _, ...own } = { ...note, readTo, path: join(store.root, relative) };
  const hash = sha256Hex(text);
  if (outcome.kind === "deferred") {
    const waiting = { hash, inbox: outcome.inbox };
    rememberOwn(memory, store, session, { ...own, hash: sha256Hex(loaded.bytes), waiting });
    return { kind: "deferred" };
  }
  if (outcome.kind !== "written") return { kind: "kept", reason: outcome.kind };
  rememberOwn(memory, store, session, { ...own, hash });
  // It has the id of the project as it lies now, which may have been moved since the last note.
  await registerProject(memory);
  await indexSaved(memory, store, relative);
  return { kind: "written", id: note.id };
}

/** Finds the note by its id, because people move and rename files. Undefined where it is gone. */
async function placeNow(
  memory: Memory,
  note: OwnNote,
): Promise<{ readonly store: Store; readonly path: string } | undefined> {
  const store = homeStore(memory, note.scope);
  const path = note.path.slice(store.root.length + 1);
  const isThere = note.path === join(store.root, path) &&
    memory.fs.lstat(note.path)?.kind === "file";
  if (isThere) return { store, path };
  const { catalogue } = await import("../catalogue.ts");
  const moved = (await catalogue(memory, ["session"])).find(({ note: { id } }) => id === note.id);
  const isFound = moved !== undefined &&
    memory.fs.lstat(join(moved.store.root, moved.note.path))?.kind === "file";
  return isFound ? { store: moved.store, path: moved.note.path } : undefined;
}

function headerOf({ places }: Memory, { started }: SessionDraft) {
  return { created: started, project: places.projectId };
}
