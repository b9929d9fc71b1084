/**
 * Sentences of a forgotten note in other notes. What a merge copied is removed, and so is every former version
 * that has one. What other notes say now may be a person's own sentence: it stays, and is reported.
 */
import { frontLines } from "../../note/front_values.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import type { FrontChanges } from "../../note/note.ts";
import { eraseFiles } from "../../store/erase.ts";
import { HISTORY_FOLDER } from "../../store/layout.ts";
import { loadNote } from "../../store/load.ts";
import { otherProjects } from "../other_projects.ts";
import { readEntry } from "../index/entries.ts";
import { type StoredNote, toStored } from "../item.ts";
import { keptVersions } from "../knowledge/history.ts";
import { type SaidOnce, withoutJoined, withoutMerged } from "../knowledge/merged.ts";
import { type Memory, storesThere } from "../memory.ts";
import { indexSaved } from "../index/reindex.ts";
import { type Mentions, sayingIn } from "./mentioning.ts";
import { rewriteWithout } from "./rewrite.ts";

/** What the forgotten note said, in its present and its former versions. */
interface ForgottenWords {
  readonly said: readonly SaidOnce[];
  /** Whether a text has one of its sentences, or a part that was merged from it. */
  isIn(text: string): boolean;
}

/** Removes them where Sage wrote them; returns the changed or deleted files. */
export async function dropWords(
  memory: Memory,
  gone: StoredNote,
  words: ForgottenWords,
  { named, saying }: Mentions,
): Promise<string[]> {
  const changed: string[] = [];
  for (const entry of named) {
    if (entry.note.kind !== "knowledge" || entry.note.id === gone.note.id) continue;
    const stored = await readEntry(entry);
    if (stored === undefined || !await dropMerged(memory, stored, gone, words.said)) continue;
    changed.push(stored.absolutePath);
    await indexSaved(memory, stored.store, stored.path);
  }
  for (const store of storesThere(memory)) {
    const versions = saying.filter((one) =>
      one.store === store && one.path.includes(`/${HISTORY_FOLDER}/`)
    );
    eraseFiles(store, versions.map(({ path }) => path));
    changed.push(...versions.map(({ absolutePath }) => absolutePath));
  }
  return changed;
}

/**
 * The notes that still have them, also in the trash and in the stores of other projects. Call it once the
 * note itself is erased. `saying`: those that had them before.
 */
export async function stillSaying(
  memory: Memory,
  words: ForgottenWords,
  saying: readonly StoredNote[],
): Promise<StoredNote[]> {
  const found: StoredNote[] = [];
  for (const { store, path } of saying) {
    const loaded = await loadNote(store, path).catch(() => undefined);
    if (loaded !== undefined && words.isIn(loaded.note.body)) found.push(toStored(store, loaded));
  }
  for (const { store } of await otherProjects(memory, undefined, Infinity)) {
    // An unreadable folder of another project does not undo the forgetting here.
    found.push(...await sayingIn(store, words.isIn).catch(() => []));
  }
  return found;
}

async function dropMerged(
  memory: Memory,
  stored: StoredNote,
  gone: StoredNote,
  said: readonly SaidOnce[],
): Promise<boolean> {
  if (stored.loaded.readOnly !== undefined) return false;
  const text = withoutMerged(stored.loaded.text, said);
  return await rewriteWithout(memory, stored, text, await joinedBy(stored, gone, said));
}

/** The keys to change in a note that the forgotten one was merged into. */
async function joinedBy(
  stored: StoredNote,
  gone: StoredNote,
  said: readonly SaidOnce[],
): Promise<FrontChanges> {
  const tookOver = ({ note: { front } }: Pick<StoredNote, "note">): boolean =>
    frontLines(front, "supersedes").includes(gone.note.id);
  if (!tookOver(stored)) return new Map();
  const before = (await keptVersions(stored)).findLast((version) => !tookOver(version));
  const titles = said.map(({ title }) => title);
  return withoutJoined(stored.note.front, before?.note.front, gone.note.front, titles);
}

export function saidOnce({ note }: Pick<StoredNote, "note">): SaidOnce {
  return { title: note.title, content: readKnowledge(note).content };
}
