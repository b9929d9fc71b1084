/**
 * Phrases of languages written without spaces (Chinese, Japanese): a table (unspaced.txt), read when the
 * first such text comes. Inside the other patterns these characters would be loaded by every hook, and would
 * make V8 store each pattern with two bytes a character.
 */
import { type AssetName, readAsset } from "../../base/assets.ts";
import { decode } from "../../base/utf8.ts";
import { lazy, memoize } from "../../base/memoize.ts";
import { isUnspaced } from "../../base/text/unspaced.ts";
import { withSharedContinuations } from "./shared_continuations.ts";

export type PhraseTable = ReadonlyMap<string, readonly string[]>;

const table = lazy(() => readPhraseTable("unspaced.txt"));

/** The lines under a name, in order; empty if there is none. */
export function unspacedLines(name: string): readonly string[] {
  return table().get(name) ?? [];
}

const REFERENCE = /\{([a-z_]+\.[a-z_]+)\}/g;

/** The lines under a name as one source; `{name}` in a line stands for the lines of that name. */
function unspacedSource(name: string): string {
  return withSharedContinuations(joinedLines(name));
}

function joinedLines(name: string): string {
  return unspacedLines(name).join("|").replace(
    REFERENCE,
    (_, other) => `(?:${joinedLines(other)})`,
  );
}

/** The words of a list. */
export function unspacedWords(name: string): readonly string[] {
  return unspacedLines(name).flatMap((line) => line.split(" "));
}

/**
 * Parses a table: a name, a tab, a line. A line that begins with a tab belongs to the last name; `#` begins a
 * comment.
 */
export function readPhraseTable(asset: AssetName): PhraseTable {
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

/** Never matches. */
const NOTHING = "(?!)";

/**
 * A regular expression, joined with the lines of unspaced.txt under the same name where a text is unspaced.
 */
export class PhrasePattern {
  readonly #name: string;
  readonly #own: (text: string, language?: PhraseTable) => RegExp;
  readonly #flags: string;
  /** The one language whose lines match a text; undefined if several do. */
  readonly languageOf: (text: string) => PhraseTable | undefined;
  prefilter: PhrasePattern | undefined;
  #listed: RegExp | undefined;
  readonly #whole = memoize((own: RegExp) =>
    new RegExp(
      [own.source, unspacedSource(this.#name)].filter((part) => part !== "").join("|"),
      own.flags,
    )
  );

  constructor(
    name: string,
    own: (text: string, language?: PhraseTable) => RegExp,
    flags: string,
    languageOf: (text: string) => PhraseTable | undefined = () => undefined,
  ) {
    this.#name = name;
    this.#own = own;
    this.#flags = flags;
    this.languageOf = languageOf;
  }

  /**
   * Skips texts in which `sign` does not match, and the lines of languages whose own sign does not. A sign is
   * cheap to compile: a word of each alternative; most texts have none.
   */
  prefilteredBy(sign: PhrasePattern): this {
    this.prefilter = sign;
    return this;
  }

  /** Tests the unspaced lines first: if one matches, the larger pattern need not be compiled. */
  test(text: string): boolean {
    if (this.prefilter?.test(text) === false) return false;
    return isUnspaced(text) && this.#lines().test(text) || this.#spoken(text).test(text);
  }

  exec(text: string): RegExpExecArray | null {
    return this.prefilter?.test(text) === false ? null : this.#for(text).exec(text);
  }

  /** Of a global pattern. */
  matchAll(text: string): Iterable<RegExpExecArray> {
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
    return this.#listed ??= new RegExp(unspacedSource(this.#name) || NOTHING, this.#flags);
  }

  #spoken(text: string): RegExp {
    return this.#own(text, this.prefilter?.languageOf(text));
  }

  #for(text: string): RegExp {
    const own = this.#spoken(text);
    return isUnspaced(text) ? this.#whole(own) : own;
  }
}

/** A pattern that also matches the unspaced lines of its name. */
export function withUnspaced(name: string, own: RegExp): PhrasePattern {
  return new PhrasePattern(name, () => own, own.flags);
}

/** A pattern that matches only the unspaced lines of its name. */
export function unspacedPattern(name: string, flags = ""): PhrasePattern {
  return withUnspaced(name, new RegExp(NOTHING, flags));
}

/** Runs of Han characters without function characters, and whole Katakana words. */
const contentRuns = lazy(() => {
  const small = unspacedLines("names.small").join("");
  return new RegExp(
    `[\\u30a1-\\u30fa\\u30fc]{2,}|(?:(?![${small}])[\\u3005-\\u3007\\u3400-\\u9fff])+`,
    "g",
  );
});
const decidingVerbs = lazy(() => new RegExp(unspacedLines("names.deciding").join("|"), "g"));
/** A longer run is represented by its bigrams. */
const NAME_CHARACTERS_MAX = 4;

/**
 * Content terms of an unspaced text: character bigrams of Han, as in the index (lexical.ts), and whole
 * Katakana words.
 */
export function bigramsIn(text: string): string[] {
  return (text.match(contentRuns()) ?? []).flatMap((run) => isKatakana(run) ? run : bigrams(run));
}

/** The same for names: verbs of deciding are left out, and a run of up to four characters is one name. */
export function namesUnspaced(text: string): string[] {
  const runs = text.replace(decidingVerbs(), " ").match(contentRuns()) ?? [];
  return runs.flatMap((run) =>
    isKatakana(run)
      ? run
      : run.length > NAME_CHARACTERS_MAX
      ? bigrams(run)
      : run.length > 1
      ? run
      : []
  );
}

function isKatakana(run: string): boolean {
  return run < "\u3100" && run > "\u30a0";
}

function bigrams(run: string): string[] {
  return Array.from({ length: run.length - 1 }, (_, i) => run.slice(i, i + 2));
}
