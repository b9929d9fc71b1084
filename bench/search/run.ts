/**
 * Index and query speed against stock Orama, in one process and one run: ratios, not absolutes.
 * `deno run -A bench/search/run.ts [chunks]`; with `--no-orama` only our own figures.
 */
import { realFs } from "../../src/base/fs.ts";
import { openStaticEmbedder, type StaticEmbedder } from "../../src/embed/static.ts";
import { searchNotes } from "../../src/search/ask.ts";
import { prepareQuery } from "../../src/search/query.ts";
import { openIndex, type SearchIndex } from "../../src/search/search_index.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";

const chunks = Number(Deno.args.find((arg) => /^\d+$/.test(arg)) ?? 10_000);
const corpus = makeCorpus(chunks);
const embedder = openStaticEmbedder();
const dir = await Deno.makeTempDir();
embedder.embedQuery("warm up");

print(`${chunks} chunks of ~160 words, ${corpus.notes.length} notes`);
const build = measureBuild(corpus, embedder);
print(`build          ${ms(build)}   ${Math.round(chunks / build * 1000)} chunks/s, ${size()} MB`);
const bare = measureBuild(corpus, withVectors(corpus, embedder));
print(
  `  vectors given ${ms(bare).trim().padStart(10)}   ${Math.round(chunks / bare * 1000)} chunks/s`,
);
print(`open           ${ms(once(() => openIndex(dir, realFs, embedder.id).close()))}`);
const cold = openIndex(dir, realFs, embedder.id);
print(`first query    ${ms(once(() => ask(cold, corpus.queries[0] ?? "")))}   open, read, answer`);
cold.close();

const index = openIndex(dir, realFs, embedder.id);
for (const text of corpus.queries) ask(index, text);
const hybrid = times(corpus.queries, (text) => ask(index, text));
print(`hybrid         ${percentiles(hybrid)}`);
const lexical = times(corpus.queries, (text) => index.query(prepareQuery(text), { limit: 10 }));
print(`lexical        ${percentiles(lexical)}`);
const filtered = times(
  corpus.queries,
  (text) => index.query(prepareQuery(text, embedder), { limit: 10, kinds: ["knowledge"] }),
);
print(`hybrid, filter ${percentiles(filtered)}`);
const facade: number[] = [];
for (let round = 0; round < 2; round++) {
  facade.length = 0;
  for (const text of corpus.queries) {
    const start = performance.now();
    await searchNotes([index], text, embedder, { limit: 10 });
    facade.push(performance.now() - start);
  }
}
print(`through Orama  ${percentiles(facade)}`);
const one = corpus.notes[3];
if (one !== undefined) {
  const change = once(() => index.apply({ put: [one], remove: [] }, embedder));
  print(`one note again ${ms(change)}   a delta of ${one.chunks.length} chunks`);
  print(
    `erase, merge   ${
      ms(once(() => index.apply({ put: [], remove: [one.path], erase: true }, embedder)))
    }`,
  );
}
print(
  `stamps         ${ms(once(() => index.stamps()))}   all notes ${ms(once(() => index.notes()))}`,
);
if (!Deno.args.includes("--no-orama")) await compareOrama();
index.close();
embedder.close();
await Deno.remove(dir, { recursive: true });

function measureBuild({ notes }: Corpus, embedder: StaticEmbedder): number {
  // Compiled code is what counts in a process that indexes; the first build warms it.
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    const target = round === 2 ? dir : Deno.makeTempDirSync();
    const fresh = openIndex(target, realFs, embedder.id);
    best = Math.min(best, once(() => fresh.apply({ put: notes, remove: [] }, embedder)));
    fresh.close();
    if (target !== dir) Deno.removeSync(target, { recursive: true });
  }
  return best;
}

/** The embedder, with the corpus' vectors made beforehand: what Orama is given too. */
function withVectors({ notes }: Corpus, model: StaticEmbedder): StaticEmbedder {
  const texts = notes.flatMap((note) => note.chunks.map((c) => `${c.heading}\n${c.text}`));
  const made = model.embedDocumentsQuantized(texts);
  const dims = model.dimensions;
  let next = 0;
  return {
    ...model,
    embedDocumentsQuantized({ length }) {
      const from = next;
      next = (next + length) % texts.length;
      return {
        rows: made.rows.subarray(from * dims, (from + length) * dims),
        scales: made.scales.subarray(from, from + length),
      };
    },
  };
}

function ask(index: SearchIndex, text: string): void {
  index.query(prepareQuery(text, embedder), { limit: 10 });
}

async function compareOrama(): Promise<void> {
  const { create, insertMultiple, search } = await import("@orama/orama");
  const orama = create({ schema: { title: "string", text: "string", vector: "vector[256]" } });
  const documents = corpus.notes.flatMap((note) =>
    note.chunks.map((chunk) => ({
      title: chunk.heading,
      text: chunk.text,
      vector: [...embedder.embedQuery(`${chunk.heading}\n${chunk.text}`) ?? []],
    }))
  );
  const start = performance.now();
  await insertMultiple(orama, documents, 1000);
  const insert = performance.now() - start;
  print(
    `Orama insert   ${ms(insert)}   ours ${
      (insert / build).toFixed(1)
    } times as fast with embedding, ${(insert / bare).toFixed(1)} with vectors given as there`,
  );
  const stock: number[] = [];
  for (const text of corpus.queries.slice(0, 60)) {
    const begin = performance.now();
    await search(orama, {
      mode: "hybrid",
      term: text,
      vector: { value: [...embedder.embedQuery(text) ?? []], property: "vector" },
      similarity: 0.000001,
      limit: 10,
    });
    stock.push(performance.now() - begin);
  }
  print(
    `Orama hybrid   ${percentiles(stock)}   ours ${
      (middle(stock) / middle(hybrid)).toFixed(0)
    } times as fast, façade ${(middle(stock) / middle(facade)).toFixed(0)}`,
  );
}

function times(queries: readonly string[], body: (text: string) => void): number[] {
  return queries.map((text) => once(() => body(text)));
}

function once(body: () => void): number {
  const start = performance.now();
  body();
  return performance.now() - start;
}

function middle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function percentiles(values: readonly number[]): string {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.floor(sorted.length * share)] ?? 0;
  return `p50 ${at(0.5).toFixed(3)} ms   p99 ${at(0.99).toFixed(3)} ms`;
}

function ms(value: number): string {
  return `${value.toFixed(1).padStart(8)} ms`;
}

function size(): string {
  let bytes = 0;
  for (const { name } of Deno.readDirSync(dir)) bytes += Deno.statSync(`${dir}/${name}`).size;
  return (bytes / 1e6).toFixed(1);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
