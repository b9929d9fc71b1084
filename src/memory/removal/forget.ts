/**
 * Forgets a note: file, versions, copies, trash, inbox, index, transcript copies and log lines; then a
 * tombstone with hashes and no content keeps it from coming back.
 */
import { SageError, systemError } from "../../base/errors.ts";
import { dirname } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { shortId } from "../../base/id.ts";
import { writeLog } from "../../base/log.ts";
import { eraseNote } from "../../store/erase.ts";
import type { Store } from "../../store/handle.ts";
import { TRASH_FOLDER } from "../../store/layout.ts";
import { type LoadedNote, loadNote } from "../../store/load.ts";
import { addTombstone, isForgotten } from "../../store/tombstones.ts";
import { listTrash } from "../../store/trash.ts";
import { listPaths } from "../../store/walk.ts";
import { catalogue } from "../catalogue.ts";
import { dropChats } from "../chats.ts";
import { dropConversations } from "../checkpoint/conversation.ts";
import { sentencesIn } from "../write/forgotten.ts";
import { findNamed, nameTyped, type NotFound } from "../find.ts";
import { dropMergeBases } from "../write/merge_base.ts";
import { dropIndexesNaming, dropOtherIndexes, dropVectors } from "../sweep/index_folders.ts";
import {
  type NoteItem,
  type NoteRef,
  publicItem,
  refOf,
  type StoredNote,
  toStored,
} from "../item.ts";
import { keptVersions } from "../knowledge/history.ts";
import { holdsMerged } from "../knowledge/merged.ts";
import { forgetQuestions } from "../question/question.ts";
import { indexFolder, type Memory, storesThere } from "../memory.ts";
import { dropRedirects } from "./redirected.ts";
import { mentioning } from "./mentioning.ts";
import { dropReferences, namesOf } from "./references.ts";
import { dropWords, saidOnce, stillSaying } from "./said_elsewhere.ts";
import { named } from "./trashed.ts";
import { forgetInState } from "../session/state/forget_state.ts";
import { mapVault } from "../vault/keep.ts";

type ForgetOutcome =
  | NoteRef & {
    readonly kind: "forgotten";
    /** Every place that held it. */
    readonly places: readonly string[];
    /** Other notes that still have sentences of it. */
    readonly stillSaid: readonly NoteItem[];
  }
  | NotFound;

export async function forget(memory: Memory, ref: string): Promise<ForgetOutcome> {
  const found = await findNamed(memory, ref);
  if (found.kind === "many") return found;
  const items = found.kind === "one" ? [found.item] : await findUnlisted(memory, ref);
  const [item] = items;
  if (item === undefined) return { kind: "none", nearest: "nearest" in found ? found.nearest : [] };
  if (items.length > 1) return { kind: "many", items };
  const { id, title } = item.note;
  await refuseTwins(memory, item);
  // The tombstone first: after a crash the note may still exist, but never comes back.
  const { stateDir } = memory.places;
  addTombstone(memory.fs, stateDir, { id, store: item.store, contentHash: item.hash });
  const session = item.note.kind === "session" ? item.note.front.get("session") : undefined;
  if (typeof session === "string") addTombstone(memory.fs, stateDir, { session });
  // Former versions too, since transcripts may quote them.
  const all = [item, ...await keptVersions(item), ...await trashedBefore(item)];
  const bodies = all.map(({ note }) => withoutFiles(note.body));
  const sentences = new Set(bodies.flatMap(sentencesIn));
  for (const said of sentences) {
    addTombstone(memory.fs, stateDir, { contentHash: sha256Hex(said) });
  }
  const saysForgotten = (text: string): boolean =>
    sentencesIn(text).some((said) => sentences.has(said));
  const titles = all.map(({ note }) => note.title);
  const said = all.map(saidOnce);
  const words = {
    said,
    isIn: (text: string): boolean => saysForgotten(text) || holdsMerged(text, said),
  };
  const mentions = await mentioning(memory, [...namesOf(item), ...titles], words.isIn);
  // The note itself is erased last: while it exists, an interrupted run can be repeated.
  const places = [
    // Before its id is taken out of the note that it was merged into.
    ...await dropWords(memory, item, words, mentions),
    ...forgetInState(memory, id, item.note),
    ...dropMergeBases(memory),
    ...forgetQuestions(memory, { id, title }, saysForgotten),
    ...await dropConversations(memory, id, saysForgotten),
    ...dropChats(memory, saysForgotten),
    ...await dropReferences(memory, item, mentions.named),
    ...item.store.scope === "user" ? await dropRedirects(memory, id) : [],
  ];
  syncFolders(memory, id, places);
  const erased = await eraseNote(item.store, id);
  // The indexes of the other stores still hold what stood in notes that were changed above.
  for (const store of storesThere(memory)) {
    const remove = store === item.store ? [...new Set([item.path, ...erased])] : [];
    const folder = indexFolder(memory, store);
    if (memory.fs.lstat(folder) !== undefined) {
      memory.index(store).apply({ put: [], remove, erase: true }, memory.embedder());
    }
    dropOtherIndexes(memory, store.id, [folder]);
  }
  dropVectors(memory);
  dropIndexesNaming(memory, id);
  places.unshift(...erased);
  // Maps of content show its title.
  if (item.store.vault !== undefined) await mapVault(memory);
  writeLog(memory.fs, memory.places.stateDir, memory.now(), "forget", { short_id: shortId(id) });
  const stillSaid = (await stillSaying(memory, words, mentions.saying)).map(publicItem);
  return { kind: "forgotten", ...refOf(item.note), places, stillSaid };
}

/** Makes sure that no power cut brings back what was removed or rewritten. */
function syncFolders({ fs }: Memory, id: string, places: readonly string[]): void {
  try {
    for (const folder of new Set(places.map(dirname))) {
      if (fs.lstat(folder) !== undefined) fs.syncDir(folder);
    }
  } catch (error) {
    throw systemError(error, `forget note "${id}"`);
  }
}

/**
 * Without a session's list of changed files: it is not a sentence, and if it counted as forgotten, it would be
 * removed from every later note about the same files.
 */
function withoutFiles(body: string): string {
  return body.split("\n").filter((line) => !line.startsWith("- Changed: ")).join("\n");
}

/**
 * Fails if a second note has the id, because erasing by id would delete both. It may be a copy made by hand,
 * or a newer note while this one is in the trash.
 */
async function refuseTwins(
  memory: Memory,
  { store, path, note: { id } }: StoredNote,
): Promise<void> {
  const twin = (await catalogue(memory)).find((entry) =>
    entry.store === store && entry.note.id === id && entry.note.path !== path
  );
  if (twin === undefined) return;
  throw new SageError("conflict", `Cannot forget "${path}": "${twin.note.path}" has the same id`, {
    // Moving one to the trash would not help: the trash goes by id as well.
    hint: "give the one that stays another id in its front matter, then repeat",
  });
}

/** Notes that are in no answer but still on disk: in the trash, or left by an interrupted run. One of each id. */
async function findUnlisted(memory: Memory, ref: string): Promise<StoredNote[]> {
  const wanted = nameTyped(ref);
  const found = new Map<string, StoredNote>();
  for (const store of memory.stores) {
    if (memory.fs.lstat(store.root) === undefined) continue;
    for (const path of unlistedPaths(store)) {
      const loaded = await loadNote(store, path).catch(() => undefined);
      if (loaded === undefined) continue;
      const stored = toStored(store, loaded);
      const { id } = stored.note;
      if (found.has(id) || named([stored], wanted).length === 0) continue;
      const forgotten = { id, store, contentHash: stored.hash };
      const isTrash = path.startsWith(`${TRASH_FOLDER}/`);
      if (isTrash || isForgotten(memory.fs, memory.places.stateDir, forgotten)) {
        found.set(id, stored);
      }
    }
  }
  return named([...found.values()], wanted);
}

/** The notes in the trash with this id, which are erased with it. */
async function trashedBefore({ store, note: { id } }: StoredNote): Promise<LoadedNote[]> {
  const found: LoadedNote[] = [];
  for (const path of trashedPaths(store)) {
    const loaded = await loadNote(store, path).catch(() => undefined);
    if (loaded?.note.id === id) found.push(loaded);
  }
  return found;
}

function unlistedPaths(store: Store): string[] {
  return [...trashedPaths(store), ...listPaths(store).files.map(({ path }) => path)];
}

function trashedPaths(store: Store): string[] {
  return listTrash(store).map(({ trash }) => trash).filter((path) => path.endsWith(".md"));
}
