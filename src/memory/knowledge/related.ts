/**
 * The existing note that a new one would duplicate, update or contradict: of the same id or title,
 * or nearly the same meaning.
 */
import { collapse, cut, fold, foldedWords, splitSentences } from "../../base/text/text.ts";
import { retractedIn } from "../../detect/decisions/corrections.ts";
import { changesFigure, namesAnother } from "../../detect/decisions/changed_figures.ts";
import { renderDiff } from "../../base/text/diff.ts";
import { type EmbeddedText, embedText, similarity } from "../../embed/similarity.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import { prepareQuery } from "../../search/query/query.ts";
import { catalogue } from "../catalogue.ts";
import { type Entry, isHere, readEntry } from "../index/entries.ts";
import { attribution, refOf, type StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import type { KnowledgeInput, KnowledgeOutcome } from "./outcome.ts";

export interface Related {
  readonly stored: StoredNote;
  /** Found by its id or its title, not by its meaning. */
  readonly isNamesake: boolean;
  /** The outcome for the caller while nothing is decided. */
  readonly outcome: KnowledgeOutcome;
}

/** How many notes per store are compared word by word, of those that the index found by meaning. */
const COMPARED_MAX = 8;
/** In a longer text some sentence contradicts some sentence of any note by chance. */
const STATEMENT_SENTENCES_MAX = 12;

export async function findRelated(
  memory: Memory,
  input: KnowledgeInput,
  /** The id that was asked for. */
  id?: string,
): Promise<Related | undefined> {
  const mayBe = (entry: Entry): boolean =>
    // The person's own statement must not go into a note that everybody gets.
    input.scope === undefined || entry.store.scope === input.scope;
  const all = (await catalogue(memory, ["knowledge"])).filter(mayBe);
  const sameId = id === undefined ? undefined : all.find(({ note }) => note.id === id);
  const named = await readEntry(sameId);
  if (named !== undefined) return namesake(named, input, "a note with this id exists");
  const entries = all.filter((entry) => entry.note.status === "active" && isHere(memory, entry));
  const title = fold(collapse(input.title));
  const sameTitle = entries.find(({ note }) => fold(collapse(note.title)) === title);
  const text = `${input.title}. ${input.content}`;
  await memory.prepare([text]);
  const embedder = memory.embedder();
  const wanted = embedText(embedder, text);
  const threshold = memory.config.get("retrieval.dedup_threshold");

  for (const entry of sameTitle === undefined ? nearest(memory, entries, wanted) : [sameTitle]) {
    const stored = await readEntry(entry);
    if (stored === undefined) continue;
    const known = publicText(stored);
    const other = `${stored.note.title}. ${known}`;
    // 'Sprint 15 …' is near 'Sprint 14 …' and takes nothing of it back.
    const isAnother = namesAnother(text, other) || namesAnother(input.content.trim(), known);
    if (isAnother && entry !== sameTitle) continue;
    await memory.prepare([other]);
    const near = similarity(embedder, wanted, embedText(embedder, other));
    const reason = entry === sameTitle
      ? "a note with this title exists"
      : near >= threshold || repeats(known, input.content)
      ? "a note says nearly the same"
      : contradictionReason(text, known);
    if (reason === undefined) continue;
    return relate(stored, input, near, reason, entry === sameTitle);
  }
  return undefined;
}

/** Why the text contradicts the note outright: it takes something back, or gives another figure. */
function contradictionReason(text: string, known: string): string | undefined {
  const sentences = splitSentences(text);
  if (sentences.length > STATEMENT_SENTENCES_MAX) return undefined;
  if (sentences.some((sentence) => retractedIn(sentence, known) !== undefined)) {
    return "this takes back what a note says";
  }
  return changesFigure(text, known) ? "a note says this with another figure" : undefined;
}

function nearest(
  memory: Memory,
  entries: readonly Entry[],
  { text, vector }: EmbeddedText,
): Entry[] {
  const { calibrate } = memory.embedder();
  return memory.stores.flatMap((store) => {
    const inStore = new Map(
      entries.filter((entry) => entry.store === store).map((entry) => [entry.note.path, entry]),
    );
    if (inStore.size === 0) return [];
    const filter = { kinds: ["knowledge"], statuses: ["active"], limit: COMPARED_MAX } as const;
    const index = memory.index(store);
    const found = vector === undefined
      ? index.query(prepareQuery(text), filter)
      : index.similar(vector, { ...filter, calibrate: (cosine) => calibrate(cosine) });
    return found.flatMap(({ note }) => inStore.get(note.path) ?? []);
  });
}

export function publicText(stored: StoredNote): string {
  return readKnowledge(withoutPrivate(stored.note)).content.trim();
}

/** The note that has this id already. */
export function namesake(stored: StoredNote, input: KnowledgeInput, reason: string): Related {
  return relate(stored, input, 0, reason, true);
}

function relate(
  stored: StoredNote,
  input: KnowledgeInput,
  near: number,
  reason: string,
  isNamesake: boolean,
): Related {
  const text = publicText(stored);
  const of = refOf(stored.note);
  if (saysTheSame(text, input.content)) {
    return {
      stored,
      isNamesake,
      outcome: { kind: "duplicate", of, similarity: Math.max(near, 0.99) },
    };
  }
  const outcome: KnowledgeOutcome = {
    kind: "conflict",
    choices: ["update", "keep_both", "contradicts", "discard"],
    existing: { ...of, ...attribution(stored), text: cut(text, 2000) },
    diff: cut(renderDiff(text, input.content.trim()), 4000),
    reason,
  };
  return { stored, isNamesake, outcome };
}

/** Shorter texts are a value or a name, such as `8080`, which two notes may share. */
const REPEATED_CHARACTERS_MIN = 40;

/** Whether the texts are the same, also under titles so different that the model sees no similarity. */
function repeats(known: string, text: string): boolean {
  return text.length >= REPEATED_CHARACTERS_MIN && saysTheSame(known, text);
}

/** Whether the words are the same, however wrapped. */
function saysTheSame(a: string, b: string): boolean {
  return foldedWords(a) === foldedWords(b);
}
