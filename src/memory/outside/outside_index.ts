/**
 * Texts beside our notes that are searched and never written: the editor's own memory, other files
 * of a vault. Each source has an index of its own and no store, so that nothing that writes,
 * forgets or lists notes can reach it.
 */
import { rfc3339 } from "../../base/clock.ts";
import { followed, readBytes } from "../../base/fs.ts";
import { sha256Hex } from "../../base/hash.ts";
import { type NoteId, shortId } from "../../base/id.ts";
import { NOTE_INDEXED_BYTES_MAX } from "../../base/limits.ts";
import type { Note } from "../../note/note.ts";
import { generatedValue } from "../../note/provenance.ts";
import type { NoteDocument } from "../../search/document.ts";
import { realRoot, type Store } from "../../store/handle.ts";
import { openIgnores } from "../../store/ignore.ts";
import { type LoadedNote, toLoaded } from "../../store/load.ts";
import { isExcluded } from "../write/capture.ts";
import { type StoredNote, toStored } from "../item.ts";
import { answersLate, indexFolder, type Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { embedAhead, isRefusedByModel } from "../index/pace.ts";

export interface OutsideFile {
  /** Absolute. */
  readonly path: string;
  readonly author: "agent" | "person";
  /** The title, where that is not the file's own. Without private text. */
  readonly title?: (open: Note) => string | undefined;
}

export interface Outside {
  /** Prefix of ids and of the index's name. */
  readonly prefix: string;
  /** The flag of hits. */
  readonly flag: string;
  /** Why it cannot be changed here: `it is the editor's`. */
  readonly reason: string;
  /** Owner of the index: a project, a vault. */
  scope(memory: Memory): string;
  list(memory: Memory): readonly OutsideFile[];
}

/** Files indexed at once: each step writes a revision. */
const STEP_NOTES = 1000;

/** Those that `.sageignore` does not exclude, under any of their names. */
async function outsideFiles(memory: Memory, outside: Outside): Promise<readonly OutsideFile[]> {
  const files = outside.list(memory);
  if (files.length === 0 || await isExcluded(memory)) return [];
  const ignores = await openIgnores(memory.fs, memory.places);
  if (ignores.files.length === 0) return files;
  return files.filter(({ path }) =>
    [path, realRoot(memory.fs, path)].every((name) => !ignores.isIgnored(name))
  );
}

/** Refreshes the index of these files; undefined where there is nothing to search. */
export async function refreshOutside(memory: Memory, outside: Outside): Promise<Store | undefined> {
  const { fs } = memory;
  const store = pseudoStore(memory, outside);
  if (memory.settled !== undefined) return memory.index(store).revision === 0 ? undefined : store;
  // As with notes: where an embeddings server fails, the built-in model's index has everything.
  if (answersLate(memory)) await refreshOutside(memory.plain(), outside);
  const files = await outsideFiles(memory, outside);
  if (files.length === 0 && fs.lstat(indexFolder(memory, store)) === undefined) return undefined;
  const known = memory.index(store).stamps();
  const there = new Map(files.map((file) => [file.path, file]));
  let put: NoteDocument[] = [];
  let remove = [...known.keys()].filter((path) => !there.has(path));
  for (const file of there.values()) {
    const info = fs.lstat(followed(fs, file.path));
    if (info === undefined || known.isUnchanged(file.path, info)) continue;
    const document = await readDocument(memory, outside, file);
    if (document !== undefined) put.push(document);
    if (put.length < STEP_NOTES) continue;
    if (!await apply(memory, store, { put, remove })) return store;
    [put, remove] = [[], []];
  }
  if (put.length + remove.length > 0) await apply(memory, store, { put, remove });
  return there.size === 0 ? undefined : store;
}

/**
 * False where the model gave no vectors: then the index stays as it was, or the built-in model takes
 * over from a server.
 */
async function apply(
  memory: Memory,
  store: Store,
  change: { readonly put: readonly NoteDocument[]; readonly remove: readonly string[] },
): Promise<boolean> {
  const embedder = memory.embedder();
  await embedAhead(embedder, change.put);
  try {
    memory.index(store).apply(change, embedder);
    return true;
  } catch (error) {
    if (!isRefusedByModel(error)) throw error;
    if (answersLate(memory)) memory.fallBack();
    return false;
  }
}

/** The file of an id or path from a search. */
export async function readOutside(
  memory: Memory,
  outside: Outside,
  ref: string,
): Promise<StoredNote | undefined> {
  const wanted = ref.trim();
  const file = (await outsideFiles(memory, outside)).find(({ path }) => {
    const id = idOf(outside, path);
    return [path, id, shortId(id)].includes(wanted);
  });
  const loaded = file === undefined ? undefined : await load(memory, outside, file);
  return loaded === undefined ? undefined : toStored(pseudoStore(memory, outside), loaded);
}

/** All files that can be read. */
export async function* readEachOutside(
  memory: Memory,
  outside: Outside,
): AsyncGenerator<StoredNote> {
  const store = pseudoStore(memory, outside);
  for (const file of await outsideFiles(memory, outside)) {
    const loaded = await load(memory, outside, file);
    if (loaded !== undefined) yield toStored(store, loaded);
  }
}

async function readDocument(
  memory: Memory,
  outside: Outside,
  file: OutsideFile,
): Promise<NoteDocument | undefined> {
  const loaded = await load(memory, outside, file);
  if (loaded === undefined) return undefined;
  const { toDocument } = await import("../index/document.ts");
  // Its front matter is another program's business: here it is plain text.
  return {
    ...toDocument(loaded, sha256Hex(loaded.bytes)),
    keywords: [],
    patterns: [],
    pinned: false,
    always: false,
    supersedes: [],
  };
}

async function load(
  { fs }: Memory,
  outside: Outside,
  file: OutsideFile,
): Promise<LoadedNote | undefined> {
  try {
    const path = followed(fs, file.path);
    const info = fs.lstat(path);
    if (info?.kind !== "file") return undefined;
    const loaded = await toLoaded(file.path, readBytes(fs, path, NOTE_INDEXED_BYTES_MAX), info);
    // Private text goes now, because our title must not be looked for in the text.
    const open = withoutPrivate(loaded.note);
    const written = rfc3339(info.mtimeMs);
    const made = generatedValue({ by: file.author, at: written }) ?? "";
    // Author and status are set by us, and not taken from the text.
    const facts = {
      id: idOf(outside, file.path),
      kind: "note",
      status: "active",
      front: new Map([...open.front, ["generated", made]]),
      created: written,
      updated: written,
      title: file.title?.(open) ?? open.title,
    } as const;
    return { ...loaded, readOnly: outside.reason, note: { ...open, ...facts, project: undefined } };
  } catch {
    // Gone, unreadable, or no text: the editor's affair.
    return undefined;
  }
}

/** One pseudo store for all: paths are absolute, as a root would have to be the root of everything. */
function pseudoStore(memory: Memory, outside: Outside): Store {
  const { fs, hook, holder, places } = memory;
  return {
    root: "",
    home: "",
    vault: undefined,
    scope: "user",
    id: outside.prefix + sha256Hex(outside.scope(memory)).slice(0, 16),
    trust: "own",
    fs,
    stateDir: places.stateDir,
    holder,
    hook,
  };
}

function idOf({ prefix }: Outside, path: string): NoteId {
  return `${prefix}${sha256Hex(path).slice(0, 12)}` as NoteId;
}
