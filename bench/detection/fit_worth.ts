/**
 * Fits src/detect/checkpoint/worth_weights.ts: `deno run -A bench/detection/fit_worth.ts LABELS`, with `--write` to keep
 * the result. LABELS is JSON, `[{person, text, worth}]`: sentences of agents, and what a reader who comes back
 * would give for each: 1 to have it, 0.5 where it is no loss, 0 to be spared it. The sentences that the
 * weights were fitted to are strangers' and not in the repository.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { worthFeatures } from "../../src/detect/checkpoint/worth.ts";
import { type Case, chancesOf, fit, type Thing } from "./logistic.ts";
import { tellWeights } from "./weights_table.ts";

interface Label {
  readonly person: string;
  readonly text: string;
  readonly worth: number;
}

const RIDGE = 1;
const FOLDS = 8;
const TABLE = new URL("../../src/detect/checkpoint/worth_weights.ts", import.meta.url);

const labels: readonly Label[] = JSON.parse(await Deno.readTextFile(Deno.args[0] ?? ""));
const rows = labels.map(({ text }) => [1, ...Object.values(worthFeatures(text))]);
const names = Object.keys(worthFeatures(""));

function thingOf(place: number): Thing {
  return { at: 0, features: rows[place] ?? [] };
}

/** Each label twice, so that 0.5 is once worth keeping and once not. */
function fitTo(places: readonly number[]): Float64Array {
  const cases = places.flatMap((place): Case[] => {
    const thing = thingOf(place);
    const worth = labels[place]?.worth ?? 0;
    return [0.25, 0.75].map((least) => ({
      things: [thing],
      is: worth > least ? thing : undefined,
    }));
  });
  return fit(cases, names.length + 1, RIDGE);
}

const persons = [...new Set(labels.map(({ person }) => person))].sort();
const places = [...labels.keys()];
const chances = places.map(() => 0);
for (let fold = 0; fold < FOLDS; fold++) {
  const isHeld = (place: number): boolean =>
    persons.indexOf(labels[place]?.person ?? "") % FOLDS === fold;
  const weights = fitTo(places.filter((place) => !isHeld(place)));
  for (const place of places.filter(isHeld)) {
    [chances[place] = 0] = chancesOf(weights, [thingOf(place)]);
  }
}
console.log(
  "left out by person: least chance, kept of all, of those worth 1, noise among the kept",
);
for (const least of [0, 0.05, 0.08, 0.1, 0.15, 0.2, 0.25, 0.3, 0.35, 0.4]) {
  const kept = places.filter((place) => (chances[place] ?? 0) >= least);
  const share = (among: readonly number[], worth: number): number =>
    among.filter((place) => labels[place]?.worth === worth).length;
  console.log(
    least,
    (kept.length / places.length).toFixed(2),
    (share(kept, 1) / share(places, 1)).toFixed(2),
    (share(kept, 0) / kept.length).toFixed(2),
  );
}
const weights = fitTo(places);
await tellWeights(TABLE, names, weights);
