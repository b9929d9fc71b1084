/**
 * The programs whose memory can be imported: the name of each source, its usual place, and its reader.
 */
import { SageError } from "../../base/errors.ts";
import type { Fs } from "../../base/fs.ts";
import { dirname, join, resolveFrom, slashed } from "../../base/path.ts";
import { realRoot } from "../../store/handle.ts";
import { openIgnores } from "../../store/ignore.ts";
import { filesOfEditor } from "../outside/builtin_memory.ts";
import { type Memory, scratchFolder } from "../memory.ts";
import {
  importItems,
  type ImportOptions,
  type ImportOutcome,
  type ProgressListener,
} from "./import_items.ts";
import type { Place, Reader } from "./item.ts";

interface Source {
  /** A description for help: `a vault of Tabula`. */
  readonly what: string;
  /** A file or folder to look for inside the given folder. */
  readonly inside?: string;
  /** It may lie in a store of this Sage, among the notes. */
  readonly isAmongNotes?: boolean;
  /** Where it usually is. */
  readonly usual?: (memory: Memory) => readonly string[];
  readonly load: () => Promise<Reader>;
}

export const SOURCES = {
  "claude-sage": {
    what: "the first Sage: YAML and JSON checkpoints, index.yaml",
    inside: ".sage",
    isAmongNotes: true,
    usual: ({ places }) => [
      ...(places.project === undefined ? [] : [places.project.root]),
      join(places.home, ".sage"),
    ],
    load: async () => (await import("./from/claude_sage.ts")).readClaudeSage,
  },
  "tabula": {
    what: "a vault of Tabula",
    inside: "claude",
    usual: ({ places }) => [join(places.home, ".claude-memory")],
    load: async () => (await import("./from/tabula.ts")).readTabula,
  },
  "memory.jsonl": {
    what: "the MCP reference memory server",
    inside: "memory.jsonl",
    usual: ({ env }) => [env("MEMORY_FILE_PATH") ?? ""].filter((path) => path !== ""),
    load: async () => (await import("./from/memory_server.ts")).readMemoryServer,
  },
  "claude-mem": {
    what: "claude-mem's database",
    inside: "claude-mem.db",
    usual: ({ env, places }) => [env("CLAUDE_MEM_DATA_DIR") || join(places.home, ".claude-mem")],
    load: async () => (await import("./from/claude_mem.ts")).readClaudeMem,
  },
  "basic-memory": {
    what: "a folder of basic-memory",
    usual: ({ places }) => [join(places.home, "basic-memory")],
    load: async () => (await import("./from/basic_memory.ts")).readBasicMemory,
  },
  "markdown": {
    what: "a Markdown file, or a folder of them, of any origin, Cursor's rules too",
    // Other programs' folders do not have it.
    load: async () => (await import("./from/basic_memory.ts")).readBasicMemory,
  },
  "engram": {
    what: "what `engram export` wrote, or a folder of `engram sync`",
    inside: ".engram",
    load: async () => (await import("./from/engram.ts")).readEngram,
  },
  "auto-memory": {
    what: "what Claude Code remembers of this project",
    usual: ownMemory,
    load: async () => (await import("./from/auto_memory.ts")).readAutoMemory,
  },
  "okf": {
    what: "a bundle of the Open Knowledge Format",
    load: async () => (await import("./from/okf.ts")).readOkf,
  },
} as const satisfies Readonly<Record<string, Source>>;

export type SourceName = keyof typeof SOURCES;

export interface Migration {
  /** The files or folders that were read. */
  readonly places: readonly string[];
  readonly items: readonly ImportOutcome[];
}

type MigrationOptions = Pick<ImportOptions, "all" | "isDry" | "isAgent">;

/** Imports what is at `given`, a path from `cwd`, or at the usual place of such a source. */
export async function migrateFrom(
  memory: Memory,
  name: SourceName,
  given: { readonly path: string; readonly cwd: string } | undefined,
  options: MigrationOptions,
  listener: ProgressListener,
): Promise<Migration> {
  const { fs, places } = memory;
  const source: Source = SOURCES[name];
  const paths = given === undefined
    ? usualPlaces(memory, name, source)
    : [resolveFrom(given.cwd, slashed(given.path).replace(/^~(?=\/|$)/, places.home))];
  const found = paths.map((path) => innerPath(fs, path, source));
  const missing = found.find((path) => fs.lstat(path) === undefined);
  if (missing !== undefined) {
    throw new SageError("not_found", `"${missing}" does not exist`, {
      hint: `sage migrate --from ${name} <path>`,
    });
  }
  const read = await source.load();
  const ignores = await openIgnores(fs, places);
  let items: readonly ImportOutcome[] = [];
  const stores = ownRoots(memory);
  for (const path of new Set(found.map((path) => realRoot(fs, path)))) {
    const own = stores.find((root) => path === root || path.startsWith(`${root}/`));
    if (own !== undefined && (path !== own || source.isAmongNotes !== true)) {
      throw new SageError("usage", `"${path}" holds notes of Sage already`, {
        hint: `say where ${name} is: sage migrate --from ${name} <path>`,
      });
    }
    const place: Place = {
      fs,
      path,
      isIgnored: (file) => ignores.isIgnored(file),
      isOfAll: path === realRoot(fs, join(places.home, ".sage")),
      stores,
      scratch: scratchFolder(memory),
      embedder: memory.builtIn(),
    };
    const before = items;
    const outcomes = await importItems(memory, { from: name, read, place, ...options }, {
      ...listener,
      item: (done, count) => listener.item(done, before.length + count),
    });
    items = before.concat(outcomes);
  }
  return { places: found, items };
}

/** The roots of stores in reach, and the whole vault. */
function ownRoots({ stores, places: { vault } }: Memory): string[] {
  const roots = stores.map(({ root }) => root);
  return vault === undefined ? roots : [...roots, join(vault.root, vault.namespace)];
}

function usualPlaces(memory: Memory, name: string, { usual }: Source): readonly string[] {
  if (usual === undefined) {
    throw new SageError("usage", `There is no usual place for ${name}`, {
      hint: `sage migrate --from ${name} <path>`,
    });
  }
  const places = usual(memory);
  const there = places.filter((path) => memory.fs.lstat(path) !== undefined);
  if (there.length > 0) return there;
  const looked = places.length === 0 ? "" : `: looked at ${places.join(", ")}`;
  throw new SageError("not_found", `Found nothing of ${name} in the usual place${looked}`, {
    hint: `sage migrate --from ${name} <path>`,
  });
}

/** The folder that is meant: the given one, or one inside it. */
function innerPath(fs: Fs, path: string, { inside }: Source): string {
  if (inside === undefined || fs.lstat(realRoot(fs, path))?.kind !== "dir") return path;
  const below = join(path, inside);
  return fs.lstat(below) === undefined ? path : below;
}

function ownMemory(memory: Memory): string[] {
  const first = filesOfEditor(memory).find(({ kind }) => kind === "auto");
  return first === undefined ? [] : [dirname(first.path)];
}
