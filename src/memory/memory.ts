/**
 * The handle that every feature takes first: where the stores are, the settings, and the indexes and the
 * embedding model, each opened on first use, so that a command pays for what it touches. Opening it
 * creates nothing on disk.
 */
import type { Env } from "../base/environment.ts";
import { ifReadable } from "../base/attempt.ts";
import { findHome } from "../base/home.ts";
import { now as systemNow } from "../base/clock.ts";
import { type Fs, listIfReadable, realFs } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { type Config, loadConfig } from "../config/cascade.ts";
import type { ModelHolder } from "../embed/bert_embedder.ts";
import { type AheadEmbedder, BUILT_IN, type Embedder } from "../embed/embedder.ts";
import { assert, bracketed, SageError } from "../base/errors.ts";
import { FORMAT_VERSION } from "../search/segment/format.ts";
import type { SearchIndex } from "../search/search_index.ts";
import { locateStores, type Places } from "../store/locate.ts";
import { openStore, type Store } from "../store/handle.ts";
import { INBOX_FOLDER } from "../store/layout.ts";
import { placeOf, USER_STORE } from "../store/vault.ts";

/** Where a surface stands, and who asks. */
export interface Where {
  readonly cwd: string;
  readonly env: Env;
  /** Who holds a lock, as the lock file says it: `sage search`. */
  readonly holder: string;
  /** Hooks never wait: short lock deadlines, the inbox instead of a rewrite. */
  readonly hook?: boolean;
  /** `--project`. */
  readonly projectDir?: string;
  readonly flags?: Readonly<Record<string, string>>;
  readonly session?: string;
  /** Leaves search and embedding unloaded; `load` loads them where they turn out to be needed. */
  readonly light?: boolean;
  /**
   * Called once with the `host:port` that the model needs, if any; answers whether this process may connect
   * to it. Without it nothing is connected to: a hook, or a process that has dropped its network permission,
   * uses the built-in model in place of an embeddings server.
   */
  readonly confine?: Confine;
  /** Called once a second while an embeddings server is waited for, with what was requested. */
  readonly waits?: (what: string) => void;
  /**
   * Where an index cannot be written, answers come from it as it was, with a warning. Without this, as in
   * `sage serve`, which has nobody to warn, that is a failure.
   */
  readonly warns?: boolean;
  /** Shared by the handles that a process opens one after the other, and not closed with them. */
  readonly opened?: Opened | undefined;
  readonly fs?: Fs;
  readonly now?: () => number;
}

/** What is expensive to open and cheap to keep open. Its creator closes it. */
export interface Opened {
  /** By folder; each model has an index of its own. */
  readonly indexes: Map<string, SearchIndex>;
  builtIn?: ClosableEmbedder | undefined;
  /** A pulled model, until another is set or it is gone. */
  pulled?: ModelHolder | undefined;
}

export function closeOpened(opened: Opened): void {
  for (const index of opened.indexes.values()) index.close();
  opened.indexes.clear();
  opened.builtIn?.close();
  opened.builtIn = undefined;
  opened.pulled?.drop();
}

export type Confine = (host: string | undefined) => boolean;

export interface Memory {
  readonly places: Places;
  readonly fs: Fs;
  readonly env: Env;
  readonly holder: string;
  readonly hook: boolean;
  readonly session: string | undefined;
  /** Works on a session of the past: the machine's present state, such as git's branch, does not describe it. */
  readonly past?: boolean;
  readonly confine: Confine | undefined;
  /** Set if the indexes were refreshed a moment ago: then reads do not refresh them again. */
  readonly settled?: Settled | undefined;
  /** Called when an answer depends on more than the indexes (files, other projects' notes), so that it is not cached by their state. */
  readonly restsOnMore?: () => void;
  readonly config: Config;
  readonly warnings: readonly string[];
  /** Adds a warning, each text once. Absent where nobody would read it. */
  readonly warn?: (text: string) => void;
  readonly user: Store;
  readonly project: Store | undefined;
  /** The project's store before the user's. */
  readonly stores: readonly Store[];
  now(): number;
  /** Loads what `light` left unloaded. */
  load(): Promise<void>;
  /** The model of the index's vectors: the one that is set, or the built-in one where that is not available. */
  embedder(): Embedder;
  /**
   * For an embeddings server, whose vectors have to be requested before they are needed: requests those of
   * these questions, and falls back to the built-in model where it does not answer. Call it once the index
   * is up to date. No-op with every other model.
   */
  prepare(questions?: readonly string[]): Promise<void>;
  /** Uses the built-in model from now on: the one that is set has failed, and the person was told. */
  fallBack(): void;
  /** The same memory with the built-in model and its index, which hooks use whatever is set. */
  plain(): Memory;
  /** The model in the binary, whatever is set; for what runs at every stop, as it takes microseconds a sentence. */
  builtIn(): Embedder;
  index(store: Store): SearchIndex;
  close(): void;
}

/** What that refresh found, so that no search has to look again (30 µs each). */
export interface Settled {
  readonly stores: readonly Store[];
  /** Of each note that a person is being asked about, since when; absent if that was not looked up. */
  readonly questioned?: ReadonlyMap<string, string>;
}

export async function openMemory(where: Where): Promise<Memory> {
  const fs = where.fs ?? realFs;
  const { places, user, project } = openStores(where, fs);
  const stores = project === undefined ? [user] : [project, user];
  if (where.hook !== true) await foldInboxes(stores);
  const config = await loadConfig({
    userDir: places.userRoot,
    ...(project === undefined ? {} : { projectDir: project.home }),
    projectTrusted: project !== undefined && project.trust !== "unknown",
    env: where.env,
    ...(where.flags === undefined ? {} : { flags: where.flags }),
    fs,
  });
  const warnings = [...config.warnings];
  const memory = withTools({
    places,
    fs,
    env: where.env,
    holder: where.holder,
    hook: where.hook ?? false,
    session: where.session,
    confine: where.confine,
    config,
    warnings,
    ...(where.warns === true
      ? { warn: (text) => void (warnings.includes(text) || warnings.push(text)) }
      : {}),
    user,
    project,
    stores,
    now: where.now ?? systemNow,
  }, where);
  if (where.light !== true) await memory.load();
  return memory;
}

/** The same memory as seen from another folder. Close it. */
export function openFrom({ env, holder, fs, now }: Memory, cwd: string): Promise<Memory> {
  return openMemory({ cwd, env, holder, fs, now });
}

type Told = Omit<
  Memory,
  "load" | "embedder" | "prepare" | "fallBack" | "plain" | "builtIn" | "index" | "close"
>;

/** Adds search and embedding, each opened when it is first asked for. */
function withTools(told: Told & { readonly warnings: string[] }, where: Where): Memory {
  const { fs, warnings } = told;
  let tools: Tools | undefined;
  const opened: Opened = where.opened ?? { indexes: new Map() };
  /** The model that is set: undefined before `load`, null where the built-in one serves. */
  let chosen: Chosen | null | undefined;
  const indexOf = (view: Memory, store: Store): SearchIndex => {
    const folder = indexFolder(view, store);
    let index = opened.indexes.get(folder);
    if (index === undefined) {
      assert(tools !== undefined, "load() comes before a search");
      index = tools.openIndex(folder, fs, view.embedder().id);
      opened.indexes.set(folder, index);
    }
    return index;
  };
  const memory: Memory = {
    ...told,
    async load() {
      tools ??= await loadTools();
      if (chosen !== undefined) return;
      chosen = await openChosen(memory, warnings, where) ?? null;
      if (chosen === null) where.opened?.pulled?.drop();
    },
    embedder: () => chosen ?? memory.builtIn(),
    async prepare(questions = []) {
      try {
        await chosen?.prepare?.(questions);
      } catch (error) {
        if (!(error instanceof SageError)) throw error;
        warnings.push(`${error.message}; the built-in model serves${bracketed(error)}`);
        memory.fallBack();
      }
    },
    fallBack() {
      chosen?.close();
      chosen = null;
    },
    plain() {
      const plain: Memory = {
        ...memory,
        embedder: memory.builtIn,
        prepare: () => Promise.resolve(),
        plain: () => plain,
        index: (store) => indexOf(plain, store),
      };
      return plain;
    },
    builtIn() {
      assert(tools !== undefined, "load() comes before an embedding");
      return opened.builtIn ??= tools.openStaticEmbedder();
    },
    index: (store) => indexOf(memory, store),
    close() {
      if (where.opened === undefined) closeOpened(opened);
      chosen?.close();
      chosen = undefined;
    },
  };
  return memory;
}

function openStores(
  { cwd, projectDir = cwd, env, holder, hook = false }: Where,
  fs: Fs,
): Pick<Memory, "places" | "user" | "project"> {
  const places = locateStores({ cwd: projectDir, home: findHome(env), env, fs });
  const shared = { fs, stateDir: places.stateDir, holder, hook };
  const user = openStore({
    ...shared,
    root: places.userRoot,
    scope: "user",
    vault: placeOf(places.vault, [USER_STORE]),
  });
  const project = places.project === undefined ? undefined : openStore({
    ...shared,
    ...places.project,
    scope: "project",
    projectId: places.projectId,
    vault: placeOf(places.vault, places.projectIds),
  });
  return { places, user, project };
}

/** A third of the code that memory loads. A turn in which nothing is saved does not need it. */
async function loadTools() {
  const [{ openIndex }, { openStaticEmbedder }] = await Promise.all([
    import("../search/search_index.ts"),
    import("../embed/static.ts"),
  ]);
  return { openIndex, openStaticEmbedder };
}

type Tools = Awaited<ReturnType<typeof loadTools>>;
type ClosableEmbedder = Embedder & { close(): void };
/** A model that is served in place of the built-in one. */
export type Chosen = ClosableEmbedder & Partial<Pick<AheadEmbedder, "prepare">>;

/** With the built-in model, which most have, the network is given up, and nothing of other models is loaded. */
async function openChosen(
  memory: Memory,
  warnings: string[],
  where: Where,
): Promise<Chosen | undefined> {
  if (isBuiltInSet(memory)) {
    memory.confine?.(undefined);
    return undefined;
  }
  const { openSetModel } = await import("./model/open.ts");
  return await openSetModel(memory, warnings, where);
}

export function isBuiltInSet({ config }: Memory): boolean {
  return config.get("embedding.model") === BUILT_IN;
}

/** Whether the built-in model serves in place of another that is set. */
export function isWithoutModel(memory: Memory): boolean {
  return !isBuiltInSet(memory) && memory.embedder() === memory.builtIn();
}

/** Whether the model is an embeddings server, which has to be asked before its vectors are used. */
export function answersLate(memory: Memory): boolean {
  return "prepare" in memory.embedder();
}

/** Where pulled models lie, and what is known of embeddings servers. */
export function modelsFolder({ userRoot }: Places): string {
  return join(userRoot, "models");
}

/**
 * Each model has an index of its own, so that the old one serves until the new one is complete, and vectors
 * of two models never mix; the built-in model's has no suffix. Each index format too: after an upgrade a
 * server of the version before and the new hooks would else overwrite each other's at every call.
 */
export function indexFolder(memory: Memory, store: Store): string {
  const model = memory.embedder().id;
  const name = model === memory.builtIn().id ? store.id : `${store.id}.${model}`;
  return join(memory.places.stateDir, "index", `${name}.v${FORMAT_VERSION}`);
}

/** For copies of other programs' files, and what an import has to remember. */
export function scratchFolder({ places }: Pick<Memory, "places">): string {
  return join(places.stateDir, "migrate");
}

/** Applies changes that hooks had no time for. Done by the first process that may wait for a lock. */
export async function foldInboxes(stores: readonly Store[]): Promise<void> {
  const [one] = stores;
  // A folder that cannot be read is told of by whatever needs what is in it.
  const hasMoves = one !== undefined &&
    ifReadable(false, () => one.fs.lstat(join(one.stateDir, "moves")) !== undefined);
  if (hasMoves) {
    const { settleMoves } = await import("../store/move.ts");
    // Without the lock memory still opens, and the next process tries again.
    await settleMoves(one.fs, one.stateDir, one.holder).catch(() => {});
  }
  for (const store of stores) {
    const inbox = join(store.root, INBOX_FOLDER);
    if (listIfReadable(store.fs, inbox).length === 0) continue;
    const { foldInbox } = await import("../store/inbox.ts");
    try {
      foldInbox(store);
    } catch {
      // It stays in the inbox, and the next process tries again.
    }
  }
}

/** The stores that exist on disk; a new person's own does not yet. */
export function storesThere({ fs, stores, settled }: Memory): readonly Store[] {
  return settled?.stores ?? stores.filter(({ root }) => fs.lstat(root) !== undefined);
}

/** Where a new note goes when nobody says: the project's store, else the person's own. */
export function homeStore(memory: Memory, scope?: "project" | "user"): Store {
  return scope === "user" ? memory.user : memory.project ?? memory.user;
}
