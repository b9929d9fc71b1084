/**
 * Creates, replaces and updates notes. Writing follows docs/RELIABILITY.md section 2: a note that was
 * acknowledged is on disk. Knows nothing of an index.
 */
import { discard, ensureFolder, publishNew, writeTemp } from "../base/atomic.ts";
import { monotonic } from "../base/clock.ts";
import { SageError, systemError, systemErrorCode } from "../base/errors.ts";
import { join } from "../base/path.ts";
import { encode } from "../base/utf8.ts";
import { LOCK_MS_MAX, NAME_TRIES_MAX, NOTE_BYTES_MAX } from "../base/limits.ts";
import type { NoteKind } from "../note/note.ts";
import { fileMode, folderMode, type Store, withStoreLock } from "./handle.ts";
import { deferToInbox } from "./inbox.ts";
import { fileName, foldName, kindFolder, numberedStem, titleStem } from "./layout.ts";
import { type LoadedNote, loadNote } from "./load.ts";
import { quote, resolveFolder, resolveNew } from "./paths.ts";
import { replaceBytes } from "./replace.ts";
import { sweepIfDue } from "./sweep.ts";
import { idOnDisk } from "./sync_copies.ts";
import { rememberOwnWrite } from "./own_writes.ts";

export interface NewNote {
  readonly kind: NoteKind;
  /** The wanted file name; the note gets a safe and free one. */
  readonly stem: string;
  /** The file's text, or a function of the final stem, which often is the note's id. */
  readonly text: string | ((stem: string) => string);
  /** Whether a stem may become an id; called for each stem whose file name is free. */
  readonly isFree?: (stem: string) => boolean;
  /** True if `isFree` knows the folder's content: then the folder is not listed for each of many notes. */
  readonly isListed?: boolean;
  /** Instead of the kind's folder: `knowledge/skills/git`, `archive`, `local/knowledge`. */
  readonly folder?: string;
  /** The title, which the file is named by in a vault. */
  readonly title?: string;
  /** Whether a folded file name is free in the whole vault, where links go by the name alone. */
  readonly isFreeName?: (folded: string) => boolean;
}

export interface ReplaceOptions {
  /** False for session notes, which Sage rewrites often and nobody else does. */
  readonly keepVersion?: boolean;
}

export type ReplaceResult =
  | { readonly kind: "written"; readonly path: string }
  /**
   * Somebody else wrote the note. Without `copy`, nothing was written and `current` is theirs. With `copy`,
   * both wrote at the same moment: `current` is ours, and `copy` is the path of theirs.
   */
  | { readonly kind: "conflict"; readonly current: LoadedNote; readonly copy?: string }
  /** The note is locked or in use; the change waits in the inbox for the next process. */
  | { readonly kind: "deferred"; readonly inbox: string };

/** Creates a note under the first free name; needs no lock. On disk when this returns. */
export function createNote(store: Store, note: NewNote): { path: string; stem: string } {
  const folder = note.folder ?? kindFolder(note.kind);
  resolveFolder(store, folder);
  checkVault(store);
  try {
    ensureFolder(store.fs, store.root, join(store.root, folder), folderMode(store));
    const created = createUnderFreeName(store, folder, note);
    sweepIfDue(store);
    return created;
  } catch (error) {
    throw systemError(error, `create ${quote(join(store.root, folder, fileName(note.stem)))}`);
  }
}

/** The file is named by its id, in a vault by its title; then id and file name are numbered independently. */
function createUnderFreeName(
  store: Store,
  folder: string,
  note: NewNote,
): { path: string; stem: string } {
  const { stem: wanted, title, kind, text, isFree = () => true, isFreeName = () => true } = note;
  const name = store.vault && title !== undefined ? titleStem(kind, title, wanted) : undefined;
  const isListed = note.isListed === true && name === undefined;
  const taken = isListed ? new Set<string>() : takenNames(store, folder, name ?? wanted);
  /** Ids of the notes whose file names were taken: they may be equal to `wanted`, made in the same second. */
  const alike = new Set<string | undefined>();
  let idNumber = 1;
  for (let n = 1; n <= NAME_TRIES_MAX; n++) {
    const file = numberedStem(name ?? wanted, n);
    const { path, absolute } = resolveNew(store, `${folder}/${file}.md`);
    const folded = foldName(`${file}.md`);
    // Links with another note's id lead to that note.
    if (name !== undefined && !isFree(foldName(file))) continue;
    if (taken.has(folded) || !isFreeName(folded) || store.fs.lstat(absolute) !== undefined) {
      if (name !== undefined) alike.add(idOnDisk(store, path));
      continue;
    }
    let stem = name === undefined ? file : numberedStem(wanted, idNumber);
    while (name !== undefined && (alike.has(stem) || !isFree(stem)) && idNumber < NAME_TRIES_MAX) {
      stem = numberedStem(wanted, ++idNumber);
    }
    if (!isFree(stem)) continue;
    const bytes = encode(typeof text === "string" ? text : text(stem));
    checkSize(bytes, path);
    const temp = writeTemp(store.fs, absolute, [bytes], { mode: fileMode(store) });
    try {
      publishNew(store.fs, temp, absolute, (body) => withStoreLock(store, body));
      rememberOwnWrite(store, bytes);
      return { path, stem };
    } catch (error) {
      discard(store.fs, temp);
      if (systemErrorCode(error) !== "EEXIST") throw error;
      if (name !== undefined) alike.add(idOnDisk(store, path));
    }
  }
  throw new SageError("io", `Cannot create a note called ${quote(wanted)}: no free name`);
}

/**
 * Refuses to write into a missing vault: perhaps its disk is not mounted, and a folder made in its place
 * would be lost.
 */
function checkVault({ fs, root, vault }: Store): void {
  if (vault === undefined || fs.lstat(root)?.kind === "dir") return;
  throw new SageError("not_found", `Cannot find ${quote(root)}, where notes lie`, {
    hint: "bring that folder back, or say where the vault is now: sage init --obsidian <vault>",
  });
}

/** Whether a stem has the dated, lower-case form that Sage makes. */
export function isDatedStem(stem: string): boolean {
  return /^\d{4}-\d{2}-\d{2}(T\d{2}-\d{2}-\d{2})?[_-][a-z0-9._-]+$/.test(stem);
}

/**
 * The folded names in a folder, because the file system may confuse names that differ in case. A dated stem
 * is in lower case anyway, so a folder of thousands need not be listed for it.
 */
function takenNames(store: Store, folder: string, stem: string): ReadonlySet<string> {
  if (isDatedStem(stem)) return new Set();
  return new Set(store.fs.list(join(store.root, folder)).map(({ name }) => foldName(name)));
}

/**
 * Replaces a note by `nextText`, unless it changed since it was loaded. The former text is kept as a
 * version. Waits until a person has not touched the file for two seconds; a hook does not wait.
 */
export async function replaceNote(
  store: Store,
  loaded: LoadedNote,
  nextText: string,
  options: ReplaceOptions = {},
): Promise<ReplaceResult> {
  const next = encode(nextText);
  checkReplaceable(loaded, next);
  const { path } = loaded;
  const { id: noteId, updated } = loaded.note;
  const { keepVersion = true } = options;
  const start = monotonic();
  for (;;) {
    const outcome = attempt();
    if (outcome === undefined) return defer();
    if (outcome.kind === "written") {
      sweepIfDue(store);
      return { kind: "written", path };
    }
    if (outcome.kind !== "busy") {
      const current = await loadNote(store, path);
      return outcome.kind === "raced"
        ? { kind: "conflict", current, copy: outcome.copy }
        : { kind: "conflict", current };
    }
    if (store.hook) return defer();
    if (monotonic() - start > LOCK_MS_MAX) {
      throw new SageError("locked", `Cannot write ${quote(path)}: somebody keeps changing it`, {
        hint: "close it in the editor, or try again",
      });
    }
    await new Promise((resolve) => setTimeout(resolve, outcome.waitMs + 5));
  }

  /** Undefined when a hook could not get the lock in its time. */
  function attempt(): ReturnType<typeof replaceBytes> | undefined {
    try {
      return replaceBytes(store, { path, noteId, updated, base: loaded.bytes, next, keepVersion });
    } catch (error) {
      if (store.hook && error instanceof SageError && error.code === "locked") return undefined;
      throw error;
    }
  }

  function defer(): ReplaceResult {
    const entry = { path, noteId, updated, base: loaded.text, next: nextText };
    return { kind: "deferred", inbox: deferToInbox(store, entry) };
  }
}

/** Loads, changes and replaces a note; repeats that if somebody was faster. `change` returns undefined to stop. */
export async function updateNote(
  store: Store,
  path: string,
  change: (loaded: LoadedNote) => Promise<string | undefined> | string | undefined,
  options: ReplaceOptions = {},
): Promise<ReplaceResult | { readonly kind: "unchanged" }> {
  const start = monotonic();
  let loaded = await loadNote(store, path);
  for (;;) {
    const next = await change(loaded);
    if (next === undefined || next === loaded.text) return { kind: "unchanged" };
    const result = await replaceNote(store, loaded, next, options);
    const isLost = result.kind === "conflict" && result.copy === undefined;
    if (!isLost || monotonic() - start > LOCK_MS_MAX) return result;
    loaded = result.current;
  }
}

function checkReplaceable(loaded: LoadedNote, next: Uint8Array): void {
  if (loaded.readOnly !== undefined) {
    throw new SageError(
      "invalid_note",
      `Cannot rewrite ${quote(loaded.path)}: ${loaded.readOnly}`,
      { hint: "mend the file by hand; it is still searched as plain text" },
    );
  }
  checkSize(next, loaded.path);
}

function checkSize(bytes: Uint8Array, path: string): void {
  if (bytes.length <= NOTE_BYTES_MAX) return;
  throw new SageError(
    "too_large",
    `Cannot write ${quote(path)}: ${bytes.length} bytes, at most ${NOTE_BYTES_MAX}`,
    { hint: "split it into several notes" },
  );
}
