/**
 * The score of a candidate as a formula. It prints the values that the query returned and computes no
 * score itself, so what is shown is what was used.
 */
import type { Candidate } from "../document.ts";
import { certaintyOf, certaintySum, partsOf, type SignalWeights, sumOf, WORTH } from "./score.ts";

/** One line that can be recomputed by hand. `factor`: the multiplier for the note's scope. */
export function formulaOf(candidate: Candidate, weights: SignalWeights, factor = 1): string {
  // `combined` never gives 0; `unscored` does.
  if (candidate.combined === 0) return "not scored: nobody looked for it by its words";
  const { evidence, competing, phrasings = [evidence] } = candidate;
  // Time evidence belongs to the note, not to a phrasing.
  const { older, inherited } = partsOf(evidence, weights);
  const each = mean(phrasings.map((one) => one && partsOf(one, weights)));
  const parts = { ...each, older, inherited };
  const named = mean(phrasings.map((one) => one && certaintyOf(one, weights)));
  const certain = { ...named, inherited: evidence.inheritedCertainty };
  // A note that was not reranked is kept behind those that were (rerank.ts).
  const kept = candidate.sum + candidate.certainty - sumOf(parts) - certaintySum(certain);
  const terms = [
    part(parts.meaning, evidence.emb === undefined ? "meaning unknown" : "meaning"),
    part(parts.words, "words"),
    part(parts.synonyms, synonymsNamed(candidate)),
    part(parts.trigger, "trigger"),
    part(parts.title, "title"),
    part(parts.run, "words in a row"),
    part(parts.single, "one word only"),
    part(parts.length, "of many parts"),
    part(parts.older, "a later one is there"),
    part(parts.inherited, "from an earlier version"),
    part(certain.coverage, "share of the query"),
    part(certain.named, "names it has"),
    part(certain.missing, "names it lacks"),
    part(certain.beside, "what is asked for it does not say"),
    part(certain.chance, "by chance"),
    part(certain.inherited, "names and share of an earlier version"),
    part(kept, "looked at from afar"),
    part(competing, competing < 0 ? "behind the best" : "in front of the next"),
  ].join("");
  const scope = factor === 1 ? "" : ` × ${factor} for its scope`;
  const meant = phrasings.length === 1 ? "" : `mean of ${phrasings.length} phrasings: `;
  return `${meant}logistic(−${two(-WORTH.start)}${terms})${scope} = ${
    two(candidate.combined * factor)
  }`;
}

/** Which synonym stands for which words, the heaviest first. */
function synonymsNamed({ synonyms }: Candidate): string {
  const told = synonyms.toSorted((a, b) => b.share - a.share).slice(0, SYNONYMS_MAX);
  const pairs = told.map(({ asked, term }) => `${asked} → ${term}`).join(", ");
  return pairs === "" ? "other words" : `other words (${pairs})`;
}

const SYNONYMS_MAX = 4;

/** The mean of each field; a phrasing that found nothing counts as 0. At least one must have found something. */
function mean<T extends object>(each: readonly (T | undefined)[]): T {
  const [only] = each;
  if (each.length === 1 && only !== undefined) return only;
  const found = each.filter((one) => one !== undefined).map((one) => Object.entries(one));
  const sums = new Map<string, number>();
  for (const [name, value] of found.flat()) sums.set(name, (sums.get(name) ?? 0) + Number(value));
  return Object.fromEntries([...sums].map(([name, sum]) => [name, sum / each.length])) as T;
}

function part(value: number, name: string): string {
  if (Math.abs(value) < 0.005) return "";
  return ` ${value < 0 ? "−" : "+"} ${two(Math.abs(value))} ${name}`;
}

function two(value: number): string {
  return value.toFixed(2);
}
