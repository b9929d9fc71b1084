/**
 * Makes thesaurus/thesaurus.bin of thesaurus/*.txt (thesaurus/README.md), always to the same bytes.
 * `--check` compares instead: what is committed must be what the source says.
 */
import { concat } from "./concat.ts";
import { encode, readBytes, realFs } from "../src/base/fs.ts";
import { equalBytes } from "../src/base/hash.ts";
import { hash32 } from "../src/search/format.ts";
import { phraseOf } from "../src/search/lexical.ts";
import { ENTRY_WORDS_MAX, keyOf, TABLE } from "../src/search/thesaurus.ts";
import { wordWeight } from "../src/search/words.ts";

const FOLDER = `${import.meta.dirname}/../thesaurus/`;
const TARGET = `${FOLDER}thesaurus.bin`;
/** Its lines have words of two languages, which stand for each other and not among themselves. */
const BILINGUAL = "german.txt";
/** `wordWeight` of a single letter. */
const SAYS_LITTLE = 0.2;

export interface Group {
  readonly left: readonly string[];
  readonly sign: "" | ">" | "~";
  readonly right: readonly string[];
}

if (import.meta.main) Deno.exit(await run(Deno.args));

async function run(args: readonly string[]): Promise<number> {
  const table = makeTable(await readGroups(FOLDER));
  if (!args.includes("--check")) {
    await Deno.writeFile(TARGET, table);
    say(`thesaurus/thesaurus.bin: ${table.length} bytes`);
    return 0;
  }
  const isFresh = equalBytes(readBytes(realFs, TARGET, Number.MAX_SAFE_INTEGER), table);
  say(`thesaurus/thesaurus.bin ${isFresh ? "is fresh" : "differs from its source"}`);
  return isFresh ? 0 : 1;
}

/** All groups of the folder's files, in order of the files' names. */
export async function readGroups(folder: string): Promise<Group[]> {
  const files = await Array.fromAsync(Deno.readDir(folder));
  const names = files.map(({ name }) => name)
    .filter((name) => name.endsWith(".txt")).sort();
  const groups: Group[] = [];
  for (const name of names.filter((name) => name !== BILINGUAL)) {
    groups.push(...parseGroups(await Deno.readTextFile(folder + name)));
  }
  const english = new Set(groups.flatMap(({ left, right }) => [...left, ...right]));
  const bilingual = names.includes(BILINGUAL)
    ? parseGroups(await Deno.readTextFile(folder + BILINGUAL))
    : [];
  return [...groups, ...bilingual.flatMap((group) => apart(group, english))];
}

/** A group a line; what is behind a `#` is a comment. Entries that say nothing or are too long are left out. */
export function parseGroups(text: string): Group[] {
  return text.split("\n").flatMap((line) => {
    const [left = "", sign = "", right = ""] = line.replace(/#.*/, "").split(/([>~])/);
    const group = { left: entriesOf(left), sign: sign as Group["sign"], right: entriesOf(right) };
    const isGroup = sign === ""
      ? group.left.length > 1
      : group.left.length > 0 && group.right.length > 0;
    return isGroup ? [group] : [];
  });
}

function entriesOf(side: string): string[] {
  const entries = side.split(",").map(phraseOf).filter((entry) => {
    const words = entry.split(" ");
    return words.length <= ENTRY_WORDS_MAX && words.some((word) => wordWeight(word) > SAYS_LITTLE);
  });
  return [...new Set(entries)];
}

/** German entries stand for each other and for the English ones. */
function apart({ left }: Group, english: ReadonlySet<string>): Group[] {
  const [ours, theirs] = [
    left.filter((entry) => english.has(entry)),
    left.filter((entry) => !english.has(entry)),
  ];
  if (theirs.length === 0) return [];
  return ours.length === 0
    ? [{ left, sign: "", right: [] }]
    : [{ left: theirs, sign: ">", right: ours }];
}

/** As src/search/thesaurus.ts reads it. */
export function makeTable(groups: readonly Group[]): Uint8Array<ArrayBuffer> {
  const lines = new Set(
    groups.map(({ left, sign, right }) =>
      sign === "" ? left.join(", ") : `${left.join(", ")} ${sign} ${right.join(", ")}`
    ),
  );
  const rows: [hash: number, at: number][] = [];
  const texts: Uint8Array[] = [];
  let at = 0;
  for (const line of lines) {
    const keys = new Set(line.split(/, | [>~] /).map(keyOf));
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
