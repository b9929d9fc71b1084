/**
 * Values that must not be found again: planted before something is forgotten, redacted or refused,
 * then searched for in everything that was written, compressed files included. Made at run time and
 * the same for the same seed. What counts as a leak is decided by the test.
 */
import { chars, KINDS, seeded } from "./secrets.ts";

const DEFAULT_SEED = 500_026;
const WORD = "abcdefghijklmnopqrstuvwxyz0123456789";

export interface Canary {
  /** `secret`: a value the guard must know; `private`: plain words, to be put between the tags. */
  readonly kind: "secret" | "private";
  /** The text that must not be found afterwards. */
  readonly value: string;
  /** What to plant: the value with what makes it a secret, or between private tags. */
  readonly text: string;
}

/** `count` canaries, secrets of every kind and private words in turn. */
export function plantCanaries(count: number, seed: number = DEFAULT_SEED): Canary[] {
  const random = seeded(seed);
  const canaries: Canary[] = [];
  for (let i = 0; i < count; i++) {
    if (i % 4 === 3) {
      const value = `canary${chars(random, WORD, 20)}`;
      canaries.push({ kind: "private", value, text: `before <private>${value}</private> after` });
      continue;
    }
    const kind = KINDS[(i - Math.floor(i / 4)) % KINDS.length];
    if (kind === undefined) continue;
    let sample = kind.make(random);
    // What has no form may be missed (scan_test measures how often); a canary must not be one of those.
    while (kind.isGeneric && !isPlainlyRandom(sample.secret)) sample = kind.make(random);
    canaries.push({ kind: "secret", value: sample.secret, text: sample.text });
  }
  return canaries;
}

function isPlainlyRandom(value: string): boolean {
  return value.length >= 12 && (value.match(/[0-9]/g) ?? []).length >= 3 && /[a-z]/i.test(value);
}

/** Bytes of one file that are searched; nothing that Sage writes is larger. */
const FILE_BYTES_MAX = 256 * 1024 * 1024;
/** Long values are looked for by either end too: half a secret is a leak. */
const PART_CHARACTERS = 24;

/**
 * Where a canary remains below the roots: `path: value`. Reads every file as bytes and file names as
 * text; looks into gzip files, and for values as JSON writes them. A root may be missing.
 */
export async function searchRoots(
  roots: readonly string[],
  canaries: readonly (Canary | string)[],
): Promise<string[]> {
  const values = canaries.map((canary) => typeof canary === "string" ? canary : canary.value);
  const needles = values.map((value) => ({ value, forms: formsOf(value) }));
  const remains: string[] = [];
  for (const root of roots) {
    for (const path of filesBelow(root)) {
      const text = `${path}\n${await contentOf(path)}`;
      for (const { value, forms } of needles) {
        if (forms.some((form) => text.includes(form))) remains.push(`${path}: ${value}`);
      }
    }
  }
  return remains;
}

function formsOf(value: string): string[] {
  const json = JSON.stringify(value).slice(1, -1);
  const forms = new Set([value, json]);
  if (value.length > 2 * PART_CHARACTERS && !value.startsWith("eyJ")) {
    forms.add(value.slice(0, PART_CHARACTERS));
    forms.add(value.slice(-PART_CHARACTERS));
  }
  return [...forms].map(asLatin1);
}

/** Bytes as characters, so that text is found inside binary files too. */
function asLatin1(text: string): string {
  return new TextDecoder("latin1").decode(new TextEncoder().encode(text));
}

async function contentOf(path: string): Promise<string> {
  const bytes = await Deno.readFile(path);
  if (bytes.length > FILE_BYTES_MAX) throw new Error(`${path} is too large to search`);
  const decoder = new TextDecoder("latin1");
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return decoder.decode(bytes);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  // A torn gzip file still holds what was written before it was torn.
  const parts: string[] = [decoder.decode(bytes)];
  try {
    for await (const chunk of stream) parts.push(decoder.decode(chunk));
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  return parts[0] + "\n" + parts.slice(1).join("");
}

function filesBelow(root: string): string[] {
  const found: string[] = [];
  const folders = [root];
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    let entries: Deno.DirEntry[];
    try {
      entries = [...Deno.readDirSync(folder)];
    } catch (error) {
      if (error instanceof Deno.errors.NotFound) continue;
      throw error;
    }
    for (const entry of entries) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory) folders.push(path);
      else if (entry.isFile) found.push(path);
    }
  }
  return found.sort();
}
