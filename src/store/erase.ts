/**
 * Erases a note from its store: file, versions, conflict copies, trash, inbox and temporary files. The
 * tombstone is written first, so that nothing left by a crash is ever brought back. Index, transcripts and
 * logs are up to the caller.
 */
import { removeDurably, TEMP_NAME } from "../base/atomic.ts";
import { systemError, systemErrorCode } from "../base/errors.ts";
import { readBytes } from "../base/fs.ts";
import { basename, dirname, join } from "../base/path.ts";
import { decode } from "../base/utf8.ts";
import { sha256Hex } from "../base/hash.ts";
import { NOTE_WALK_BYTES_MAX } from "../base/limits.ts";
import { idByPath, parseNote, statedId } from "../note/parse.ts";
import { conflictOf, numberedOf } from "./conflict.ts";
import { type Store, withStoreLock } from "./handle.ts";
import {
  HISTORY_FOLDER,
  INBOX_FOLDER,
  isMarkdown,
  NOTE_FOLDERS,
  stemOf,
  TRASH_FOLDER,
} from "./layout.ts";
import { quote } from "./paths.ts";
import { type FileStamp, hasStamp, stampOf } from "./stamp.ts";
import { addTombstone } from "./tombstones.ts";
import { historyName } from "./versions.ts";
import { filesUnder } from "./walk.ts";

/** Attempts, because somebody may write the note meanwhile. */
const ROUNDS_MAX = 5;

/**
 * Removes every trace of a note from the store, for good, and leaves tombstones for its id and for
 * the bytes of each file. Returns the removed files, relative to the root. Repeating it is safe.
 */
export async function eraseNote(store: Store, noteId: string): Promise<string[]> {
  const removed = new Set<string>();
  try {
    addTombstone(store.fs, store.stateDir, { id: noteId, store });
    const others = new Map<string, FileStamp>();
    for (let round = 0; round < ROUNDS_MAX; round++) {
      const { traces, isWhole } = await findTraces(store, noteId, others);
      if (traces.length === 0 && isWhole) break;
      for (const { path, contentHash } of traces) {
        removed.add(path);
        addTombstone(store.fs, store.stateDir, { contentHash });
      }
      // The notes themselves last, so that an interrupted run can be repeated: the note is still found.
      const paths = traces.map(({ path }) => path).toSorted((a, b) => rankOf(a) - rankOf(b));
      withStoreLock(store, () => paths.forEach((path) => remove(store, path)));
    }
  } catch (error) {
    throw systemError(error, `forget note "${noteId}"`);
  }
  return [...removed].sort();
}

/** Removes files for good, such as versions of notes that stay: without a tombstone. */
export function eraseFiles(store: Store, paths: readonly string[]): void {
  try {
    withStoreLock(store, () => paths.forEach((path) => remove(store, path)));
  } catch (error) {
    throw systemError(error, "forget what replaced versions say");
  }
}

interface Trace {
  readonly path: string;
  readonly contentHash: string;
}

/** A file of the store, with what tells which note it belongs to. */
interface Candidate extends Trace {
  readonly text: string;
  readonly id: string;
  /** Whether `id` is stated in the front matter, and not derived from the path. */
  readonly isStated: boolean;
  /** The stem of the note that this is a temporary file or a conflict copy of. */
  readonly copyOf: string | undefined;
}

/**
 * `isWhole`: no file disappeared between listing and reading; it may have been renamed. `others`: the files
 * that are none, which the next round reads only if they have changed.
 */
async function findTraces(
  store: Store,
  noteId: string,
  others: Map<string, FileStamp>,
): Promise<{ readonly traces: readonly Trace[]; readonly isWhole: boolean }> {
  const candidates: Candidate[] = [];
  let isWhole = true;
  for (const top of [...NOTE_FOLDERS, TRASH_FOLDER, INBOX_FOLDER]) {
    for (const path of filesUnder(store, top)) {
      try {
        const info = store.fs.lstat(join(store.root, path));
        const before = others.get(path);
        if (info !== undefined && before !== undefined && hasStamp(before, info)) continue;
        const candidate = await readCandidate(store, path, noteId);
        if (candidate !== undefined) candidates.push(candidate);
        else if (info !== undefined) others.set(path, stampOf(info));
      } catch (error) {
        if (systemErrorCode(error) === "ENOENT") {
          isWhole = false;
          continue;
        }
        const file = quote(join(store.root, path));
        throw systemError(error, `forget note "${noteId}" without reading ${file}`);
      }
    }
  }
  const isNote = ({ id, isStated, path }: Candidate): boolean =>
    id === noteId && (isStated || isMarkdown(path));
  const notes = candidates.filter(isNote);
  const places = new Set(notes.map(({ path }) => `${dirname(path)}/${stemOf(basename(path))}`));
  const hashes = new Set(notes.map(({ contentHash }) => contentHash));
  const traces = candidates.filter((candidate) => {
    const { path, text, isStated, copyOf } = candidate;
    if (isNote(candidate) || isVersion(path, noteId)) return true;
    if (path.startsWith(INBOX_FOLDER)) return text.includes(`"noteId":${JSON.stringify(noteId)}`);
    if (isStated) return false;
    // People number their titles, so a numbered file is a copy only if it has the same text.
    const numbered = hashes.has(candidate.contentHash) ? numberedOf(basename(path)) : undefined;
    const original = copyOf ?? numbered;
    return original !== undefined &&
      (places.has(`${dirname(path)}/${original}`) || original === noteId);
  });
  return { traces, isWhole };
}

/** Undefined if the file cannot be a trace. Of thousands nearly all are none: they are not parsed, nor kept. */
async function readCandidate(
  store: Store,
  path: string,
  noteId: string,
): Promise<Candidate | undefined> {
  const bytes = readBytes(store.fs, join(store.root, path), NOTE_WALK_BYTES_MAX);
  const text = decode(bytes);
  const name = basename(path);
  const temporaryFor = TEMP_NAME.exec(name)?.[1];
  const copyOf = temporaryFor === undefined ? conflictOf(name) : stemOf(temporaryFor);
  const mayBeCopy = copyOf !== undefined || numberedOf(name) !== undefined;
  if (!mayBeCopy && !isVersion(path, noteId) && !mayState(text, path, noteId)) return undefined;
  const { id, front } = await parseNote(text, path);
  const isStated = statedId(front) !== undefined;
  return { path, text, contentHash: sha256Hex(bytes), id, isStated, copyOf };
}

function isVersion(path: string, noteId: string): boolean {
  return path.includes(`/${HISTORY_FOLDER}/${historyName(noteId)}/`);
}

/** Ids that are written in one way, unless somebody escaped them. */
const PLAIN_ID = /^[\w.-]+$/;
const ESCAPED_ID = /^["']?id["']?[ \t]*:.*\\/m;

/** Whether a file may have that id, stated or by its name. */
function mayState(text: string, path: string, noteId: string): boolean {
  return !PLAIN_ID.test(noteId) || text.includes(noteId) || ESCAPED_ID.test(text) ||
    idByPath(path) === noteId;
}

/** The order of removal: hidden files (versions, temporary files, trash, inbox), conflict copies, notes. */
function rankOf(path: string): number {
  if (path.split("/").some((part) => part.startsWith("."))) return 0;
  return conflictOf(basename(path)) === undefined ? 2 : 1;
}

function remove(store: Store, path: string): void {
  const { fs, root } = store;
  const absolute = join(root, path);
  const folder = dirname(absolute);
  // Somebody may have emptied the trash meanwhile.
  if (fs.lstat(folder) === undefined) return;
  removeDurably(fs, absolute);
  // The folder must go as well, for good, because its name is the id.
  if (path.includes(`/${HISTORY_FOLDER}/`) && fs.list(folder).length === 0) {
    fs.removeDir(folder);
    fs.syncDir(dirname(folder));
  }
}
