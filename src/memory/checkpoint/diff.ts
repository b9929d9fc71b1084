/**
 * What changed between two checkpoints, by meaning: a conclusion in other words is the same, one
 * with another number or a "not" is changed. Texts are compared by sentences, sources by what they
 * name.
 */
import { collapse, fold, splitSentences } from "../../base/text/text.ts";
import type { Embedder } from "../../embed/embedder.ts";
import { type Checkpoint, readCheckpoint } from "../../note/checkpoint.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { pairByMeaning, type PartDiff } from "./pair.ts";

export const DIFF_PARTS = [
  "conclusions",
  "evidence",
  "questions",
  "tensions",
  "sources",
] as const;

export type DiffPart = typeof DIFF_PARTS[number];
export type CheckpointDiff = Readonly<Record<DiffPart, PartDiff>>;

/** The difference between two notes, without their private text. */
export function diffNotes(memory: Memory, before: StoredNote, after: StoredNote): CheckpointDiff {
  const read = ({ note }: StoredNote): Checkpoint => readCheckpoint(withoutPrivate(note));
  return diffCheckpoints(read(before), read(after), memory.builtIn());
}

export function diffCheckpoints(
  before: Checkpoint,
  after: Checkpoint,
  embedder: Embedder,
): CheckpointDiff {
  const compare = (of: (checkpoint: Checkpoint) => readonly string[]): PartDiff =>
    pairByMeaning(distinct(of(before)), distinct(of(after)), embedder);
  return {
    conclusions: compare(({ thesis, decisions }) => [...splitSentences(thesis), ...decisions]),
    evidence: compare(({ keyEvidence }) => keyEvidence),
    questions: compare(({ coreQuestion, openQuestions }) => [coreQuestion, ...openQuestions]),
    tensions: compare(({ tensions }) => tensions),
    sources: diffSources(before.sources, after.sources),
  };
}

export function isEmptyDiff(diff: CheckpointDiff): boolean {
  return DIFF_PARTS.every((part) => {
    const { added, removed, changed } = diff[part];
    return added.length + removed.length + changed.length === 0;
  });
}

function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts.map(collapse))].filter((text) => text !== "");
}

type Sources = Checkpoint["sources"];

/** A source is identified by what it names; a change of its relation is a change of mind. */
function diffSources(before: Sources, after: Sources): PartDiff {
  const [old, now] = [byName(before), byName(after)];
  const shared = [...now].filter(([name]) => old.has(name));
  const changed = shared.flatMap(([name, source]) => {
    const earlier = old.get(name);
    if (earlier === undefined || earlier.relation === source.relation) return [];
    return [{ before: said(earlier), after: said(source), similarity: 1 }];
  });
  return {
    added: [...now].filter(([name]) => !old.has(name)).map(([, source]) => said(source)),
    removed: [...old].filter(([name]) => !now.has(name)).map(([, source]) => said(source)),
    changed,
    same: shared.length - changed.length,
  };
}

/** Addresses with and without a slash at the end, and names in any case, are one source. */
function byName(sources: Sources): Map<string, Sources[number]> {
  return new Map(sources.map((source) => [fold(collapse(source.id)).replace(/\/+$/, ""), source]));
}

function said({ id, relation }: Sources[number]): string {
  return relation === "" ? collapse(id) : `${collapse(id)} (${collapse(relation)})`;
}
