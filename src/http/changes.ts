/**
 * Finds changes of notes, made by this process, another one, or a person with an editor. Scans while
 * somebody listens, as every search does. The system's file watcher would be faster, but loses events without
 * notice.
 */
import { monotonic } from "../base/clock.ts";
import { randomHex } from "../base/hash.ts";
import { HTTP_EVENTS_MAX } from "../base/limits.ts";
import { catalogue } from "../memory/catalogue.ts";
import type { Memory } from "../memory/memory.ts";
import { questionsMark } from "../memory/question/question.ts";
import type { Lender } from "./lend.ts";

export interface NoteChange {
  readonly change: "created" | "changed" | "removed";
  readonly id: string;
  readonly type: string;
  readonly scope: string;
}

/**
 * One event. `inbox`: a question was asked or answered. `reload`: too much changed at once, or some of
 * it was missed.
 */
export type ChangeEvent =
  | { readonly id: string; readonly kind: "note"; readonly note: NoteChange }
  | { readonly id: string; readonly kind: "inbox" | "reload" };

export interface Changes {
  /** Scans now, if anybody listens. */
  look(): Promise<void>;
  /** `since`: the last event that the listener has seen; later ones are sent at once. */
  listen(tell: (event: ChangeEvent) => void, since?: string): Promise<() => void>;
  readonly listeners: number;
  /** The id of the last event, also for listeners that have received none, to come back with. */
  readonly last: string;
  close(): void;
}

/** Between two looks; longer if a look is a walk over tens of thousands of files. */
const PAUSE_MS_MIN = 1000;
const PAUSE_MS_MAX = 10_000;
/** A page may be open all day: of that, looking takes a tenth. */
const PAUSES_PER_LOOK = 9;

export function pauseAfter(lookMs: number): number {
  return Math.min(PAUSE_MS_MAX, Math.max(PAUSE_MS_MIN, PAUSES_PER_LOOK * lookMs));
}

interface Seen {
  readonly stamp: string;
  readonly type: string;
  readonly scope: string;
  readonly id: string;
}

export function createChanges(lender: Lender): Changes {
  const listeners = new Set<(event: ChangeEvent) => void>();
  /** A prefix of ids that differs for each process, so that ids from an earlier one are recognized as unknown. */
  const epoch = randomHex(4);
  /** The latest events. The first stands for everything before it. */
  const told: ChangeEvent[] = [{ id: `${epoch}-0`, kind: "reload" }];
  let count = 0;
  let state: string | undefined;
  let questions = "";
  let known: ReadonlyMap<string, Seen> = new Map();
  let timer: number | undefined;
  let looking: Promise<void> | undefined;
  let beginning: Promise<void> | undefined;

  function tell(event: ChangeEvent): void {
    told.push(event);
    if (told.length > HTTP_EVENTS_MAX) told.shift();
    for (const listener of listeners) listener(event);
  }

  function nextId(): string {
    return `${epoch}-${++count}`;
  }

  async function look(): Promise<void> {
    await lender.read(async (memory, now) => {
      const asked = questionsMark(memory);
      if (asked !== questions) tell({ id: nextId(), kind: "inbox" });
      questions = asked;
      if (now === state) return;
      const [before, after] = [known, await snapshot(memory)];
      [known, state] = [after, now];
      const changes = difference(before, after);
      if (changes.length > HTTP_EVENTS_MAX) tell({ id: nextId(), kind: "reload" });
      else for (const note of changes) tell({ id: nextId(), kind: "note", note });
    });
  }

  /** Takes the state at the start, since changes before it are no news to a new listener. */
  async function begin(): Promise<void> {
    await lender.read(async (memory, now) => {
      if (state !== undefined && now !== state) tell({ id: nextId(), kind: "reload" });
      questions = questionsMark(memory);
      [known, state] = [await snapshot(memory), now];
    });
    timer ??= setTimeout(lookAgain, PAUSE_MS_MIN);
  }

  async function lookAgain(): Promise<void> {
    const before = timer;
    const start = monotonic();
    await lookOnce();
    // Stopped meanwhile, and perhaps begun anew.
    if (timer === before) timer = setTimeout(lookAgain, pauseAfter(monotonic() - start));
  }

  function stopLooking(): void {
    clearTimeout(timer);
    timer = undefined;
  }

  function lookOnce(): Promise<void> {
    looking ??= look().catch(() => {
      // The next scan may find the disk again.
    }).finally(() => looking = undefined);
    return looking;
  }

  return {
    async look() {
      if (listeners.size === 0) return;
      // A scan in progress may have begun before the change that this one is to find.
      await looking;
      await lookOnce();
    },
    async listen(listener, since) {
      if (listeners.size === 0) {
        // Once for all that come at the same time: a second snapshot would hide changes from the first
        // listeners.
        await (beginning ??= begin().finally(() => beginning = undefined));
      }
      if (since !== undefined) {
        const at = told.findIndex(({ id }) => id === since);
        const missed = at >= 0 ? told.slice(at + 1) : [{ id: nextId(), kind: "reload" as const }];
        for (const event of missed) listener(event);
      }
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stopLooking();
      };
    },
    get listeners() {
      return listeners.size;
    },
    get last() {
      return told.at(-1)?.id ?? "";
    },
    close() {
      stopLooking();
      listeners.clear();
    },
  };
}

/**
 * By the stamps of files, because an edit by hand changes neither `updated` nor `status`. For two files
 * with the same id the stamps are joined.
 */
async function snapshot(memory: Memory): Promise<Map<string, Seen>> {
  const seen = new Map<string, Seen>();
  for (const { store: { root, scope }, note } of await catalogue(memory)) {
    const { id, kind: type, path, stamp: { size, mtimeMs, inode } } = note;
    const key = `${root} ${id}`;
    const stamp = `${seen.get(key)?.stamp ?? ""}${path} ${size} ${mtimeMs} ${inode}\n`;
    seen.set(key, { id, type, scope, stamp });
  }
  return seen;
}

/** Compares notes, not files: a file with another name is no change. */
function difference(
  before: ReadonlyMap<string, Seen>,
  after: ReadonlyMap<string, Seen>,
): NoteChange[] {
  const changes: NoteChange[] = [];
  const toChange = (change: NoteChange["change"], { id, type, scope }: Seen): NoteChange => ({
    change,
    id,
    type,
    scope,
  });
  for (const [key, note] of after) {
    const old = before.get(key);
    if (old === undefined) changes.push(toChange("created", note));
    else if (old.stamp !== note.stamp) changes.push(toChange("changed", note));
  }
  for (const [key, note] of before) {
    if (!after.has(key)) changes.push(toChange("removed", note));
  }
  return changes;
}
