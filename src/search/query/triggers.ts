/** Matches trigger keywords and patterns of notes with a query. A keyword matches as the same words in a row. */
import { basename } from "../../base/path.ts";
import type { StoredNote } from "../document.ts";
import type { Query } from "./query.ts";
import type { Segment } from "../segment/segment.ts";
import { readNote, readNotes, readTriggers, type Trigger } from "../segment/segment_notes.ts";
import { withoutCircles } from "../ranking/successors.ts";

/** Words of the longest run that is looked up. The few keywords that may be longer are searched one by one. */
const GRAM_WORDS_MAX = 8;

/** Which triggers of a note a query fires. */
export interface TriggerMatch {
  /** Every keyword that fired, as words with one space between. */
  readonly words: readonly string[];
  readonly hasPattern: boolean;
  /** The first keyword or pattern that fired. */
  readonly first: string;
}

/** The triggers of one segment, read once. */
class TriggerTable {
  readonly all: readonly Trigger[];

  constructor(segment: Segment) {
    this.all = readTriggers(segment);
  }

  /** Notes with a keyword or pattern in the query, by their numbers in the segment. */
  match(query: Query): Map<number, TriggerMatch> {
    let grams: ReadonlySet<string> | undefined;
    const hits = new Map<number, TriggerMatch>();
    for (const { note, kind, text } of this.all) {
      const isKeyword = kind === "keyword" &&
        ((grams ??= gramsOf(query.phrase)).has(text) ||
          text.length > 2 * GRAM_WORDS_MAX && ` ${query.phrase} `.includes(` ${text} `));
      const isPattern = kind === "pattern" && query.patterns.has(text);
      if (!isKeyword && !isPattern) continue;
      const { words = [], hasPattern = false, first = text } = hits.get(note) ?? {};
      hits.set(note, {
        words: isKeyword ? [...words, text] : words,
        hasPattern: hasPattern || isPattern,
        first,
      });
    }
    return hits;
  }
}

/** Factor on a keyword's share of the query: one that makes up two thirds of it counts fully. */
const KEYWORD_FACTOR = 1.5;
/** Somebody wrote a pattern for just such a text: it is enough to bring its note without other evidence. */
const PATTERN_SHARE = 2.4;

/**
 * The share of the query's weight that the note's best keyword makes up, 0..1; a keyword that half of the
 * store has weighs next to nothing. More than 1 for a pattern.
 */
export function triggerShare(
  match: TriggerMatch,
  board: { readonly weights: ReadonlyMap<string, number>; readonly reach: number },
): number {
  if (match.hasPattern) return PATTERN_SHARE;
  let most = 0;
  for (const keyword of match.words) {
    const weight = keyword.split(" ").reduce(
      (sum, word) => sum + (board.weights.get(word) ?? 0),
      0,
    );
    if (board.reach > 0) most = Math.max(most, weight / board.reach);
  }
  return Math.min(1, KEYWORD_FACTOR * most);
}

/** Every run of up to eight words of the phrase. */
function gramsOf(phrase: string): ReadonlySet<string> {
  const words = phrase.split(" ");
  const grams = new Set<string>();
  for (let start = 0; start < words.length; start++) {
    let gram = "";
    for (let end = start; end < Math.min(words.length, start + GRAM_WORDS_MAX); end++) {
      gram = gram === "" ? words[end] ?? "" : `${gram} ${words[end]}`;
      grams.add(gram);
    }
  }
  grams.delete("");
  return grams;
}

/** The triggers of all segments of an index, and which note replaces which. */
export class TriggerTables {
  readonly #segments: readonly Segment[];
  readonly tables: readonly TriggerTable[];
  #successors: ReadonlyMap<string, PlacedNote> | undefined;
  #names: ReadonlyMap<string, string> | undefined;

  constructor(segments: readonly Segment[]) {
    this.#segments = segments;
    this.tables = segments.map((segment) => new TriggerTable(segment));
  }

  patterns(): string[] {
    const patterns = new Set<string>();
    for (const table of this.tables) {
      for (const { kind, text } of table.all) if (kind === "pattern") patterns.add(text);
    }
    return [...patterns];
  }

  successorOf(id: string): PlacedNote | undefined {
    return (this.#successors ??= this.#readSuccessors()).get(id);
  }

  /** Of several notes that replace the same one, the last by path: the same however the index grew. */
  #readSuccessors(): ReadonlyMap<string, PlacedNote> {
    const said = this.said("supersedes")
      .sort(([a], [b]) => a.stored.path < b.stored.path ? -1 : 1);
    const ids = withoutCircles(new Map(said.map(([by, id]) => [id, by.stored.id])));
    return new Map(said.filter(([, id]) => ids.has(id)).map(([by, id]) => [id, by]));
  }

  /** Pairs of an active note and the id of a note that it supersedes or contradicts. */
  said(wanted: "supersedes" | "contradicts"): (readonly [PlacedNote, string])[] {
    return this.tables.flatMap((table, s) => {
      const segment = this.#segments[s];
      return table.all.flatMap(({ kind, text, note }) => {
        if (kind !== wanted || segment === undefined) return [];
        const stored = readNote(segment, note);
        const id = this.idOf(text);
        // A draft does not hold yet, an archived note no longer.
        return stored?.status === "active" && stored.id !== id
          ? [[{ segment, note, stored }, id] as const]
          : [];
      });
    });
  }

  /** The id that a value names: an id, or a link to a file, as Obsidian writes into front matter. */
  idOf(said: string): string {
    const target = LINK.exec(said)?.[1];
    if (target === undefined) return said;
    const name = nameOf(target.trim());
    return (this.#names ??= this.#readNames()).get(name) ?? target;
  }

  /** If one note's file has the name of another's id, the id wins. */
  #readNames(): ReadonlyMap<string, string> {
    const notes = this.#segments.flatMap((segment) => readNotes(segment, () => true));
    return new Map([
      ...notes.map(({ id, path }) => [nameOf(path), id] as const),
      ...notes.map(({ id }) => [nameOf(id), id] as const),
    ]);
  }
}

const LINK = /^\[\[([^\]|#]+)/;

function nameOf(path: string): string {
  return basename(path).replace(/\.md$/i, "").toLowerCase();
}

/** A note and where it lies. */
export interface PlacedNote {
  readonly segment: Segment;
  readonly note: number;
  readonly stored: StoredNote;
}
