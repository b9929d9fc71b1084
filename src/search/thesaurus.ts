/**
 * Words that stand for other words, as general knowledge has them: `sign in`, `login`. A table that
 * scripts/thesaurus.ts makes of thesaurus/*.txt, read whole where a question is first looked for in
 * other words. It knows words alone: no note, no store, no score.
 */
import { readAsset } from "../base/assets.ts";
import { SageError } from "../base/errors.ts";
import { decode, encode } from "../base/fs.ts";
import { hash32 } from "./format.ts";

/** What the other word is to the one that was asked; the nearest first. */
const STANDINGS = ["same", "narrower", "broader", "related"] as const;

export type Standing = typeof STANDINGS[number];

export interface OtherWord {
  /** One to three words as `phraseOf` leaves them, one space between. */
  readonly word: string;
  readonly standing: Standing;
}

/** Some words of a text in a row, and what may stand for them. */
export interface Said {
  readonly words: readonly string[];
  readonly others: readonly OtherWord[];
}

/** Words of the longest entry. */
export const ENTRY_WORDS_MAX = 3;

/**
 * The table: u32 magic, u32 rows; a row for each entry of each group, ascending: u32 hash of its `keyOf`,
 * u32 where its group begins in the text; the text, a group a line: `a, b`, `a > c`, `a ~ c`.
 */
export const TABLE = { magic: 0x53455448, headerBytes: 8, rowBytes: 8 } as const;

const NEW_LINE = 10;

export class Thesaurus {
  readonly #rows: Uint32Array;
  readonly #text: Uint8Array;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    const { headerBytes, rowBytes } = TABLE;
    const [magic, rows = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
    const textAt = headerBytes + rows * rowBytes;
    if (magic !== TABLE.magic || textAt > bytes.length) {
      throw new SageError("internal", "The thesaurus is damaged");
    }
    this.#rows = new Uint32Array(bytes.buffer, bytes.byteOffset + headerBytes, rows * 2);
    this.#text = bytes.subarray(textAt);
  }

  /**
   * The longest entries among the words, from the left, each word in one of them. `people sign in` says what
   * `sign in` does as well; a single word out of an entry may mean something else.
   */
  saidIn(words: readonly string[]): Said[] {
    const said: Said[] = [];
    const bases = words.map(baseOf);
    for (let from = 0; from < words.length;) {
      let count = Math.min(ENTRY_WORDS_MAX, words.length - from);
      for (; count > 0; count--) {
        const entry = bases.slice(from, from + count);
        const others = this.#othersOf(entry.join(" "));
        if (others.length === 0) continue;
        const within = count <= 2 ? [] : [entry.slice(1), entry.slice(0, -1)]
          .flatMap((shorter) => this.#othersOf(shorter.join(" ")));
        said.push({
          words: words.slice(from, from + count),
          others: nearest([...others, ...within]),
        });
        break;
      }
      from += Math.max(1, count);
    }
    return said;
  }

  #othersOf(key: string): OtherWord[] {
    const hash = hash32(encode(key));
    let [low, high] = [0, this.#rows.length / 2];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[2 * middle] ?? 0) < hash) low = middle + 1;
      else high = middle;
    }
    const others: OtherWord[] = [];
    for (; this.#rows[2 * low] === hash; low++) {
      others.push(...readGroup(this.#lineAt(this.#rows[2 * low + 1] ?? 0), key));
    }
    return nearest(others);
  }

  #lineAt(at: number): string {
    return decode(this.#text.subarray(at, this.#text.indexOf(NEW_LINE, at)));
  }
}

let opened: Thesaurus | undefined;

/** The one that the program carries. */
export function openThesaurus(): Thesaurus {
  return opened ??= new Thesaurus(readAsset("thesaurus.bin"));
}

/** What stands in one group for the entry with this key, and as what. */
function* readGroup(group: string, key: string): Generator<OtherWord> {
  const [left = "", sign, right = ""] = group.split(/ ([>~]) /);
  const [a, b] = [left.split(", "), right === "" ? [] : right.split(", ")];
  const isAsked = (word: string): boolean => keyOf(word) === key;
  const [isLeft, isRight] = [a.some(isAsked), b.some(isAsked)];
  for (const word of a) {
    if (isAsked(word)) continue;
    // The same is what stands on one side, but for what is merely related.
    if (isLeft && sign !== "~") yield { word, standing: "same" };
    else if (isRight) yield { word, standing: sign === ">" ? "broader" : "related" };
  }
  for (const word of b) {
    if (isLeft && !isAsked(word)) yield { word, standing: sign === ">" ? "narrower" : "related" };
  }
}

/** Each word once, as the nearest that it is to what was asked. */
function nearest(others: readonly OtherWord[]): OtherWord[] {
  const found = new Map<string, OtherWord>();
  for (const other of others) {
    const known = found.get(other.word);
    if (known === undefined || rankOf(other) < rankOf(known)) found.set(other.word, other);
  }
  return [...found.values()];
}

function rankOf({ standing }: OtherWord): number {
  return STANDINGS.indexOf(standing);
}

/** By what an entry is known. */
export function keyOf(entry: string): string {
  return entry.split(" ").map(baseOf).join(" ");
}

/** A word without its English ending, to compare and not to show: `retries`, `retried` and `retry`. */
function baseOf(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return word.replace(/(?:ies|ied)$/, "y")
    .replace(/(?<=[a-z]{3})(?:ing|ed|es|s)$/, "")
    .replace(/([b-df-hj-kmnp-rtv-z])\1$/, "$1")
    .replace(/(?<=[a-z]{3})e$/, "");
}
