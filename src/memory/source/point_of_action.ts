/**
 * Names the one note to know of before editing a file, once a session, without quoting it. A note that rests
 * on many files is about none of them, and is not named.
 */
import { compareText } from "../../base/text/text.ts";
import { estimateTokens } from "../../base/text/tokens.ts";
import { type Entry, isOfProject, knownEntries, readEntry } from "../index/entries.ts";
import { toItem } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { howToRead } from "../pointer.ts";
import { quote } from "../recalled.ts";
import { readSession, updateSession } from "../session/state/state.ts";
import { recordUse } from "../use.ts";
import { projectPaths } from "./check.ts";
import { withDoubtFlag } from "../doubt_flags.ts";

export type Named =
  | { readonly gate: "no_note" | "shown_before" }
  | { readonly text: string; readonly id: string };

/** A note with more sources is an overview. */
const SOURCES_MAX = 8;
const TOKENS_MAX = 60;
const TITLE_CHARACTERS = [80, 60, 40, 20];

export async function nameNote(memory: Memory, session: string, file: string): Promise<Named> {
  const paths = projectPaths(memory, [file], "here");
  const resting = knownEntries(memory, {
    kinds: ["knowledge"],
    statuses: ["active"],
    sourced: true,
  })
    .filter((entry) => isMeant(memory, entry) && holds(entry, paths)).sort(nearestFirst);
  const [nearest] = resting;
  if (nearest === undefined) return { gate: "no_note" };
  // The nearest or none: after it was named, another edit of the file does not name the next.
  const { id, contentHash } = nearest.note;
  const version = contentHash.slice(0, 16);
  if (readSession(memory, session)?.shown?.[id] === version) return { gate: "shown_before" };
  const stored = await readEntry(nearest);
  if (stored === undefined || stored.hash !== contentHash) return { gate: "no_note" };

  const note = withoutPrivate(stored.note);
  const item = await withDoubtFlag(memory, toItem({ ...stored, note }), stored.sources);
  updateSession(memory, session, (state) => ({
    ...state,
    shown: { ...state.shown, [id]: version },
  }));
  recordUse(memory, "surfaced", id);
  return { id, text: textOf(item.title, item.updated, item.stale !== undefined, id) };
}

/** Notes of trusted stores that no other note replaces. */
function isMeant(memory: Memory, entry: Entry): boolean {
  return entry.store.trust !== "unknown" && isOfProject(memory, entry) &&
    entry.note.supersededBy === undefined;
}

function holds({ note: { sources = [] } }: Entry, paths: ReadonlySet<string>): boolean {
  return sources.length <= SOURCES_MAX && sources.some(({ path }) => paths.has(path));
}

/** The fewer files a note rests on, the more it is about each. */
function nearestFirst(a: Entry, b: Entry): number {
  return (a.note.sources?.length ?? 0) - (b.note.sources?.length ?? 0) ||
    compareText(b.note.updated, a.note.updated);
}

function textOf(title: string, updated: string, isStale: boolean, id: string): string {
  const date = updated.slice(0, 10);
  const stale = isStale ? ", older than the file" : "";
  const texts = TITLE_CHARACTERS.map((characters) =>
    `Sage: a note of ${date} rests on this file${stale}: ${quote(title, characters)} ` +
    `(${howToRead(id)})`
  );
  return texts.find((text) => estimateTokens(text) <= TOKENS_MAX) ?? texts.at(-1) ?? "";
}
