/**
 * Finds what may have to go, or be told, with a forgotten note. Of thousands of notes few name it or repeat
 * its words: each file is read once for both, and parsed only if it is one of those.
 */
import { basename } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { splitFrontMatter } from "../../note/front_matter.ts";
import type { Store } from "../../store/handle.ts";
import { isMarkdown, NOTE_FOLDERS, TRASH_FOLDER } from "../../store/layout.ts";
import { loadNote, readNoteBytes } from "../../store/load.ts";
import { filesUnder } from "../../store/walk.ts";
import { catalogue } from "../catalogue.ts";
import type { Entry } from "../index/entries.ts";
import { type StoredNote, toStored } from "../item.ts";
import { type Memory, storesThere } from "../memory.ts";

export interface Mentions {
  /** The entries whose files have one of the names as it stands. */
  readonly named: readonly Entry[];
  /** What says it in the stores in reach: notes, former versions, what is in the trash. */
  readonly saying: readonly StoredNote[];
}

export async function mentioning(
  memory: Memory,
  names: readonly string[],
  says: (body: string) => boolean,
): Promise<Mentions> {
  const named: Entry[] = [];
  const saying: StoredNote[] = [];
  const entries = Map.groupBy(await catalogue(memory), ({ store }) => store);
  for (const store of storesThere(memory)) {
    const byPath = new Map(entries.get(store)?.map((entry) => [entry.note.path, entry]));
    saying.push(
      ...await sayingIn(store, says, (path, text) => {
        const entry = byPath.get(path);
        if (entry !== undefined && names.some((name) => text.includes(name))) named.push(entry);
      }),
    );
  }
  return { named, saying };
}

/** The notes of a store that say it. `see`: called with each file and its text. */
export async function sayingIn(
  store: Store,
  says: (body: string) => boolean,
  see: (path: string, text: string) => void = () => {},
): Promise<StoredNote[]> {
  const saying: StoredNote[] = [];
  const paths = [...NOTE_FOLDERS, TRASH_FOLDER].flatMap((folder) => filesUnder(store, folder));
  for (const path of paths.filter((path) => isMarkdown(basename(path)))) {
    const text = textAt(store, path);
    if (text === undefined) continue;
    see(path, text);
    const { front, body } = splitFrontMatter(text);
    // Front matter that cannot be parsed is text as well.
    if (!says(`${body}\n\n${front?.text ?? ""}`)) continue;
    const loaded = await loadNote(store, path).catch(() => undefined);
    if (loaded !== undefined && says(loaded.note.body)) saying.push(toStored(store, loaded));
  }
  return saying;
}

/** Undefined where it is gone meanwhile, or unreadable. */
function textAt(store: Store, path: string): string | undefined {
  try {
    return decode(readNoteBytes(store, path).bytes);
  } catch {
    return undefined;
  }
}
