/**
 * Memory for many readers at once. It stays open, and is brought up to the disk a few times a second
 * instead of at every question, which costs as much as the question itself. What writes opens a memory
 * of its own, one after the other, and sees the disk as it is.
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
import { refreshExternals } from "../memory/external_sources.ts";
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
  /** Done when the look under way is, too. */
  close(): Promise<void>;
}

interface Shared {
  readonly memory: Memory;
  readonly settings: string;
  readonly state: string;
  readonly openedAt: number;
  /** When the look began that found it so, and how long that took. */
  lookedAt: number;
  lookMs: number;
  settled: Settled;
  /** Readers under way; it is closed when it was replaced and the last of them is done. */
  readers: number;
}

/** `modelMsMin`: a model that failed is tried again after so long, HTTP_MODEL_MS_MIN by default. */
export function createLender(
  where: Where,
  modelMsMin = HTTP_MODEL_MS_MIN,
  now: () => number = monotonic,
): Lender {
  let shared: Shared | undefined;
  let looking: Promise<Shared> | undefined;
  /** Readers that wait for the look under way. */
  let waiting = 0;
  let lastWrite: Promise<unknown> = Promise.resolve();
  let writtenAt = -Infinity;
  let isClosed = false;
  const opened = new Set<Shared>();

  async function look(): Promise<Shared> {
    const lookedAt = now();
    // Settings and trust can be read without what searches and embeds.
    const light = await openMemory({ ...where, light: true });
    const settings = settingsOf(light);
    light.close();
    const isKept = shared?.settings === settings && !isToTryAgain(shared, now() - modelMsMin);
    const kept = isKept && shared !== undefined ? shared.memory : await openMemory(where);
    let outside: string;
    try {
      await refreshAll(kept, { pause: letOthers() });
      outside = await outsideChecks(kept);
      if (isClosed) throw new SageError("internal", "The memory was closed during a look at it");
    } catch (error) {
      if (kept !== shared?.memory) kept.close();
      throw error;
    }
    const state = stateOf(kept, settings, outside);
    const settled = { stores: storesThere(kept), questioned: questionedNotes(kept) };
    const lookMs = now() - lookedAt;
    if (shared?.memory === kept && shared.state === state) {
      return Object.assign(shared, { lookedAt, lookMs, settled });
    }
    const openedAt = kept === shared?.memory ? shared.openedAt : lookedAt;
    const [old, next] = [shared, {
      memory: kept,
      settings,
      state,
      openedAt,
      lookedAt,
      lookMs,
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

  /** The pauses of one look. */
  function letOthers(): () => Promise<void> {
    let isCrowded = false;
    return async () => {
      // Where somebody waits for the look it goes on at once: nobody is answered before its end. Where there
      // is always somebody to let pass, everybody would come to wait for it.
      if (waiting > 0 || isCrowded) return;
      const begunAt = now();
      await new Promise((done) => setTimeout(done));
      isCrowded = now() - begunAt > HTTP_CROWD_MS;
    };
  }

  function lookOnce(): Promise<Shared> {
    return looking ??= look().finally(() => looking = undefined);
  }

  async function current(behindMsMax: number): Promise<Shared> {
    const known = shared;
    const wanted = writtenAt;
    if (known !== undefined && known.lookedAt > wanted) {
      // Of one that took longer only its end counts: a large store would be looked at without a break.
      const since = known.lookedAt + Math.max(0, known.lookMs - HTTP_AHEAD_MS);
      const left = since + behindMsMax - now();
      // What is wrong is told who waits for a look.
      if (left > 0 && left < HTTP_AHEAD_MS) lookOnce().catch(() => {});
      if (left > 0) return known;
    }
    waiting++;
    try {
      const found = await lookOnce();
      // One that was under way may have missed what was written.
      return found.lookedAt > wanted ? found : await lookOnce();
    } finally {
      waiting--;
    }
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
          // Whoever wrote sees it in the next answer.
          writtenAt = now();
        }
      });
      lastWrite = next.catch(() => undefined);
      return next;
    },
    async close() {
      isClosed = true;
      shared = undefined;
      // What is closed under a look is opened by it again, and closed by nobody.
      await looking?.catch(() => {});
      for (const one of opened) release(one);
    },
  };
}

/**
 * A model that was set and failed, an embeddings server above all, may be there again: one that asks anew
 * each time, as the command line does, would find it. What was opened after `since` is left alone.
 */
function isToTryAgain({ memory, openedAt }: Shared, since: number): boolean {
  return isWithoutModel(memory) && openedAt < since;
}

/** Everything beside the notes that an answer depends on. */
function settingsOf(memory: Memory): string {
  const settings = listSettings(memory).map(({ value, source }) => [value, source]);
  const stores = memory.stores.map(({ id, root, trust }) => [id, root, trust]);
  const { projectIds, projectName, here } = memory.places;
  return JSON.stringify([settings, stores, projectIds, projectName, here]);
}

/** What the editor remembers and what else lies in a vault is searched too. */
async function outsideChecks(memory: Memory): Promise<string> {
  const stores = await refreshExternals(memory);
  return stores.map((store) => memory.index(store).check).join();
}

/** Not by revisions: an index that is derived anew counts from 1 again. */
function stateOf(memory: Memory, settings: string, outside: string): string {
  const checks = memory.stores.map((store) =>
    memory.fs.lstat(store.root) === undefined ? "none" : memory.index(store).check
  );
  const rest = `${memory.embedder().id}${checks.join()} ${outside} ${questionsMark(memory)}`;
  return sha256Hex(settings + rest).slice(0, 32);
}
