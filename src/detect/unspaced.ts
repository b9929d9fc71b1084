/**
 * What the patterns and lists of this room look for where no space parts words: a table (unspaced.txt),
 * read when the first such text is asked about. In the patterns themselves its letters would be carried
 * through every hook, and each would be written with six bytes, for V8 holds a text with one of them in
 * twice the room.
 */
import { type AssetName, readAsset } from "../base/assets.ts";
import { decode } from "../base/fs.ts";
import { lazy, memoize } from "../base/memoize.ts";
import { isUnspaced } from "../base/unspaced.ts";

export type Table = ReadonlyMap<string, readonly string[]>;

const table = lazy(() => readTable("unspaced.txt"));

/** The lines of a name, in order; empty where there is none. */
export function linesOf(name: string): readonly string[] {
  return table().get(name) ?? [];
}

/** The words of a list. */
export function wordsOf(name: string): readonly string[] {
  return linesOf(name).flatMap((line) => line.split(" "));
}

/**
 * A name, a tab, and what belongs to it; where nothing stands before the tab, it belongs to the last name.
 * What begins with `#` is for whoever reads the table.
 */
export function readTable(asset: AssetName): Table {
  const found = new Map<string, string[]>();
  let lines: string[] = [];
  for (const line of decode(readAsset(asset)).split("\n")) {
    const tab = line.indexOf("\t");
    if (tab < 0 || line.startsWith("#")) continue;
    if (tab > 0) {
      const name = line.slice(0, tab);
      const known = found.get(name);
      if (known === undefined) found.set(name, lines = [line.slice(tab + 1)]);
      else (lines = known).push(line.slice(tab + 1));
    } else lines.push(line.slice(1));
  }
  return found;
}

/** The source of a pattern that finds it. */
const NOTHING = "(?!)";

/** Asked like the pattern that it is made of, which has the table's alternatives where they may be found. */
export class Wider {
  readonly #name: string;
  readonly #own: (text: string) => RegExp;
  readonly #flags: string;
  sign: Wider | undefined;
  #listed: RegExp | undefined;
  readonly #whole = memoize((own: RegExp) =>
    new RegExp([own.source, ...linesOf(this.#name)].join("|"), own.flags)
  );

  constructor(name: string, own: (text: string) => RegExp, flags: string) {
    this.#name = name;
    this.#own = own;
    this.#flags = flags;
  }

  /** Asked only where `sign` is found, a word of each alternative: few texts have one, and the whole is dear to make. */
  behind(sign: Wider): this {
    this.sign = sign;
    return this;
  }

  /** The table's alternatives by themselves: where one is found, the pattern itself is not made. */
  test(text: string): boolean {
    if (this.sign?.test(text) === false) return false;
    return isUnspaced(text) && this.#lines().test(text) || this.#own(text).test(text);
  }

  exec(text: string): RegExpExecArray | null {
    return this.sign?.test(text) === false ? null : this.#for(text).exec(text);
  }

  /** Of a global one. */
  all(text: string): Iterable<RegExpExecArray> {
    return text.matchAll(this.#for(text));
  }

  [Symbol.match](text: string): RegExpMatchArray | null {
    return text.match(this.#for(text));
  }

  [Symbol.replace](text: string, by: string): string {
    return text.replace(this.#for(text), by);
  }

  [Symbol.split](text: string): string[] {
    return text.split(this.#for(text));
  }

  #lines(): RegExp {
    return this.#listed ??= new RegExp(linesOf(this.#name).join("|") || NOTHING, this.#flags);
  }

  #for(text: string): RegExp {
    const own = this.#own(text);
    return isUnspaced(text) ? this.#whole(own) : own;
  }
}

/** A pattern that finds what stands under its name in the table as well. */
export function wider(name: string, own: RegExp): Wider {
  return new Wider(name, () => own, own.flags);
}

/** One that finds nothing else. */
export function onlyUnspaced(name: string, flags = ""): Wider {
  return wider(name, new RegExp(NOTHING, flags));
}

/** Han without those that only join or point, in runs; words in Katakana whole. */
const telling = lazy(() => {
  const small = linesOf("names.small").join("");
  return new RegExp(
    `[\\u30a1-\\u30fa\\u30fc]{2,}|(?:(?![${small}])[\\u3005-\\u3007\\u3400-\\u9fff])+`,
    "g",
  );
});
const deciding = lazy(() => new RegExp(linesOf("names.deciding").join("|"), "g"));
/** A longer row of characters is told by its pairs. */
const NAME_CHARACTERS_MAX = 4;

/** What a text is about: overlapping pairs of Han, as the index has them (lexical.ts), and words in Katakana. */
export function pairsIn(text: string): string[] {
  return (text.match(telling()) ?? []).flatMap((run) => isKatakana(run) ? run : pairs(run));
}

/** The same for names, without verbs of deciding: a row of up to four characters is one. */
export function namesUnspaced(text: string): string[] {
  const runs = text.replace(deciding(), " ").match(telling()) ?? [];
  return runs.flatMap((run) =>
    isKatakana(run)
      ? run
      : run.length > NAME_CHARACTERS_MAX
      ? pairs(run)
      : run.length > 1
      ? run
      : []
  );
}

function isKatakana(run: string): boolean {
  return run < "\u3100" && run > "\u30a0";
}

function pairs(run: string): string[] {
  return Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2));
}
