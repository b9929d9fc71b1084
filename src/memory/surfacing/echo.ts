/**
 * Whether a past note only repeats what the prompt says. People give the same orders every day, and
 * clients type whole paragraphs for them ("Implement the plan as specified"). What Sage saved then
 * has the same words, and nothing is nearer to a prompt than itself. Loaded only where something
 * was found.
 */
import { fold, splitTyped } from "../../base/text/text.ts";
import { stemOf } from "../../search/query/query_words.ts";
import { specificTerms } from "./gates.ts";

/**
 * The parts of a text that Sage writes: what was asked, what came of it, what is quoted
 * (extract.ts, summarize.ts).
 */
const PIECES = / → | — then: | — |\n|[“”]/;
/** A sentence with fewer new words than this is the typed one in another order. */
const NEW_SHARE = 0.2;
/** Shorter sentences may be repeated by chance. */
const WORDS_MIN = 3;

/**
 * Whether all specific words that a text shares with a prompt stand in sentences of the prompt
 * itself. A text that repeats no sentence is no echo.
 */
export function isEcho(text: string, prompt: string): boolean {
  const said = stemsIn(prompt);
  const pieces = text.split(PIECES).flatMap(splitTyped);
  const [repeated, rest] = [pieces.filter(isRepeated), pieces.filter((one) => !isRepeated(one))];
  if (repeated.length === 0) return false;
  const more = stemsIn(rest.join("\n"));
  return stemsIn(specificTerms(prompt).join("\n")).isDisjointFrom(more);

  function isRepeated(piece: string): boolean {
    const words = stemsIn(piece);
    const fresh = words.difference(said);
    return words.size >= WORDS_MIN && fresh.size <= NEW_SHARE * words.size;
  }
}

/** Without noise words. */
function stemsIn(text: string): Set<string> {
  return new Set((fold(text).match(/[\p{L}\p{N}_]{3,}/gu) ?? []).map(stemOf));
}
