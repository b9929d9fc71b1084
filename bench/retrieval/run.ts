/**
 * Retrieval quality: `deno task eval`. Every category and store condition, development and test apart,
 * Sage and its parts beside what retrieval is usually made of, over the same notes in the same run.
 * What matters most is harm: what nothing in store answers must surface nothing, and a superseded
 * note must never be served. Kept in bench/results/retrieval.json and compared with the last.
 *
 *   deno run -A bench/retrieval/run.ts [--model <folder or server>] [--sets "in German|sorrel"]
 *
 * Another model's figures, and those of some sets, are printed only.
 */
import { AMONG_OTHERS, joined } from "./joined.ts";
import { baselines, type Ranked, type Ranker } from "./baselines.ts";
import { type Answer, type Figures, measure, SERVED_MAX } from "./measure.ts";
import { openMeasured } from "./model.ts";
import { option } from "../option.ts";
import { openSage, type Sage } from "./sage.ts";
import { publicWorlds } from "./public.ts";
import {
  formed,
  type Question,
  readPastes,
  type Split,
  unseen,
  type World,
  worlds,
} from "./sets.ts";

type Table = Record<string, Figures>;

const RESULT = new URL("../results/retrieval.json", import.meta.url);
/** A baseline's threshold is set so that this share of unrelated development prompts is shown something. */
const FALSE_MAX = 0.05;
const COLUMNS = [
  ["n", "queries"],
  ["r@1", "recallAt1"],
  ["r@5", "recallAt5"],
  ["r@10", "recallAt10"],
  ["mrr", "mrr"],
  ["ndcg", "ndcgAt10"],
  ["served", "coverage"],
  ["hit", "hit"],
  ["all", "recallOfServed"],
  ["prec", "precision"],
  ["wrong1", "wrongFirst"],
  ["waste", "waste"],
  ["old", "superseded"],
] as const;

const model = await openMeasured();
const { embedder } = model;
const result: Record<string, Table> = {};
const pastes = [...(await readPastes()).values()];
const all = [...await worlds(), await formed(), ...await unseen(), ...await publicWorlds()];
const sets = option("sets");
for (const [name, same] of Map.groupBy(all, ({ name }) => name)) {
  if (new RegExp(sets ?? "").test(name)) await measureSet(name, same);
}
await model.close();
if (model.isBuiltIn && sets === undefined) await compareAndKeep();

/** Worlds of one name are asked apart, each its own questions, and counted together. */
async function measureSet(name: string, same: readonly World[]): Promise<void> {
  const answers: Answered[] = [];
  for (const world of same) answers.push(...await askWorld(world));
  const size = same.reduce((sum, { notes }) => sum + notes.length, 0);
  for (const split of ["dev", "test"] as const) {
    const asked = answers.filter((one) => one.split === split);
    for (const [system, own] of Map.groupBy(asked, ({ system }) => system)) {
      const table = tabulate(
        own.flatMap(({ answers }) => answers),
        own.flatMap(({ shown }) => shown),
      );
      result[`${name}, ${split}: ${system}`] = table;
      // Baselines in short; the file has all.
      print(`\n${name} (${size} notes), ${split}: ${system}`);
      printTable(table, own.some(({ isOurs }) => isOurs));
    }
  }
}

interface Answered {
  readonly system: string;
  readonly isOurs: boolean;
  readonly split: Split;
  readonly answers: readonly Answer[];
  readonly shown: readonly Answer[];
}

async function askWorld(world: World): Promise<Answered[]> {
  const isReworded = world.questions.some(({ also }) => also !== undefined);
  const systems = new Map<string, System>([
    ["sage", ofSage(openSage(world, embedder, false), world)],
    ...isReworded
      ? [
        [
          "sage, in other words too",
          ofSage(openSage(world, embedder, false), world, true),
        ] as const,
      ]
      : [],
    ["sage, words alone", ofSage(openSage(world, embedder, true), world)],
  ]);
  for (const [name, ranker] of baselines(world.notes, embedder)) {
    systems.set(name, await ofBaseline(ranker, world));
  }
  const all: Answered[] = [];
  for (const split of ["dev", "test"] as const) {
    const asked = world.questions.filter((question) => question.split === split);
    const own = world.prompts.filter((prompt) => prompt.split === split);
    const prompts = [...own, ...joined(world, own, split, pastes)];
    if (asked.length + prompts.length === 0) continue;
    for (const [system, { isOurs, answer, surface }] of systems) {
      const answers = await Promise.all(asked.map((question) => answer(question)));
      const shown = await Promise.all(prompts.map((prompt) => surface(prompt)));
      all.push({ system, isOurs, split, answers, shown });
    }
  }
  for (const { close } of systems.values()) close();
  return all;
}

interface System {
  readonly isOurs: boolean;
  answer(question: Question): Promise<Answer>;
  surface(prompt: Question): Promise<Answer>;
  close(): void;
}

/** `isReworded`: asked with the question's other phrasings. */
function ofSage(sage: Sage, world: World, isReworded = false): System {
  const replaced = replacedIn(world);
  const answer = (question: Question, ranked: readonly Ranked[], served: readonly string[]) => ({
    ...question,
    ranked: ranked.filter(({ id }) => !replaced.has(id)),
    served,
    outdated: served.filter((id) => replaced.has(id)),
  });
  return {
    isOurs: true,
    answer: (question) => {
      const also = isReworded ? question.also : undefined;
      const served = sage.recall(question.query, also).map(idOf);
      return Promise.resolve(answer(question, sage.search(question.query, also), served));
    },
    surface: (prompt) =>
      Promise.resolve(answer(prompt, [], sage.surface(prompt.query, prompt.before).map(idOf))),
    close: () => sage.close(),
  };
}

/** Serves its first three above one threshold for all questions, fitted on development prompts. */
async function ofBaseline(ranker: Ranker, world: World): Promise<System> {
  const replaced = replacedIn(world);
  const threshold = await fitThreshold(ranker, world);
  const answer = async (question: Question): Promise<Answer> => {
    const ranked = await ranker(question.query);
    const served = ranked.slice(0, SERVED_MAX).filter(({ score }) => score >= threshold)
      .map(({ id }) => id);
    return {
      ...question,
      ranked: ranked.filter(({ id }) => !replaced.has(id)),
      served,
      outdated: served.filter((id) => replaced.has(id)),
    };
  };
  return { isOurs: false, answer, surface: answer, close: () => {} };
}

async function fitThreshold(ranker: Ranker, world: World): Promise<number> {
  const scores: number[] = [];
  for (const { split, query, expect } of world.prompts) {
    if (split === "dev" && expect.length === 0) scores.push((await ranker(query))[0]?.score ?? 0);
  }
  scores.sort((a, b) => b - a);
  return (scores[Math.floor(FALSE_MAX * scores.length)] ?? 0) + 1e-9;
}

function replacedIn(world: World): ReadonlySet<string> {
  return new Set(world.notes.flatMap(({ supersedes }) => supersedes));
}

function idOf({ note }: { readonly note: { readonly id: string } }): string {
  return note.id;
}

function tabulate(answers: readonly Answer[], prompts: readonly Answer[]): Table {
  const table: Table = {};
  const add = (name: string, chosen: readonly Answer[]): void => {
    if (chosen.length > 0) table[name] = measure(chosen);
  };
  for (const category of new Set(answers.map((answer) => answer.category))) {
    add(category, answers.filter((answer) => answer.category === category));
  }
  for (const condition of new Set(answers.map((answer) => answer.condition))) {
    add(`[${condition}]`, answers.filter((answer) => answer.condition === condition));
  }
  const known = ["relevant", "not knowledge", "unrelated", ...AMONG_OTHERS];
  for (const category of new Set([...known, ...prompts.map(({ category }) => category)])) {
    add(`prompt, ${category}`, prompts.filter((prompt) => prompt.category === category));
  }
  return table;
}

function printTable(table: Table, isWhole: boolean): void {
  print(`${"".padEnd(22)}${COLUMNS.map(([name]) => name.padStart(7)).join("")}`);
  for (const [name, figures] of Object.entries(table)) {
    if (!isWhole && name.startsWith("[")) continue;
    const cells = COLUMNS.map(([, key]) => {
      const value = figures[key];
      const text = key === "queries" || key === "superseded"
        ? String(value)
        : key === "waste" || key === "mrr"
        ? value.toFixed(2)
        : (100 * value).toFixed(0);
      return text.padStart(7);
    });
    print(`${name.padEnd(22)}${cells.join("")}`);
  }
}

async function compareAndKeep(): Promise<void> {
  let last: typeof result = {};
  try {
    last = JSON.parse(await Deno.readTextFile(RESULT));
  } catch {
    print("no earlier result to compare with");
  }
  print("");
  for (const [name, categories] of Object.entries(result)) {
    if (!name.endsWith(": sage")) continue;
    for (const [category, figures] of Object.entries(categories)) {
      for (const [figure, value] of Object.entries(figures)) {
        const before = last[name]?.[category]?.[figure as keyof Figures];
        if (before === undefined || Math.abs(before - value) < 0.005) continue;
        print(
          `changed: ${name}, ${category}, ${figure}: ${before.toFixed(3)} → ${value.toFixed(3)}`,
        );
      }
    }
  }
  await Deno.mkdir(new URL(".", RESULT), { recursive: true });
  // A set that is not on this machine keeps its last figures.
  const rounded = JSON.stringify(
    { ...last, ...result },
    (_, value) => typeof value === "number" ? Math.round(value * 1000) / 1000 : value,
    2,
  );
  await Deno.writeTextFile(RESULT, `${rounded}\n`);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
