/**
 * Competition among the notes of one answer: a note that stands out is likelier right than its own
 * evidence says, one behind another less likely. Two notes about one thing are a pair and no rivals:
 * where they say different things, both have to be seen, each with its date.
 */
import type { NoteKind } from "../../note/note.ts";
import { combined, competition } from "./score.ts";

/** The second of a pair with this much less evidence (log-odds) is not what was asked for. */
const PAIR_DISTANCE = 1;

interface Competing {
  readonly sum: number;
  /** Log-odds that count in the combined score and not in competition. */
  readonly certainty?: number;
  readonly stored: {
    readonly id: string;
    readonly kind?: NoteKind;
    readonly supersedes: readonly string[];
  };
}

/** Whether a checkpoint or session is no rival of a knowledge note. */
function yieldsTo(rival: Competing, note: Competing): boolean {
  return note.stored.kind === "knowledge" && rival.stored.kind !== "knowledge";
}

/**
 * Adds to each note what competition is worth, and its combined score. `notes`: best first, and they stay
 * in that order. `unread`: the evidence of the best note that is not among them, where there is one.
 * `knowledgeFirst`: checkpoints and sessions yield to knowledge.
 */
export function compete<T extends Competing>(
  notes: readonly T[],
  isPair: (a: T, b: T) => boolean = () => false,
  unread = -Infinity,
  knowledgeFirst = false,
): (T & { readonly competing: number; readonly combined: number })[] {
  // An old version is no rival of the one that replaced it.
  const replaced = new Set(notes.flatMap(({ stored }) => stored.supersedes));
  const rivals = notes.filter(({ stored }) => !replaced.has(stored.id));
  return notes.map((note) => {
    let next = unread;
    let ahead = 0;
    for (const rival of rivals) {
      // Rivals come best first: the first that counts is the nearest.
      if (rival === note || rival.sum <= next) continue;
      if (knowledgeFirst && yieldsTo(rival, note)) continue;
      if (isPair(note, rival)) {
        ahead = Math.max(ahead, rival.sum - note.sum);
        continue;
      }
      next = rival.sum;
      break;
    }
    const alone = competition(note.sum - next);
    // The second of a pair is not held back, and stands out as far as it is as good as the first.
    const competing = alone <= 0 ? alone : alone * Math.max(0, 1 - ahead / PAIR_DISTANCE);
    return { ...note, competing, combined: combined(note.sum, competing, note.certainty) };
  });
}
