/**
 * The number that decided, taken apart. It explains the very values a query returned and computes
 * nothing of its own, so what is printed is what was used.
 */
import type { Candidate } from "./document.ts";
import { certaintyOf, certaintySum, partsOf, type SignalWeights, sumOf, WORTH } from "./score.ts";

/** The calculation in one line, to be done by hand; `factor`: what scope or project multiplied it with. */
export function formulaOf(candidate: Candidate, weights: SignalWeights, factor = 1): string {
  // A chance is never nothing: this one is no chance (unscored.ts).
  if (candidate.combined === 0) return "not scored: nobody looked for it by its words";
  const { evidence, competing, phrasings = [evidence] } = candidate;
  // What time adds is of the note, however it was asked.
  const { older, inherited } = partsOf(evidence, weights);
  const said = mean(phrasings.map((one) => one && partsOf(one, weights)));
  const parts = { ...said, older, inherited };
  const named = mean(phrasings.map((one) => one && certaintyOf(one, weights)));
  const certain = { ...named, inherited: evidence.inheritedCertainty };
  // What is too far down to be looked at closely is kept behind what was.
  const seen = candidate.sum + candidate.covered - sumOf(parts) - certaintySum(certain);
  const terms = [
    part(parts.meaning, evidence.emb === undefined ? "meaning unknown" : "meaning"),
    part(parts.words, "words"),
    part(parts.other, othersNamed(candidate)),
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
    part(certain.chance, "by chance"),
    part(certain.inherited, "names and share of an earlier version"),
    part(seen, "looked at from afar"),
    part(competing, competing < 0 ? "behind the best" : "in front of the next"),
  ].join("");
  const scope = factor === 1 ? "" : ` × ${factor} for its scope`;
  const meant = phrasings.length === 1 ? "" : `mean of ${phrasings.length} phrasings: `;
  return `${meant}logistic(−${two(-WORTH.start)}${terms})${scope} = ${
    two(candidate.combined * factor)
  }`;
}

/** Which word stood for which, in the phrasing that says most; the weightiest first. */
function othersNamed({ standIns }: Candidate): string {
  const told = standIns.toSorted((a, b) => b.share - a.share).slice(0, STAND_INS_MAX);
  const pairs = told.map(({ asked, term }) => `${asked} → ${term}`).join(", ");
  return pairs === "" ? "other words" : `other words (${pairs})`;
}

const STAND_INS_MAX = 4;

/** Number by number; where a phrasing finds nothing, it adds nothing. At least one finds something. */
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
