/**
 * The thesaurus: general synonyms such as `sign in` and `login`. scripts/thesaurus.ts builds its table from
 * thesaurus/*.txt; it is read whole when a question is first expanded. A language with its own endings has
 * its own table, read only for its questions. Knows nothing of notes, stores or scores.
 */
import { type AssetName, readAsset } from "../../base/assets.ts";
import { SageError } from "../../base/errors.ts";
import { decode, encode } from "../../base/utf8.ts";
import { hash32 } from "../../base/hash.ts";
import { isUnspaced } from "../../base/text/unspaced.ts";
import { type Endings, type Language, wordWeight } from "./words.ts";

/** How a synonym relates to the word that was asked, the nearest relation first. */
const RELATIONS = ["same", "narrower", "broader", "related"] as const;

export type SynonymRelation = typeof RELATIONS[number];

export interface Synonym {
  /** One to three words as `phraseOf` leaves them, one space between. */
  readonly word: string;
  readonly relation: SynonymRelation;
}

/** Some words of a question in a row, and what may stand for them. */
export interface Expansion {
  readonly words: readonly string[];
  readonly synonyms: readonly Synonym[];
}

/** Characters of a compound's part: shorter words are in many others by chance. */
const PART_CHARACTERS_MIN = 4;
/** The plural of nouns with endings that take no other plural. */
const GERMAN_PLURAL = /(?<=ung|heit|keit|schaft|ion|tat)en$/;
/** Longer words are not split. */
const COMPOUND_CHARACTERS_MAX = 40;
/** Words of an entry. */
export const ENTRY_WORDS_MAX = 3;
/** The same in text without spaces, where words are bigrams (lexical.ts). */
export const ENTRY_PAIRS_MAX = 9;

/**
 * A table: u32 magic, u32 row count; the rows, by ascending hash; the text, a group a line: `a, b` (the same),
 * `a > c` (narrower), `a ~ c` (related). A row is for one entry that a group can be asked with: u32 `hash32`
 * of its `keyOf`, u32 offset of the group in the text.
 */
export const TABLE = { magic: 0x53455448, headerBytes: 8, rowBytes: 8 } as const;

const NEW_LINE = 10;

/** Entries whose synonyms are kept; two or three take a kilobyte. */
const KEPT_ENTRIES_MAX = 2048;

export class Thesaurus {
  readonly #rows: Uint32Array;
  readonly #text: Uint8Array;
  readonly #endings: Endings | undefined;
  /** Synonyms by entry as it was asked: most words of a question were in an earlier one. */
  readonly #kept = new Map<string, readonly Synonym[]>();

  /** `endings`: for the table of one language. Only its words, on the left of a group, can be asked with. */
  constructor(bytes: Uint8Array<ArrayBuffer>, endings?: Endings) {
    const { headerBytes, rowBytes } = TABLE;
    const [magic, rows = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2);
    const textAt = headerBytes + rows * rowBytes;
    if (magic !== TABLE.magic || textAt > bytes.length) {
      throw new SageError("internal", "The thesaurus is damaged");
    }
    this.#rows = new Uint32Array(bytes.buffer, bytes.byteOffset + headerBytes, rows * 2);
    this.#text = bytes.subarray(textAt);
    this.#endings = endings;
  }

  /** Returns a function that gives the synonyms of `words[from..to)`; none if they are no entry. */
  lookup(words: readonly string[]): (from: number, to: number) => readonly Synonym[] {
    const bases = words.map((word) => baseOf(word, this.#endings));
    return (from, to) =>
      this.#othersOf(bases.slice(from, to).join(" "), words.slice(from, to).join(" "));
  }

  /** Whether a word, or its singular, is an entry of this language and not its own English translation. */
  isForeign(word: string): boolean {
    const forms = [word, word.replace(/[sx]$/, ""), word.replace(/es$/, "")];
    return this.#groupsOf(keyOf(word, this.#endings)).some((group) => {
      const [left = [], right = []] = group.split(" > ").map((side) => side.split(", "));
      return right.length > 0 && forms.some((form) => left.includes(form)) &&
        !forms.some((form) => right.includes(form));
    });
  }

  /** The entries that a compound or its singular consists of; none if it is an entry, or a part is not. */
  partsOf(word: string): string[] {
    if (word.length > COMPOUND_CHARACTERS_MAX || this.#has(word)) return [];
    const one = word.replace(GERMAN_PLURAL, "");
    if (one !== word && this.#has(one)) return [one];
    for (let at = word.length - PART_CHARACTERS_MIN; at >= PART_CHARACTERS_MIN; at--) {
      const [head, tail] = [word.slice(0, at), word.slice(at)];
      const rest = !this.#has(head) ? [] : this.#has(tail) ? [tail] : this.partsOf(tail);
      if (rest.length > 0) return [head, ...rest];
    }
    return [];
  }

  #has(word: string): boolean {
    return this.#othersOf(keyOf(word, this.#endings), word).length > 0;
  }

  #othersOf(key: string, entry: string): readonly Synonym[] {
    const known = this.#kept.get(entry);
    if (known !== undefined) return known;
    const others = this.#readOthers(key, entry);
    // What is no entry is not kept: most runs of three words never come again.
    if (others.length > 0) {
      if (this.#kept.size >= KEPT_ENTRIES_MAX) this.#kept.clear();
      this.#kept.set(entry, others);
    }
    return others;
  }

  #readOthers(key: string, entry: string): readonly Synonym[] {
    const groups = this.#groupsOf(key);
    if (groups.length === 0) return [];
    // Of entries that differ in their endings only, an exact match is meant if there is one.
    const meant = this.#endings === undefined
      ? []
      : groups.filter((group) => entriesIn(group).includes(entry));
    return nearest(
      (meant.length > 0 ? meant : groups).flatMap((group) => readGroup(group, key, this.#endings)),
    );
  }

  /** The groups with such a key; a hash collision may bring others. */
  #groupsOf(key: string): string[] {
    const hash = hash32(encode(key));
    let [low, high] = [0, this.#rows.length / 2];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#rows[2 * middle] ?? 0) < hash) low = middle + 1;
      else high = middle;
    }
    const groups: string[] = [];
    for (; this.#rows[2 * low] === hash; low++) {
      groups.push(this.#lineAt(this.#rows[2 * low + 1] ?? 0));
    }
    return groups;
  }

  #lineAt(at: number): string {
    return decode(this.#text.subarray(at, this.#text.indexOf(NEW_LINE, at)));
  }
}

const opened = new Map<AssetName, Thesaurus>();

/** The table of all questions, or a language's own. */
export function openThesaurus(own?: Language["own"]): Thesaurus {
  const name = own?.table ?? "thesaurus.bin";
  const known = opened.get(name) ?? new Thesaurus(readAsset(name), own?.endings);
  opened.set(name, known);
  return known;
}

/** The language that has most of the words, as stop words or in its table; none if fewer than `knownMin`. */
export function likeliest(
  languages: readonly Language[],
  words: readonly string[],
  knownMin: number,
): Language | undefined {
  const counted = languages.map((language) => {
    const table = openThesaurus(language.own);
    const known = words.filter((word) =>
      language.small.has(word) || wordWeight(word, language) === 1 && table.isForeign(word)
    );
    return { language, known: new Set(known).size };
  });
  counted.sort((a, b) => b.known - a.known);
  return counted.find(({ known }) => known >= knownMin)?.language;
}

/**
 * Splits the words into the longest entries, from the left. The language's own table comes before the
 * general one. A part of an entry does not count, because it may mean something else.
 */
export function expansionsOf(words: readonly string[], language?: Language): Expansion[] {
  const own = language?.own && openThesaurus(language.own);
  const thesauri = own === undefined ? [openThesaurus()] : [own, openThesaurus()];
  return expandBy(thesauri, words, language?.unspaced && ENTRY_PAIRS_MAX);
}

/** As `expansionsOf`, with these thesauri, the first to have an entry wins. `countMax`: words of an entry. */
export function expandBy(
  thesauri: readonly Thesaurus[],
  words: readonly string[],
  countMax = ENTRY_WORDS_MAX,
): Expansion[] {
  const asked = thesauri.map((one) => one.lookup(words));
  const synonymsIn = (from: number, to: number): readonly Synonym[] => {
    for (const ask of asked) {
      const others = ask(from, to);
      if (others.length > 0) return others;
    }
    return [];
  };
  const expansions: Expansion[] = [];
  for (let from = 0; from < words.length;) {
    let count = Math.min(countMax, words.length - from);
    for (; count > 0; count--) {
      const to = from + count;
      const others = synonymsIn(from, to);
      if (others.length === 0) continue;
      // Skip the pair that joins the entry's last character to the next word's first.
      if (isJoint(words[to - 1], words[to])) count++;
      const own = words.slice(from, from + count);
      expansions.push({ words: own, synonyms: others });
      break;
    }
    if (count === 0) {
      expansions.push(...expansionsByCharacter(thesauri, words[from], words[from + 1]));
    }
    from += Math.max(1, count);
  }
  return expansions;
}

/** For a bigram that begins no entry: the synonyms of its first character, at a run's end of its second too. */
function expansionsByCharacter([own]: readonly Thesaurus[], word = "", next?: string): Expansion[] {
  if (own === undefined || word.length !== 2 || !isUnspaced(word)) return [];
  const characters = [...isJoint(word, next) ? word.slice(0, 1) : word];
  const synonyms = nearest(characters.flatMap((one) => own.lookup([one])(0, 1)));
  return synonyms.length === 0 ? [] : [{ words: [word], synonyms }];
}

/** Whether two bigrams overlap, as neighbours in a run of characters do. */
function isJoint(pair: string | undefined, next: string | undefined): boolean {
  return pair !== undefined && next?.length === 2 && pair.at(-1) === next[0] && isUnspaced(next);
}

function entriesIn(group: string): string[] {
  return group.split(/, | [>~] /);
}

/** The synonyms that one group has for the entry with this key. */
function readGroup(group: string, key: string, endings?: Endings): Synonym[] {
  const [left = "", sign, right = ""] = group.split(/ ([>~]) /);
  const [a, b] = [left.split(", "), right === "" ? [] : right.split(", ")];
  const isAsked = (word: string): boolean => keyOf(word, endings) === key;
  // With a language's endings, the English words on the right are no key: `export` would be `exporter`.
  const isAskedThere = (word: string): boolean => endings === undefined && isAsked(word);
  const [isLeft, isRight] = [a.some(isAsked), b.some(isAskedThere)];
  const found: Synonym[] = [];
  for (const word of a) {
    if (isAsked(word)) continue;
    // Entries on the left are synonyms of each other, except in a group of related ones.
    if (isLeft && sign !== "~") found.push({ word, relation: "same" });
    else if (isRight) found.push({ word, relation: sign === ">" ? "broader" : "related" });
  }
  for (const word of b) {
    if (isLeft && !isAskedThere(word)) {
      found.push({ word, relation: sign === ">" ? "narrower" : "related" });
    }
  }
  return found;
}

/** Each word once, in its nearest relation. */
function nearest(others: readonly Synonym[]): Synonym[] {
  const found = new Map<string, Synonym>();
  for (const other of others) {
    const known = found.get(other.word);
    if (known === undefined || rankOf(other) < rankOf(known)) found.set(other.word, other);
  }
  return [...found.values()];
}

function rankOf({ relation }: Synonym): number {
  return RELATIONS.indexOf(relation);
}

/** The key of an entry in the table: its words without their endings. */
export function keyOf(entry: string, endings?: Endings): string {
  return entry.split(" ").map((word) => baseOf(word, endings)).join(" ");
}

/** A word's stem, for comparing only: the same for `retries`, `retried` and `retry`. */
function baseOf(word: string, endings: Endings = ENGLISH): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word;
  return endings.reduce((base, [end, other]) => base.replace(end, other), word);
}

const ENGLISH: Endings = [
  [/(?:ies|ied)$/, "y"],
  [/(?<=[a-z]{3})(?:ing|ed|es|s)$/, ""],
  [/([b-df-hj-kmnp-rtv-z])\1$/, "$1"],
  [/(?<=[a-z]{3})e$/, ""],
];
