/**
 * What somebody needs to continue from a checkpoint: where git stood then and stands now, what came
 * before and after it, which notes were known, and what was said, if that was kept.
 */
import type { GitState } from "../../note/checkpoint.ts";
import { readSession as readSessionNote } from "../../note/session.ts";
import { readGit } from "../../store/git/git.ts";
import { catalogue } from "../catalogue.ts";
import { readEntry } from "../index/entries.ts";
import { refOf } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { recordInSession } from "../session/state/state.ts";
import { type ChainLink, childrenOf } from "./chain.ts";
import { hasConversation } from "./conversation.ts";
import type { LoadedCheckpoint } from "./load.ts";

export interface Restored {
  readonly checkpoint: LoadedCheckpoint;
  readonly gitThen: GitState | undefined;
  readonly gitNow: GitState | undefined;
  /** Its children, newest first. */
  readonly children: readonly ChainLink[];
  /** Notes that had been shown to the agent and still exist. */
  readonly recalled: readonly ChainLink[];
  /** Files touched by the session in which it was saved. */
  readonly filesTouched: readonly string[];
  readonly hasConversation: boolean;
}

const FILES_MAX = 20;

/** Gathers all that, and records in the session that its next save continues this checkpoint. */
export async function restoreCheckpoint(
  memory: Memory,
  checkpoint: LoadedCheckpoint,
): Promise<Restored> {
  if (memory.session !== undefined) {
    recordInSession(memory, memory.session, (state) => ({ ...state, restored: checkpoint.id }));
  }
  const now = readGit(memory.fs, memory.places.projectDir);
  return {
    checkpoint,
    gitThen: checkpoint.checkpoint.git,
    gitNow: now === undefined ? undefined : { branch: now.branch, commit: now.commit },
    children: await childrenOf(memory, checkpoint.id),
    recalled: await titlesOf(memory, checkpoint.checkpoint.recalled),
    filesTouched: await filesOf(memory, checkpoint.session),
    hasConversation: hasConversation(memory, checkpoint.id),
  };
}

async function titlesOf(memory: Memory, ids: readonly string[]): Promise<ChainLink[]> {
  if (ids.length === 0) return [];
  const entries = await catalogue(memory);
  return ids.flatMap((id) => {
    const note = entries.find((entry) => entry.note.id === id)?.note;
    return note === undefined ? [] : [refOf(note)];
  });
}

async function filesOf(memory: Memory, session: string | undefined): Promise<readonly string[]> {
  if (session === undefined) return [];
  const entries = await catalogue(memory, ["session"]);
  const stored = await readEntry(entries.find(({ note }) => note.session === session));
  if (stored === undefined) return [];
  return readSessionNote(withoutPrivate(stored.note)).filesTouched.slice(-FILES_MAX);
}
