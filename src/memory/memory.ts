/**
 * The handle that every feature takes first. It knows where the stores are and opens what is dear
 * (indexes, the embedder) on first use, so that a command pays for what it touches. It creates
 * nothing on disk by being opened.
 */
import type { Env } from "../base/environment.ts";
import { findHome } from "../base/home.ts";
import { now as systemNow } from "../base/clock.ts";
import { type Fs, join, listIfDir, realFs } from "../base/fs.ts";
import { type Config, loadConfig } from "../config/cascade.ts";
import type { ModelHolder } from "../embed/bert_embedder.ts";
import { type AheadEmbedder, BUILT_IN, type Embedder } from "../embed/embedder.ts";
import { assert, bracketed, SageError } from "../base/errors.ts";
import { FORMAT_VERSION } from "../search/format.ts";
import type { SearchIndex } from "../search/search_index.ts";
import { locateStores, type Places } from "../store/locate.ts";
import { openStore, type Store } from "../store/handle.ts";
import { INBOX_FOLDER } from "../store/layout.ts";
import { placeOf, USER_STORE } from "../store/vault.ts";

/** Where a surface stands, and who asks. */
export interface Where {
  readonly cwd: string;
  readonly env: Env;
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
  /**
   * Told once which `host:port` the model needs, if any; says whether this process may reach it. Where it
   * is missing nothing is reached: a hook, and whoever has given the network up, has the built-in model
   * in place of an embeddings server.
   */
  readonly confine?: Confine;
  /** Told what an embeddings server is waited for, each second that it takes. */
  readonly waits?: (what: string) => void;
  /**
   * Answers from the index as it was where it cannot be written, and warns. Who has nobody to warn, as
   * `sage serve`, fails instead.
   */
  readonly warns?: boolean;
  /** Stays open when the handle is closed: of a process that opens one again and again. */
  readonly opened?: Opened | undefined;
  readonly fs?: Fs;
  readonly now?: () => number;
}

/** What is dear to open and cheap to hold. Whoever made it closes it. */
export interface Opened {
  /** By folder: each model has its own. */
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
  /** Works on what is long over: the machine's present state, git's above all, is not of it. */
  readonly past?: boolean;
  readonly confine: Confine | undefined;
  /** Whoever lends it has just brought the indexes up to the files: what reads does not look again. */
  readonly settled?: Settled | undefined;
  /** Told when an answer rests on more than the indexes say: on files, on notes of other projects. */
  readonly restsOnMore?: () => void;
  readonly config: Config;
  readonly warnings: readonly string[];
  /** Adds one, once; only where somebody reads them. */
  readonly warn?: (text: string) => void;
  readonly user: Store;
  readonly project: Store | undefined;
  /** The project's store before the user's. */
  readonly stores: readonly Store[];
  now(): number;
  /** Brings what `light` left out. */
  load(): Promise<void>;
  /** What an index's vectors are made by: the model that is set, the built-in one where it is missing. */
  embedder(): Embedder;
  /**
   * What a model that answers late is asked before anything is decided, the index being up to date: these
   * questions, and whether it is there. Where not, the built-in model serves from then on. Costs nothing
   * with any other model.
   */
  prepare(questions?: readonly string[]): Promise<void>;
  /** The model that is set has failed, and it was said: the built-in one serves from then on. */
  doWithout(): void;
  /** The same with the built-in model, as hooks see it. */
  plain(): Memory;
  /** The model in the binary, whatever is set: what runs at every stop costs microseconds a sentence. */
  builtIn(): Embedder;
  index(store: Store): SearchIndex;
  close(): void;
}

/** What was there when it was looked at: to find nothing where something may be costs a search 30 µs. */
export interface Settled {
  readonly stores: readonly Store[];
  /** Of each note that a person is being asked about, since when. */
  readonly questioned: ReadonlyMap<string, string>;
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
  "load" | "embedder" | "prepare" | "doWithout" | "plain" | "builtIn" | "index" | "close"
>;

/** With what searches and embeds, each opened when it is first asked for. */
function withTools(told: Told & { readonly warnings: string[] }, where: Where): Memory {
  const { fs, warnings } = told;
  let tools: Tools | undefined;
  const opened: Opened = where.opened ?? { indexes: new Map() };
  /** Undefined until it was looked for; null where the built-in one serves. */
  let chosen: Chosen | null | undefined;
  const indexOf = (view: Memory, store: Store): SearchIndex => {
    const folder = indexFolder(view, store);
    let index = opened.indexes.get(folder);
    if (index === undefined) {
      assert(tools !== undefined, "who searches has loaded what searches");
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
        memory.doWithout();
      }
    },
    doWithout() {
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
      assert(tools !== undefined, "who embeds has loaded what embeds");
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

/** A third of what memory is made of; a turn with nothing in it does without. */
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

/** Few have another than the built-in one set; the others give up the network, and load nothing of what opens it. */
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

/** Whether the model that serves answers late, as a server does: it is asked ahead, or it knows nothing. */
export function answersLate(memory: Memory): boolean {
  return "prepare" in memory.embedder();
}

/** Where pulled models lie, and what is known of embeddings servers. */
export function modelsFolder({ userRoot }: Places): string {
  return join(userRoot, "models");
}

/**
 * Each model has an index of its own, so that one serves until the other is whole, and two models'
 * vectors never meet; the built-in one goes unnamed. So has each format: after an upgrade, a server
 * of the version before and the new hooks do not write over each other's with every call.
 */
export function indexFolder(memory: Memory, store: Store): string {
  const model = memory.embedder().id;
  const name = model === memory.builtIn().id ? store.id : `${store.id}.${model}`;
  return join(memory.places.stateDir, "index", `${name}.v${FORMAT_VERSION}`);
}

/** What hooks had to put off is done by the first process that may wait. */
export async function foldInboxes(stores: readonly Store[]): Promise<void> {
  const [one] = stores;
  if (one !== undefined && one.fs.lstat(join(one.stateDir, "moves")) !== undefined) {
    const { settleMoves } = await import("../store/move.ts");
    // A lock that cannot be had is no reason to do without memory: the next process tries again.
    await settleMoves(one.fs, one.stateDir, one.holder).catch(() => {});
  }
  for (const store of stores) {
    const inbox = join(store.root, INBOX_FOLDER);
    if (listIfDir(store.fs, inbox).length === 0) continue;
    const { foldInbox } = await import("../store/inbox.ts");
    try {
      foldInbox(store);
    } catch {
      // It stays in the inbox, and the next process tries again.
    }
  }
}

/** The stores that are on the disk: a new person's own is not yet. */
export function storesThere({ fs, stores, settled }: Memory): readonly Store[] {
  return settled?.stores ?? stores.filter(({ root }) => fs.lstat(root) !== undefined);
}

/** Where a new note goes when nobody says: the project's store, else the person's own. */
export function homeStore(memory: Memory, scope?: "project" | "user"): Store {
  return scope === "user" ? memory.user : memory.project ?? memory.user;
}
