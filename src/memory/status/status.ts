/** Counts of notes, whether capture works, and what to run next. Reads only. */
import { age, DAY_MS, parseTime, rfc3339 } from "../../base/clock.ts";
import { defined, nonEmpty } from "../../base/defined.ts";
import { messageOf, toldError } from "../../base/errors.ts";
import { shortId } from "../../base/id.ts";
import { type LogLine, readLog } from "../../base/log.ts";
import { count } from "../../base/text/text.ts";
import { BUILT_IN } from "../../embed/embedder.ts";
import { readCheckpoint } from "../../note/checkpoint.ts";
import { listProjects } from "../../store/projects.ts";
import { CONFLICT_COPY } from "../../store/walk.ts";
import { catalogued } from "../catalogue.ts";
import { isExcluded } from "../write/capture.ts";
import {
  type Entry,
  exceptAhead,
  isHere,
  isListed,
  newestFirst,
  readEntries,
  readEntry,
} from "../index/entries.ts";
import { WARNED_OF } from "../doctor/own_files.ts";
import { closedTo, inPlaceOfStore, openFolders } from "./folders.ts";
import { type CaptureHealth, captureHealth } from "./health.ts";
import { unreadHere } from "./unread.ts";
import type { CheckpointItem } from "../checkpoint/list.ts";
import type { NoteItem } from "../item.ts";
import { agedEntries } from "../freshness/freshness.ts";
import { hooksOffIn, type KnownEditor, knownEditors } from "../editor/state.ts";
import { tooWide } from "../init.ts";
import type { Memory } from "../memory.ts";
import { listInbox } from "../question/question.ts";
import { refreshThere } from "../index/reindex.ts";
import { liveSessions } from "../session/instances.ts";
import { untoldSharedMemory } from "../session/orientation/shared_memory.ts";
import { latestOf } from "../session/local_sessions.ts";
import { closedTrust, lostStore, remoteTrusted } from "../trust.ts";

interface StoreStatus {
  readonly scope: "project" | "user";
  readonly root: string;
  readonly trust: string;
  readonly exists: boolean;
  readonly notes: number;
  readonly index_revision: number;
}

interface EditorStatus {
  readonly name: string;
  readonly title: string;
  readonly state: "installed" | "absent" | "broken" | "unreadable";
  /** Installed for the person, or in this project. */
  readonly scope?: "user" | "project";
  /** Whether its hooks report to Sage, or the agent only uses the tools. */
  readonly hooks: boolean;
  /** What is wrong. */
  readonly detail?: string;
}

export interface Status {
  readonly healthy: boolean;
  /** The status in one line. */
  readonly line: string;
  readonly project: { readonly id: string; readonly name: string; readonly dir: string };
  readonly stores: readonly StoreStatus[];
  /** By kind: how many notes its list shows. */
  readonly counts: Readonly<Record<string, number>>;
  /** The embedding model: `static`, or a pulled one by name and hash. */
  readonly model: string;
  readonly last_checkpoint?: Pick<CheckpointItem, "short_id" | "title" | "trigger" | "created">;
  readonly last_session?: Pick<NoteItem, "short_id" | "title" | "updated">;
  readonly capture: CaptureHealth;
  /** The editors used on this machine, connected or not. */
  readonly editors: readonly EditorStatus[];
  /** How many exact things the summary of the last compaction kept and lost. */
  readonly compaction?: { readonly at: string; readonly kept: number; readonly lost: number };
  readonly orientation_budget: number;
  /** `.sageignore` excludes this folder: nothing of it is captured, or told to an agent. */
  readonly excluded?: true;
  /** Where nothing can be saved, because of owner, mode, or no folder; sage doctor says which. */
  readonly closed?: string;
  /** The project's store, which was here and is gone. */
  readonly gone?: string;
  /** A private folder that other accounts may read. */
  readonly open?: string;
  /** What else cannot be read, a sentence each; sage doctor says what to do. */
  readonly unread?: readonly string[];
  /** How much knowledge may go into the archive. */
  readonly aged: number;
  readonly unparsable: readonly { readonly path: string; readonly reason: string }[];
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly live_sessions: readonly { readonly session: string; readonly topic: string }[];
  readonly recent: readonly LogLine[];
  readonly warnings: readonly string[];
  readonly next: string;
}

const RECENT_LINES = 8;
const RECENT_DAYS = 7;

export async function readStatus(memory: Memory): Promise<Status> {
  // People look here when something is wrong, so nothing that is wrong may keep the rest from being told.
  const troubles: string[] = [];
  const told = async <T>(otherwise: T, step: () => T | Promise<T>): Promise<T> => {
    try {
      return await step();
    } catch (error) {
      troubles.push(messageOf(toldError(error)));
      return otherwise;
    }
  };
  const reports = await told([], async () => {
    await memory.prepare();
    return await refreshThere(memory);
  });
  const skipped = reports.flatMap((report) => report.skipped);
  const isWritten = reports.every(({ unwritten }) => unwritten !== true);
  const all = await told([], () => catalogued(memory));
  // A private store holds the notes of every project.
  const entries = all.filter((entry) => isHere(memory, entry));
  const unparsable = await told([], () => problems(all));
  const capture = await told(
    { ok: true, detail: "not known" },
    () => captureHealth(memory, memory.session),
  );
  const counts: Record<string, number> = {};
  for (const { note } of entries.filter(isListed)) counts[note.kind] = (counts[note.kind] ?? 0) + 1;
  const lastCheckpoint = await told(undefined, () => newestCheckpoint(memory, entries));
  const log = readLog(memory.fs, memory.places.stateDir, memory.now(), RECENT_DAYS);
  const compaction = lastCompaction(log, memory.places.projectIds);
  const closed = inPlaceOfStore(memory) ?? closedTo(memory) ??
    (isWritten ? undefined : memory.places.stateDir);
  const [open] = openFolders(memory);
  const gone = lostStore(memory);
  const editors = await told(
    [],
    () => knownEditors(memory).map((editor) => toEditorStatus(memory, editor)),
  );
  const excluded = await told(false, () => isExcluded(memory));
  const aged = await told(0, () => agedEntries(memory).length);
  await told([], () => listProjects(memory.fs, memory.places.userRoot));
  for (const check of WARNED_OF) {
    for (const { level, what } of await told([], () => check(memory))) {
      if (level !== "ok") memory.warn?.(what);
    }
  }
  const unread = [...unreadFiles(memory), ...new Set(troubles)];
  const status = {
    healthy: unread.length === 0 && capture.ok && closed === undefined &&
      open === undefined && gone === undefined &&
      !skipped.some(isUnreadable) &&
      !editors.some(isWrong) &&
      unparsable.length === 0 &&
      memory.project?.trust !== "unknown",
    project: {
      id: memory.places.projectId,
      name: memory.places.projectName,
      dir: memory.places.projectDir,
    },
    stores: storeStatus(memory, all),
    counts,
    model: memory.embedder() === memory.builtIn() ? BUILT_IN : memory.embedder().id,
    ...defined({ last_checkpoint: lastCheckpoint, last_session: newestSession(memory, entries) }),
    capture,
    ...(excluded ? { excluded: true as const } : {}),
    ...defined({ closed, gone, open, unread: nonEmpty(unread) }),
    editors,
    ...defined({ compaction }),
    orientation_budget: memory.config.get("budget.orientation_tokens"),
    aged,
    unparsable,
    skipped,
    live_sessions: liveSessions(memory, memory.session).map(({ session, topic }) => ({
      session,
      topic: topic ?? "",
    })),
    recent: log.filter(isOfHere(memory)).slice(-RECENT_LINES),
    warnings: memory.warnings,
  };
  const line = oneLine(memory, status);
  return { ...status, next: nextStep(memory, status) ?? compactStep(memory, entries), line };
}

function newestSession(memory: Memory, entries: readonly Entry[]): Status["last_session"] {
  const sessions = entries.filter(({ note }) => note.kind === "session");
  const latest = latestOf(memory, sessions)?.note;
  if (latest === undefined) return undefined;
  return { short_id: shortId(latest.id), title: latest.title, updated: latest.updated };
}

/** Sage's own files that cannot be read, the record of trust among them. */
function unreadFiles(memory: Memory): string[] {
  const files = unreadHere(memory);
  const trust = closedTrust(memory);
  const isUntold = trust !== undefined && files.every(({ path }) => path !== trust);
  return [...files.map(({ what }) => what), ...(isUntold ? [`${trust} cannot be read`] : [])];
}

/** Receipts of this project, and those without one, such as of an update. */
function isOfHere({ places }: Memory): (line: LogLine) => boolean {
  return ({ project }) => project === undefined || places.projectIds.includes(String(project));
}

/** Notes or folders that cannot be read: they are in no answer. */
function isUnreadable({ reason }: Status["skipped"][number]): boolean {
  return reason.startsWith("unreadable");
}

/** Connected in a way that does not call Sage, or with settings that cannot be read. */
function isWrong({ state }: EditorStatus): boolean {
  return state === "broken" || state === "unreadable";
}

/** The setting that keeps an editor from calling its hooks. */
function switchedOffBy(memory: Memory, name: string, kind: KnownEditor["state"]["kind"]) {
  return name === "claude-code" && kind === "installed" ? hooksOffIn(memory) : undefined;
}

function toEditorStatus(
  memory: Memory,
  { name, title, hasHooks, state }: KnownEditor,
): EditorStatus {
  const off = switchedOffBy(memory, name, state.kind);
  return {
    name,
    title,
    // Installed from a marketplace is installed.
    state: off !== undefined ? "broken" : state.kind === "elsewhere" ? "installed" : state.kind,
    ...("scope" in state ? { scope: state.scope } : {}),
    hooks: hasHooks,
    ...(off === undefined
      ? {}
      : { detail: `${title} calls no hook: ${off.key} is set in ${off.path}` }),
    ...("reason" in state ? { detail: state.reason } : {}),
  };
}

function lastCompaction(
  log: readonly LogLine[],
  projects: readonly string[],
): Status["compaction"] {
  const line = log.findLast(({ project, lost }) =>
    projects.includes(String(project)) && typeof lost === "number"
  );
  if (line === undefined) return undefined;
  return { at: line.at, kept: Number(line.kept), lost: Number(line.lost) };
}

async function problems(entries: readonly Entry[]): Promise<{ path: string; reason: string }[]> {
  const found = await readEntries(entries.filter(({ note }) => note.problem));
  return found.flatMap(({ note: { problem }, absolutePath: path }) =>
    problem === undefined
      ? []
      : [{ path, reason: `${problem.line}:${problem.column} ${problem.reason}` }]
  );
}

async function newestCheckpoint(
  memory: Memory,
  entries: readonly Entry[],
): Promise<Status["last_checkpoint"]> {
  const checkpoints = entries.filter(({ note }) => note.kind === "checkpoint" && !note.problem);
  const [entry] = [...exceptAhead(memory, checkpoints)].sort(newestFirst);
  const stored = await readEntry(entry);
  if (stored === undefined) return undefined;
  const { trigger } = readCheckpoint(stored.note);
  const { id, title, created } = stored.note;
  return { short_id: shortId(id), title, trigger, created };
}

function storeStatus(memory: Memory, entries: readonly Entry[]): StoreStatus[] {
  return memory.stores.map((store) => {
    const exists = memory.fs.lstat(store.root)?.kind === "dir";
    return {
      scope: store.scope,
      root: store.root,
      trust: store.trust,
      exists,
      notes: entries.filter((entry) => entry.store === store).length,
      index_revision: exists ? memory.index(store).revision : 0,
    };
  });
}

function oneLine(memory: Memory, status: Omit<Status, "line" | "next">): string {
  const { counts } = status;
  const many = (kind: string): string => count(counts[kind] ?? 0, kind);
  const notes = [
    many("checkpoint"),
    `${counts["knowledge"] ?? 0} knowledge`,
    many("todo"),
    many("session"),
  ];
  const waiting = listInbox(memory, false).items.length;
  return [
    status.healthy ? "healthy" : "needs attention",
    notes.join(", "),
    lastSave(memory, status),
    worstProblem(status) ?? [],
    waiting === 0 ? [] : `${count(waiting, "question")} for you: sage inbox`,
  ].flat().join(" · ");
}

function lastSave(
  memory: Memory,
  { last_checkpoint, last_session }: Pick<Status, "last_checkpoint" | "last_session">,
): string {
  const saves = [last_checkpoint?.created, last_session?.updated]
    .flatMap((moment) => parseTime(moment ?? "") ?? []);
  return saves.length === 0
    ? "no session saved yet"
    : `last save ${age(Math.max(...saves), memory.now())} ago`;
}

function worstProblem(status: Omit<Status, "line" | "next">): string | undefined {
  const { excluded, closed, capture, gone, open } = status;
  if (excluded) {
    return ".sageignore keeps this folder out: nothing is captured by itself, and notes in it are left out";
  }
  if (closed !== undefined) return `nothing can be saved in ${closed}; run sage doctor`;
  if (gone !== undefined) return `${gone} is gone`;
  const unread = status.skipped.find(isUnreadable)?.path;
  if (unread !== undefined) return `${unread} cannot be read; run sage doctor`;
  const [first] = status.unread ?? [];
  if (first !== undefined) return `${first}; run sage doctor`;
  if (!capture.ok) return capture.detail;
  const wrong = status.editors.find(isWrong)?.detail;
  if (wrong !== undefined) return `${wrong}; run sage doctor`;
  return open && `${open} may be read by other accounts; run sage doctor`;
}

/** Whether anything was set up, including a store in a missing vault. */
export function isBegun(memory: Memory, stores: readonly StoreStatus[]): boolean {
  return memory.stores.some(({ vault }) => vault !== undefined) ||
    stores.some(({ exists }) => exists);
}

/** A month of sessions: to read, and for a search to tell apart. */
const OLD_SESSIONS_MIN = 30;

function compactStep(memory: Memory, entries: readonly Entry[]): string {
  const since = rfc3339(memory.now() - memory.config.get("session.compact_days") * DAY_MS);
  const old =
    entries.filter(({ note }) =>
      note.kind === "session" && note.status !== "archived" && note.updated < since
    ).length;
  return old < OLD_SESSIONS_MIN
    ? "nothing"
    : `sage session compact (${old} sessions are old enough to become knowledge)`;
}

function nextStep(memory: Memory, status: Omit<Status, "line" | "next">): string | undefined {
  if (status.excluded) return "nothing";
  if (status.gone !== undefined) return "sage doctor (or sage init --user, if you deleted it)";
  if (status.unread !== undefined || status.closed !== undefined) return "sage doctor";
  if (!isBegun(memory, status.stores)) {
    const isProject = tooWide(memory, memory.places.projectDir) === undefined;
    return isProject ? "sage init" : "sage init, in a project's folder";
  }
  if (closedTrust(memory) !== undefined) return "sage doctor";
  if (memory.project?.trust === "unknown") {
    const remote = remoteTrusted(memory);
    const why = remote === undefined
      ? "this store came from elsewhere"
      : `they were trusted while the remote was ${remote}`;
    return `sage trust (after a look at the notes: ${why})`;
  }
  if (status.unparsable.length > 0) return `mend ${status.unparsable[0]?.path}`;
  if (!status.capture.ok || status.skipped.some(isUnreadable)) return "sage doctor";
  const copies = status.skipped.filter(({ reason }) => reason === CONFLICT_COPY).length;
  if (copies > 0) {
    const [noun, verb] = copies === 1 ? ["copy", "is"] : ["copies", "are"];
    return `sage doctor (${copies} conflict ${noun} of notes ${verb} in no answer)`;
  }
  const brokenEditor = mendEditor(memory, status.editors);
  if (brokenEditor !== undefined) return brokenEditor;
  if (status.open !== undefined) return "sage doctor";
  if (untoldSharedMemory(memory) !== undefined) {
    return "sage doctor (shared_memory.md is too long to be told to any session)";
  }
  return connectEditor(status);
}

function mendEditor(memory: Memory, editors: Status["editors"]): string | undefined {
  const unreadable = editors.find(({ state }) => state === "unreadable");
  if (unreadable !== undefined) return `mend by hand: ${unreadable.detail}`;
  const broken = editors.find(({ state }) => state === "broken");
  if (broken === undefined) return undefined;
  const isSwitchedOff = switchedOffBy(memory, broken.name, "installed") !== undefined;
  return isSwitchedOff ? "sage doctor" : `sage install ${broken.name}`;
}

function connectEditor({ editors, capture }: Pick<Status, "editors" | "capture">) {
  const connected = editors.filter(({ state }) => state === "installed");
  if (connected.length === 0) return `sage install ${editors[0]?.name ?? "claude-code"}`;
  const telling = connected.find(({ hooks }) => hooks);
  return telling !== undefined && capture.lastHookAt === undefined
    ? `start a session in ${telling.title}`
    : undefined;
}
