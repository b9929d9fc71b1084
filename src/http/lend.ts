/**
 * One open memory for many readers. It is refreshed a few times a second instead of for every request,
 * which would cost as much as the request itself. Writers open a memory of their own, one after the other,
 * and see the disk as it is.
 */
import { monotonic } from "../base/clock.ts";
import { SageError } from "../base/errors.ts";
import { sha256Hex } from "../base/hash.ts";
import {
  HTTP_AHEAD_MS,
  HTTP_CROWD_MS,
  HTTP_MODEL_MS_MIN,
  HTTP_SETTLED_MS_MAX,
} from "../base/limits.ts";
import { refreshOutsides } from "../memory/outside/sources.ts";
import {
  isWithoutModel,
  type Memory,
  openMemory,
  type Settled,
  storesThere,
  type Where,
} from "../memory/memory.ts";
import { questionedNotes, questionsMark } from "../memory/question/question.ts";
import { refreshAll } from "../memory/index/reindex.ts";
import { listSettings } from "../memory/settings.ts";

export type Body<T> = (memory: Memory) => Promise<T> | T;

export interface Lender {
  /** `state` identifies what the answer depends on: equal states give equal answers. */
  read<T>(
    body: (memory: Memory, state: string) => Promise<T> | T,
    /** How old the view of the disk may be, HTTP_SETTLED_MS_MAX by default. */
    behindMsMax?: number,
  ): Promise<T>;
  write<T>(body: Body<T>): Promise<T>;
  /** Waits for a refresh in progress. */
  close(): Promise<void>;
}

interface Shared {
  readonly memory: Memory;
  readonly settings: string;
  readonly state: string;
  readonly openedAt: number;
  /** When the last refresh began, and how long it took. */
  lookedAt: number;
  lookMs: number;
  settled: Settled;
  /** How many read it now. A replaced memory is closed when the last of them is done. */
  readers: number;
}

/** `modelMsMin`: a model that failed is tried again after this time, HTTP_MODEL_MS_MIN by default. */
export function createLender(
  where: Where,
  modelMsMin = HTTP_MODEL_MS_MIN,
  now: () => number = monotonic,
): Lender {
  return new SharedLender(where, modelMsMin, now);
}

class SharedLender implements Lender {
  readonly #where: Where;
  readonly #modelMsMin: number;
  readonly #now: () => number;
  /** The current one, which new readers get. */
  #shared: Shared | undefined;
  /** All whose memory is open: the current one, and replaced ones that are still read. */
  readonly #open = new Set<Shared>();
  #refreshing: Promise<Shared> | undefined;
  /** How many readers wait for the refresh in progress. */
  #waiting = 0;
  #lastWrite: Promise<unknown> = Promise.resolve();
  #writtenAt = -Infinity;
  #isClosed = false;

  constructor(where: Where, modelMsMin: number, now: () => number) {
    this.#where = where;
    this.#modelMsMin = modelMsMin;
    this.#now = now;
  }

  async read<T>(
    body: (memory: Memory, state: string) => Promise<T> | T,
    behindMsMax = HTTP_SETTLED_MS_MAX,
  ): Promise<T> {
    const one = await this.#current(behindMsMax);
    one.readers++;
    try {
      return await body({ ...one.memory, settled: one.settled }, one.state);
    } finally {
      one.readers--;
      this.#release(one);
    }
  }

  write<T>(body: Body<T>): Promise<T> {
    const next = this.#lastWrite.then(async () => {
      const memory = await openMemory(this.#where);
      try {
        return await body(memory);
      } finally {
        memory.close();
        // The next answer includes what was written.
        this.#writtenAt = this.#now();
      }
    });
    this.#lastWrite = next.catch(() => undefined);
    return next;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#shared = undefined;
    // A refresh in progress would open a memory that nothing closes.
    await this.#refreshing?.catch(() => {});
    for (const one of this.#open) this.#release(one);
  }

  async #current(behindMsMax: number): Promise<Shared> {
    const known = this.#shared;
    const writtenAt = this.#writtenAt;
    if (known !== undefined && known.lookedAt > writtenAt) {
      // The age of a long refresh counts from near its end, or a large store would be refreshed without a break.
      const since = known.lookedAt + Math.max(0, known.lookMs - HTTP_AHEAD_MS);
      const leftMs = since + behindMsMax - this.#now();
      // Refreshed ahead of time, so that no request waits. The next one reports a failure.
      if (leftMs > 0 && leftMs < HTTP_AHEAD_MS) this.#refreshOnce().catch(() => {});
      if (leftMs > 0) return known;
    }
    this.#waiting++;
    try {
      const found = await this.#refreshOnce();
      // A refresh that was in progress may have missed what was written.
      return found.lookedAt > writtenAt ? found : await this.#refreshOnce();
    } finally {
      this.#waiting--;
    }
  }

  #refreshOnce(): Promise<Shared> {
    return this.#refreshing ??= this.#refresh().finally(() => this.#refreshing = undefined);
  }

  /** Brings the shared memory up to date, or opens another if settings have changed. */
  async #refresh(): Promise<Shared> {
    const lookedAt = this.#now();
    const settings = await this.#readSettings();
    const before = this.#shared;
    const isKept = before?.settings === settings &&
      !isToTryAgain(before, this.#now() - this.#modelMsMin);
    const memory = isKept ? before.memory : await openMemory(this.#where);
    let external: string;
    try {
      await refreshAll(memory, { pause: this.#pauses() });
      external = await externalChecks(memory);
      if (this.#isClosed) {
        throw new SageError("internal", "The memory was closed during a refresh");
      }
    } catch (error) {
      if (memory !== this.#shared?.memory) memory.close();
      throw error;
    }
    const state = stateOf(memory, settings, external);
    const settled = { stores: storesThere(memory), questioned: questionedNotes(memory) };
    const lookMs = this.#now() - lookedAt;
    if (before?.memory === memory && before.state === state) {
      return Object.assign(before, { lookedAt, lookMs, settled });
    }
    const openedAt = memory === before?.memory ? before.openedAt : lookedAt;
    const next = { memory, settings, state, openedAt, lookedAt, lookMs, settled, readers: 0 };
    this.#shared = next;
    this.#open.add(next);
    if (before !== undefined) this.#release(before);
    return next;
  }

  /** Settings and trust, without what searches and embeds. */
  async #readSettings(): Promise<string> {
    const light = await openMemory({ ...this.#where, light: true });
    const settings = settingsOf(light);
    light.close();
    return settings;
  }

  /**
   * The pauses of one refresh, which let other requests on this thread run. None while a request waits for
   * the refresh; nor once a pause took long, because with so many requests it would never end.
   */
  #pauses(): () => Promise<void> {
    let isCrowded = false;
    return async () => {
      if (this.#waiting > 0 || isCrowded) return;
      const begunAt = this.#now();
      await new Promise((done) => setTimeout(done));
      isCrowded = this.#now() - begunAt > HTTP_CROWD_MS;
    };
  }

  /** Closes a replaced memory that nobody reads. Several states may share one memory. */
  #release(one: Shared): void {
    if (one === this.#shared || one.readers > 0) return;
    this.#open.delete(one);
    if (![...this.#open].some(({ memory }) => memory === one.memory)) one.memory.close();
  }
}

/**
 * Whether a model that failed is to be tried again, since an embeddings server may be back. Not if the
 * memory was opened after `since`.
 */
function isToTryAgain({ memory, openedAt }: Shared, since: number): boolean {
  return isWithoutModel(memory) && openedAt < since;
}

/** Everything but the notes that an answer depends on. */
function settingsOf(memory: Memory): string {
  const settings = listSettings(memory).map(({ value, source }) => [value, source]);
  const stores = memory.stores.map(({ id, root, trust }) => [id, root, trust]);
  const { projectIds, projectName, here } = memory.places;
  return JSON.stringify([settings, stores, projectIds, projectName, here]);
}

/** The state of the external sources, which are searched too. */
async function externalChecks(memory: Memory): Promise<string> {
  const stores = await refreshOutsides(memory);
  return stores.map((store) => memory.index(store).check).join();
}

/** Uses the indexes' checks, not their revisions, which start at 1 again when an index is rebuilt. */
function stateOf(memory: Memory, settings: string, external: string): string {
  const checks = memory.stores.map((store) =>
    memory.fs.lstat(store.root) === undefined ? "none" : memory.index(store).check
  );
  const rest = `${memory.embedder().id}${checks.join()} ${external} ${questionsMark(memory)}`;
  return sha256Hex(settings + rest).slice(0, 32);
}
