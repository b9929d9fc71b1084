/**
 * How much is indexed at a time. The built-in model takes any number of notes in one go; one that needs
 * milliseconds a text works in steps that are kept, and in a hook only for as long as the hook may.
 */
import { monotonic } from "../base/clock.ts";
import type { Embedder } from "../embed/embedder.ts";
import type { NoteDocument } from "../search/document.ts";

/** A step of a slow model: what a killed process has to do again. */
const STEP_MS = 3000;

export interface Pace {
  /** Whether it can be done before the time is up, by what it will cost. */
  allows(document: NoteDocument): boolean;
  /** Whether what was put by now is to be written before going on. */
  isStep(put: readonly NoteDocument[]): boolean;
}

export function paceOf({ textMs = 0 }: Embedder, deadlineMs: number): Pace {
  const deadline = monotonic() + deadlineMs;
  const cost = (documents: readonly NoteDocument[]): number =>
    documents.reduce((sum, { chunks }) => sum + Math.max(1, chunks.length) * textMs, 0);
  let planned = 0;
  return {
    allows(document) {
      if (textMs === 0) return true;
      planned += cost([document]);
      return monotonic() + planned <= deadline;
    },
    isStep: (put) => textMs > 0 && cost(put) >= STEP_MS,
  };
}
