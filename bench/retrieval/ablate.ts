/**
 * Each rule off in turn, without a new fit of the others: what it earns. Questions are the vault's, and
 * harrow's for what becomes outdated; prompts are those of four stores, with what people put beside a
 * question. `deno run -A bench/retrieval/ablate.ts [dev]` writes bench/results/ablation.json; with `dev`
 * it shows development alone and writes nothing. A rule that earns nothing on either half is to be removed
 * (decision 0151). Rules in the code that no setting or weight reaches are measured there.
 */
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { WORTH } from "../../src/search/ranking/score.ts";
import type { SearchIndex } from "../../src/search/search_index.ts";
import { CERTAIN, joined } from "./joined.ts";
import { type Answer, measure } from "./measure.ts";
import { indexOf, openSage, SHIPPED_RANK, type Variant, withWorth } from "./sage.ts";
import {
  formed,
  type Question,
  readPastes,
  type Split,
  unseen,
  type World,
  worlds,
} from "./sets.ts";

const RESULT = new URL("../results/ablation.json", import.meta.url);
/** Of the prompts that are made by joining others one in this many, since there are thousands. */
const JOINED_EVERY = 8;

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
  "nothing is beside the question": { worth: { beside: 0 } },
  "one word is enough": { worth: { single: 0 } },
  "long notes as short ones": { worth: { length: 0 } },
  "unasked as asked": { worth: { chance: 0 } },
  "no coverage": { worth: { coverage: 0, start: WORTH.start + WORTH.coverage / 2 } },
  "no competition": { worth: { lead: 0, lag: 0 } },
  "checkpoints do not grow old": { worth: { older: 0 } },
  "nothing handed on to successors": { worth: { handedOn: -Infinity } },
  "order by relevance alone": { rank: { relevance: 1, recency: 0, recallFrequency: 0 } },
  "recency 0.10": { rank: { ...SHIPPED_RANK, recency: 0.1 } },
  "search as it scores": { without: "the display order" },
  "prompts pass no gate": { without: "gates" },
  "prompts whole": { parts: (asked) => ({ ...asked, sentences: [], heads: [] }) },
  "no heads of orders": { parts: (asked) => ({ ...asked, heads: [] }) },
  "parts as sure as prompts": { withoutLevels: true },
  "past events as answers": { without: "past events" },
  "no look at the last prompt": { without: "the last prompt" },
};

interface Asked {
  readonly world: World;
  readonly index: SearchIndex;
  readonly prompts: readonly Question[];
}

const embedder = openStaticEmbedder();
const pastes = [...(await readPastes()).values()];
const stores = new Map<string, Asked>();
for (const world of [...await worlds(), ...await unseen(), await formed()]) {
  if (!["vault", "first, traps", "harrow", "sheaf", "foyer"].includes(world.name)) continue;
  const made = (["dev", "test"] as const).flatMap((split) =>
    joined(world, world.prompts.filter((one) => one.split === split), split, pastes)
  );
  const prompts = [...world.prompts, ...made.filter((_, i) => i % JOINED_EVERY === 0)];
  stores.set(world.name, { world, index: indexOf(world, embedder), prompts });
}
const result: Record<string, Record<string, Record<string, number>>> = {};
const isForTuning = Deno.args.includes("dev");
for (const split of isForTuning ? ["dev"] as const : ["dev", "test"] as const) {
  print(`\n${split}: certain = factual, decision, identifier; shares in %`);
  print(
    `${
      "".padEnd(42)
    }   mrr  para recency cover prec wrong1 | contra adjacent absent | harrow: mrr wrong1 | shown: right wrong, in nothing asked | traps`,
  );
  result[split] = {};
  for (const [name, variant] of Object.entries(VARIANTS)) {
    const row = withWorth(variant.worth, () => measureVariant(split, variant));
    result[split][name] = row;
    const cells = Object.values(row).map((value) => (100 * value).toFixed(1).padStart(6));
    print(`${name.padEnd(42)}${cells.join(" ")}`);
  }
}
for (const { index } of stores.values()) index.close();
embedder.close();
if (!isForTuning) {
  const rounded = (_: string, value: unknown) =>
    typeof value === "number" ? Number(value.toFixed(4)) : value;
  await Deno.writeTextFile(RESULT, `${JSON.stringify(result, rounded, 2)}\n`);
}

function measureVariant(split: Split, variant: Variant): Record<string, number> {
  const asked = answers("vault", split, variant);
  const of = (test: (answer: Answer) => boolean) => measure(asked.filter(test));
  const certain = of(isCertain);
  const later = measure(answers("harrow", split, variant).filter(isCertain));
  const prompts = ["vault", "sheaf", "foyer", "harrow"]
    .flatMap((name) => shown(name, split, variant));
  const relevant = measure(prompts.filter(({ expect }) => expect.length > 0));
  const unrelated = measure(prompts.filter(({ expect }) => expect.length === 0));
  return {
    mrr: certain.mrr,
    paraphraseMrr: of(({ category }) => category === "paraphrase").mrr,
    recencyMrr: of(({ category }) => category === "recency").mrr,
    coverage: certain.coverage,
    precision: certain.precision,
    wrongFirst: certain.wrongFirst,
    contradictoryHit: of(({ condition }) => condition === "contradictory").recallOfServed,
    adjacentServed: of(({ condition }) => condition === "adjacent").coverage,
    absentServed: of(({ condition }) => condition === "absent").coverage,
    laterMrr: later.mrr,
    laterWrongFirst: later.wrongFirst,
    surfaced: relevant.hit,
    surfacedWrongFirst: relevant.wrongFirst,
    surfacedFalsely: unrelated.coverage,
    ...(split === "dev"
      ? { trapsServed: measure(answers("first, traps", split, variant)).wrongFirst }
      : {}),
  };
}

function isCertain({ category }: Answer): boolean {
  return CERTAIN.includes(category);
}

function answers(name: string, split: Split, variant: Variant): Answer[] {
  const { world, index } = store(name);
  const sage = openSage(world, embedder, false, variant, index);
  const replaced = new Set(world.notes.flatMap(({ supersedes }) => supersedes));
  return world.questions.filter((question) => question.split === split).map((question) => ({
    ...question,
    ranked: sage.search(question.query).filter(({ id }) => !replaced.has(id)),
    served: sage.recall(question.query).map(({ note }) => note.id),
  }));
}

function shown(name: string, split: Split, variant: Variant): Answer[] {
  const { world, index, prompts } = store(name);
  const sage = openSage(world, embedder, false, variant, index);
  return prompts.filter((prompt) => prompt.split === split).map((prompt) => ({
    ...prompt,
    ranked: [],
    served: sage.surface(prompt.query, prompt.before).map(({ note }) => note.id),
  }));
}

function store(name: string): Asked {
  const found = stores.get(name);
  if (found === undefined) throw new Error(`the set ${name} is missing`);
  return found;
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
