/**
 * Memory for many readers at once. It stays open, and is brought up to the disk a few times a second
 * instead of at every question, which costs as much as the question itself. What writes opens a memory
 * of its own, one after the other, and sees the disk as it is.
 */
import { monotonic } from "../base/clock.ts";
import { sha256Hex } from "../base/hash.ts";
import { HTTP_MODEL_MS_MIN, HTTP_SETTLED_MS_MAX } from "../base/limits.ts";
import { refreshOutsides } from "../memory/outsides.ts";
import {
  isWithoutModel,
  type Memory,
  openMemory,
  type Settled,
  storesThere,
  type Where,
} from "../memory/memory.ts";
import { questionedNotes, questionsMark } from "../memory/question/question.ts";
import { refreshAll } from "../memory/reindex.ts";
import { listSettings } from "../memory/settings.ts";

export type Body<T> = (memory: Memory) => Promise<T> | T;

export interface Lender {
  /** `state` names what the answer rests on: equal states give equal answers. */
  read<T>(
    body: (memory: Memory, state: string) => Promise<T> | T,
    /** How far behind the disk it may be, HTTP_SETTLED_MS_MAX by default. */
    behindMsMax?: number,
  ): Promise<T>;
  write<T>(body: Body<T>): Promise<T>;
  close(): void;
}

interface Shared {
  readonly memory: Memory;
  readonly settings: string;
  readonly state: string;
  readonly openedAt: number;
  checkedAt: number;
  /** How many writes were done when the look at the disk began. */
  writes: number;
  settled: Settled;
  /** Readers under way; it is closed when it was replaced and the last of them is done. */
  readers: number;
}

/** `modelMsMin`: a model that failed is tried again after so long, HTTP_MODEL_MS_MIN by default. */
export function createLender(where: Where, modelMsMin = HTTP_MODEL_MS_MIN): Lender {
  let shared: Shared | undefined;
  let checking: Promise<Shared> | undefined;
  let lastWrite: Promise<unknown> = Promise.resolve();
  let writes = 0;
  const opened = new Set<Shared>();

  async function check(): Promise<Shared> {
    const seen = writes;
    // Settings and trust can be read without what searches and embeds.
    const light = await openMemory({ ...where, light: true });
    const settings = settingsOf(light);
    light.close();
    const isKept = shared?.settings === settings && !isToTryAgain(shared, modelMsMin);
    const kept = isKept && shared !== undefined ? shared.memory : await openMemory(where);
    let outside: number;
    try {
      await refreshAll(kept);
      outside = await outsideRevision(kept);
    } catch (error) {
      if (kept !== shared?.memory) kept.close();
      throw error;
    }
    const [state, checkedAt] = [stateOf(kept, settings, outside), monotonic()];
    const settled = { stores: storesThere(kept), questioned: questionedNotes(kept) };
    if (shared?.memory === kept && shared.state === state) {
      shared.checkedAt = checkedAt;
      shared.writes = seen;
      shared.settled = settled;
      return shared;
    }
    const openedAt = kept === shared?.memory ? shared.openedAt : checkedAt;
    const [old, next] = [shared, {
      memory: kept,
      settings,
      state,
      openedAt,
      checkedAt,
      writes: seen,
      settled,
      readers: 0,
    }];
    shared = next;
    opened.add(next);
    if (old !== undefined) release(old);
    return next;
  }

  /** Closes memories that nobody reads any more; one memory may stand in several states. */
  function release(one: Shared): void {
    if (one === shared || one.readers > 0) return;
    opened.delete(one);
    if (![...opened].some(({ memory }) => memory === one.memory)) one.memory.close();
  }

  function look(): Promise<Shared> {
    return checking ??= check().finally(() => checking = undefined);
  }

  async function current(behindMsMax: number): Promise<Shared> {
    const wanted = writes;
    const isNew = shared !== undefined && monotonic() - shared.checkedAt < behindMsMax;
    if (shared?.writes === wanted && isNew) return shared;
    const looked = await look();
    // A look that was under way may have begun before the write.
    return looked.writes < wanted ? await look() : looked;
  }

  return {
    async read(body, behindMsMax = HTTP_SETTLED_MS_MAX) {
      const one = await current(behindMsMax);
      one.readers++;
      try {
        return await body({ ...one.memory, settled: one.settled }, one.state);
      } finally {
        one.readers--;
        release(one);
      }
    },
    write(body) {
      const next = lastWrite.then(async () => {
        const memory = await openMemory(where);
        try {
          return await body(memory);
        } finally {
          memory.close();
          // Whoever asks from now on sees it.
          writes++;
        }
      });
      lastWrite = next.catch(() => undefined);
      return next;
    },
    close() {
      shared = undefined;
      for (const one of opened) release(one);
    },
  };
}

/**
 * A model that was set and failed, an embeddings server above all, may be there again: one that asks anew
 * each time, as the command line does, would find it.
 */
function isToTryAgain({ memory, openedAt }: Shared, modelMsMin: number): boolean {
  return isWithoutModel(memory) && monotonic() - openedAt > modelMsMin;
}

/** Everything beside the notes that an answer depends on. */
function settingsOf(memory: Memory): string {
  const settings = listSettings(memory).map(({ value }) => value);
  const stores = memory.stores.map(({ id, root, trust }) => [id, root, trust]);
  const { projectIds, projectName, here } = memory.places;
  return JSON.stringify([settings, stores, projectIds, projectName, here]);
}

/** What the editor remembers and what else lies in a vault is searched too. */
async function outsideRevision(memory: Memory): Promise<number> {
  const stores = await refreshOutsides(memory);
  return stores.reduce((sum, store) => sum + memory.index(store).revision, 0);
}

function stateOf(memory: Memory, settings: string, outside: number): string {
  const revisions = memory.stores.map((store) =>
    memory.fs.lstat(store.root) === undefined ? -1 : memory.index(store).revision
  );
  const rest = `${memory.embedder().id}${revisions.join()} ${outside} ${questionsMark(memory)}`;
  return sha256Hex(settings + rest).slice(0, 32);
}
