/**
 * Tells two sessions that they change the same files: the second to change a file records it in the states of
 * both, and each is told once, at its next prompt. A session whose start could not know that another was at
 * work is told in the same way.
 */
import { defined } from "../../base/defined.ts";
import { basename } from "../../base/path.ts";
import { isSameProcess } from "../../base/host.ts";
import type { Memory } from "../memory.ts";
import { quote } from "../recalled.ts";
import { begunAt, neighbours } from "./instances.ts";
import type { Overlap, SessionState } from "./state/session_state.ts";
import { readSession, recordInSession } from "./state/state.ts";

const FILES_SHOWN_MAX = 4;

/** Records with both sides which of the files just changed another live session has changed. */
export function noteOverlaps(memory: Memory, session: string, files: readonly string[]): void {
  const own = readSession(memory, session);
  if (own === undefined) return;
  const changed = new Set(files);
  for (const other of neighbours(memory, session)) {
    const shared = (other.filesTouched ?? []).filter((file) => changed.has(file));
    if (shared.length === 0) continue;
    recordInSession(memory, session, (state) => withOverlap(state, other, shared));
    tellOther(memory, other, own, shared);
  }
}

/**
 * For clients that have all conversations in one process, as Codex has those of all terminals: a start cannot
 * know whether another conversation was left or is open in another terminal. One that continues was not
 * left, so sessions begun since are told of it once, at their next prompt.
 */
export function noteBeside(memory: Memory, session: string): void {
  const own = readSession(memory, session);
  if (own === undefined) return;
  for (const other of neighbours(memory, session)) {
    if (!isSameProcess(other, own) || begunAt(other) <= begunAt(own)) continue;
    if (other.overlaps?.some((overlap) => overlap.session === session)) continue;
    tellOther(memory, other, own, []);
  }
}

/** Not a sign of life of the other session. */
function tellOther(
  memory: Memory,
  { session, seen }: SessionState,
  own: SessionState,
  shared: readonly string[],
): void {
  recordInSession(memory, session, (state) => ({ ...withOverlap(state, own, shared), seen }));
}

function withOverlap(
  state: SessionState,
  other: SessionState,
  shared: readonly string[],
): SessionState {
  const { session, topic } = other;
  const worktree = worktreeOf(other, folderOf(state));
  const { overlaps = [] } = state;
  const before = overlaps.find((overlap) => overlap.session === session);
  const known = new Set(before?.files ?? []);
  if (before !== undefined && shared.every((file) => known.has(file))) return state;
  const said = before?.isSaid === true ? before.files : before?.said;
  const next: Overlap = {
    session,
    ...defined({ topic, worktree, said }),
    files: [...new Set([...shared, ...known])],
    isSaid: false,
  };
  return { ...state, overlaps: [...overlaps.filter((overlap) => overlap !== before), next] };
}

/** One line for each that was not said yet; they count as said then. */
export function sayOverlaps(memory: Memory, session: string): string {
  const live = new Map(neighbours(memory, session).map((state) => [state.session, state]));
  const own = readSession(memory, session);
  const isAtWork = (id: string): boolean => {
    const other = live.get(id);
    if (other === undefined || own === undefined) return other !== undefined;
    // Of the same process: one not heard of since this one was resumed may have been left for it.
    return !isSameProcess(other, own) || other.seen > begunAt(own);
  };
  const lines = (own?.overlaps ?? [])
    .filter(({ isSaid, session }) => !isSaid && isAtWork(session)).map(lineOf);
  recordInSession(memory, session, ({ overlaps = [], ...state }) => ({
    ...state,
    overlaps: overlaps.filter((overlap) => live.has(overlap.session))
      .map((overlap) => ({ ...overlap, isSaid: overlap.isSaid || isAtWork(overlap.session) })),
  }));
  return lines.join("\n");
}

/** The name of the worktree in which a session works, where that is not in `here`. */
export function worktreeOf(state: SessionState, here: string): string | undefined {
  const folder = folderOf(state);
  return folder === here ? undefined : basename(folder);
}

function folderOf({ dir, checkout = dir }: SessionState): string {
  return checkout;
}

/** In words for the agent. */
export function whereOf(worktree: string | undefined): string {
  return worktree === undefined ? "here" : `in the worktree ${quote(worktree, 60)}`;
}

function lineOf({ topic, worktree, files: all, said = [] }: Overlap): string {
  const files = all.filter((file) => !said.includes(file));
  const on = topic === undefined ? "" : ` on ${quote(topic, 80)}`;
  const shown = files.slice(0, FILES_SHOWN_MAX).map((file) => quote(file, 80)).join(", ");
  const more = files.length > FILES_SHOWN_MAX ? ` and ${files.length - FILES_SHOWN_MAX} more` : "";
  const changed = files.length === 0 ? "" : ` and has changed ${shown}${more}, too`;
  return `Sage: another session works ${whereOf(worktree)} now${on}${changed}.`;
}
