/**
 * The one way in which a feature makes a new note: allowed? → on disk → read back → indexed → told.
 * The save is acknowledged by the time it is indexed; an index that fails is repaired later.
 */
import { discard } from "../base/atomic.ts";
import { now } from "../base/clock.ts";
import { sha256Hex } from "../base/hash.ts";
import { asNoteId, shortId } from "../base/id.ts";
import { basename, encode, join } from "../base/fs.ts";
import { assert, SageError } from "../base/errors.ts";
import { writeLog } from "../base/log.ts";
import type { NoteKind } from "../note/note.ts";
import type { Store } from "../store/handle.ts";
import { isCaptureExcluded, openIgnores } from "../store/ignore.ts";
import { kindFolder, stemOf } from "../store/layout.ts";
import { type LoadedNote, loadNote } from "../store/load.ts";
import { rememberProject } from "../store/projects.ts";
import { listRedirects } from "../store/redirects.ts";
import { createNote, isDatedStem } from "../store/store.ts";
import { isForgotten } from "../store/tombstones.ts";
import { listTrash, type TrashedNote } from "../store/trash.ts";
import { statedId } from "../store/twin.ts";
import { countWrite, overCap } from "./allowance.ts";
import { catalogue } from "./catalogue.ts";
import { saysForgotten } from "./forgotten.ts";
import type { Memory } from "./memory.ts";
import type { Author, NotSaved, Saved } from "./outcome.ts";
import { indexSaved } from "./reindex.ts";

export interface NewNote {
  readonly store: Store;
  readonly kind: Exclude<NoteKind, "note">;
  readonly stem: string;
  readonly title: string;
  /** The whole file for the stem that was free: the id equals it. Asked twice, it says the same. */
  readonly render: (stem: string) => string;
  readonly folder?: string;
  readonly author: Author;
  readonly redactions: number;
  /**
   * Of whoever makes many notes at once, and knows all names and ids: nothing is looked up for each of
   * them, and the index is brought up to date by the caller, once.
   */
  readonly isFree?: (stem: string) => boolean;
}

export async function writeNote(memory: Memory, note: NewNote): Promise<Saved | NotSaved> {
  const refused = await mayWrite(memory, note);
  if (refused !== undefined) return refused;

  const { render, ...names } = note.store.vault === undefined
    ? { render: note.render }
    : await (await import("./vault/new_note.ts")).inVault(memory, note);
  const { path, stem } = createNote(note.store, {
    kind: note.kind,
    stem: note.stem,
    title: note.title,
    text: render,
    isFree: await freeIds(memory, note),
    isListed: note.isFree !== undefined,
    ...(note.folder === undefined ? {} : { folder: note.folder }),
    ...names,
  });
  const back = await readBack(note.store, path);
  if (sha256Hex(back.bytes) !== sha256Hex(render(stem))) {
    throw new SageError("io", `Note "${stem}" reads back differently from what was written`, {
      hint: "check the disk; sage doctor looks further",
    });
  }
  await rememberId(memory);
  const indexed = note.isFree === undefined && await indexSaved(memory, note.store, path);
  const file = { id: stem, hash: sha256Hex(back.bytes) };
  countWrite(memory, note.author, { notes: 1, bytes: back.bytes.length }, file);
  // Receipts are of the day on which they are written: one of long ago would push those of today out.
  const at = memory.past === true ? now() : memory.now();
  writeLog(memory.fs, memory.places.stateDir, at, "save", {
    kind: note.kind,
    short_id: shortId(stem),
    by: note.author.by,
    session: note.author.session,
    project: memory.places.projectId,
    indexed,
    redactions: note.redactions,
  });
  const id = asNoteId(stem);
  assert(id !== undefined, "a stem is an id");
  return {
    kind: "saved",
    id,
    shortId: shortId(id),
    title: note.title,
    path: join(note.store.root, path),
    scope: note.store.scope,
    redactions: note.redactions,
    ...(note.author.explicit && await isIgnored(memory, join(note.store.root, path))
      ? { ignored: true as const }
      : {}),
  };
}

async function isIgnored({ fs, places }: Memory, path: string): Promise<boolean> {
  try {
    return (await openIgnores(fs, places)).isIgnored(path);
  } catch {
    // A list that cannot be read is said where it is looked after: the note is on disk.
    return false;
  }
}

/**
 * By its project's id a note in the person's own store is found again, and that follows from a remote
 * which may be renamed; by its folder a project's own store is found from others. The note is on disk:
 * that a project could not be noted down is no failure of it.
 */
async function rememberId({ fs, places, project }: Memory): Promise<void> {
  if (project === undefined ? places.repository === undefined : project.trust === "unknown") return;
  const { projectId: id, projectName: name, projectDir: root } = places;
  try {
    await rememberProject(fs, places.userRoot, { id, name, root });
  } catch {
    // Unreadable, or held by another process: the next note tries again.
  }
}

/** What cannot be read back is not acknowledged, and so taken back: a failed save leaves nothing. */
async function readBack(store: Store, path: string): Promise<LoadedNote> {
  try {
    return await loadNote(store, path);
  } catch (error) {
    discard(store.fs, join(store.root, path));
    throw error;
  }
}

/**
 * Which stems may become ids. One id names one note, whatever its kind and store: forgetting goes by
 * it. What lies in the trash counts too, unless this is its successor, and what went to another store.
 */
async function freeIds(
  memory: Memory,
  { kind, stem, isFree }: NewNote,
): Promise<(stem: string) => boolean> {
  if (isFree !== undefined) return (id) => isFree(id) && !isForgottenId(memory, id);
  if (isDatedStem(stem)) return () => true;
  const taken = await takenIds(memory, kind);
  return (id) => !taken.has(id) && !isForgottenId(memory, id);
}

/** Here, or in the person's own store: what is made anew may go to either. */
function isForgottenId({ fs, places, stores }: Memory, id: string): boolean {
  return stores.some((store) => isForgotten(fs, places.stateDir, { id, store }));
}

/**
 * Ids that notes have, or had until they went to the trash or to another store; `kind` leaves out its own
 * in the trash.
 */
export async function takenIds(memory: Memory, kind?: NewNote["kind"]): Promise<Set<string>> {
  const taken = new Set<string>((await catalogue(memory)).map(({ note }) => note.id));
  for (const store of memory.stores) {
    for (const { id } of listRedirects(store)) taken.add(id);
    for (const trashed of listTrash(store)) {
      const isOwn = kind !== undefined && trashed.path.startsWith(`${kindFolder(kind)}/`);
      const id = isOwn ? undefined : trashedId(store, trashed);
      if (id !== undefined) taken.add(id);
    }
  }
  return taken;
}

/** What was removed from a vault is called by its title; its id may be taken for all that. */
export function trashedId(store: Store, { path, trash }: TrashedNote): string | undefined {
  return store.vault === undefined ? stemOf(basename(path)) : statedId(store, trash);
}

async function mayWrite(memory: Memory, note: NewNote): Promise<NotSaved | undefined> {
  const { fs, places } = memory;
  if (!note.author.explicit && await isCaptureExcluded(fs, places)) {
    return { kind: "excluded", reason: `.sageignore excludes ${places.projectDir} from capture` };
  }
  const text = note.render(note.stem);
  // What a person words anew is not brought back: it gets an id that was never forgotten.
  const isNew = note.author.by === "person" &&
    !saysForgotten(memory, text);
  const isGone = isForgotten(fs, places.stateDir, { contentHash: sha256Hex(text) }) ||
    !isNew && isForgottenId(memory, note.stem);
  if (isGone) {
    return { kind: "forgotten", id: note.stem };
  }
  return overCap(memory, note.author, { notes: 1, bytes: encode(text).length });
}
