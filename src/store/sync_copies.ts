/**
 * Whether `x 2.md` beside `x.md` is a copy that a sync tool made, or a note of its own. A copy has the same
 * id, or the same bytes if neither has an id; the names alone do not tell.
 */
import { decode } from "../base/utf8.ts";
import { equalBytes } from "../base/hash.ts";
import { asNoteId } from "../base/id.ts";
import { readSimpleYaml } from "../base/yaml/simple.ts";
import { frontText } from "../note/front_values.ts";
import type { Store } from "./handle.ts";
import { openInside, resolvePath } from "./paths.ts";

/** The front matter, which has the id, is in the first bytes. */
const HEAD_BYTES = 64 * 1024;

export function isSyncCopy(store: Store, path: string, original: string): boolean {
  try {
    const [mine, theirs] = [head(store, path), head(store, original)];
    const [id, other] = [idIn(mine), idIn(theirs)];
    return id === undefined && other === undefined ? equalBytes(mine, theirs) : id === other;
  } catch {
    // Unreadable: treated as a copy, which is skipped and reported.
    return true;
  }
}

/** Whether it has the original's title as well: a person who begins a note as a copy gives it another title. */
export function isSyncCopyWithTitle(store: Store, path: string, original: string): boolean {
  const titleIn = (of: string): string | undefined => /^# .*/m.exec(decode(head(store, of)))?.[0];
  try {
    return isSyncCopy(store, path, original) && titleIn(path) === titleIn(original);
  } catch {
    return true;
  }
}

/** The id in a file's front matter; undefined if it has none or cannot be read. */
export function idOnDisk(store: Store, path: string): string | undefined {
  try {
    return idIn(head(store, path));
  } catch {
    return undefined;
  }
}

function head(store: Store, path: string): Uint8Array {
  using handle = openInside(store.fs, resolvePath(store, path));
  const bytes = new Uint8Array(HEAD_BYTES);
  return bytes.subarray(0, handle.read(bytes));
}

function idIn(bytes: Uint8Array): string | undefined {
  const front = /^\uFEFF?---\r?\n([^]*?)\n---/.exec(decode(bytes))?.[1];
  const line = front === undefined ? undefined : /^id:.*$/m.exec(front)?.[0];
  // Parsed as YAML, because some editors put all values in quotes.
  const said = line === undefined ? undefined : readSimpleYaml(line);
  return said && asNoteId(frontText(said, "id") ?? "");
}
