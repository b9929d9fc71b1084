/**
 * Every kernel of wasm/core.wasm once more, written to be obviously right: strings, regular
 * expressions, Map, BigInt, f64. The oracle of the property tests and the peer of bench/kernels.
 * Shares no code with the kernels and is never shipped.
 */
import { Buffer } from "node:buffer";

export interface Vocabulary {
  readonly ids: ReadonlyMap<string, number>;
}

/** wasm/model/README.md, "Tokenizer", steps 2 to 4; the text is ASCII. */
export function modelTokenize(text: string, vocabulary: Vocabulary): number[] {
  const words: string[] = [];
  const pattern = /[A-Za-z0-9]+/g;
  for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
    const run = match[0];
    const rest = text.slice(pattern.lastIndex);
    if (/^c$/i.test(run) && rest.startsWith("++")) {
      words.push("cplusplus");
      pattern.lastIndex += 2;
    } else if (/^[cf]$/i.test(run) && rest.startsWith("#")) {
      words.push(`${run.toLowerCase()}sharp`);
      pattern.lastIndex += 1;
    } else if (/[A-Za-z]n$/i.test(run) && /^'t(?![A-Za-z0-9])/i.test(rest)) {
      words.push(run.slice(0, -1), "not");
      pattern.lastIndex += 2;
    } else {
      words.push(run);
    }
  }
  return words.flatMap((word) => wordIds(word.slice(0, 40), vocabulary.ids));
}

function wordIds(word: string, ids: ReadonlyMap<string, number>): number[] {
  const whole = ids.get(word.toLowerCase());
  if (word.length > 1 && whole !== undefined) return [whole];
  return splitCase(word).flatMap((part) => partIds(part.toLowerCase(), ids));
}

function partIds(part: string, ids: ReadonlyMap<string, number>): number[] {
  const whole = ids.get(part);
  if (whole !== undefined) return [whole];
  const found: number[] = [];
  let rest = part;
  while (rest !== "") {
    const prefix = found.length === 0 ? "" : "##";
    const lengthMax = found.length === 0 ? 20 : 12;
    const length = lengths(Math.min(lengthMax, rest.length)).find((n) =>
      ids.has(prefix + rest.slice(0, n))
    );
    if (length === undefined) throw new Error(`no piece begins "${rest}"`);
    found.push(ids.get(prefix + rest.slice(0, length)) ?? -1);
    rest = rest.slice(length);
  }
  return found;
}

/** n, n − 1, … 1. */
function lengths(n: number): number[] {
  return Array.from({ length: n }, (_, i) => n - i);
}

function splitCase(word: string): string[] {
  return word.split(/(?<=[^A-Z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/);
}

/** sum += scale × row for each row, in f32, in order. */
export function poolRows(rows: Int8Array[], scales: number[], sum: Float32Array): void {
  rows.forEach((row, r) => {
    const scale = Math.fround(scales[r] ?? 0);
    row.forEach((value, d) => sum[d] = (sum[d] ?? 0) + Math.fround(scale * value));
  });
}

/** Divides by the L2 norm; returns it. */
export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, d) => sum + value * (b[d] ?? 0), 0);
}

export function normalize(vector: Float32Array): number {
  const norm = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
  if (norm > 0) vector.forEach((value, d) => vector[d] = value / norm);
  return norm;
}

export function quantize(vector: Float32Array): { row: Int8Array; scale: number } {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest < Math.fround(1e-30)) return { row: new Int8Array(vector.length), scale: 0 };
  const factor = Math.fround(127 / largest);
  const row = Int8Array.from(vector, (value) => roundHalfEven(Math.fround(value * factor)));
  return { row, scale: Math.fround(largest / 127) };
}

/** The same to int16. */
export function quantize16(vector: Float32Array): { row: Int16Array; scale: number } {
  const largest = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  if (largest < Math.fround(1e-30)) return { row: new Int16Array(vector.length), scale: 0 };
  const factor = Math.fround(32767 / largest);
  const row = Int16Array.from(vector, (value) => roundHalfEven(Math.fround(value * factor)));
  return { row, scale: Math.fround(largest / 32767) };
}

/** Each row's scale × its scalar product with the vector, summed. */
export function dotRows(rows: Int8Array[], scales: number[], vector: Int16Array): number {
  return rows.reduce((sum, row, r) => {
    const dot = row.reduce((of, value, d) => of + value * (vector[d] ?? 0), 0);
    return sum + Math.fround(scales[r] ?? 0) * dot;
  }, 0);
}

function roundHalfEven(value: number): number {
  const below = Math.floor(value);
  const rest = value - below;
  if (rest !== 0.5) return Math.round(value);
  return below % 2 === 0 ? below : below + 1;
}

export function scanInt8(
  query: Int8Array,
  queryScale: number,
  rows: Int8Array,
  scales: Float32Array,
): Float32Array {
  const dims = query.length;
  return scales.map((scale, i) => {
    let dot = 0;
    for (let d = 0; d < dims; d++) dot += (query[d] ?? 0) * (rows[i * dims + d] ?? 0);
    return Math.fround(Math.fround(queryScale) * scale) * dot;
  });
}

/** NaN is above nothing. */
export function topK(
  values: Float32Array,
  k: number,
  above: number,
): { index: number; value: number }[] {
  return [...values].map((value, index) => ({ index, value }))
    .filter(({ value }) => value > above)
    .sort((a, b) => b.value === a.value ? a.index - b.index : b.value > a.value ? 1 : -1)
    .slice(0, k);
}

/** A term as it is hashed, and where its bytes stand in the text. */
export interface Term {
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/** Works on latin1 strings, one character a byte, so that offsets are byte offsets. */
export function splitTerms(text: string): Term[] {
  const bytes = Buffer.from(text, "utf8").toString("latin1");
  const compound = /[A-Za-z0-9\x80-\xff]+(?:(?:[/\\.-]|_+)[A-Za-z0-9\x80-\xff]+)*/g;
  return [...bytes.matchAll(compound)].flatMap((match) => termsOf(match[0], match.index));
}

function termsOf(text: string, start: number): Term[] {
  const self = { text: termText(text), start, end: start + text.length };
  for (const joint of [/[/\\]/, /\./, /-/, /_+/]) {
    if (joint.test(text)) return [self, ...partsAt(text, start, joint)];
  }
  let at = start;
  const words = splitCase(text).map((part) => {
    at += part.length;
    return { text: termText(part), start: at - part.length, end: at };
  });
  if (words.length === 1) return [self];
  return [self, ...words.filter((word) => word.end - word.start > 1)];
}

function partsAt(text: string, start: number, joint: RegExp): Term[] {
  const found: Term[] = [];
  let at = 0;
  // The capturing group keeps the joints, so that offsets stay true.
  text.split(new RegExp(`(${joint.source})`)).forEach((piece, i) => {
    if (i % 2 === 0) found.push(...termsOf(piece, start + at));
    at += piece.length;
  });
  return found;
}

function termText(text: string): string {
  return text.slice(0, 64).replaceAll("\\", "/").replace(/[A-Z]/g, (c) => c.toLowerCase());
}

/** 64-bit FNV-1a of a latin1 string. */
export function termHash(term: string): bigint {
  let hash = 0xcbf29ce484222325n;
  for (const c of term) {
    hash = BigInt.asUintN(64, (hash ^ BigInt(c.charCodeAt(0))) * 0x100000001b3n);
  }
  return hash;
}

/** Each term's documents and how often it stands in each. */
export function invert(documents: readonly bigint[][]): Map<bigint, Map<number, number>> {
  const postings = new Map<bigint, Map<number, number>>();
  documents.forEach((hashes, doc) => {
    for (const hash of hashes) {
      const list = postings.get(hash) ?? new Map<number, number>();
      postings.set(hash, list.set(doc, (list.get(doc) ?? 0) + 1));
    }
  });
  return postings;
}

export function bm25(
  frequency: number,
  length: number,
  averageLength: number,
  idf: number,
): number {
  const [k1, b] = [1.2, 0.75];
  const damp = k1 * (1 - b + b * length / averageLength);
  return idf * Math.min(1, frequency * (k1 + 1) / (frequency + damp));
}
