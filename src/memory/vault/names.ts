/**
 * Names for notes' files when a store moves: in a vault by title, elsewhere by id. Only names that Sage
 * gave are changed. A person's name stays, and so does that of a note without an id in it, whose name
 * is its only id.
 */
import { listIfDir } from "../../base/fs.ts";
import { basename, dirname } from "../../base/path.ts";
import type { Note } from "../../note/note.ts";
import { statedId } from "../../note/parse.ts";
import { conflictOf } from "../../store/conflict.ts";
import type { Store } from "../../store/handle.ts";
import {
  foldName,
  isMarkdown,
  NOTE_FOLDERS,
  numberedStem,
  safeStem,
  stemOf,
  titleStem,
  TRASH_FOLDER,
} from "../../store/layout.ts";
import { loadNote } from "../../store/load.ts";
import { filesOfNotes } from "../../store/relocate.ts";
import { vaultNames } from "../../store/vault_names.ts";
import { publicTitle } from "../write/public_part.ts";

/** New paths by old ones, for files that get another name. `all`: every store that links may lead to. */
export async function namesThere(
  from: Store,
  to: Store,
  all: readonly Store[],
): Promise<Map<string, string>> {
  const key = ({ path, note }: Identified): string => `${dirname(path)} ${note.id}`;
  const arrived = await identified(to);
  const there = new Map(arrived.map((one) => [key(one), one]));
  const vault = to.vault && vaultNames(to.fs, to.vault.root);
  /** Links go by the name alone, so it must be free in the whole vault; the trash is not linked. */
  const linked = new Set(vault?.keys());
  const taken = new Map<string, Set<string>>();
  const takenIn = (folder: string): Set<string> => {
    let names = taken.get(folder);
    if (names === undefined) {
      names = new Set(listNames(to, folder).map(foldName));
      taken.set(folder, names);
    }
    return names;
  };
  const take = (folder: string, folded: string): void => {
    takenIn(folder).add(folded);
    if (isLinked(folder)) linked.add(folded);
  };
  const names = new Map<string, string>();
  const leaving = await identified(from);
  const wanted = new Map<string, string>();
  for (const one of leaving) {
    const { path, note } = one;
    const known = there.get(key(one));
    if (known !== undefined) {
      // A run that was cut short did the other half of this move.
      there.delete(key(one));
      names.set(path, known.path);
      continue;
    }
    const stem = stemThere(note, stemOf(basename(path)), to.vault !== undefined);
    if (stem !== undefined) wanted.set(path, stem);
  }
  for (const path of filesOfNotes(from.fs, from.root).files) {
    if (!wanted.has(path) && !names.has(path)) take(dirname(path), foldName(basename(path)));
  }
  const others = all.filter(({ root }) => root !== from.root && root !== to.root);
  const notes = [...leaving, ...arrived, ...(await Promise.all(others.map(identified))).flat()];
  /** A link with a note's id leads to that note, so no other note's file may be called so. */
  const ids = new Map(
    to.vault === undefined ? [] : notes.map(({ note: { id } }) => [foldName(`${id}.md`), id]),
  );
  for (const { path, note } of leaving) {
    const stem = wanted.get(path);
    if (stem === undefined) continue;
    const folder = dirname(path);
    for (let n = 1;; n++) {
      const file = `${numberedStem(stem, n)}.md`;
      const folded = foldName(file);
      if (takenIn(folder).has(folded) || (isLinked(folder) && linked.has(folded))) continue;
      if ((ids.get(folded) ?? note.id) !== note.id) continue;
      take(folder, folded);
      names.set(path, `${folder}/${file}`);
      break;
    }
  }
  // A run that was cut short may have moved a note and not its conflict copy, which is named after it.
  for (const { path, note } of there.values()) {
    const stem = stemThere(note, stemOf(basename(path)), from.vault !== undefined);
    const gone = `${dirname(path)}/${stem}.md`;
    if (stem !== undefined && !names.has(gone)) names.set(gone, path);
  }
  return names;
}

function isLinked(folder: string): boolean {
  return !folder.startsWith(TRASH_FOLDER);
}

/** Undefined where the name is not Sage's own. */
export function stemThere(note: Note, stem: string, isVault: boolean): string | undefined {
  const slugged = safeStem(note.id);
  const titled = titleStem(note.kind, publicTitle(note), note.id);
  const number = Number(/-(\d{1,4})$/.exec(stem)?.[1] ?? 1);
  const isTitled = stem === titled || stem === numberedStem(titled, number);
  if (isVault) return stem === slugged ? titled : undefined;
  return isTitled ? slugged : undefined;
}

interface Identified {
  readonly path: string;
  readonly note: Note;
}

/** Readable notes with an id in them, trash included. */
async function identified(store: Store): Promise<Identified[]> {
  const found: Identified[] = [];
  if (store.fs.lstat(store.root)?.kind !== "dir") return found;
  for (const path of filesOfNotes(store.fs, store.root).files) {
    const isNote = isMarkdown(path) && conflictOf(basename(path)) === undefined &&
      isLive(path.split("/"));
    const loaded = isNote ? await loadNote(store, path).catch(() => undefined) : undefined;
    if (loaded === undefined || loaded.note.problem !== undefined) continue;
    if (statedId(loaded.note.front) !== undefined) found.push({ path, note: loaded.note });
  }
  return found;
}

/** A note, or one in the trash; not a version. */
function isLive([first = "", ...rest]: readonly string[]): boolean {
  return (NOTE_FOLDERS.includes(first) || first === TRASH_FOLDER) &&
    !rest.slice(0, -1).some((part) => part.startsWith("."));
}

function listNames({ fs, root }: Store, folder: string): string[] {
  return listIfDir(fs, `${root}/${folder}`).map(({ name }) => name);
}
