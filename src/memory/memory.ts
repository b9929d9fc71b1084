/**
 * The handle that every feature takes first. It knows where the stores are and opens what is dear
 * (indexes, the embedder) on first use, so that a command pays for what it touches. It creates
 * nothing on disk by being opened.
 */
import { now as systemNow } from "../base/clock.ts";
import { type Fs, join, realFs } from "../base/fs.ts";
import { type Config, loadConfig } from "../config/cascade.ts";
import type { Embedder } from "../embed/embedder.ts";
import { assert } from "../base/errors.ts";
import type { SearchIndex } from "../search/search_index.ts";
import { locateStores, type Places } from "../store/locate.ts";
import { openStore, type Store } from "../store/handle.ts";
import { INBOX_FOLDER } from "../store/layout.ts";

/** Where a surface stands, and who asks. */
export interface Where {
  readonly cwd: string;
  readonly env: (name: string) => string | undefined;
  /** What the lock files say who we are: `sage search`. */
  readonly holder: string;
  /** Hooks never wait: short lock deadlines, the inbox instead of a rewrite. */
  readonly hook?: boolean;
  /** `--project`. */
  readonly projectDir?: string;
  readonly flags?: Readonly<Record<string, string>>;
  readonly session?: string;
  /** Opens without search and embedding; `load` brings them when it turns out that they are needed. */
  readonly light?: boolean;
  readonly fs?: Fs;
  readonly now?: () => number;
}

export interface Memory {
  readonly places: Places;
  readonly fs: Fs;
  readonly env: (name: string) => string | undefined;
  readonly holder: string;
  readonly hook: boolean;
  readonly session: string | undefined;
  /** Works on what is long over: the machine's present state, git's above all, is not of it. */
  readonly past?: boolean;
  readonly config: Config;
  readonly warnings: readonly string[];
  readonly user: Store;
  readonly project: Store | undefined;
  /** The project's store before the user's. */
  readonly stores: readonly Store[];
  now(): number;
  /** Brings what `light` left out. */
  load(): Promise<void>;
  embedder(): Embedder;
  index(store: Store): SearchIndex;
  close(): void;
}

export async function openMemory(where: Where): Promise<Memory> {
  const fs = where.fs ?? realFs;
  const home = where.env("HOME") ?? where.env("USERPROFILE") ?? "";
  const cwd = where.projectDir ?? where.cwd;
  const places = locateStores({ cwd, home, env: where.env, fs });
  const shared = {
    fs,
    stateDir: places.stateDir,
    holder: where.holder,
    hook: where.hook ?? false,
  };
  const user = openStore({ ...shared, root: places.userRoot, scope: "user" });
  const project = places.project === undefined
    ? undefined
    : openStore({ ...shared, root: places.project.root, scope: "project" });
  if (where.hook !== true) await foldInboxes(project === undefined ? [user] : [project, user]);
  const config = await loadConfig({
    userDir: places.userRoot,
    ...(project === undefined ? {} : { projectDir: project.root }),
    projectTrusted: project !== undefined && project.trust !== "unknown",
    env: where.env,
    ...(where.flags === undefined ? {} : { flags: where.flags }),
    fs,
  });

  let tools: Tools | undefined;
  let embedder: (Embedder & { close(): void }) | undefined;
  const indexes = new Map<string, SearchIndex>();
  const memory: Memory = {
    places,
    fs,
    env: where.env,
    holder: where.holder,
    hook: where.hook ?? false,
    session: where.session,
    config,
    warnings: config.warnings,
    user,
    project,
    stores: project === undefined ? [user] : [project, user],
    now: where.now ?? systemNow,
    async load() {
      tools ??= await loadTools();
    },
    embedder() {
      assert(tools !== undefined, "who embeds has loaded what embeds");
      return embedder ??= tools.openStaticEmbedder();
    },
    index(store) {
      let index = indexes.get(store.id);
      if (index === undefined) {
        assert(tools !== undefined, "who searches has loaded what searches");
        const folder = join(places.stateDir, "index", store.id);
        index = tools.openIndex(folder, fs, memory.embedder().id);
        indexes.set(store.id, index);
      }
      return index;
    },
    close() {
      for (const index of indexes.values()) index.close();
      indexes.clear();
      embedder?.close();
      embedder = undefined;
    },
  };
  if (where.light !== true) await memory.load();
  return memory;
}

/** A third of what memory is made of; a turn with nothing in it does without. */
async function loadTools() {
  const [{ openIndex }, { openStaticEmbedder }] = await Promise.all([
    import("../search/search_index.ts"),
    import("../embed/static.ts"),
  ]);
  return { openIndex, openStaticEmbedder };
}

type Tools = Awaited<ReturnType<typeof loadTools>>;

/** What hooks had to put off is done by the first process that may wait. */
export async function foldInboxes(stores: readonly Store[]): Promise<void> {
  for (const store of stores) {
    const inbox = join(store.root, INBOX_FOLDER);
    if (store.fs.lstat(inbox)?.kind !== "dir" || store.fs.list(inbox).length === 0) continue;
    const { foldInbox } = await import("../store/inbox.ts");
    try {
      foldInbox(store);
    } catch {
      // It stays in the inbox, and the next process tries again.
    }
  }
}

/** Where a new note goes when nobody says: the project's store, else the person's own. */
export function homeStore(memory: Memory, scope?: "project" | "user"): Store {
  return scope === "user" ? memory.user : memory.project ?? memory.user;
}
