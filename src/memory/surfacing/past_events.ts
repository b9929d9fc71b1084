/**
 * Which checkpoints and session notes that Sage wrote by itself may stand beside a prompt. They
 * hold the person's own words, so a prompt is like an earlier one; that the same was asked before
 * is no answer. What an agent wrote was meant to be found and is not judged here.
 */
import { CAME_OUT } from "../../detect/summary/summary_marks.ts";
import type { Candidate } from "../../search/document.ts";
import { phraseOf } from "../../search/query/lexical.ts";
import { stemOf } from "../../search/query/query_words.ts";

/** Sections that repeat a question in the words it was asked in. */
const ASKED = / › (?:Core Question|Open Questions)$/;
/**
 * The least share of a match that lies in what came of it; with less the prompt only meets how
 * something was asked.
 */
const CAME_OUT_SHARE = 0.1;
/**
 * In rare words of the store. A prompt that says less ("fix the following problems") is said every
 * day, and matches some session.
 */
const MASS_MIN = 1.1;

export function mayAnswerPrompt({ note, chunk, shares, evidence }: Candidate): boolean {
  if (note.author !== "sage" || (note.kind !== "checkpoint" && note.kind !== "session")) {
    return true;
  }
  if (evidence.mass < MASS_MIN || ASKED.test(chunk.heading)) return false;
  if (note.kind === "checkpoint" || !chunk.heading.endsWith(" › Summary")) return true;
  const at = chunk.snippet.indexOf(CAME_OUT);
  // A session is named by its first question; where nothing came of it, that is its summary.
  if (at < 0) return !chunk.snippet.startsWith(note.title.replace(/…$/, ""));
  const cameOut = new Set(phraseOf(chunk.snippet.slice(at)).split(" ").map(stemOf));
  let [met, all] = [0, 0];
  for (const { term, share } of shares) {
    all += share;
    if (phraseOf(term).split(" ").every((word) => cameOut.has(stemOf(word)))) met += share;
  }
  return met >= CAME_OUT_SHARE * all;
}
