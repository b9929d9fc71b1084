/**
 * Builds thesaurus/thesaurus.bin and the tables of other languages from thesaurus/*.txt
 * (thesaurus/README.md), reproducibly. `--check` compares them with the committed files instead.
 */
import type { AssetName } from "../src/base/assets.ts";
import { concat } from "../src/base/concat.ts";
import { readBytes, realFs } from "../src/base/fs.ts";
import { encode } from "../src/base/utf8.ts";
import { equalBytes } from "../src/base/hash.ts";
import { isUnspaced } from "../src/base/text/unspaced.ts";
import { hash32 } from "../src/base/hash.ts";
import { phraseOf } from "../src/search/query/lexical.ts";
import { ENTRY_PAIRS_MAX, ENTRY_WORDS_MAX, keyOf, TABLE } from "../src/search/query/thesaurus.ts";
import { type Endings, LANGUAGES, wordWeight } from "../src/search/query/words.ts";

const FOLDER = `${import.meta.dirname}/../thesaurus/`;
/** `wordWeight` of a single letter. */
const LETTER_WEIGHT = 0.2;

export interface Group {
  readonly left: readonly string[];
  readonly sign: "" | ">" | "~";
  readonly right: readonly string[];
}

if (import.meta.main) Deno.exit(await run(Deno.args));

async function run(args: readonly string[]): Promise<number> {
  let stale = 0;
  for (const [name, table] of await readTables()) {
    if (!args.includes("--check")) {
      await Deno.writeFile(FOLDER + name, table);
      say(`thesaurus/${name}: ${table.length} bytes`);
      continue;
    }
    const isFresh = equalBytes(readBytes(realFs, FOLDER + name, Number.MAX_SAFE_INTEGER), table);
    say(`thesaurus/${name} ${isFresh ? "is fresh" : "differs from its source"}`);
    if (!isFresh) stale++;
  }
  return Math.min(1, stale);
}

/**
 * The tables that the program contains. A language without a file of its own in the program is part of
 * thesaurus.bin.
 */
export async function readTables(): Promise<[AssetName, Uint8Array<ArrayBuffer>][]> {
  const of = async (name: string) => parseGroups(await Deno.readTextFile(FOLDER + name));
  const files = (await Array.fromAsync(Deno.readDir(FOLDER))).map(({ name }) => name).sort();
  const foreign = new Set(LANGUAGES.map(({ name }) => `${name}.txt`));
  const groups: Group[] = [];
  for (const name of files) {
    if (name.endsWith(".txt") && !foreign.has(name)) groups.push(...await of(name));
  }
  const english = new Set(groups.flatMap(({ left, right }) => [...left, ...right]));
  const tables: [AssetName, Uint8Array<ArrayBuffer>][] = [];
  for (const { name, own } of LANGUAGES) {
    if (!files.includes(`${name}.txt`)) continue;
    const apart = (await of(`${name}.txt`)).flatMap((group) => bilingual(group, english));
    if (own === undefined) groups.push(...apart);
    else tables.push([own.table, makeTable(apart, own.endings)]);
  }
  return [["thesaurus.bin", makeTable(groups)], ...tables];
}

/**
 * Parses a source file: a group a line, `#` begins a comment. Entries that are too long, or only of words
 * that weigh no more than a letter, are dropped.
 */
export function parseGroups(text: string): Group[] {
  const inTraditional = traditionalBy(text);
  return text.split("\n").flatMap((line) => {
    const [left = "", sign = "", right = ""] = line.replace(/#.*/, "").split(/([>~])/);
    const group = {
      left: entriesOf(left.split(",").flatMap(inTraditional)),
      sign: sign as Group["sign"],
      right: entriesOf(right.split(",")),
    };
    const isGroup = sign === ""
      ? group.left.length > 1
      : group.left.length > 0 && group.right.length > 0;
    return isGroup ? [group] : [];
  });
}

/** Gives an entry and its forms in Traditional characters, by the file's lines that begin with `=`. */
function traditionalBy(text: string): (entry: string) => string[] {
  const pairs = [...text.matchAll(/^= (.*)$/gm)].flatMap(([, line = ""]) => line.split(" "));
  const others = new Map(pairs.map((pair) => [pair[0], [...pair.slice(1)]]));
  const written = (entry: string): string[] =>
    [...entry].reduce<string[]>(
      (all, one) => (others.get(one) ?? [one]).flatMap((other) => all.map((had) => had + other)),
      [""],
    );
  return (entry) => [entry, ...written(entry)];
}

function entriesOf(side: readonly string[]): string[] {
  const entries = side.map(phraseOf).filter((entry) => {
    const words = entry.split(" ");
    const wordsMax = isUnspaced(entry) ? ENTRY_PAIRS_MAX : ENTRY_WORDS_MAX;
    return entry !== "" && words.length <= wordsMax &&
      words.some((word) => wordWeight(word) > LETTER_WEIGHT);
  });
  return [...new Set(entries)];
}

/** Entries of the other language are synonyms of each other and point to the English ones. */
function bilingual(group: Group, english: ReadonlySet<string>): Group[] {
  const { left, sign } = group;
  if (sign === ">") return [group];
  const [ours, theirs] = [
    left.filter((entry) => english.has(entry)),
    left.filter((entry) => !english.has(entry)),
  ];
  if (theirs.length === 0) return [];
  return ours.length === 0
    ? [{ left, sign: "", right: [] }]
    : [{ left: theirs, sign: ">", right: ours }];
}

/**
 * Serializes groups in the format that src/search/query/thesaurus.ts reads. With `endings`, the table of another
 * language, only entries on the left are keys.
 */
export function makeTable(groups: readonly Group[], endings?: Endings): Uint8Array<ArrayBuffer> {
  const lines = new Map(groups.map(({ left, sign, right }) => {
    const line = sign === "" ? left.join(", ") : `${left.join(", ")} ${sign} ${right.join(", ")}`;
    const asked = endings === undefined ? [...left, ...right] : left;
    return [line, new Set(asked.map((entry) => keyOf(entry, endings)))];
  }));
  const rows: [hash: number, at: number][] = [];
  const texts: Uint8Array[] = [];
  let at = 0;
  for (const [line, keys] of lines) {
    for (const key of keys) rows.push([hash32(encode(key)), at]);
    const text = encode(`${line}\n`);
    texts.push(text);
    at += text.length;
  }
  rows.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const head = Uint32Array.from([TABLE.magic, rows.length, ...rows.flat()]);
  return concat([new Uint8Array(head.buffer), ...texts]);
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
