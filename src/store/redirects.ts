/**
 * Redirects of notes that were moved to another store: one small file each in `redirects/`, for people to
 * read and for Sage to follow. They are no notes, so nothing lists, indexes or rewrites them. They stay in
 * `.sage` if the notes are in a vault, where links to the note would find a file that is named by its id.
 */
import { ensureFolder, writeAtomic } from "../base/atomic.ts";
import { systemError } from "../base/errors.ts";
import { type Fs, listIfDir, readBytes } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decode, encode } from "../base/utf8.ts";
import { readSimpleYaml } from "../base/yaml/simple.ts";
import { renderFrontMatter, splitFrontMatter } from "../note/front_matter.ts";
import { frontText } from "../note/front_values.ts";
import type { FrontMap } from "../note/note.ts";
import { fileMode, folderMode, type Store } from "./handle.ts";
import { isMarkdown } from "./layout.ts";
import { historyName } from "./versions.ts";

export interface Redirect {
  /** The note's id in this store. */
  readonly id: string;
  /** Its id in the store that it was moved to. */
  readonly to: string;
  /** Its former path, relative to the store's root. */
  readonly path: string;
  readonly title: string;
  /** RFC 3339. */
  readonly moved: string;
}

export const REDIRECTS_FOLDER = "redirects";
const BYTES_MAX = 8 * 1024;
/** Redirects that are read; no project has so many. */
const REDIRECTS_MAX = 2000;

/** Writes a redirect, in place of an existing one. On disk when this returns. */
export function writeRedirect(store: Store, redirect: Redirect): void {
  const { fs, home } = store;
  const { id, to, path, title, moved } = redirect;
  const front = renderFrontMatter([
    ["type", "redirect"],
    ["id", id],
    ["to", to],
    ["path", path],
    ["title", title],
    ["moved", moved],
  ]);
  const said =
    `Kept for every project since ${moved.slice(0, 10)}, in the own store of who moved it: ` +
    `[[${to}]].`;
  try {
    ensureFolder(fs, home, join(home, REDIRECTS_FOLDER), folderMode(store));
    const bytes = encode(`${front}\n${said}\n`);
    writeAtomic(fs, pathOf(store, id), bytes, { mode: fileMode(store), durable: true });
  } catch (error) {
    throw systemError(error, `write the redirect of "${id}"`);
  }
}

/** Removes a redirect, with the last one the folder. Returns whether there was one. */
export function removeRedirect(store: Store, id: string): boolean {
  const { fs, home } = store;
  const path = pathOf(store, id);
  if (fs.lstat(path)?.kind !== "file") return false;
  try {
    fs.unlink(path);
    const folder = join(home, REDIRECTS_FOLDER);
    fs.syncDir(folder);
    if (fs.list(folder).length === 0) {
      fs.removeDir(folder);
      fs.syncDir(home);
    }
    return true;
  } catch (error) {
    throw systemError(error, `remove the redirect of "${id}"`);
  }
}

/** All redirects that can be read; people may have edited them. */
export function listRedirects({ fs, home }: Store): Redirect[] {
  const folder = join(home, REDIRECTS_FOLDER);
  return listIfDir(fs, folder).slice(0, REDIRECTS_MAX).flatMap(({ name, kind }) => {
    if (kind !== "file" || !isMarkdown(name)) return [];
    const map = readFront(fs, join(folder, name));
    if (map === undefined) return [];
    const field = (key: string): string => frontText(map, key) ?? "";
    const [id, to] = [field("id"), field("to")];
    return id === "" || to === ""
      ? []
      : [{ id, to, path: field("path"), title: field("title"), moved: field("moved") }];
  });
}

function readFront(fs: Fs, path: string): FrontMap | undefined {
  try {
    const { front } = splitFrontMatter(decode(readBytes(fs, path, BYTES_MAX)));
    return front === undefined ? undefined : readSimpleYaml(front.text);
  } catch {
    // Unreadable or gone: the others still count.
    return undefined;
  }
}

function pathOf({ home }: Store, id: string): string {
  return join(home, REDIRECTS_FOLDER, `${historyName(id)}.md`);
}
