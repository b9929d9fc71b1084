/** What an embedder says of the languages and scripts that its model understands. */
import { isMostlyLatin } from "../base/text/ascii.ts";
import type { Embedder } from "./embedder.ts";

/** Those of Latin letters. */
const LATIN = new Set(["german", "french", "spanish", "portuguese", "italian"]);

/**
 * For a model that understands these languages besides English; undefined if nobody measured it. One of
 * Latin languages has single letters of other scripts at most, of which it makes nothing.
 */
export function readingOf(
  languages: readonly string[] | undefined,
): Pick<Embedder, "languages" | "reads"> {
  if (languages === undefined) return {};
  const known = new Set(languages);
  return { languages: known, ...known.isSubsetOf(LATIN) ? { reads: isMostlyLatin } : {} };
}
