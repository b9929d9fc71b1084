/**
 * Index and query speed beside stock Orama, MiniSearch and SQLite's FTS5, in one process and one run:
 * ratios, not absolutes. `deno run -A bench/search/run.ts [chunks]`; `--alone` for our own figures
 * only. Whole processes are measured by one_shot.ts.
 */
import { realFs } from "../../src/base/fs.ts";
import { openStaticEmbedder, type StaticEmbedder } from "../../src/embed/static.ts";
import { searchNotes } from "../../src/search/search_notes.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { openIndex, type SearchIndex } from "../../src/search/search_index.ts";
import { type Corpus, makeCorpus } from "./corpus.ts";
import { fts5, miniSearch, orama, type Peer, type Row } from "./peers.ts";
import { tempDir } from "../../tests/support/temp_store.ts";

/** A peer that takes a second for an answer is asked only this many. */
const PEER_QUERIES = 40;

const chunks = Number(Deno.args.find((arg) => /^\d+$/.test(arg)) ?? 10_000);
const corpus = makeCorpus(chunks);
const embedder = openStaticEmbedder();
const dir = tempDir();
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
if (!Deno.args.includes("--alone")) await comparePeers();
index.close();
embedder.close();

function measureBuild({ notes }: Corpus, embedder: StaticEmbedder): number {
  // Compiled code is what counts in a process that indexes; the first build warms it.
  let best = Infinity;
  for (let round = 0; round < 3; round++) {
    const target = round === 2 ? dir : tempDir();
    const fresh = openIndex(target, realFs, embedder.id);
    best = Math.min(best, once(() => fresh.apply({ put: notes, remove: [] }, embedder)));
    fresh.close();
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

/** Ours divided by theirs: below 1 is faster, or smaller. */
async function comparePeers(): Promise<void> {
  const rows = corpus.notes.flatMap((note) =>
    note.chunks.map(({ heading, text }): Row => ({
      title: heading,
      text,
      vector: embedder.embedQuery(`${heading}\n${text}`) ?? new Float32Array(embedder.dimensions),
    }))
  );
  const textBytes = rows.reduce((sum, { title, text }) => sum + title.length + text.length, 0);
  const ours = openIndex(dir, realFs, embedder.id);
  const first = once(() => ask(ours, corpus.queries[1] ?? ""));
  ours.close();
  print(
    `index ÷ text   ${(bytesIn(dir) / textBytes).toFixed(2)}   ${
      (textBytes / 1e6).toFixed(1)
    } MB of text`,
  );
  print(
    `\nours ÷ theirs${"build".padStart(11)}${"given vectors".padStart(15)}${
      "warm hybrid".padStart(13)
    }` +
      `${"words only".padStart(12)}${"façade".padStart(9)}${"first answer".padStart(14)}${
        "bytes".padStart(8)
      }`,
  );
  const words = openIndex(dir, realFs, embedder.id);
  const alone = middle(
    corpus.queries.map((text) => once(() => words.query(prepareQuery(text), { limit: 10 }))),
  );
  words.close();
  const embed = (text: string): Float32Array =>
    embedder.embedQuery(text) ?? new Float32Array(embedder.dimensions);
  // One after another: what a peer holds in memory must not slow the next.
  for (
    const make of [
      () => Promise.resolve(fts5(rows, `${tempDir()}/fts5.db`)),
      () => Promise.resolve(miniSearch(rows)),
      () => orama(rows, embed),
    ]
  ) {
    const peer: Peer = await make();
    const asked = corpus.queries.slice(0, PEER_QUERIES);
    for (const text of asked.slice(0, 5)) await peer.ask(text);
    const warm: number[] = [];
    for (const text of asked) {
      const start = performance.now();
      await peer.ask(text);
      warm.push(performance.now() - start);
    }
    const theirs = middle(warm);
    const cold = await peer.first(corpus.queries[1] ?? "").catch(() => undefined);
    const ratio = (own: number, other: number | undefined, width: number): string =>
      (other === undefined ? "none" : digits(own / other)).padStart(width);
    print(
      peer.name.padEnd(16) + ratio(build, peer.build, 8) + ratio(bare, peer.build, 15) +
        ratio(middle(hybrid), theirs, 13) + ratio(alone, theirs, 12) +
        ratio(middle(facade), theirs, 9) + ratio(first, cold?.ms, 14) +
        ratio(bytesIn(dir), cold?.bytes, 8) +
        `   theirs: build ${peer.build.toFixed(0)} ms, p50 ${theirs.toFixed(3)} ms, ` +
        `first ${cold?.ms.toFixed(1) ?? "too large for its own format"}`,
    );
  }
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

function digits(ratio: number): string {
  return ratio >= 0.1 ? ratio.toFixed(2) : `1/${(1 / ratio).toFixed(0)}`;
}

function size(): string {
  return (bytesIn(dir) / 1e6).toFixed(1);
}

function bytesIn(folder: string): number {
  let bytes = 0;
  for (const { name } of Deno.readDirSync(folder)) bytes += Deno.statSync(`${folder}/${name}`).size;
  return bytes;
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
