/**
 * Brings the index up to date with the files. The only place that knows both, so that an index can be deleted,
 * and a store used without one. Private text never gets in, forgotten notes never come back.
 */
import { monotonic } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { REFRESH_HOOK_MS_MAX } from "../../base/limits.ts";
import type { NoteDocument } from "../../search/document.ts";
import type { Store } from "../../store/handle.ts";
import { openIgnores } from "../../store/ignore.ts";
import { type Change, scanInParts, scanStore } from "../../store/scan.ts";
import { forgottenAmong, isForgotten } from "../../store/tombstones.ts";
import type { readDocument } from "./document.ts";
import { dropOldFormats, dropVectors } from "../sweep/index_folders.ts";
import { missingFolder } from "../vault/missing_folder.ts";
import { answersLate, type Memory, storesThere } from "../memory.ts";
import { embedAhead, isRefusedByModel, paceOf } from "./pace.ts";

export interface RefreshReport {
  readonly notes: number;
  readonly changed: number;
  readonly skipped: readonly { readonly path: string; readonly reason: string }[];
  readonly milliseconds: number;
  /** False if the deadline came first; the rest is left to the next process. */
  readonly complete: boolean;
  /** The index could not be written: answers come from it as it was, with a warning. */
  readonly unwritten?: boolean;
}

interface RefreshOptions {
  readonly deadlineMs?: number;
  /** Called after each step that was written, with the changes so far and in all. */
  readonly onStep?: (done: number, all: number) => void;
  /** Fail if the index cannot be written, even if it could be read as it was. */
  readonly mustWrite?: boolean;
  /** Awaited between parts of the walk over the files, to free this thread for others. */
  readonly pause?: (() => Promise<void>) | undefined;
}

/** The deadline is checked after this many bytes read; a small document counts as this many. */
const UNWATCHED_BYTES_MAX = 512 * 1024;
const DOCUMENT_BYTES_MIN = 8 * 1024;

/**
 * Refreshes one store's index. A hook always has a deadline, which begins after the walk over the
 * files: so an index that is far behind gets nearer with every session, however slow the disk.
 */
export async function refreshStore(
  memory: Memory,
  store: Store,
  options: RefreshOptions = {},
): Promise<RefreshReport> {
  const index = memory.index(store);
  const { damages } = index;
  const report = await refreshOnce(memory, store, options);
  // What was known is lost with a damaged index, and only what changed was put into the new one.
  return index.damages === damages ? report : await refreshOnce(memory, store, options);
}

async function refreshOnce(
  memory: Memory,
  store: Store,
  options: RefreshOptions,
): Promise<RefreshReport> {
  const start = monotonic();
  // Hooks never ask an embeddings server: the built-in model's index, which they use, is kept up too.
  if (answersLate(memory)) await refreshStore(memory.plain(), store);
  const index = memory.index(store);
  if (memory.settled !== undefined) {
    return { notes: 0, changed: 0, skipped: [], milliseconds: 0, complete: true };
  }
  const { known, changes } = await look(memory, store, options.pause);
  const { deadlineMs = memory.hook ? REFRESH_HOOK_MS_MAX : Infinity } = options;
  const counts = { all: changes.length, known: known.size };
  const batch = batchFor(memory, store, { ...options, deadlineMs, ...counts });
  const ordered = deadlineMs === Infinity ? changes : changes.toSorted(newestFirst);
  const { skipped, complete } = await readChanges(memory, store, ordered, {
    known,
    batch,
    deadlineMs,
  });
  const { changed, isUnwritten } = batch.done();
  if (changed > 0 && !memory.hook) dropOldFormats(memory, store.id);
  return {
    notes: changed === 0 ? known.size : index.stamps().size,
    changed,
    skipped,
    milliseconds: monotonic() - start,
    complete,
    ...(isUnwritten ? { unwritten: true } : {}),
  };
}

/** Reads what changed into the batch. Removals are never left out; reading ends with the deadline. */
async function readChanges(
  memory: Memory,
  store: Store,
  changes: readonly Change[],
  { known, batch, deadlineMs }: {
    readonly known: { has(path: string): boolean };
    readonly batch: ReturnType<typeof batchFor>;
    readonly deadlineMs: number;
  },
): Promise<Pick<RefreshReport, "skipped" | "complete">> {
  const deadline = monotonic() + deadlineMs;
  const pace = paceOf(memory.embedder(), deadlineMs);
  const isGone = forgottenAmong(memory.fs, memory.places.stateDir);
  const skipped: { path: string; reason: string }[] = [];
  let unwatched = 0;
  let isTimeUp = false;

  /** Removes a note that was known and may not be indexed now; says why, unless it is merely gone. */
  const leaveOut = (path: string, reason: string): void => {
    if (known.has(path)) batch.remove(path);
    if (reason !== "absent") skipped.push({ path, reason });
  };

  for (const change of changes) {
    const { path } = change;
    if (change.kind === "skipped") {
      skipped.push({ path, reason: change.reason });
      continue;
    }
    if (change.kind === "removed") {
      batch.remove(path);
      continue;
    }
    if (isTimeUp) continue;
    const document = await read(memory, store, path, isGone);
    if (typeof document === "string") leaveOut(path, document);
    else if (pace.allows(document)) batch.put({ ...document, stamp: change.stamp });
    else {
      isTimeUp = true;
      continue;
    }
    unwatched += Math.max(change.stamp.size, DOCUMENT_BYTES_MIN);
    if (unwatched >= UNWATCHED_BYTES_MAX) {
      isTimeUp = monotonic() > deadline;
      unwatched = 0;
    }
    if (pace.isStep() && !await batch.write()) isTimeUp = true;
  }
  if (!await batch.write()) isTimeUp = true;
  return { skipped, complete: !isTimeUp };
}

/**
 * Newest files first, because a session's start tells what was written last, and an index that is
 * rebuilt, as after an update, may not be finished by then.
 */
function newestFirst(a: Change, b: Change): number {
  const mtimeMs = (change: Change): number => "stamp" in change ? change.stamp.mtimeMs : 0;
  return mtimeMs(b) - mtimeMs(a);
}

/** The stamps in the index, and what changed since. */
async function look(memory: Memory, store: Store, pause: RefreshOptions["pause"]) {
  const ignores = await openIgnores(memory.fs, memory.places);
  const index = memory.index(store);
  const options = { ignores, opensFiles: false };
  if (pause !== undefined) {
    const known = index.stamps();
    const changes = await scanInParts(store, known, options, pause);
    if (changes.every(({ kind }) => kind !== "removed")) return { known, changes };
  }
  const known = index.stamps();
  return { known, changes: scanStore(store, known, options) };
}

/** Collects changes that are not in the index yet, and writes several at once. */
function batchFor(
  memory: Memory,
  store: Store,
  { deadlineMs, onStep, mustWrite, all, known }: RefreshOptions & {
    readonly all: number;
    readonly known: number;
  },
) {
  const index = memory.index(store);
  let [removed, added]: [string[], NoteDocument[]] = [[], []];
  let changed = 0;
  let isUnwritten = false;
  /** Whether answers may come from the index as it was. */
  const readsOn = (error: unknown): boolean => {
    const isDisk = error instanceof SageError &&
      (error.code === "permission" || error.code === "disk_full");
    if (!isDisk || known === 0 || mustWrite === true) return false;
    memory.warn?.(`${error.message}; what changed since is not found`);
    return isUnwritten = memory.warn !== undefined;
  };
  return {
    remove: (path: string) => void removed.push(path),
    put: (document: NoteDocument) => void added.push(document),
    done: () => ({ changed, isUnwritten }),
    /**
     * Writes what was collected. False where that failed with a warning: the rest is left to the next
     * process.
     */
    async write(): Promise<boolean> {
      const [remove, put] = [removed, added];
      [removed, added] = [[], []];
      if (put.length + remove.length === 0) return true;
      if (deadlineMs === Infinity) await embedAhead(memory.embedder(), put);
      const erase = holdsForgotten(memory, store, remove);
      try {
        index.apply({ put, remove, erase }, memory.embedder());
      } catch (error) {
        // With a damaged model the present index can still be searched; an embeddings server is
        // replaced by the built-in model, whose index has everything.
        const isSaid = isRefusedByModel(error);
        if (!isSaid && !readsOn(error)) throw error;
        if (isSaid && answersLate(memory)) memory.fallBack();
        return false;
      }
      changed += put.length + remove.length;
      onStep?.(changed, all);
      return true;
    },
  };
}

/** Whether one of them was forgotten by a process that died before it erased the index: then no byte may stay. */
function holdsForgotten(memory: Memory, store: Store, paths: readonly string[]): boolean {
  if (paths.length === 0) return false;
  const gone = new Set(paths);
  return memory.index(store).notes().some(({ id, path, contentHash }) =>
    gone.has(path) && isForgotten(memory.fs, memory.places.stateDir, { id, store, contentHash })
  );
}

/** Refreshes every store in reach. */
export async function refreshAll(
  memory: Memory,
  options: RefreshOptions = {},
): Promise<RefreshReport[]> {
  if (memory.warn !== undefined) {
    const missing = missingFolder(memory);
    if (missing !== undefined) memory.warn(missing);
  }
  return await refreshThere(memory, options);
}

/**
 * What `read` makes of refreshed indexes. One of which a part turns out to be damaged is empty from then on:
 * it is derived anew, and all is read once more.
 */
export async function readFresh<T>(
  memory: Memory,
  read: (reports: readonly RefreshReport[]) => T | Promise<T>,
): Promise<T> {
  const reports = await refreshAll(memory);
  const indexes = storesThere(memory).map((store) => memory.index(store));
  const damages = (): number => indexes.reduce((sum, index) => sum + index.damages, 0);
  const before = damages();
  const found = await read(reports);
  if (damages() === before) return found;
  return await read(await refreshAll({ ...memory, settled: undefined }));
}

/** The same without the warning, for callers that report a missing folder themselves. */
export async function refreshThere(
  memory: Memory,
  options: RefreshOptions = {},
): Promise<RefreshReport[]> {
  const reports: RefreshReport[] = [];
  for (const store of storesThere(memory)) {
    reports.push(await refreshStore(memory, store, options));
  }
  return reports;
}

/** Drops every index and builds it anew. */
export async function rebuildAll(memory: Memory): Promise<RefreshReport[]> {
  dropVectors(memory);
  await memory.prepare();
  if (answersLate(memory)) await rebuildAll(memory.plain());
  for (const store of memory.stores) {
    const index = memory.index(store);
    const paths = [...index.stamps().keys()];
    if (paths.length > 0) index.apply({ put: [], remove: paths, erase: true }, memory.embedder());
  }
  return await refreshAll(memory);
}

/** Indexes what was just saved. Never throws: the note is on disk, and the next refresh repairs the index. */
export async function indexSaved(memory: Memory, store: Store, path?: string): Promise<boolean> {
  try {
    if (path === undefined) await refreshStore({ ...memory, settled: undefined }, store);
    else await indexOne(memory, store, path);
    return true;
  } catch {
    return false;
  }
}

/**
 * Indexes one file, without a walk over the others. Other changes, and what would take a hook too long,
 * are left to the next scan.
 */
async function indexOne(memory: Memory, store: Store, path: string): Promise<void> {
  if (answersLate(memory)) await indexOne(memory.plain(), store, path);
  memory.index(store).refresh();
  const document = await read(memory, store, path);
  const pace = paceOf(memory.embedder(), memory.hook ? REFRESH_HOOK_MS_MAX : Infinity);
  if (typeof document === "object" && !pace.allows(document)) return;
  const change = typeof document === "object"
    ? { put: [document], remove: [] }
    : { put: [], remove: [path] };
  if (answersLate(memory)) await embedAhead(memory.embedder(), change.put);
  memory.index(store).apply(change, memory.embedder());
}

/** Loads the parser of notes only when one has changed: most searches find nothing new. */
const read: typeof readDocument = async (...given) => {
  const { readDocument } = await import("./document.ts");
  return await readDocument(...given);
};
