/**
 * Into a vault and out of it again, with everything: each store is made where it is to be, then
 * `vault.yaml` says so, then it goes from where it was. Killed in between, the same command goes on.
 */
import { now as systemNow, parseTime, rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { decode, dirname, type Fs, join, readBytes, resolveFrom, slashed } from "../../base/fs.ts";
import { LOCK_MS_MAX, TEMP_AGE_MS_MAX } from "../../base/limits.ts";
import { withLock } from "../../base/lock.ts";
import { foldName, MAP_NAME, safeStem } from "../../store/layout.ts";
import { folderMode, openStore, realRoot, type Store, withStoreLock } from "../../store/handle.ts";
import { listInbox } from "../../store/inbox.ts";
import { quote, segmentProblem } from "../../store/paths.ts";
import {
  copyNotes,
  filesOfNotes,
  moveNotes,
  type Relocated,
  type Relocation,
} from "../../store/relocate.ts";
import { sweep } from "../../store/sweep.ts";
import {
  GLOBAL_FOLDER,
  placeOf,
  readVault,
  USER_STORE,
  type Vault,
  type VaultStore,
  writeVault,
} from "../../store/vault.ts";
import { dropOtherIndexes } from "../sweep/index_folders.ts";
import { foldInboxes, type Memory, openMemory } from "../memory.ts";
import { dropMaps, refreshMaps } from "./maps.ts";
import { namesThere } from "./names.ts";
import { relink, unlink } from "./relink.ts";
import { WHOLE_VAULT } from "./sources.ts";

export interface MovedStore {
  readonly scope: "project" | "user";
  readonly from: string;
  readonly to: string;
  readonly files: number;
}

export interface MoveReport {
  readonly vault: string;
  readonly namespace: string;
  /** Empty where all was there already. */
  readonly moved: readonly MovedStore[];
  /** What is no file: it stays where it is. */
  readonly left: readonly string[];
}

export interface VaultWish {
  readonly dir: string;
  readonly namespace?: string | undefined;
  readonly sources?: readonly string[] | undefined;
  /** Whether the project's notes go too. */
  readonly project: boolean;
}

const NAMESPACE = "Sage";

/** Also for who names another vault, or another project of the same one. Nothing is done twice. */
export async function enterVault(from: Memory, wish: VaultWish): Promise<MoveReport> {
  // The store that is to go may have been made a moment ago.
  const memory = await again(from, from.places.here);
  try {
    return await enter(memory, wish);
  } finally {
    memory.close();
  }
}

async function enter(memory: Memory, wish: VaultWish): Promise<MoveReport> {
  const { fs, places } = memory;
  const before = places.vault;
  const root = vaultRoot(memory, wish.dir);
  const namespace = checkNamespace(
    wish.namespace ?? (before?.root === root ? before.namespace : NAMESPACE),
  );
  for (const source of wish.sources ?? []) {
    // A misspelt one would be searched for ever, and nothing found.
    if (fs.lstat(join(root, checkSource(root, source))) !== undefined) continue;
    throw new SageError("not_found", `There is no "${source}" in ${root}`, {
      hint: "--source names a folder or a note of the vault, from its root on; . is all of it",
    });
  }
  if (before?.root === root && fs.lstat(root) === undefined) throw notThere(root);
  fs.makeDir(join(root, namespace), 0o755);
  const stores = [...before?.stores ?? []];
  const add = (id: string, folder: string, home: string): void => {
    const there = stores.findIndex((store) => store.id === id);
    if (there < 0) stores.push({ id, folder, home });
    else stores[there] = { ...stores[there], id, folder: stores[there]?.folder ?? folder, home };
  };
  add(USER_STORE, GLOBAL_FOLDER, places.userRoot);
  if (wish.project && memory.project !== undefined) {
    if (memory.project.trust === "unknown") {
      throw new SageError("refused", "This project's notes came from elsewhere", {
        hint: "sage trust first, or --user for your own notes alone",
      });
    }
    const known = stores.find(({ id }) => id !== "" && places.projectIds.includes(id));
    const folder = known?.folder ?? projectFolder(memory, join(root, namespace), stores);
    add(known?.id ?? places.projectId, folder, memory.project.home);
  }
  const named = [...before?.sources ?? [], ...wish.sources ?? []];
  const sources = [...new Set(named.map((one) => checkSource(root, one)))];
  const after = { root, namespace, stores, sources };
  const report = await moveAll(memory, after);
  // One that was in this vault before and has lost its folder goes on with an empty one: the person named it.
  for (const { folder } of stores) fs.makeDir(join(root, namespace, folder), 0o755);
  return report;
}

/** Each store's notes lie in its own `.sage` again. What a person has put into the vault stays there. */
export async function leaveVault(memory: Memory): Promise<MoveReport> {
  const { vault } = memory.places;
  if (vault === undefined) throw new SageError("not_found", "No notes lie in a vault");
  // A project that is gone has no place to take them to.
  const staying = vault.stores.filter(({ home }) => memory.fs.lstat(dirname(home)) === undefined);
  for (const { memory: there, store } of await openEach(memory, vault)) {
    try {
      if (!staying.some(({ home }) => home === store.home)) await unlink(there, store);
    } finally {
      there.close();
    }
  }
  const report = await moveAll(memory, { ...vault, stores: staying });
  dropMaps(memory.fs, { ...vault, stores: staying });
  return report;
}

/** What somebody wrote where notes were, while they went, goes after them. For whoever may wait. */
export async function settleMoves(memory: Memory): Promise<void> {
  const { fs, places: { vault } } = memory;
  if (vault === undefined || vault.moves.length === 0) return;
  for (const { from, to, since } of vault.moves) {
    const isOld = systemNow() - (parseTime(since) ?? 0) > TEMP_AGE_MS_MAX;
    if ((!isOld && isEmpty(fs, from)) || fs.lstat(to)?.kind !== "dir") continue;
    const [source, target] = [from, to].map((root) => storeAt(memory, vault, root));
    if (source === undefined || target === undefined) continue;
    const names = await namesThere(source, target);
    withStoreLock(source, true, () => {
      // What a writer left there who died on the way.
      if (isOld) sweep(source);
      moveNotes(fs, { from, to, names, mode: folderMode(target) });
    });
    if (!isOld || !isEmpty(fs, from)) continue;
    dropMaps(fs, vault);
    changeVault(memory, (now = vault) => ({
      ...now,
      moves: now.moves.filter((move) => move.from !== from || move.to !== to),
    }));
  }
}

function isEmpty(fs: Fs, root: string): boolean {
  return filesOfNotes(fs, root).files.length === 0;
}

async function moveAll(memory: Memory, wanted: Omit<Vault, "moves">): Promise<MoveReport> {
  const { fs, places } = memory;
  const before = places.vault;
  const all = [...before?.stores ?? [], ...wanted.stores];
  const homes = [...new Map(all.map((store) => [store.id, store])).values()];
  const moves = homes.flatMap(({ id, home }) => {
    const [from, to] = [before, { ...wanted, moves: [] }].map((vault) =>
      openAt(memory, id, home, vault)
    );
    return from === undefined || to === undefined || from.root === to.root ? [] : [{ from, to }];
  });
  refuseWhatIsGone(memory, moves);
  const plans: (Relocation & { readonly store: Store })[] = [];
  for (const { from, to } of moves) {
    if (fs.lstat(from.root)?.kind !== "dir") continue;
    await foldInboxes([from]);
    if (listInbox(from).length > 0) {
      throw new SageError("locked", `Changes wait in ${quote(from.root)} for a note to be free`, {
        hint: "close it in the editor, then repeat",
      });
    }
    const names = await namesThere(from, to);
    plans.push({ store: from, from: from.root, to: to.root, names, mode: folderMode(to) });
  }
  for (const { to } of moves) fs.makeDir(to.root, folderMode(to));
  const since = rfc3339(systemNow());
  const moved = plans.map(({ from, to }) => ({ from, to, since }));
  // Whoever waits for a lock finds the note gone, and not the one that it thinks it still is.
  const alone = plans.reduceRight<() => Relocated[]>(
    (inner, { store }) => () => withStoreLock(store, true, inner),
    () => {
      const made = plans.map((plan) => copyNotes(fs, plan));
      changeVault(memory, (now) => ({
        ...wanted,
        moves: [
          ...(now?.moves ?? []).filter(({ from }) => !moved.some(({ to }) => to === from)),
          ...moved,
        ],
      }));
      for (const plan of plans) moveNotes(fs, plan);
      return made;
    },
  );
  const made = alone();
  // By the place: nobody would find it again, nor what is forgotten in it.
  for (const { store } of plans) dropOtherIndexes(memory, store.id, []);
  await finish(memory);
  return {
    vault: wanted.root,
    namespace: wanted.namespace,
    moved: plans.map(({ store: { scope }, from, to }, i) => {
      return { scope, from, to, files: made[i]?.files ?? 0 };
    }),
    left: plans.flatMap(({ from }, i) => (made[i]?.left ?? []).map((path) => join(from, path))),
  };
}

/** From here on notes are where they are to be: the rest is taken along, linked and mapped. */
async function finish(memory: Memory): Promise<void> {
  const fresh = await again(memory, memory.places.here);
  try {
    await settleMoves(fresh);
    const { vault } = fresh.places;
    if (vault === undefined) return;
    for (const { memory: there, store } of await openEach(fresh, vault)) {
      try {
        if (store.vault !== undefined) await relink(there, store);
        await refreshMaps(there);
      } finally {
        there.close();
      }
    }
  } finally {
    fresh.close();
  }
}

/** A memory for each store in the vault, seen from its project. Close each. */
async function openEach(
  memory: Memory,
  vault: Vault,
): Promise<{ readonly memory: Memory; readonly store: Store }[]> {
  const found: { memory: Memory; store: Store }[] = [];
  for (const { id, home } of vault.stores) {
    if (memory.fs.lstat(home)?.kind !== "dir") continue;
    const there = await again(memory, id === USER_STORE ? memory.places.here : dirname(home));
    const store = id === USER_STORE ? there.user : there.project;
    if (store === undefined) there.close();
    else found.push({ memory: there, store });
  }
  return found;
}

function again({ env, holder, fs, now }: Memory, cwd: string): Promise<Memory> {
  return openMemory({ cwd, env, holder, fs, now });
}

function changeVault(
  { fs, places, holder }: Memory,
  change: (now: Vault | undefined) => Vault,
): void {
  const lock = join(places.stateDir, "locks", "vault.lock");
  withLock(fs, lock, { deadlineMs: LOCK_MS_MAX, holder }, () => {
    writeVault(fs, places.userRoot, change(readVault(fs, places.userRoot)));
  });
}

function openAt(memory: Memory, id: string, home: string, vault: Vault | undefined): Store {
  const { fs, holder, places: { stateDir } } = memory;
  const scope = id === USER_STORE ? "user" : "project";
  return openStore({ root: home, scope, stateDir, holder, fs, vault: placeOf(vault, [id]) });
}

/** The store whose notes lie, or lay, in this folder. */
function storeAt(memory: Memory, vault: Vault, root: string): Store | undefined {
  const { fs, holder, places: { stateDir, userRoot } } = memory;
  const prefix = `${vault.root}/`;
  if (!root.startsWith(prefix)) {
    const scope = root === userRoot ? "user" : "project";
    return openStore({ root, scope, stateDir, holder, fs });
  }
  // By its place alone: it may be in the vault no more.
  const store = openStore({ root, scope: "user", stateDir, holder, fs });
  return { ...store, vault: { root: vault.root, path: root.slice(prefix.length) } };
}

function vaultRoot({ fs, places }: Memory, dir: string): string {
  const given = slashed(dir).replace(/^~(?=\/|$)/, places.home);
  const root = realRoot(fs, resolveFrom(places.here, given));
  const isOurs = [places.userRoot, places.project?.root ?? places.userRoot].some((own) =>
    root === own || root.startsWith(`${own}/`)
  );
  if (isOurs) {
    throw new SageError("usage", `A vault cannot lie in ${quote(root)}`, {
      hint: "name the folder that your editor opens as a vault, or any other",
    });
  }
  const info = fs.lstat(root);
  if (info !== undefined && info.kind !== "dir") {
    throw new SageError("usage", `${quote(root)} is no folder`, { hint: "name a folder" });
  }
  if (info === undefined && fs.lstat(dirname(root))?.kind !== "dir") {
    throw new SageError("not_found", `No folder ${quote(dirname(root))} to make a vault in`, {
      hint: "look at the path",
    });
  }
  return root;
}

function checkNamespace(typed: string): string {
  const parts = slashed(typed).replace(/\/+$/, "").split("/");
  for (const part of parts) {
    const problem = segmentProblem(part) ??
      (part.startsWith(".") ? "a vault does not show what begins with a dot" : undefined) ??
      (safeStem(part) === part ? undefined : "a file system or a link could not take it");
    if (problem !== undefined) {
      throw new SageError("usage", `Cannot use ${quote(typed)} as a namespace: ${problem}`, {
        hint: "a folder's name, such as Sage or Areas/Sage",
      });
    }
  }
  return parts.join("/");
}

/** From the vault's root, as it will be written; a path into the vault may be given whole. */
function checkSource(root: string, typed: string): string {
  const whole = slashed(typed).replace(/(?<=.)\/+$/, "");
  if (whole === WHOLE_VAULT || whole === root) return WHOLE_VAULT;
  const path = (whole.startsWith(`${root}/`) ? whole.slice(root.length + 1) : whole)
    .replace(/^\.\//, "");
  const problem = path.split("/").map(segmentProblem).find((one) => one !== undefined);
  if (problem === undefined && !path.startsWith("/")) return path;
  throw new SageError("usage", `Cannot read ${quote(typed)}: ${problem ?? "it is absolute"}`, {
    hint: "a folder or a note of the vault, from its root; . is all of it",
  });
}

/** One that another machine made for the same project, or a free one. */
function projectFolder(
  { fs, places }: Memory,
  namespace: string,
  stores: readonly VaultStore[],
): string {
  const taken = new Set(stores.map(({ folder }) => foldName(folder)));
  for (let n = 1;; n++) {
    const folder = `projects/${safeStem(places.projectName, n === 1 ? "" : `-${n}`)}`;
    if (taken.has(foldName(folder))) continue;
    const map = join(namespace, folder, MAP_NAME);
    const info = fs.lstat(map);
    const text = info?.kind === "file" ? decode(readBytes(fs, map, 4096)) : "";
    const owner = /^project: *(.+?) *$/m.exec(text)?.[1];
    if (owner === undefined || places.projectIds.includes(owner)) return folder;
  }
}

/**
 * A vault that was moved by hand holds the notes already, and is only named anew; one that is not there
 * at all would look as if there were none.
 */
function refuseWhatIsGone(
  { fs }: Memory,
  moves: { readonly from: Store; readonly to: Store }[],
): void {
  for (const [i, { from, to }] of [...moves.entries()].toReversed()) {
    if (from.vault === undefined || fs.lstat(from.root)?.kind === "dir") continue;
    if (fs.lstat(to.root)?.kind !== "dir" || to.vault === undefined) {
      throw notThere(from.root);
    }
    moves.splice(i, 1);
  }
}

function notThere(root: string): SageError {
  return new SageError("not_found", `Cannot find ${quote(root)}, where notes lie`, {
    hint: "bring the vault back, or name the one that has them now",
  });
}
