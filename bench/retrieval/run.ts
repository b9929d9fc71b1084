/**
 * Retrieval quality on handmade sets: `deno task eval`. Every category, with the built-in model and by
 * keywords alone; the result is kept in bench/results/retrieval.json and compared with the last one.
 * What matters most is harm: prompts that no note answers must surface nothing, and a superseded note
 * must never be served.
 */
import { realFs } from "../../src/base/fs.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import type { Candidate, NoteDocument } from "../../src/search/document.ts";
import { prepareQuery } from "../../src/search/query.ts";
import { DEFAULT_RANK, rank } from "../../src/search/rank.ts";
import { openIndex, type SearchIndex } from "../../src/search/search_index.ts";
import { trim } from "../../src/search/trim.ts";
import { noteDocument } from "../../tests/search/notes.ts";
import { type Answer, type Figures, measure } from "./measure.ts";

const THRESHOLD = 0.7;
const SERVED_MAX = 3;
const NOW = Date.parse("2026-02-10T00:00:00Z");
const RESULT = new URL("../results/retrieval.json", import.meta.url);
const folder = new URL("./sets/", import.meta.url);

interface StoredNote {
  readonly id: string;
  readonly title: string;
  readonly text: string;
  readonly keywords: readonly string[];
  readonly tags: readonly string[];
  readonly updated: string;
  readonly supersedes: readonly string[];
}

interface Question {
  readonly category: string;
  readonly query: string;
  readonly expect: readonly string[];
}

interface Paraphrase {
  readonly id: string;
  readonly query: string;
  readonly note: string;
  readonly distractor: string;
}

const embedder = openStaticEmbedder();
const paraphrases = await readLines<Paraphrase>("paraphrase-dev.jsonl");
const notes = (await readLines<StoredNote>("notes.jsonl")).map((note) =>
  document(note.id, note.text, { ...note, updated: `${note.updated}T00:00:00Z` })
);
const sentences = paraphrases.map(({ id, note }) => document(id, note, { title: "" }));
const traps = paraphrases.map(({ id, distractor }) =>
  document(`trap-${id}`, distractor, { title: "" })
);
const questions = await readLines<Question>("questions.jsonl");
const rephrased = paraphrases.map(({ id, query }) => ({ query, expect: [id] }));

const store = await build([...notes, ...sentences]);
const trapped = await build([...notes, ...sentences, ...traps]);
const superseded = new Set(notes.flatMap((note) => note.supersedes));
const result: Record<string, Record<string, Figures>> = {};
let served = 0;
for (const [name, model] of [[embedder.id, embedder], ["keywords alone", undefined]] as const) {
  const answers = [
    ...questions.map((question) => ask(store, question, model)),
    ...rephrased.map((one) => ask(store, { ...one, category: "paraphrase" }, model)),
    ...rephrased.map((one) => ask(trapped, { ...one, category: "paraphrase, trap" }, model)),
  ];
  served += answers.flatMap((answer) => answer.served).filter((id) => superseded.has(id)).length;
  result[name] = report(name, answers);
}
print(`\nsuperseded notes served: ${served}`);
await compareAndKeep();
store.close();
trapped.close();
embedder.close();

function ask(index: SearchIndex, question: Question, model: Embedder | undefined): Answer {
  const found = index.query(prepareQuery(question.query, model), { limit: 100 });
  const passed = rank(
    found.filter(({ combined }) => combined >= THRESHOLD).map(facts),
    DEFAULT_RANK,
    NOW,
  );
  return {
    ...question,
    ranked: found.filter(({ note }) => note.supersededBy === undefined).map((
      { note, combined },
    ) => ({
      id: note.id,
      score: combined,
    })),
    served: trim(passed).kept.slice(0, SERVED_MAX).map(({ id }) => id),
  };
}

function facts({ note, chunk, combined }: Candidate) {
  return { ...note, combined, recalls: 0, snippet: chunk.snippet };
}

function report(name: string, answers: readonly Answer[]): Record<string, Figures> {
  print(`\n${name}, threshold ${THRESHOLD}`);
  print("category            n   r@1  r@5  mrr  ndcg | served  hit  wrong-1st  precision  waste");
  const figures: Record<string, Figures> = {};
  for (const category of new Set(answers.map((answer) => answer.category))) {
    const one = measure(answers.filter((answer) => answer.category === category));
    figures[category] = one;
    print([
      category.padEnd(18),
      String(one.queries).padStart(3),
      ...[one.recallAt1, one.recallAt5, one.mrr, one.ndcgAt10].map((value) => percent(value, 4)),
      "|",
      percent(one.coverage, 5),
      percent(one.hit, 5),
      percent(one.wrongFirst, 8),
      percent(one.precision, 10),
      one.waste.toFixed(2).padStart(9),
    ].join(" "));
  }
  return figures;
}

async function compareAndKeep(): Promise<void> {
  let last: typeof result = {};
  try {
    last = JSON.parse(await Deno.readTextFile(RESULT));
  } catch {
    print("no earlier result to compare with");
  }
  for (const [name, categories] of Object.entries(result)) {
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
  const rounded = JSON.stringify(
    result,
    (_, value) => typeof value === "number" ? Math.round(value * 1000) / 1000 : value,
    2,
  );
  await Deno.writeTextFile(RESULT, `${rounded}\n`);
}

async function build(documents: readonly NoteDocument[]): Promise<SearchIndex> {
  const index = openIndex(await Deno.makeTempDir(), realFs, embedder.id);
  index.apply({ put: documents, remove: [] }, embedder);
  return index;
}

function document(id: string, text: string, more: Partial<NoteDocument>): NoteDocument {
  const { title = id, keywords = [], tags = [], supersedes = [], updated } = more;
  const facts = {
    id,
    title,
    keywords,
    tags,
    supersedes,
    ...(updated === undefined ? {} : { updated }),
  };
  return noteDocument(`knowledge/${id}.md`, text, facts);
}

async function readLines<T>(name: string): Promise<T[]> {
  const text = await Deno.readTextFile(new URL(name, folder));
  return text.trim().split("\n").map((line) => JSON.parse(line) as T);
}

function percent(value: number, width: number): string {
  return (100 * value).toFixed(0).padStart(width);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
