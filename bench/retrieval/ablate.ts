/**
 * Each rule off in turn, without a new fit of the others, over the vault: what it earns. `deno run -A
 * bench/retrieval/ablate.ts [dev]` writes bench/results/ablation.json; with `dev` it shows development
 * alone and writes nothing. A rule that earns nothing on development is to be removed.
 */
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { WORTH } from "../../src/search/ranking/score.ts";
import { measure } from "./measure.ts";
import { openSage, SHIPPED_RANK, type Variant, withWorth } from "./sage.ts";
import { type Question, type Split, type World, worlds } from "./sets.ts";

const RESULT = new URL("../results/ablation.json", import.meta.url);
const CERTAIN = ["factual", "decision", "identifier"];

const VARIANTS: Readonly<Record<string, Variant>> = {
  "as shipped": {},
  "whole cosine, no second look at meaning": {
    query: (query) => ({ ...query, compare: undefined }),
  },
  "no endings": { query: (query) => ({ ...query, endings: false }) },
  "words as they are": { withoutSynonyms: true },
  "no typos": { query: (query) => ({ ...query, guessesMax: 0 }) },
  "no triggers": { query: (query) => ({ ...query, phrase: "" }) },
  "no title": { worth: { title: 0 } },
  "no words in a row": { worth: { run: 0 } },
  "no names that are there": { worth: { named: 0 } },
  "no missing names": { worth: { missing: 0 } },
  "unasked as asked": { worth: { chance: 0 } },
  "no coverage": { worth: { coverage: 0, start: WORTH.start + WORTH.coverage / 2 } },
  "no competition": { worth: { lead: 0, lag: 0 } },
  "checkpoints do not grow old": { worth: { older: 0 } },
  "nothing handed on to successors": { worth: { handedOn: -Infinity } },
  "order by relevance alone": { rank: { relevance: 1, recency: 0, recallFrequency: 0 } },
  "recency 0.10": { rank: { ...SHIPPED_RANK, recency: 0.1 } },
  "copies kept": { trim: { keepVersions: true } },
};

const embedder = openStaticEmbedder();
const all = await worlds();
const world = all.find(({ name }) => name === "vault");
const traps = all.find(({ name }) => name === "first, traps");
if (world === undefined || traps === undefined) throw new Error("a set is missing");
const result: Record<string, Record<string, Record<string, number>>> = {};
const isForTuning = Deno.args.includes("dev");
for (const split of isForTuning ? ["dev"] as const : ["dev", "test"] as const) {
  print(`\n${split}: certain = factual, decision, identifier; shares in %`);
  print(
    `${
      "".padEnd(42)
    }   mrr  para  cover  prec wrong1 | contra adjacent absent | surfaced false | traps`,
  );
  result[split] = {};
  for (const [name, variant] of Object.entries(VARIANTS)) {
    const row = withWorth(variant.worth, () => ({
      ...measureVariant(world, split, variant),
      ...(split === "dev" ? { trapsServed: measureTraps(traps, variant) } : {}),
    }));
    result[split][name] = row;
    const cells = Object.values(row).map((value) => (100 * value).toFixed(1).padStart(6));
    print(`${name.padEnd(42)}${cells.join(" ")}`);
  }
}
embedder.close();
if (!isForTuning) {
  const rounded = (_: string, value: unknown) =>
    typeof value === "number" ? Number(value.toFixed(4)) : value;
  await Deno.writeTextFile(RESULT, `${JSON.stringify(result, rounded, 2)}\n`);
}

function measureVariant(world: World, split: Split, variant: Variant): Record<string, number> {
  const sage = openSage(world, embedder, false, variant);
  const replaced = new Set(world.notes.flatMap(({ supersedes }) => supersedes));
  const answer = (question: Question) => ({
    ...question,
    ranked: sage.search(question.query).filter(({ id }) => !replaced.has(id)),
    served: sage.recall(question.query).map(({ note }) => note.id),
  });
  const asked = world.questions.filter((question) => question.split === split).map(answer);
  const prompts = world.prompts.filter((prompt) => prompt.split === split).map((prompt) => ({
    ...prompt,
    ranked: [],
    served: sage.surface(prompt.query).map(({ note }) => note.id),
  }));
  sage.close();
  const of = (test: (question: Question) => boolean) => measure(asked.filter(test));
  const certain = of(({ category }) => CERTAIN.includes(category));
  const relevant = measure(prompts.filter(({ category }) => category === "relevant"));
  const unrelated = measure(prompts.filter(({ category }) => category === "unrelated"));
  return {
    mrr: certain.mrr,
    paraphraseMrr: of(({ category }) => category === "paraphrase").mrr,
    coverage: certain.coverage,
    precision: certain.precision,
    wrongFirst: certain.wrongFirst,
    contradictoryHit: of(({ condition }) => condition === "contradictory").recallOfServed,
    adjacentServed: of(({ condition }) => condition === "adjacent").coverage,
    absentServed: of(({ condition }) => condition === "absent").coverage,
    surfaced: relevant.hit,
    surfacedFalsely: unrelated.coverage,
  };
}

/** How often a sentence with the question's words about something else is served as its answer. */
function measureTraps(traps: World, variant: Variant): number {
  const sage = openSage(traps, embedder, false, variant);
  const answers = traps.questions.map((question) => ({
    ...question,
    ranked: [],
    served: sage.recall(question.query).map(({ note }) => note.id),
  }));
  sage.close();
  return measure(answers).wrongFirst;
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
