/**
 * Whether what happened before only says again what a prompt says. People give the same orders every day, and
 * clients type whole paragraphs for them ("Implement the plan as specified"): what Sage wrote down then has the
 * person's own words, and nothing is nearer to a prompt than itself. Loaded only where something was found.
 */
import { fold, splitTyped } from "../../base/text.ts";
import { stemOf } from "../../search/query_words.ts";
import { specificTerms } from "./gates.ts";

/** What was asked, what came of it, and what is quoted, as Sage writes it (extract.ts, summarize.ts). */
const PIECES = / → | — then: | — |\n|[“”]/;
/** A sentence that has fewer new words than this is the one that was typed, in other order. */
const NEW_SHARE = 0.2;
/** Of fewer words any sentence may be said twice. */
const WORDS_MIN = 3;

/**
 * Whether a text meets a prompt in sentences of the prompt alone: what else it says has no specific word of it.
 * One that repeats nothing is no echo, whatever it says.
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

/** Without small words, which are in everything. */
function stemsIn(text: string): Set<string> {
  return new Set((fold(text).match(/[\p{L}\p{N}_]{3,}/gu) ?? []).map(stemOf));
}
