/**
 * A corpus made from a seed, the same everywhere: chunks of about 160 words, drawn with a Zipf
 * distribution from the 20,000 most frequent words of the built-in model's vocabulary.
 */
import type { NoteDocument } from "../../src/search/document.ts";
import { noteDocument } from "../../tests/search/notes.ts";
import { type Random, seeded, zipfPicker } from "../../tests/search/random.ts";

const CHUNKS_PER_NOTE = 5;
const WORDS_PER_CHUNK = 160;
const WORDS = 20_000;

export interface Corpus {
  readonly notes: readonly NoteDocument[];
  readonly queries: readonly string[];
}

export function makeCorpus(chunks: number, seed = 7): Corpus {
  const random = seeded(seed);
  const word = zipfPicker(modelWords(), random);
  const notes = Array.from({ length: Math.ceil(chunks / CHUNKS_PER_NOTE) }, (_, i) => {
    const parts = Array.from({ length: CHUNKS_PER_NOTE }, () => prose(word, random));
    return noteDocument(`knowledge/note-${i}.md`, parts.join("\n\n"), {
      title: `${word()} ${word()} ${word()}`,
      keywords: i % 3 === 0 ? [`${word()} ${word()}`] : [],
      tags: [word()],
      contentHash: `${i}`.padStart(64, "0"),
    });
  });
  const queries = Array.from({ length: 200 }, () => {
    const words = random.pick(notes).chunks[random.below(CHUNKS_PER_NOTE)]?.text.split(/\s+/) ?? [];
    const from = random.below(words.length - 8);
    return words.slice(from, from + 2 + random.below(6)).join(" ");
  });
  return { notes, queries };
}

function prose(word: () => string, random: Random): string {
  const words: string[] = [];
  for (let i = 0; i < WORDS_PER_CHUNK; i++) {
    const next = word();
    const isEnd = random.next() < 0.07;
    words.push(isEnd ? `${next}.` : random.next() < 0.06 ? `${next},` : next);
  }
  return words.join(" ");
}

/** The whole words of the model's vocabulary, in its order: frequent ones first. */
function modelWords(): string[] {
  const path = new URL("../../wasm/model/static-embed-32k-256.bin", import.meta.url);
  const bytes = Deno.readFileSync(path);
  const view = new DataView(bytes.buffer);
  const count = view.getUint32(8, true);
  const starts = view.getUint32(24, true);
  const strings = view.getUint32(28, true);
  const words: string[] = [];
  for (let id = 0; id < count && words.length < WORDS; id++) {
    const from = strings + view.getUint32(starts + 4 * id, true);
    const to = strings + view.getUint32(starts + 4 * id + 4, true);
    const word = new TextDecoder().decode(bytes.subarray(from, to));
    if (/^[a-z]{2,}$/.test(word)) words.push(word);
  }
  return words;
}
