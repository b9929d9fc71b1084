/**
 * Fits what evidence is worth (`WORTH` in src/search/ranking/score.ts) on the development questions and prints
 * it beside what is compiled in. It changes nothing: new numbers are a decision, made by hand.
 *
 * Two steps. The order: for each question the worths are those that make the notes which answer it
 * likeliest to stand first (softmax over its candidates). The level: over the first three of every
 * question and prompt, a logistic regression of 'answers' on the sum, on the distance to the next note
 * and on the names that are there or not, with the coverage at its given worth. There the prompts of
 * labelled conversations about other things take part: what a store says to those is what it says to
 * chance. `SHIFT` then puts even odds at 0.70, and `ASKED` what is asked a little lower.
 *
 *   deno run -A bench/retrieval/fit.ts [--model <folder or server>]
 */
import { realFs } from "../../src/base/fs.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { TELLING } from "../../src/search/document.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { type Evidence, NO_EVIDENCE, WORTH } from "../../src/search/ranking/score.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { passGates } from "../../src/memory/surfacing/gates.ts";
import { DEVELOPMENT } from "../detection/sets.ts";
import { openMeasured } from "./model.ts";
import { type Question, type World, worlds } from "./sets.ts";
import { tempDir } from "../../tests/support/temp_store.ts";

const NAMES = [
  "meaning",
  "words",
  "synonyms",
  "trigger",
  "title",
  "run",
  "single",
  "length",
  "older",
] as const;
type Worths = Record<typeof NAMES[number], number>;
/** Traps are made to deceive; they may have a say, not the last word. */
const TRAP_WEIGHT = 0.1;
/** More than a thousand of them: together they count as much as the vault's own prompts and questions. */
const ELSEWHERE_WEIGHT = { vault: 0.15, skerry: 0.05, laurel: 0.05 };
/** The number of reranked candidates. */
const CANDIDATES = 10;
/** In sums, before they are brought to log-odds. */
const DISTANCE_MAX = 4;
/** 0.70 is where a note is as likely right as wrong. */
const SHIFT = Math.log(0.7 / 0.3);
/**
 * Chosen on development, where questions and prompts have the same curve: this much lower, more questions are
 * answered with as few mistakes. `WORTH.chance` holds back what nobody asked.
 */
const ASKED = 0.26;

interface Case {
  readonly rows: readonly (readonly number[])[];
  readonly answers: readonly boolean[];
  readonly evidence: readonly Evidence[];
  /** In the order, and in the level; 0 where it has no say. */
  readonly weight: number;
  readonly levelWeight: number;
}

const model = await openMeasured();
const cases: Case[] = [];
for (const world of await worlds()) cases.push(...collect(world, model.embedder));
await model.close();

const order = fitOrder(cases.filter(({ answers }) => answers.includes(true)));
const level = fitLevel(cases.filter(({ levelWeight }) => levelWeight > 0), order);
const [start = 0, slope = 1, lead = 0, lag = 0, named = 0, missing = 0] = level;
const fitted: Record<keyof typeof WORTH, number> = {
  start: start + SHIFT + ASKED,
  ...Object.fromEntries(NAMES.map((name, i) => [name, slope * (order[i] ?? 0)])) as Worths,
  // Tried by hand, on development.
  handedOn: WORTH.handedOn,
  coverage: WORTH.coverage,
  beside: WORTH.beside,
  chance: WORTH.chance,
  named,
  missing,
  lead: lead / slope,
  lag: lag / slope,
};
print(`${cases.length} questions and prompts of development`);
print("           fitted  compiled in");
for (const [name, value] of Object.entries(fitted)) {
  const now = WORTH[name as keyof typeof WORTH];
  print(`${name.padEnd(9)}${value.toFixed(2).padStart(8)}${now.toFixed(2).padStart(13)}`);
}
print(`distance at most ${(DISTANCE_MAX * slope).toFixed(2)}`);

function collect(world: World, embedder: Embedder): Case[] {
  const index = openIndex(tempDir(), realFs, embedder.id);
  index.apply({ put: world.notes, remove: [] }, embedder);
  const replaced = new Set(world.notes.flatMap(({ supersedes }) => supersedes));
  const isTrap = world.name.includes("traps");
  const weight = isTrap ? TRAP_WEIGHT : 1;
  const ask = (
    { query, expect }: Pick<Question, "query" | "expect">,
    isPrompt: boolean,
    levelWeight = isTrap ? 0 : 1,
  ): Case[] => {
    const found = index.query(prepareQuery(query, embedder, { synonyms: true }), {
      limit: CANDIDATES,
      ...(isPrompt ? { ...TELLING, unasked: true } : {}),
    }).filter(({ note, evidence }) => !replaced.has(note.id) && evidence.emb !== undefined);
    return found.length === 0 ? [] : [{
      rows: found.map(({ evidence }) => rowOf(evidence)),
      answers: found.map(({ note }) => expect.includes(note.id)),
      evidence: found.map(({ evidence }) => evidence),
      weight,
      levelWeight,
    }];
  };
  const isDev = ({ split }: Question): boolean => split === "dev";
  const collected = [
    ...world.questions.filter(isDev).flatMap((question) => ask(question, false)),
    ...world.prompts.filter(isDev).flatMap((prompt) => ask(prompt, true)),
    ...Object.entries(ELSEWHERE_WEIGHT).flatMap(([name, weight]) =>
      name !== world.name
        ? []
        : elsewhere().flatMap((query) => ask({ query, expect: [] }, true, weight))
    ),
  ];
  index.close();
  return collected;
}

/** Prompts of conversations about other things that get as far as the store. */
function elsewhere(): string[] {
  return DEVELOPMENT.flatMap(({ steps }) => steps.map(({ prompt }) => prompt))
    .filter((prompt) => !("gate" in passGates(prompt)));
}

/** Evidence as `partsOf` counts it, before it is multiplied by its worth. */
function rowOf(evidence: Evidence): number[] {
  const { emb = 0, kw, mass, synonyms, trigger, title, run, isSingle, chunks, isOlder } = evidence;
  return [
    emb,
    kw * Math.log(1 + kw * mass),
    Math.log(1 + synonyms * mass),
    trigger,
    title,
    run,
    isSingle ? 1 : 0,
    Math.log(chunks),
    isOlder ? 1 : 0,
  ];
}

/** Newton's method on the softmax loss, a little regularised. */
function fitOrder(cases: readonly Case[]): number[] {
  const worth = NAMES.map(() => 0);
  for (let round = 0; round < 40; round++) {
    const gradient = worth.map((value) => 0.02 * value);
    const hessian = worth.map((_, i) => worth.map((_, j): number => i === j ? 0.02 : 0));
    for (const { rows, answers, weight } of cases) {
      const all = softmax(rows.map((row) => dot(row, worth)));
      const right = normal(all.map((share, i) => answers[i] === true ? share : 0));
      const mean = average(rows, all);
      const wanted = average(rows, right);
      for (const i of worth.keys()) {
        gradient[i] = (gradient[i] ?? 0) + weight * ((mean[i] ?? 0) - (wanted[i] ?? 0));
        for (const j of worth.keys()) {
          const spread = rows.reduce(
            (sum, row, r) => sum + (all[r] ?? 0) * (row[i] ?? 0) * (row[j] ?? 0),
            0,
          );
          const line = hessian[i] ?? [];
          line[j] = (line[j] ?? 0) + weight * (spread - (mean[i] ?? 0) * (mean[j] ?? 0));
        }
      }
    }
    step(worth, hessian, gradient);
  }
  return worth;
}

/** Start, slope of the sum, of the lead and of the lag, worth of names that are there and are not. */
function fitLevel(cases: readonly Case[], worth: readonly number[]): number[] {
  const points = cases.flatMap(({ rows, answers, evidence, levelWeight }) => {
    const sums = rows.map((row, i) => ({
      sum: dot(row, worth),
      isRight: answers[i] === true,
      ...evidence[i] ?? NO_EVIDENCE,
    })).sort((a, b) => b.sum - a.sum);
    return sums.slice(0, 3).map(({ sum, isRight, kw, trigger, named, missing }, i) => {
      const next = i === 0 ? sums[1]?.sum ?? -Infinity : sums[0]?.sum ?? 0;
      const distance = Math.max(-DISTANCE_MAX, Math.min(DISTANCE_MAX, sum - next));
      return {
        x: [1, sum, Math.max(0, distance), Math.min(0, distance), named, missing],
        isRight,
        given: WORTH.coverage * Math.max(kw, Math.min(1, trigger)),
        weight: levelWeight,
      };
    });
  });
  const level = [0, 0, 0, 0, 0, 0];
  for (let round = 0; round < 40; round++) {
    const gradient = level.map((value) => 0.1 * value);
    const hessian = level.map((_, i) => level.map((_, j): number => i === j ? 0.1 : 0));
    for (const { x, isRight, given, weight } of points) {
      const p = 1 / (1 + Math.exp(-dot(x, level) - given));
      for (const i of level.keys()) {
        gradient[i] = (gradient[i] ?? 0) + weight * (p - (isRight ? 1 : 0)) * (x[i] ?? 0);
        const line = hessian[i] ?? [];
        for (const j of level.keys()) {
          line[j] = (line[j] ?? 0) +
            weight * p * (1 - p) * (x[i] ?? 0) * (x[j] ?? 0);
        }
      }
    }
    step(level, hessian, gradient);
  }
  return level;
}

/** One step of Newton's method, by elimination; no coordinate moves by more than 3. */
function step(at: number[], hessian: number[][], gradient: number[]): void {
  const n = at.length;
  for (let i = 0; i < n; i++) {
    const pivot = hessian[i] ?? [];
    for (let k = i + 1; k < n; k++) {
      const line = hessian[k] ?? [];
      const share = (line[i] ?? 0) / (pivot[i] ?? 1);
      for (let j = i; j < n; j++) line[j] = (line[j] ?? 0) - share * (pivot[j] ?? 0);
      gradient[k] = (gradient[k] ?? 0) - share * (gradient[i] ?? 0);
    }
  }
  const move: number[] = at.map(() => 0);
  for (let i = n - 1; i >= 0; i--) {
    const line = hessian[i] ?? [];
    let rest = gradient[i] ?? 0;
    for (let j = i + 1; j < n; j++) rest -= (line[j] ?? 0) * (move[j] ?? 0);
    move[i] = rest / (line[i] ?? 1);
    at[i] = (at[i] ?? 0) - Math.max(-3, Math.min(3, move[i] ?? 0));
  }
}

function softmax(values: readonly number[]): number[] {
  const most = Math.max(...values);
  return normal(values.map((value) => Math.exp(value - most)));
}

function normal(values: readonly number[]): number[] {
  const sum = values.reduce((total, value) => total + value, 0);
  return values.map((value) => value / sum);
}

function average(rows: readonly (readonly number[])[], shares: readonly number[]): number[] {
  return NAMES.map((_, i) =>
    rows.reduce((sum, row, r) => sum + (shares[r] ?? 0) * (row[i] ?? 0), 0)
  );
}

function dot(a: readonly number[], b: readonly number[]): number {
  return a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
