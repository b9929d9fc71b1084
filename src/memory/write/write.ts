/**
 * The one way in which a feature makes a new note: check, write, read back, index, leave a receipt. The
 * note is saved before it is indexed; an index that fails is repaired later.
 */
import { discard } from "../../base/atomic.ts";
import { now } from "../../base/clock.ts";
import { sha256Hex } from "../../base/hash.ts";
import { asNoteId, shortId } from "../../base/id.ts";
import { basename, join } from "../../base/path.ts";
import { encode } from "../../base/utf8.ts";
import { assert, SageError } from "../../base/errors.ts";
import { writeLog } from "../../base/log.ts";
import type { NoteKind } from "../../note/note.ts";
import type { Store } from "../../store/handle.ts";
import { isCaptureExcluded, openIgnores } from "../../store/ignore.ts";
import { kindFolder, stemOf } from "../../store/layout.ts";
import { type LoadedNote, loadNote } from "../../store/load.ts";
import { rememberProject } from "../../store/projects.ts";
import { listRedirects } from "../../store/redirects.ts";
import { createNote, isDatedStem } from "../../store/store.ts";
import { isForgotten } from "../../store/tombstones.ts";
import { listTrash, type TrashedNote } from "../../store/trash.ts";
import { idOnDisk } from "../../store/sync_copies.ts";
import { countWrite, overCap } from "./allowance.ts";
import { catalogue } from "../catalogue.ts";
import { saysForgotten } from "./forgotten.ts";
import { rememberWritten } from "./merge_base.ts";
import type { Memory } from "../memory.ts";
import { refOf } from "../item.ts";
import type { Author, NotSaved, Saved } from "./outcome.ts";
import { indexSaved } from "../index/reindex.ts";

export interface NewNote {
  readonly store: Store;
  readonly kind: Exclude<NoteKind, "note">;
  readonly stem: string;
  readonly title: string;
  /** The whole file for a stem that is free, which becomes the id. Called twice it must give the same. */
  readonly render: (stem: string) => string;
  readonly folder?: string;
  readonly author: Author;
  readonly redactions: number;
  /**
   * For callers that make many notes and know all names and ids: nothing is looked up for each, and
   * the caller refreshes the index once.
   */
  readonly isFree?: (stem: string) => boolean;
}

export async function writeNote(memory: Memory, note: NewNote): Promise<Saved | NotSaved> {
  const refused = await mayWrite(memory, note);
  if (refused !== undefined) return refused;

  const { render, ...names } = note.store.vault === undefined
    ? { render: note.render }
    : await (await import("../vault/new_note.ts")).inVault(memory, note);
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
  const hash = sha256Hex(back.bytes);
  if (hash !== sha256Hex(render(stem))) {
    throw new SageError("io", `Note "${stem}" reads back differently from what was written`, {
      hint: "check the disk; sage doctor looks further",
    });
  }
  await registerProject(memory);
  const indexed = note.isFree === undefined && await indexSaved(memory, note.store, path);
  countWrite(memory, note.author, { notes: 1, bytes: back.bytes.length }, { id: stem, hash });
  if (note.kind === "knowledge") rememberWritten(memory, note.author, stem, back.text);
  // Receipts belong to the day on which they are written: one of long ago would displace those of
  // today.
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
    ...refOf({ id, title: note.title }),
    id,
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
    // The note is on disk; another check reports a list that cannot be read.
    return false;
  }
}

/**
 * Registers the project, so that its notes are found again: those in the person's own store by the
 * project's id, which follows from a remote or a folder that may be renamed; its own store, from other
 * projects, by its folder. The note is on disk, so a failure here is none of the save.
 */
export async function registerProject({ fs, places, project }: Memory): Promise<void> {
  if (project?.trust === "unknown" || places.projectDir === places.home) return;
  const { projectId: id, projectName: name, projectDir: root } = places;
  try {
    await rememberProject(fs, places.userRoot, { id, name, root });
  } catch {
    // Unreadable, or locked by another process: the next note tries again.
  }
}

/** A note that cannot be read back is not acknowledged, and so removed: a failed save leaves nothing. */
async function readBack(store: Store, path: string): Promise<LoadedNote> {
  try {
    return await loadNote(store, path);
  } catch (error) {
    discard(store.fs, join(store.root, path));
    throw error;
  }
}

/**
 * Which stems may become ids. An id names one note, whatever its kind and store, because forgetting
 * goes by it. Ids in the trash count too, unless this note is the successor, and ids of notes that
 * were moved to another store.
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

/** In either store that a new note may go to: the project's or the person's own. */
function isForgottenId({ fs, places, stores }: Memory, id: string): boolean {
  return stores.some((store) => isForgotten(fs, places.stateDir, { id, store }));
}

/**
 * Ids that are taken by notes here, in the trash or moved away. `kind`: its own ids in the trash
 * are left out.
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

/** A note removed from a vault is in the trash under its title; its id is taken nevertheless. */
export function trashedId(store: Store, { path, trash }: TrashedNote): string | undefined {
  return store.vault === undefined ? stemOf(basename(path)) : idOnDisk(store, trash);
}

async function mayWrite(memory: Memory, note: NewNote): Promise<NotSaved | undefined> {
  const { fs, places } = memory;
  if (!note.author.explicit && await isCaptureExcluded(fs, places)) {
    return { kind: "excluded", reason: `.sageignore excludes ${places.projectDir} from capture` };
  }
  const text = note.render(note.stem);
  // A rewritten note is no return of what was forgotten: it gets an id that was never forgotten.
  const isNew = note.author.by === "person" && !saysForgotten(memory, text);
  const isGone = isForgotten(fs, places.stateDir, { contentHash: sha256Hex(text) }) ||
    !isNew && isForgottenId(memory, note.stem);
  if (isGone) return { kind: "forgotten", id: note.stem };
  return overCap(memory, note.author, { notes: 1, bytes: encode(text).length });
}
