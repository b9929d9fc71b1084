/**
 * The note of a session: living while it lasts, the handoff when it ends. Sage replaces it only while
 * its bytes are the ones Sage wrote; from a person's first edit on, the file is theirs.
 */
import { parseTime, rfc3339 } from "../../base/clock.ts";
import { join } from "../../base/fs.ts";
import { sha256Hex } from "../../base/hash.ts";
import { cutTitle, slug } from "../../base/text/text.ts";
import { statesFact } from "../../detect/decisions/decisions.ts";
import { hasReason } from "../../detect/decisions/norms.ts";
import type { SessionSummary } from "../../detect/summary/summarize.ts";
import { namesWaitOrDeadline } from "../../detect/open/waits_and_deadlines.ts";
import { COMMITTED_LABEL, hasActed, RAN_LABEL } from "../../detect/summary/work.ts";
import type { Transcript } from "../../editor/editor.ts";
import { readSession as readNote, renderSession, type SessionDraft } from "../../note/session.ts";
import { readGit } from "../../store/git/git.ts";
import type { Store } from "../../store/handle.ts";
import { loadNote } from "../../store/load.ts";
import { replaceNote } from "../../store/store.ts";
import { isForgotten } from "../../store/tombstones.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import { homeStore, type Memory } from "../memory.ts";
import { redactTurns } from "../write/redact_turns.ts";
import { indexSaved } from "../index/reindex.ts";
import { writeNote } from "../write/write.ts";
import { adopt } from "./adopt.ts";
import { amended } from "./amended.ts";
import { corrections, withEarlier } from "./earlier_decisions.ts";
import type { SessionState } from "./state/session_state.ts";
import { isOwnStill, type OwnNote, rememberOwn } from "./own_bytes.ts";
import { readSession } from "./state/state.ts";
import { turnsSince } from "./turns.ts";

export type SessionNoteOutcome =
  | { readonly kind: "written"; readonly id: string }
  | { readonly kind: "unchanged" }
  /** The note is locked: its new text waits in the inbox. */
  | { readonly kind: "deferred" }
  | { readonly kind: "kept"; readonly reason: string }
  | { readonly kind: "nothing"; readonly reason: string };

export interface SessionEnd {
  readonly at: number;
  readonly reason: string;
}

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
  const drafted = await draftOf(memory, whole, { session, state, end });
  if (drafted.kind === "nothing") return drafted;
  const { draft, redactions } = drafted;
  const known = state?.note === undefined ? await adopt(memory, session) : state;
  const updated = updatedAt(memory, end);
  const here = known && noteHere(memory, known);
  // What that tells stands nowhere else any more.
  const own = here !== undefined && isMadeAnew(whole, here, known?.noteAt) ? undefined : here;
  const readTo = whole.endOffset;
  if (own !== undefined) {
    const renewed = await renew(memory, session, { ...own, readTo }, draft, updated);
    if (renewed.kind !== "kept" || renewed.reason !== REMOVED) return renewed;
    const isNews = (parseTime(whole.turns.at(-1)?.at ?? "") ?? 0) > (known?.noteAt ?? 0);
    if (!isNews || !wentWithBranch(memory, own, known?.noteAt)) return renewed;
  }
  const { title } = draft;
  const started = draft.started.slice(0, 10);
  // The branches may meet again, and the two notes with them.
  const where = own === undefined ? "" : `${checkedOut(memory)}-`;
  const header = { ...headerOf(memory, draft, title), updated };
  const render = (stem: string): string => renderSession(draft, { ...header, id: stem });
  const outcome = await writeNote(memory, {
    store: homeStore(memory),
    kind: "session",
    stem: `${started}-${slug(title, 40)}-${where}${session.slice(0, 8)}`,
    title,
    render,
    author: authorOf(session),
    redactions,
  });
  if (outcome.kind !== "saved") return { kind: "nothing", reason: outcome.kind };
  const { id, path, scope } = outcome;
  const hash = sha256Hex(render(id));
  rememberOwn(memory, homeStore(memory, scope), session, { id, path, hash, scope, readTo });
  return { kind: "written", id };
}

/**
 * Whether the transcript is another file than the one that the note was made of, and begins after it: the
 * client, or a person, cleared the old one away while the session was open.
 */
function isMadeAnew({ turns, endOffset }: Transcript, { readTo = 0 }: OwnNote, at = 0): boolean {
  return endOffset < readTo && (parseTime(turns[0]?.at ?? "") ?? 0) > at;
}

/** As a name has it. */
function checkedOut({ fs, places }: Memory): string {
  const { branch, commit = "" } = readGit(fs, places.checkoutDir) ?? {};
  return slug(branch ?? commit, 24);
}

const REMOVED = "a person removed it";

/** Of the notes that a session has on several branches the one that is checked out; else the last. */
function noteHere(
  { fs }: Memory,
  { note, notesElsewhere = [] }: SessionState,
): OwnNote | undefined {
  const isHere = ({ path }: OwnNote): boolean => fs.lstat(path)?.kind === "file";
  return note === undefined || isHere(note) ? note : notesElsewhere.find(isHere) ?? note;
}

/**
 * Whether git may have taken a note away that was there at that time, as one that was committed on another
 * branch: its HEAD is written by who checks one out.
 */
function wentWithBranch(memory: Memory, { scope }: OwnNote, at = 0): boolean {
  const { fs, places } = memory;
  if (scope !== "project" || homeStore(memory, scope).vault !== undefined) return false;
  const git = readGit(fs, places.checkoutDir);
  return git !== undefined && (fs.lstat(join(git.gitDir, "HEAD"))?.mtimeMs ?? 0) > at;
}

function authorOf(session: string) {
  return { by: "sage", session, explicit: false } as const;
}

/** What a transcript does not say of its session. */
interface About {
  readonly session: string;
  readonly state: SessionState | undefined;
  readonly end: SessionEnd | undefined;
}

type Drafted =
  | {
    readonly kind: "drafted";
    readonly draft: SessionDraft & { readonly title: string };
    readonly redactions: number;
  }
  | Extract<SessionNoteOutcome, { readonly kind: "nothing" }>;

/** What the note is to say, or why there is none. Writes nothing. */
async function draftOf(memory: Memory, whole: Transcript, about: About): Promise<Drafted> {
  const { session, state, end } = about;
  // A branch's file begins with a copy of its origin's conversation, which is in the origin's note.
  const transcript = state?.forkedAt === undefined
    ? whole
    : { ...whole, turns: turnsSince(whole.turns, state.forkedAt) };
  const turns = redactTurns(memory, transcript.turns);
  const summary = amended(state, turns, {
    embedder: memory.builtIn(),
    cwd: memory.places.projectDir,
  });
  // Decisions may be taken back until the end, and only then is there time to look for earlier
  // ones.
  const corrected = summary === undefined || end === undefined
    ? []
    : await corrections(memory, turns, summary.decisions);
  const isWorth = summary !== undefined &&
    (corrected.length > 0 || isWorthANote(transcript, summary, state));
  if (!isWorth) {
    return { kind: "nothing", reason: "nothing was said that a next session needs" };
  }
  const decisions = end === undefined ? summary.decisions : [
    ...corrected,
    ...await withEarlier(memory, summary.decisions, {
      own: state?.note?.id,
      ended: updatedAt(memory, end),
    }),
  ];
  const cleaned = await cleanDraft(
    memory,
    toDraft(memory, transcript, { ...summary, decisions }, about),
    authorOf(session),
  );
  if (cleaned.kind === "refused") return { kind: "nothing", reason: "refused" };
  const title = cutTitle(
    cleaned.draft.title || cleaned.draft.summary || "Session",
    TITLE_CHARACTERS_MAX,
  );
  const draft = { ...cleaned.draft, title };
  // Where everything else was forgotten, the list of files says nothing.
  if (draft.summary === "" && draft.done.every((item) => /^(?:Changed|Ran): /.test(item))) {
    return { kind: "nothing", reason: "nothing may be said" };
  }
  return { kind: "drafted", draft, redactions: cleaned.redactions };
}

const TITLE_CHARACTERS_MAX = 80;
/** An answer of this many words makes a session of one question worth a note. */
const ANSWER_WORDS_MIN = 40;
/** The same where the agent looked into something and gives the reason. */
const FINDING_WORDS_MIN = 15;

/** A greeting, or a question answered in a line, is of no use to a next session. */
function isWorthANote(
  { turns }: Transcript,
  summary: SessionSummary,
  state: SessionState | undefined,
): boolean {
  if (state?.amended !== undefined) return true;
  if (summary.summary === "") return false;
  // A session with a save is always told.
  if (state?.lastSave !== undefined || (state?.notesWritten ?? 0) > 0) return true;
  const { decisions, done, filesTouched, commits, openQuestions } = summary;
  if (decisions.length + done.length + filesTouched.length + commits.length > 0) return true;
  if (hasActed(turns)) return true;
  if (turns.some(({ role, text }) => role === "user" && statesFact(text))) return true;
  const replies = turns.filter(({ role }) => role === "assistant");
  const answers = replies.map(({ text }) => text).join(" ");
  // What the agent calls open is open, and what waits for somebody; a prompt that nobody answered is not.
  if (openQuestions.some((one) => answers.includes(one) || namesWaitOrDeadline(one))) return true;
  const isFinding = replies.some(({ tools }) => tools.length > 0) && hasReason(answers);
  return answers.split(/\s+/).length >= (isFinding ? FINDING_WORDS_MIN : ANSWER_WORDS_MIN);
}

async function renew(
  memory: Memory,
  session: string,
  note: OwnNote,
  draft: SessionDraft,
  updated: string,
): Promise<SessionNoteOutcome> {
  const place = await placeNow(memory, note);
  if (place === undefined) return { kind: "kept", reason: REMOVED };
  const { store, path: relative } = place;
  const loaded = await loadNote(store, relative);
  if (!isOwnStill(store, note, loaded)) return { kind: "kept", reason: "a person edited it" };
  const { created } = loaded.note;
  // A title that changed at every stop could not be found again.
  const title = draft.ended === undefined ? loaded.note.title : draft.title ?? loaded.note.title;
  const header = { ...headerOf(memory, draft, title), id: note.id, created };
  // A note that differs only in when it was looked at, or in having been resumed and left, stays as
  // it is.
  const { ended, endReason } = readNote(loaded.note);
  const left = ended === undefined || draft.ended === undefined ? {} : { ended, endReason };
  const same = renderSession({ ...draft, ...left }, { ...header, updated: loaded.note.updated });
  if (same === loaded.text) return { kind: "unchanged" };
  const text = renderSession(draft, { ...header, updated });
  // No version is kept: every word of it is Sage's, and a copy at every stop would be litter.
  const outcome = await replaceNote(store, loaded, text, { keepVersion: false });
  const { waiting: _, ...own } = { ...note, path: join(store.root, relative) };
  const hash = sha256Hex(text);
  if (outcome.kind === "deferred") {
    const waiting = { hash, inbox: outcome.inbox };
    rememberOwn(memory, store, session, { ...own, hash: sha256Hex(loaded.bytes), waiting });
    return { kind: "deferred" };
  }
  if (outcome.kind !== "written") return { kind: "kept", reason: outcome.kind };
  rememberOwn(memory, store, session, { ...own, hash });
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

function headerOf(memory: Memory, draft: SessionDraft, title: string) {
  return { title, created: draft.started, project: memory.places.projectId };
}

/**
 * By the last update and not by the start: a session that was resumed is later than one that began
 * after it.
 */
function updatedAt(memory: Memory, end: SessionEnd | undefined): string {
  return rfc3339(end?.at ?? memory.now());
}

function toDraft(
  memory: Memory,
  transcript: Transcript,
  summary: SessionSummary,
  { session, state, end }: About,
): SessionDraft {
  const first = transcript.turns.find(({ at }) => at !== "")?.at ?? "";
  const started = rfc3339(parseTime(first) ?? state?.started ?? memory.now());
  // While it lasts its first request names it; what came of it is known at the end.
  const title = transcript.title ?? (end === undefined ? state?.topic : summary.title);
  return {
    ...(title === undefined || title === "" ? {} : { title }),
    session,
    started,
    ...(end === undefined ? {} : { ended: rfc3339(end.at), endReason: end.reason }),
    agent: transcript.agent ?? "claude-code",
    filesTouched: summary.filesTouched,
    checkpoints: state?.checkpoints ?? [],
    summary: summary.summary,
    decisions: summary.decisions,
    done: [
      ...summary.done,
      ...summary.commits.map((commit) => `${COMMITTED_LABEL}${commit}`),
      ...summary.commands.map((command) => `${RAN_LABEL}${command}`),
    ],
    openQuestions: summary.openQuestions,
    next: summary.next,
    log: (state?.subagents ?? []).map(({ type, said }) => `${type}: ${said}`),
  };
}
