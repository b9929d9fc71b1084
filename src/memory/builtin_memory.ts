/**
 * What the editor remembers by itself, beside our notes: searched, compared with before an agent's
 * knowledge is saved, and never written. It has an index of its own and no store, so that nothing that
 * writes, forgets or lists notes can reach it.
 */
import { rfc3339 } from "../base/clock.ts";
import { type Fs, readBytes } from "../base/fs.ts";
import { sha256Hex } from "../base/hash.ts";
import { NOTE_INDEXED_BYTES_MAX } from "../base/limits.ts";
import { pattern } from "../base/pattern.ts";
import { fold } from "../base/text.ts";
import { type NoteId, shortId } from "../base/id.ts";
import { configDir } from "../editor/claude_code/payload.ts";
import { listMemoryFiles, type MemoryFile } from "../editor/claude_code/own_memory.ts";
import type { NoteDocument } from "../search/document.ts";
import { realRoot, type Store } from "../store/handle.ts";
import { openIgnores } from "../store/ignore.ts";
import { type LoadedNote, toLoaded } from "../store/load.ts";
import { type FileStamp, looksAs } from "../store/stamp.ts";
import { isExcluded } from "./capture.ts";
import type { Nearest } from "./find.ts";
import { type StoredNote, toStored } from "./item.ts";
import { indexFolder, type Memory } from "./memory.ts";
import { withoutPrivate } from "./open_part.ts";

const ID = "builtin-";
/** Fewer words than these stand in any long file by accident. */
const WORDS_MIN = 4;
/** Passages that come nearest to what is to be saved. */
const COMPARED_MAX = 3;

/** Whether a hit comes from the editor's memory and not from a store. */
export function isBuiltin({ id }: Store): boolean {
  return id.startsWith(ID);
}

/** The files there are now; none where they are not wanted, or nobody vouched for the project's. */
export function builtinFiles(memory: Memory): MemoryFile[] {
  const { env, fs, places } = memory;
  const config = configDir(env);
  if (config === undefined || !memory.config.get("search.builtin_memory")) return [];
  const { home, projectDir, repository } = places;
  const isForeign = memory.project?.trust === "unknown";
  const where = {
    configDir: config,
    home,
    projectDir,
    ...(repository === undefined ? {} : { repository }),
  };
  try {
    return listMemoryFiles(where, fs).filter((file) =>
      (file.scope === "user" || !isForeign) && isReadable(fs, file, projectDir)
    );
  } catch {
    // A folder that is not ours to read: then nothing of it is searched.
    return [];
  }
}

/** Those that `.sageignore` does not keep out, by whichever of their names. */
async function openFiles(memory: Memory): Promise<MemoryFile[]> {
  const files = builtinFiles(memory);
  if (files.length === 0 || await isExcluded(memory)) return [];
  const ignores = await openIgnores(memory.fs, memory.places);
  return files.filter(({ path }) =>
    [path, realRoot(memory.fs, path)].every((name) => !ignores.isIgnored(name))
  );
}

/** A person's own file may be a link; a project's leads nowhere out of the project. */
function isReadable(fs: Fs, { path, scope }: MemoryFile, projectDir: string): boolean {
  const info = fs.lstat(path);
  if (info?.kind === "file") return true;
  if (info?.kind !== "link") return false;
  try {
    const target = fs.realPath(path);
    const isInside = scope === "user" || target.startsWith(`${fs.realPath(projectDir)}/`);
    return isInside && fs.lstat(target)?.kind === "file";
  } catch {
    return false;
  }
}

/** Brings the index of these files up to date; undefined where there is nothing to search. */
export async function refreshBuiltin(memory: Memory): Promise<Store | undefined> {
  const { fs } = memory;
  const store = pseudoStore(memory);
  const files = await openFiles(memory);
  if (files.length === 0 && fs.lstat(indexFolder(memory, store)) === undefined) return undefined;
  const index = memory.index(store);
  const known = index.stamps() as ReadonlyMap<string, FileStamp>;
  const there = new Map(files.map((file) => [file.path, file]));
  const put: NoteDocument[] = [];
  for (const file of there.values()) {
    const before = known.get(file.path);
    const info = fs.lstat(realPath(fs, file.path));
    if (info === undefined || (before !== undefined && looksAs(before, info))) continue;
    const document = await readFile(memory, file);
    if (document !== undefined) put.push(document);
  }
  const remove = [...known.keys()].filter((path) => !there.has(path));
  if (put.length + remove.length > 0) index.apply({ put, remove }, memory.embedder());
  return there.size === 0 ? undefined : store;
}

/** One of them by the id or the path that a search told. */
export async function readBuiltin(memory: Memory, ref: string): Promise<StoredNote | undefined> {
  const wanted = ref.trim();
  const file = (await openFiles(memory)).find(({ path }) =>
    [path, idOf(path), shortId(idOf(path))].includes(wanted)
  );
  const loaded = file === undefined ? undefined : await load(memory, file);
  return loaded === undefined ? undefined : toStored(pseudoStore(memory), loaded);
}

/** The file that says already what is to be saved, word for word or nearly so. */
export async function knownToEditor(
  memory: Memory,
  { title, content }: { readonly title: string; readonly content: string },
): Promise<{ readonly of: Nearest; readonly similarity: number } | undefined> {
  const store = await refreshBuiltin(memory);
  if (store === undefined) return undefined;
  const wanted = words(content);
  for (const { path } of memory.index(store).notes()) {
    const stored = await readBuiltin(memory, path);
    if (stored === undefined || wanted.split(" ").length < WORDS_MIN) continue;
    if (` ${words(withoutPrivate(stored.note).body)} `.includes(` ${wanted} `)) {
      return { of: nearestOf(stored.note), similarity: 1 };
    }
  }
  const embedder = memory.embedder();
  const vector = embedder.embedQuery(`${title}. ${content}`);
  if (vector === undefined) return undefined;
  const [best] = memory.index(store).similar(vector, {
    limit: COMPARED_MAX,
    calibrate: (cosine) => embedder.calibrate(cosine),
  });
  return best === undefined || best.emb < memory.config.get("retrieval.dedup_threshold")
    ? undefined
    : { of: nearestOf(best.note), similarity: best.emb };
}

function nearestOf({ id, title }: { readonly id: string; readonly title: string }): Nearest {
  return { id, short_id: shortId(id), title };
}

async function readFile(memory: Memory, file: MemoryFile): Promise<NoteDocument | undefined> {
  const loaded = await load(memory, file);
  if (loaded === undefined) return undefined;
  const { toDocument } = await import("./document.ts");
  // Whatever its front matter says to its own program, here it is a text and nothing more.
  return {
    ...toDocument(loaded, sha256Hex(loaded.bytes)),
    status: "active",
    keywords: [],
    patterns: [],
    pinned: false,
    always: false,
    supersedes: [],
    author: file.kind === "auto" ? "agent" : "person",
  };
}

async function load(memory: Memory, file: MemoryFile): Promise<LoadedNote | undefined> {
  const { fs } = memory;
  try {
    const path = realPath(fs, file.path);
    const info = fs.lstat(path);
    if (info === undefined) return undefined;
    const loaded = await toLoaded(file.path, readBytes(fs, path, NOTE_INDEXED_BYTES_MAX), info);
    // Here already, for a title of ours must not be looked for in the text again.
    const open = withoutPrivate(loaded.note);
    const name = open.front.get("name");
    const title = file.kind === "instructions"
      ? `${file.name} of ${file.scope === "user" ? "yours" : "this project"}`
      : typeof name === "string" && name !== ""
      ? name
      : open.title;
    const written = rfc3339(info.mtimeMs);
    const facts = {
      id: idOf(file.path),
      kind: "note",
      created: written,
      updated: written,
    } as const;
    return {
      ...loaded,
      readOnly: "it is the editor's",
      note: { ...open, ...facts, title, project: undefined },
    };
  } catch {
    // Gone, not to be read, or no text: the editor's affair.
    return undefined;
  }
}

/** Of all of them: a root would be the root of everything, so paths are whole. */
function pseudoStore({ fs, hook, holder, places }: Memory): Store {
  return {
    root: "",
    scope: "user",
    id: ID + sha256Hex(places.projectDir).slice(0, 16),
    trust: "own",
    fs,
    stateDir: places.stateDir,
    holder,
    hook,
  };
}

function idOf(path: string): NoteId {
  return `${ID}${sha256Hex(path).slice(0, 12)}` as NoteId;
}

function realPath(fs: Fs, path: string): string {
  return fs.lstat(path)?.kind === "link" ? fs.realPath(path) : path;
}

function words(text: string): string {
  return fold(text).replace(pattern(String.raw`[^\p{L}\p{N}]+`, "gu"), " ").trim();
}
