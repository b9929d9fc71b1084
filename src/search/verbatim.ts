/**
 * What of a query stands in a passage as it was typed: how much of it in a row, and which of its
 * identifiers and numbers do not stand there at all. A note about `v3` does not answer what `v4` does,
 * though every other word agrees.
 */
import { STEM_CHARACTERS } from "./apart.ts";
import { type Board, UNKNOWN_WEIGHT } from "./board.ts";
import { isWordCode, phraseOf, phraseOfWords, wordsText } from "./lexical.ts";
import type { Evidence } from "./score.ts";
import { wordWeight } from "./words.ts";

/** In a pasted log what comes later is no question. */
const WORDS_MAX = 128;
const NAMES_MAX = 16;
/** A digit, a mark between letters, or a capital behind a small letter: nobody means that loosely. */
const NAME = /\d|[A-Za-z0-9][_/.=]+[A-Za-z0-9]|[a-z][A-Z]/;
const EDGES = /^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g;

/** A query's words and names with what they weigh in one store. */
export interface Wording {
  readonly words: readonly string[];
  /** Where in `words` each stem stands. */
  readonly stems: ReadonlyMap<string, readonly number[]>;
  /** Each word's stem by the first place where it stands. */
  readonly said: readonly number[];
  /** By two first letters: 1 where a stem begins so. Most words of a passage are none of the query's. */
  readonly begins: Uint8Array;
  readonly names: readonly { readonly phrase: string; readonly weight: number }[];
  readonly board: Pick<Board, "weights" | "reach">;
}

/** `isAsked`: a prompt may name what is yet to be made, a question names what is looked for. */
export function wordingOf(
  text: string,
  board: Pick<Board, "weights" | "reach" | "mass">,
  isAsked: boolean,
): Wording {
  const words = phraseOf(text).split(" ", WORDS_MAX);
  const stems = new Map<string, number[]>();
  words.forEach((word, i) => stems.set(stemOf(word), [...stems.get(stemOf(word)) ?? [], i]));
  const said = words.map((word) => stems.get(stemOf(word))?.[0] ?? NO_STEM);
  const begins = new Uint8Array(BEGINNINGS);
  for (const stem of stems.keys()) begins[beginning(stem, 0, stem.length)] = 1;
  const weightMin = board.mass > 0 ? UNKNOWN_WEIGHT * board.reach / board.mass : 0;
  const names = new Map<string, number>();
  for (const token of isAsked ? text.split(/\s+/, WORDS_MAX) : []) {
    const name = token.replace(EDGES, "");
    const phrase = NAME.test(name) ? phraseOf(name) : "";
    if (phrase === "" || names.size === NAMES_MAX) continue;
    names.set(phrase, Math.max(weightMin, weightOf(phrase.split(" "), board)));
  }
  return {
    words,
    stems,
    said,
    begins,
    names: [...names].map(([phrase, weight]) => ({ phrase, weight })),
    board,
  };
}

/** As shares of what the query's words could reach. A name may stand in the note's trigger as well. */
export function compareWording(
  wording: Wording,
  passage: string,
  trigger = "",
): Pick<Evidence, "run" | "named" | "missing"> {
  const { names, board } = wording;
  const text = wordsText(passage);
  let phrase: string | undefined;
  let [lacking, all] = [0, 0];
  for (const { phrase: name, weight } of names) {
    all += weight;
    // The phrase has the words of the text: what is not in this is not in that.
    const isThere = ` ${trigger} `.includes(` ${name} `) ||
      (text.includes(name.split(" ", 1)[0] ?? "") &&
        ` ${phrase ??= phraseOfWords(text)} `.includes(` ${name} `));
    if (!isThere) lacking += weight;
  }
  return {
    run: board.reach > 0 ? Math.min(1, heaviestRun(wording, text) / board.reach) : 0,
    named: all === lacking ? 0 : (all - lacking) / Math.max(board.reach, all),
    missing: lacking === 0 ? 0 : lacking / Math.max(board.reach, all),
  };
}

/** What the query's words in a row weigh that weigh most: two or more, one of them telling. */
function heaviestRun(wording: Wording, text: string): number {
  const { words, said } = wording;
  const there = stemsIn(text, wording);
  let most = 0;
  for (let at = 0; at + 1 < there.length; at++) {
    if (there[at] === NO_STEM || there[at + 1] === NO_STEM) continue;
    for (const from of wording.stems.get(stemOf(words[there[at] ?? 0] ?? "")) ?? []) {
      let length = 1;
      while (from + length < words.length && said[from + length] === there[at + length]) length++;
      const run = words.slice(from, from + length);
      if (length > 1 && run.some((word) => wordWeight(word) === 1)) {
        most = Math.max(most, weightOf(run, wording.board));
      }
    }
  }
  return most;
}

/** A word that is none of the query's. */
const NO_STEM = -1;

/** The stems of a text's words in order, as in `Wording.said`. */
function stemsIn(text: string, { stems, begins }: Wording): number[] {
  const out: number[] = [];
  for (let at = 0; at < text.length; at++) {
    if (!isWordCode(text.charCodeAt(at))) continue;
    const from = at++;
    while (at < text.length && isWordCode(text.charCodeAt(at))) at++;
    const isBegun = begins[beginning(text, from, at)] === 1;
    const stem = isBegun ? text.slice(from, Math.min(at, from + STEM_CHARACTERS)) : "";
    out.push(stems.get(stem)?.[0] ?? NO_STEM);
  }
  return out;
}

const BEGINNINGS = 1024;

function beginning(text: string, from: number, to: number): number {
  const second = from + 1 < to ? text.charCodeAt(from + 1) : 0;
  return (text.charCodeAt(from) * 32 + second) % BEGINNINGS;
}

function weightOf(words: readonly string[], { weights }: Wording["board"]): number {
  let sum = 0;
  for (const word of new Set(words)) sum += weights.get(word) ?? 0;
  return sum;
}

export function stemOf(word: string): string {
  return word.slice(0, STEM_CHARACTERS);
}
