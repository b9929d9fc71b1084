/**
 * For the orientation: knowledge that became stale recently. Older staleness is shown with the note, not at
 * every start, however often its file has changed since.
 */
import { DAY_MS } from "../../base/clock.ts";
import { join } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { compareText } from "../../base/text/text.ts";
import type { IndexedNote } from "../../search/document.ts";
import { isOfProject, knownEntries } from "../index/entries.ts";
import { readFreshnessState, updateFreshnessState } from "../freshness/state.ts";
import type { StaleSource } from "../item.ts";
import type { Memory } from "../memory.ts";
import { howToRead } from "../pointer.ts";
import { quote } from "../recalled.ts";
import { changedAt, openContents } from "./contents.ts";
import { changedSources, describeStale } from "./stale.ts";

interface LatelyStale {
  /** One line; empty where there is nothing to say. */
  readonly text: string;
  /** When it becomes out of date by time alone; milliseconds. */
  readonly until: number;
}

/** Notes of one store that are looked at, those updated last; and files of all of them. */
const NOTES_MAX = 50;
const FILES_MAX = 64;
const LATELY_MS = 14 * DAY_MS;
/** Pairs of note and file that are remembered; the oldest are dropped. */
const STALE_MAX = 500;

export async function latelyStale(memory: Memory): Promise<LatelyStale> {
  const nothing = { text: "", until: Infinity };
  const notes = sourcedNotes(memory);
  if (notes.length === 0) return nothing;
  const contents = await openContents(memory);
  const found: { note: IndexedNote; stale: StaleSource[]; at: number }[] = [];
  const since = whenStale(memory);
  for (const note of notes) {
    const stale = changedSources(contents, note.sources ?? []);
    for (const { path, hash } of note.sources ?? []) {
      if (hash !== undefined && contents.hashOf(path) === hash) since.forget(note, path);
    }
    const at = Math.max(...stale.map((source) => since.at(note, source)));
    if (memory.now() - at < LATELY_MS) found.push({ note, stale, at });
  }
  contents.keep();
  since.keep();
  // Of several notes about one file the one that was worded last, because the others were told before.
  const [newest] = found.sort((a, b) => b.at - a.at || compareText(b.note.updated, a.note.updated));
  if (newest === undefined) return nothing;
  const { id, title } = newest.note;
  const more = found.length > 1 ? `; ${found.length - 1} more: sage check` : "";
  return {
    text: `- Stale: ${quote(title, 80)}: ${describeStale(newest.stale, 1)} ` +
      `(${howToRead(id)}${more})`,
    until: Math.min(...found.map(({ at }) => at + LATELY_MS)),
  };
}

/**
 * Since when a note differs from its source. A file has the time of its last change only, so the time of the
 * first one is remembered. It is dropped when the note is edited or verified, and when the file returns to
 * what the note rests on, as on another branch.
 */
function whenStale(memory: Memory) {
  const { stale: known = {} } = readFreshnessState(memory);
  const met: Record<string, number> = {};
  const over = new Set<string>();
  const keyOf = ({ id, sources = [] }: IndexedNote, path: string): string => {
    const hash = sources.find((source) => source.path === path)?.hash ?? "";
    return sha256Hex(`${id}\n${path}\n${hash}`).slice(0, 16);
  };
  return {
    at(note: IndexedNote, { path, change }: StaleSource): number {
      const key = keyOf(note, path);
      return known[key] ?? (met[key] ??= changedAt(memory, path, change));
    },
    forget(note: IndexedNote, path: string): void {
      const key = keyOf(note, path);
      if (known[key] !== undefined) over.add(key);
    },
    keep(): void {
      if (Object.keys(met).length === 0 && over.size === 0) return;
      try {
        updateFreshnessState(memory, (state) => {
          const stale = Object.entries({ ...state.stale, ...met }).filter(([key]) =>
            !over.has(key)
          );
          return { ...state, stale: Object.fromEntries(stale.slice(-STALE_MAX)) };
        });
      } catch {
        // The next start finds the same.
      }
    },
  };
}

/** The files on which the line depends, absolute. */
export function watchedSources(memory: Memory): string[] {
  const paths = sourcedNotes(memory).flatMap(({ sources = [] }) => sources.map(({ path }) => path));
  return [...new Set(paths)].map((path) => join(memory.places.checkoutDir, path));
}

/** Notes with sources, as far as a hook may look at their files. */
function sourcedNotes(memory: Memory): IndexedNote[] {
  const filter = { kinds: ["knowledge"], statuses: ["active"], sourced: true } as const;
  let left = FILES_MAX;
  return knownEntries(memory, filter, NOTES_MAX)
    .filter((entry) => isOfProject(memory, entry) && entry.store.trust !== "unknown")
    .map(({ note }) => note)
    .filter(({ sources = [] }) =>
      sources.some(({ hash }) => hash !== undefined) && (left -= sources.length) >= 0
    );
}
