/**
 * One question in several wordings. The words of a question are seldom those of the note that answers it,
 * and the language model that asks can reword it at no cost. Pure.
 */
import { SageError } from "../../base/errors.ts";
import { QUERY_CHARACTERS_MAX, QUERY_PHRASINGS_MAX } from "../../base/limits.ts";
import { phraseOf } from "./lexical.ts";

/** The question, then its further phrasings, without empty ones and repetitions. */
export function phrasingsOf(question: string, also: readonly string[] = []): string[] {
  if (also.length > QUERY_PHRASINGS_MAX) {
    throw new SageError(
      "usage",
      `A question has ${QUERY_PHRASINGS_MAX} further phrasings at most`,
      { hint: "give those that differ most" },
    );
  }
  const texts = [question, ...also].map((text) => text.slice(0, QUERY_CHARACTERS_MAX));
  if (also.length === 0) return texts;
  const said = new Map<string, string>();
  for (const cut of texts) {
    const key = phraseOf(cut) || cut.trim();
    if (key !== "" && !said.has(key)) said.set(key, cut);
  }
  return [...said.values()];
}
