/**
 * Moves whole stores into a vault and out of it: each is copied to its new place, then `vault.yaml`
 * says so, then it is removed from the old one. After a crash the same command continues.
 */
import { now as systemNow, parseTime, rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import type { Fs } from "../../base/fs.ts";
import { dirname, join } from "../../base/path.ts";
import { LOCK_MS_MAX, TEMP_AGE_MS_MAX } from "../../base/limits.ts";
import { withLock } from "../../base/lock.ts";
import { folderMode, openStore, type Store, withStoreLock } from "../../store/handle.ts";
import { listInbox } from "../../store/inbox.ts";
import { quote } from "../../store/paths.ts";
import {
  copyNotes,
  filesOfNotes,
  moveNotes,
  type Relocated,
  type Relocation,
} from "../../store/relocate.ts";
import { sweep } from "../../store/sweep.ts";
import { placeOf, readVault, USER_STORE, type Vault, writeVault } from "../../store/vault.ts";
import { dropOtherIndexes } from "../sweep/index_folders.ts";
import { foldInboxes, type Memory, openFrom } from "../memory.ts";
import { dropMaps, refreshMaps } from "./maps.ts";
import { namesThere } from "./names.ts";
import { listSources } from "./sources.ts";
import { relink, unlink } from "./relink.ts";
import { checkVaultRequest, storesRequested, type VaultRequest } from "./request.ts";

interface MovedStore {
  readonly scope: "project" | "user";
  readonly from: string;
  readonly to: string;
  readonly files: number;
}

export interface MoveReport {
  readonly vault: string;
  readonly namespace: string;
  /** Empty if everything was there already. */
  readonly moved: readonly MovedStore[];
  /** Links and other things that are not files, which stay where they are. */
  readonly left: readonly string[];
  /** How many of the vault's own notes are searched from now on, if sources were named. */
  readonly searched?: number;
}

/** Also for naming another vault, or adding another project. Nothing is done twice. */
export async function enterVault(from: Memory, wish: VaultRequest): Promise<MoveReport> {
  // The store to be moved may have been created a moment ago.
  const memory = await openFrom(from, from.places.here);
  try {
    return await enter(memory, wish);
  } finally {
    memory.close();
  }
}

async function enter(memory: Memory, wish: VaultRequest): Promise<MoveReport> {
  const { fs, places } = memory;
  const { root, namespace, sources } = checkVaultRequest(memory, wish);
  if (places.vault?.root === root && fs.lstat(root) === undefined) throw notThere(root);
  const folder = join(root, namespace);
  const stores = storesRequested(memory, wish, folder);
  fs.makeDir(folder, 0o755);
  const report = await moveAll(memory, { root, namespace, stores, sources });
  const { vault: former } = places;
  if (former !== undefined && join(former.root, former.namespace) !== folder) {
    dropMaps(fs, { ...former, stores: [] });
  }
  // One that was in this vault and has lost its folder continues with an empty one: the person named
  // it.
  for (const store of stores) fs.makeDir(join(folder, store.folder), 0o755);
  if (sources.length === 0) return report;
  const searched = listSources(fs, { root, namespace, stores, sources, moves: [] }).length;
  return { ...report, searched };
}

/** Returns each store's notes to its own `.sage`. What a person put into the vault stays there. */
export async function leaveVault(memory: Memory): Promise<MoveReport> {
  const { vault } = memory.places;
  if (vault === undefined) throw new SageError("not_found", "No notes lie in a vault");
  // A project that is gone has no place to return them to.
  const staying = vault.stores.filter(({ home }) => memory.fs.lstat(dirname(home)) === undefined);
  await inEach(memory, vault, unlink);
  const report = await moveAll(memory, { ...vault, stores: staying });
  dropMaps(memory.fs, { ...vault, stores: staying });
  return report;
}

/** Moves what somebody wrote in the old place meanwhile. For callers that may wait. */
export async function settleMoves(memory: Memory): Promise<void> {
  const { fs, places: { vault } } = memory;
  if (vault === undefined || vault.moves.length === 0) return;
  for (const { from, to, since } of vault.moves) {
    const isOld = systemNow() - (parseTime(since) ?? 0) > TEMP_AGE_MS_MAX;
    if ((!isOld && isEmpty(fs, from)) || fs.lstat(to)?.kind !== "dir") continue;
    const [source, target] = [from, to].map((root) => storeAt(memory, vault, root));
    if (source === undefined || target === undefined) continue;
    const names = await namesThere(source, target, memory.stores);
    withStoreLock(source, () => {
      // Left unfinished by a writer that died.
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

interface Move {
  readonly from: Store;
  readonly to: Store;
}

interface Plan extends Relocation {
  readonly store: Store;
}

async function moveAll(memory: Memory, wanted: Omit<Vault, "moves">): Promise<MoveReport> {
  const { fs } = memory;
  const moves = withNotes(memory, movesTo(memory, wanted));
  const plans = await plansOf(memory, moves);
  for (const { to } of moves) fs.makeDir(to.root, folderMode(to));
  const since = rfc3339(systemNow());
  const moved = plans.map(({ from, to }) => ({ from, to, since }));
  const back = wanted.stores.flatMap(({ id, home }) => {
    const files = moved.some(({ from }) => from === home) ? 0 : filesOfNotes(fs, home).files.length;
    const { scope, root: to } = openAt(memory, id, home, { ...wanted, moves: [] });
    return files === 0 ? [] : [{ scope, from: home, to, files }];
  });
  // A process that waits for a lock must find the note gone, and not what it thinks it still is.
  const alone = plans.reduceRight<() => Relocated[]>(
    (inner, { store }) => () => withStoreLock(store, inner),
    () => {
      const made = plans.map((plan) => copyNotes(fs, plan));
      changeVault(memory, (now) => ({
        ...wanted,
        moves: [
          ...(now?.moves ?? []).filter(({ from }) =>
            !moved.some(({ to }) => to === from) && !back.some((one) => one.from === from)
          ),
          ...moved,
          // It came with git since: moved after the others.
          ...back.map(({ from, to }) => ({ from, to, since })),
        ],
      }));
      for (const plan of plans) moveNotes(fs, plan);
      return made;
    },
  );
  const made = alone();
  // Recorded by place: otherwise nobody would find it again, nor what is forgotten in it.
  for (const { store } of plans) dropOtherIndexes(memory, store.id, []);
  await finish(memory);
  return {
    vault: wanted.root,
    namespace: wanted.namespace,
    moved: [
      ...plans.map(({ store: { scope }, from, to }, i) => {
        return { scope, from, to, files: made[i]?.files ?? 0 };
      }),
      ...back,
    ],
    left: plans.flatMap(({ from }, i) => (made[i]?.left ?? []).map((path) => join(from, path))),
  };
}

/** The stores whose notes are elsewhere once the vault is as wanted. */
function movesTo(memory: Memory, wanted: Omit<Vault, "moves">): Move[] {
  const before = memory.places.vault;
  const all = [...before?.stores ?? [], ...wanted.stores];
  const homes = [...new Map(all.map((store) => [store.id, store])).values()];
  return homes.flatMap(({ id, home }) => {
    const [from, to] = [before, { ...wanted, moves: [] }].map((vault) =>
      openAt(memory, id, home, vault)
    );
    return from === undefined || to === undefined || from.root === to.root ? [] : [{ from, to }];
  });
}

/** Of each move with a folder to move; its inbox is folded first, and no change may be left in it. */
async function plansOf({ fs, stores }: Memory, moves: readonly Move[]): Promise<Plan[]> {
  const plans: Plan[] = [];
  for (const { from, to } of moves) {
    if (fs.lstat(from.root)?.kind !== "dir") continue;
    await foldInboxes([from]);
    if (listInbox(from).length > 0) {
      throw new SageError("locked", `Changes wait in ${quote(from.root)} for a note to be free`, {
        hint: "close it in the editor, then repeat",
      });
    }
    const names = await namesThere(from, to, stores);
    plans.push({ store: from, from: from.root, to: to.root, names, mode: folderMode(to) });
  }
  return plans;
}

/** From here on the notes are in their new place: the rest is moved, linked and mapped. */
async function finish(memory: Memory): Promise<void> {
  const fresh = await openFrom(memory, memory.places.here);
  try {
    await settleMoves(fresh);
    const { vault } = fresh.places;
    if (vault === undefined) return;
    await inEach(fresh, vault, async (there, store) => {
      if (store.vault !== undefined) await relink(there, store);
      await refreshMaps(there);
    });
  } finally {
    fresh.close();
  }
}

/** Runs a step for each store in the vault, with a memory as its project sees it. */
async function inEach(
  memory: Memory,
  vault: Vault,
  step: (there: Memory, store: Store) => Promise<void>,
): Promise<void> {
  for (const { id, home } of vault.stores) {
    if (memory.fs.lstat(home)?.kind !== "dir") continue;
    const there = await openFrom(memory, id === USER_STORE ? memory.places.here : dirname(home));
    try {
      const store = id === USER_STORE ? there.user : there.project;
      if (store !== undefined) await step(there, store);
    } finally {
      there.close();
    }
  }
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

/** The store whose notes are, or were, in this folder. */
function storeAt(memory: Memory, vault: Vault, root: string): Store | undefined {
  const { fs, holder, places: { stateDir, userRoot } } = memory;
  const prefix = `${vault.root}/`;
  if (!root.startsWith(prefix)) {
    const scope = root === userRoot ? "user" : "project";
    return openStore({ root, scope, stateDir, holder, fs });
  }
  // By its place alone: it may have left the vault.
  const store = openStore({ root, scope: "user", stateDir, holder, fs });
  return { ...store, vault: { root: vault.root, path: root.slice(prefix.length) } };
}

/**
 * Without stores of a vault that was moved by hand: it holds the notes already, and only its name
 * changes. A store that is not there at all would look as if it had none.
 */
function withNotes({ fs }: Memory, moves: readonly Move[]): Move[] {
  const isThere = ({ root }: Store): boolean => fs.lstat(root)?.kind === "dir";
  const isGone = ({ from }: Move): boolean => from.vault !== undefined && !isThere(from);
  const lost = moves.findLast((move) =>
    isGone(move) && (!isThere(move.to) || move.to.vault === undefined)
  );
  if (lost !== undefined) throw notThere(lost.from.root);
  return moves.filter((move) => !isGone(move));
}

function notThere(root: string): SageError {
  return new SageError("not_found", `Cannot find ${quote(root)}, where notes lie`, {
    hint: "bring the vault back, or name the one that has them now",
  });
}
