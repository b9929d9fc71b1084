/**
 * Exports the notes in reach as a bundle of the Open Knowledge Format: one file for each note, under its path,
 * and `index.md`. Private text and secrets are left out. Written into an empty folder only, the index last, so
 * that a bundle with an index is complete, also after a power cut.
 */
import { writeNew } from "../../base/atomic.ts";
import { writeInto } from "../../base/fs.ts";
import { dirname, join } from "../../base/path.ts";
import { encode } from "../../base/utf8.ts";
import { SageError, systemError } from "../../base/errors.ts";
import { capitalised, collapse } from "../../base/text/text.ts";
import { stripPrivate } from "../../guard/private.ts";
import { isPrivatePath } from "../../guard/leaks.ts";
import { redact } from "../../guard/redact.ts";
import { parseNote } from "../../note/parse.ts";
import { realRoot } from "../../store/handle.ts";
import { foldName, kindFolder } from "../../store/layout.ts";
import type { LoadedNote } from "../../store/load.ts";
import { catalogue } from "../catalogue.ts";
import { isHere, readEntry } from "../index/entries.ts";
import { openGraph } from "../graph/graph.ts";
import { type NoteItem, refOf } from "../item.ts";
import type { Memory } from "../memory.ts";
import { toConcept } from "./form.ts";

const FILE_MODE = 0o644;

export interface ExportedNote
  extends Pick<NoteItem, "id" | "short_id" | "title" | "type" | "created" | "updated"> {
  /** In the bundle. */
  readonly path: string;
}

export interface BundleReport {
  readonly folder: string;
  readonly notes: readonly ExportedNote[];
  /** How many notes had private text or secrets, which were left out. */
  readonly withheld: number;
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
}

export interface BundleOptions {
  /** Also the person's own notes, `local/`, `_PRIVATE`, and notes of other projects. */
  readonly all: boolean;
}

export async function exportBundle(
  memory: Memory,
  folder: string,
  options: BundleOptions,
  tell: (done: number, all: number) => void,
): Promise<BundleReport> {
  prepareFolder(memory, folder);
  const entries = (await catalogue(memory)).filter((entry) =>
    options.all ||
    isHere(memory, entry) && !isPrivatePath(`.sage/${entry.note.path}`) &&
      (memory.project === undefined || entry.store === memory.project)
  );
  const paths = new Map<string, string>();
  const taken = new Set<string>();
  for (const { store, note } of entries) {
    paths.set(`${store.id}/${note.path}`, freePath(note.path, taken));
  }
  const graph = await openGraph(memory, { all: true });
  const pathOf = (target: string): string | undefined => {
    const node = graph.find(target);
    return node === undefined ? undefined : paths.get(`${node.store.id}/${node.note.path}`);
  };
  const notes: (ExportedNote & { readonly description: string })[] = [];
  const skipped: { path: string; reason: string }[] = [];
  let withheld = 0;
  for (const [i, entry] of entries.entries()) {
    const { store, note: { path: from } } = entry;
    const path = paths.get(`${store.id}/${from}`) ?? from;
    const stored = await readEntry(entry);
    const reason = stored === undefined ? "it is gone" : stored.loaded.readOnly;
    if (stored === undefined || reason !== undefined) {
      skipped.push({ path: from, reason: reason ?? "" });
      continue;
    }
    const open = await publicText(stored.loaded);
    const note = await parseNote(open, path);
    if (note.problem !== undefined) {
      skipped.push({ path: from, reason: note.problem.reason });
      continue;
    }
    if (open !== stored.loaded.text) withheld++;
    const concept = await toConcept(open, note, store.scope, pathOf);
    // Without a temporary file: nobody reads a bundle that has no index.
    const how = { write: true, createNew: true, mode: FILE_MODE };
    put(memory, join(folder, path), (to) => {
      writeInto(memory.fs, to, how, [encode(concept.text)]);
    });
    const { kind: type, created, updated } = note;
    const { description } = concept;
    notes.push({ ...refOf(note), type, path, created, updated, description });
    tell(i + 1, entries.length);
  }
  await memory.fs.syncFiles(notes.map(({ path }) => join(folder, path))).catch((error) => {
    throw systemError(error, `write "${folder}"`);
  });
  put(memory, join(folder, "index.md"), (to) => {
    for (const inside of new Set(notes.map(({ path }) => dirname(join(folder, path))))) {
      memory.fs.syncDir(inside);
    }
    writeNew(memory.fs, to, encode(indexText(notes)), FILE_MODE);
  });
  const told = notes.map(({ description: _, ...item }) => item);
  return { folder, notes: told, withheld, skipped };
}

/** The file's text without private parts and secrets. */
async function publicText({ text }: LoadedNote): Promise<string> {
  return (await redact(stripPrivate(text))).text;
}

function prepareFolder({ fs, stores }: Memory, folder: string): void {
  const info = fs.lstat(folder);
  const isDir = info?.kind === "dir";
  if (info !== undefined && (!isDir || fs.list(folder).length > 0)) {
    const why = isDir ? "it is not empty" : "it is not a folder";
    throw new SageError("conflict", `Cannot write a bundle to "${folder}": ${why}`, {
      hint: "name a folder that is new or empty",
    });
  }
  const real = realRoot(fs, folder);
  if (stores.some(({ root }) => real === root || real.startsWith(`${root}/`))) {
    throw new SageError("usage", `Cannot write a bundle into a store: "${folder}"`);
  }
}

function put({ fs }: Memory, path: string, write: (to: string) => void): void {
  try {
    fs.makeDir(dirname(path), 0o755);
    write(path);
  } catch (error) {
    throw systemError(error, `write "${path}"`);
  }
}

/** The path, numbered if it is taken: two stores may have a file of the same name. */
function freePath(path: string, taken: Set<string>): string {
  for (let n = 1;; n++) {
    const one = n === 1 ? path : path.replace(/\.md$/i, `-${n}.md`);
    if (taken.has(foldName(one))) continue;
    taken.add(foldName(one));
    return one;
  }
}

const HEADINGS = ["knowledge", "topic", "checkpoint", "session", "todo"] as const;

function indexText(
  notes: readonly (ExportedNote & { readonly description: string })[],
): string {
  const sections = [...HEADINGS, "note"].flatMap((kind) => {
    const of = notes.filter(({ type }) => type === kind);
    if (of.length === 0) return [];
    const heading = kind === "note" ? "notes" : kindFolder(kind as typeof HEADINGS[number]);
    const lines = of.map(({ title, path, description }) => {
      const shown = collapse(title).replace(/[\[\]]/g, "\\$&");
      return `* [${shown}](<${path}>)${description === "" ? "" : ` - ${description}`}`;
    });
    return [`# ${capitalised(heading)}\n\n${lines.join("\n")}\n`];
  });
  return `---\nokf_version: "0.2"\n---\n\n${sections.join("\n")}`;
}
