/**
 * Each kernel of the core against its TypeScript twin, in one run and interleaved: median times and
 * their ratio. The twins are the tests' oracles, written to be right and not to be fast; where a
 * target names a tuned loop, that loop is here.
 */
import { createCore, postingsBytesMax } from "../../src/base/core.ts";
import { StaticModel } from "../../src/embed/static_model.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { put } from "../../tests/support/core_memory.ts";
import * as twins from "../../tests/support/twins.ts";
import { readVocabulary } from "../../tests/support/vocabulary.ts";
import { median } from "../latency/sample.ts";

const DIMS = 256;
const CHUNKS = 10_000;
const ROUNDS = 15;

interface Case {
  readonly name: string;
  kernel(): void;
  twin(): void;
}

const core = createCore();
const tokens = readVocabulary();
const text = makeText();

say(
  `${"kernel".padEnd(44)}${"core ms".padStart(10)}${"twin ms".padStart(10)}${"ratio".padStart(8)}`,
);
for (const each of [...vectorCases(), ...textCases(), tokenizerCase()]) measure(each);
measureEmbedder();

function vectorCases(): Case[] {
  const rows = Int8Array.from(
    { length: CHUNKS * DIMS },
    (_, i) => (i * 2654435761 >>> 24) % 255 - 127,
  );
  const scales = Float32Array.from({ length: CHUNKS }, (_, i) => 0.001 + i % 7 / 1000);
  const query = rows.slice(0, DIMS);
  const out = put(core, new Float32Array(CHUNKS));
  const at = { query: put(core, query), rows: put(core, rows), scales: put(core, scales) };
  const values = Float32Array.from({ length: CHUNKS }, (_, i) => Math.sin(i * 12.9898) * 0.5);
  const valuesAt = put(core, values);
  const [indices, best] = [core.alloc(400), core.alloc(400)];
  const ids = Uint32Array.from({ length: 160 }, (_, i) => i * 61 % CHUNKS);
  const idsAt = put(core, ids);
  const sum = put(core, new Float32Array(DIMS));
  const pooled = [...ids].map((id) => rows.subarray(id * DIMS, (id + 1) * DIMS));
  const pooledScales = [...ids].map((id) => scales[id] ?? 0);
  return [
    {
      name: "scanInt8, 10,000 × 256",
      kernel: () => core.scanInt8(at.query, 0.01, at.rows, at.scales, CHUNKS, DIMS, out),
      twin: () => void twins.scanInt8(query, 0.01, rows, scales),
    },
    {
      name: "topK, 100 of 10,000",
      kernel: () => void core.topK(valuesAt, CHUNKS, 100, -Infinity, indices, best),
      twin: () => void twins.topK(values, 100, -Infinity),
    },
    {
      name: "poolTokens, 160 × 256",
      kernel: () => core.poolTokens(idsAt, ids.length, at.rows, at.scales, DIMS, sum),
      twin: () => twins.poolRows(pooled, pooledScales, new Float32Array(DIMS)),
    },
  ];
}

function textCases(): Case[] {
  const bytes = new TextEncoder().encode(text);
  const at = put(core, bytes);
  const hashes = core.alloc(bytes.length * 8);
  const count = core.termHashes(at, bytes.length, hashes, bytes.length);
  const chunk = new BigUint64Array(core.memory.buffer, hashes, count).slice();
  const documents = Array.from(
    { length: 1000 },
    (_, doc) => [...chunk].map((hash, i) => i % 3 === 0 ? hash + BigInt(doc % 211) : hash),
  );
  const all = put(core, BigUint64Array.from(documents.flat()));
  let end = 0;
  const ends = put(core, Uint32Array.from(documents, (each) => end += each.length));
  const bytesMax = postingsBytesMax(end, documents.length);
  const out = core.alloc(bytesMax);
  const docs = Uint32Array.from({ length: CHUNKS }, (_, i) => i);
  const list = {
    docs: put(core, docs),
    frequencies: put(core, new Uint8Array(CHUNKS).fill(2)),
    lengths: put(core, new Uint16Array(CHUNKS).fill(160)),
    scores: put(core, new Float32Array(CHUNKS)),
  };
  const scores = new Float32Array(CHUNKS);
  return [
    {
      name: `termHashes, ${bytes.length} bytes`,
      kernel: () => void core.termHashes(at, bytes.length, hashes, bytes.length),
      twin: () => void twins.splitTerms(text).map((term) => twins.termHash(term.text)),
    },
    {
      name: `buildPostings, 1,000 documents, ${end} terms`,
      kernel: () => void core.buildPostings(all, ends, documents.length, out, bytesMax),
      twin: () => void twins.invert(documents),
    },
    {
      name: "accumulateBm25, 10,000 postings",
      kernel: () => {
        const { docs, frequencies, lengths, scores } = list;
        core.accumulateBm25(docs, frequencies, CHUNKS, lengths, 150, 2, scores);
      },
      twin: () =>
        docs.forEach((doc) => scores[doc] = (scores[doc] ?? 0) + twins.bm25(2, 160, 150, 2)),
    },
  ];
}

function tokenizerCase(): Case {
  const model = new StaticModel();
  const vocabulary = { ids: new Map(tokens.map((token, id) => [token, id])) };
  return {
    name: `modelTokenize, ${text.length} bytes, host included`,
    kernel: () => void model.tokenize(text),
    twin: () => void twins.modelTokenize(text, vocabulary),
  };
}

/** Medians of interleaved rounds; each round repeats until it is long enough to be timed. */
function measure({ name, kernel, twin }: Case): void {
  const [kernelRepeats, twinRepeats] = [repeatsOf(kernel), repeatsOf(twin)];
  const kernelMs: number[] = [];
  const twinMs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    kernelMs.push(time(kernel, kernelRepeats));
    twinMs.push(time(twin, twinRepeats));
  }
  const [a, b] = [median(kernelMs), median(twinMs)];
  const ratio = `${(b / a).toFixed(1)}×`;
  say(
    `${name.padEnd(44)}${a.toFixed(4).padStart(10)}${b.toFixed(4).padStart(10)}${
      ratio.padStart(8)
    }`,
  );
}

/** Warms up, and says how often to repeat for about 5 ms. */
function repeatsOf(body: () => void): number {
  const start = performance.now();
  let repeats = 0;
  while (performance.now() - start < 150) {
    body();
    repeats++;
  }
  return Math.max(1, Math.round(repeats / 30));
}

function time(body: () => void, repeats: number): number {
  const start = performance.now();
  for (let i = 0; i < repeats; i++) body();
  return (performance.now() - start) / repeats;
}

/** What a process pays: the model opened, one question, then many texts. */
function measureEmbedder(): void {
  const opens: number[] = [];
  const firsts: number[] = [];
  const nexts: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const embedder = openStaticEmbedder();
    opens.push(time(() => void embedder.embedQuery("日"), 1));
    firsts.push(
      time(() => void embedder.embedQuery("which database did we pick for the client"), 1),
    );
    nexts.push(time(() => void embedder.embedQuery("how are background jobs run in the app"), 1));
    embedder.close();
  }
  const bulk = openStaticEmbedder();
  const texts = new Array(2000).fill(text);
  const first = time(() => void bulk.embedDocumentsQuantized(texts), 1);
  const again = time(() => void bulk.embedDocumentsQuantized(texts), 1);
  bulk.close();
  say(`\nembedder: open ${opens[0]?.toFixed(2)} ms first, median ${median(opens).toFixed(2)} ms`);
  say(
    `question of 8 words: ${median(firsts).toFixed(3)} ms, the next ${median(nexts).toFixed(3)} ms`,
  );
  say(
    `2,000 chunks of 160 words: ${first.toFixed(1)} ms with the table read, then ${
      again.toFixed(1)
    } ms`,
  );
}

/** 160 words as a note has them: mostly short and common, some identifiers, some unknown. */
function makeText(): string {
  const words = tokens.filter((token) => !token.startsWith("##") && token.length > 1);
  const identifiers = ["getUserName", "src/base/core.ts", "max_retries", "HTTPServerError"];
  return Array.from({ length: 160 }, (_, i) => {
    if (i % 20 === 19) return identifiers[(i / 20 | 0) % identifiers.length];
    return words[(i * i * 37) % (i % 4 === 0 ? 8000 : 400)];
  }).join(" ");
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
