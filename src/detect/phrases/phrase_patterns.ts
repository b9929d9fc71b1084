/**
 * Patterns of what people and agents say. Each language has a table (english.txt and so on); the lines under
 * a name are the alternatives of the pattern of that name. A pattern matches all languages, because people
 * mix them, and is compiled on first use. Text in Cyrillic gets a pattern of its own, of English and Russian.
 * Apart from unspaced.ts, because the prompt hook needs that one and none of these.
 */
import { CYRILLIC_LETTERS, isCyrillic } from "../../base/text/cyrillic.ts";
import { lazy, memoize } from "../../base/memoize.ts";
import { russian } from "./russian.ts";
import { commonTables, spokenTables, tablesFor } from "./phrase_tables.ts";
import { withSharedContinuations } from "./shared_continuations.ts";
import { PhrasePattern, type PhraseTable } from "./unspaced.ts";

/** Russian text contains English words (the first table), and hardly any of another language. */
const cyrillicTables = lazy(
  (): readonly PhraseTable[] => [...commonTables().slice(0, 1), russian()],
);

/**
 * The pattern of a name. `frame` is what surrounds it in every language: `{}` stands for the lines of that
 * name, `{orders.fault}` for those of another name.
 */
export function phrasePattern(
  name: string,
  frame = "{}",
  flags = "i",
  tablesOfText = tablesFor,
): PhrasePattern {
  const whole = frame.replace("{}", `{${name}}`);
  const made = memoize((tables: readonly PhraseTable[]) => {
    if (tables === cyrillicTables()) {
      return new RegExp(withCyrillic(withSharedContinuations(expanded(whole, tables))), flags);
    }
    return new RegExp(
      withSharedContinuations(expanded(whole, tables, tables !== commonTables())),
      flags,
    );
  });
  /** With the lines of one common language alone, in the frame of all. */
  const madeOf = memoize((language: PhraseTable) => {
    const source = expanded(whole, commonTables(), false, { name, language });
    return new RegExp(withSharedContinuations(source), flags);
  });
  const tablesOf = (text: string) => isCyrillic(text) ? cyrillicTables() : tablesOfText(text);
  return new PhrasePattern(
    name,
    (text, language) => language === undefined ? made(tablesOf(text)) : madeOf(language),
    flags,
    (text) => {
      if (tablesOf(text) !== commonTables()) return undefined;
      const [one, other] = commonTables().filter((language) => madeOf(language).test(text));
      return other === undefined ? one : undefined;
    },
  );
}

/**
 * The same in the languages of the exchange that is read, where a short word of another would mean something
 * else (`inLanguagesOf`).
 */
export function spokenPattern(name: string, frame = "{}"): PhrasePattern {
  return phrasePattern(name, frame, "i", spokenTables);
}

/** Frames: the match is a whole word, or begins at the start of one. */
export const WHOLE_WORD = String.raw`\b{}\b`;
export const WORD_START = String.raw`\b{}`;

/** Frames: what may stand before a pattern at the start of a sentence; where a clause, or an order, begins. */
export const OPENING = String.raw`^(?:(?:{discourse.markers}|{discourse.no})[,.:!]* )*`;
export const CLAUSE = String.raw`(?:^|[.!?;:,–—]\s|(?<![\wà-ÿ]){discourse.links} )`;
export const ORDER = `${CLAUSE}(?:{preferences.please} )?`;

/** The lines under a name, as written. */
export function phraseLines(name: string, tables = commonTables()): readonly string[] {
  return tables.flatMap((table) => table.get(name) ?? []);
}

const REFERENCE = /(\\b)?\{([a-z_]+\.[a-z_]+)\}(\\b)?/g;
/**
 * Stand-ins for `\b`, which takes an accented letter for a word boundary: it finds no "sí" in "sí, claro".
 */
const [BEFORE, BEHIND] = [String.raw`(?<![\wà-ÿ])`, String.raw`(?![\wà-ÿ])`];
const BEGINS_ACCENTED = /(?:^|[|(:])(?:\[\w?)?[à-ÿ]/;
const ENDS_ACCENTED = /[à-ÿ]\]?(?:s\?)?(?:$|[|)])/;

/**
 * A pattern source with its `{name}` references expanded; a reference inside a line means the same language's
 * lines. `\b` beside a name becomes a boundary that knows accented letters if a line begins or ends with one;
 * or always (`isAccentedInside`), where common words have one within: to `\b` "não" ends with a word "o".
 * `only`: the lines under this name are those of one language.
 */
export function expanded(
  source: string,
  languages = commonTables(),
  isAccentedInside = false,
  only?: { readonly name: string; readonly language: PhraseTable },
): string {
  const isRow = REPEATED_GROUP.test(source);
  return source.replace(REFERENCE, (_, before = "", name, behind = "") => {
    const found: string[] = [];
    const known = new Set<string>();
    for (const table of only !== undefined && only.name === name ? [only.language] : languages) {
      const lines = table.get(name);
      if (lines === undefined) continue;
      const typed = withOptionalAccents((isRow ? newIn(lines, known) : lines).join("|"));
      if (typed !== "") found.push(typed.includes("{") ? expanded(typed, [table]) : typed);
    }
    const all = found.join("|") || NOTHING;
    const begin = before !== "" && (isAccentedInside || BEGINS_ACCENTED.test(all))
      ? BEFORE
      : before;
    const end = behind !== "" && (isAccentedInside || ENDS_ACCENTED.test(all)) ? BEHIND : behind;
    return `${begin}(?:${all})${end}`;
  });
}

/** Never matches: for a name that no language has. */
const NOTHING = "(?!)";

/** A group that may repeat. */
const REPEATED_GROUP = /\)[*+]/;

/**
 * The alternatives that no earlier language has: "ok" three times over would be tried in 3^n ways in a row of
 * n. Lines with groups are kept whole, and references too, which mean another thing in each language.
 */
function newIn(lines: readonly string[], known: Set<string>): string[] {
  return lines.flatMap((line) => line.includes("(") ? line : line.split("|"))
    .filter((one) => one.includes("{") || !known.has(one) && known.add(one));
}

/** A character class, an escape, or literal letters. */
const LETTERS = /\[[^\]]*\]|\\.|[A-Za-zà-ÿ]+/g;
const ACCENTED = /[ßà-ÿ]/g;
/** Without accents these are other words: "hätte" and "hatte", "está" and "esta". */
const OTHER_WORD = /^(?:hätt|w[üä]r|könnt|müsst|dürft|möcht|est[áé](?!n))/i;
/** A shorter word seldom means the same without its accent: "qué" and "que", "là" and "la". */
const ACCENTED_WORD_MIN = 4;
const UMLAUTS: Readonly<Record<string, string>> = { ä: "a", ö: "o", ü: "u" };

/** Makes accents optional, as people leave them out when they type fast: 'nächste', 'naechste', 'nachste'. */
function withOptionalAccents(source: string): string {
  if (source.search(ACCENTED) < 0) return source;
  return source.replace(LETTERS, (word) => {
    if (word.startsWith("[") || word.startsWith("\\") || word.search(ACCENTED) < 0) return word;
    return word.replace(ACCENTED, (letter) => {
      const bare = UMLAUTS[letter];
      if (letter === "ß") return "(?:ß|ss)";
      if (bare !== undefined) {
        return OTHER_WORD.test(word) ? `(?:${letter}|${bare}e)` : `[${bare}${letter}]e?`;
      }
      const isShort = word.length < ACCENTED_WORD_MIN && letter !== "ç" && letter !== "ñ";
      if (isShort || OTHER_WORD.test(word)) return letter;
      return `[${letter.normalize("NFD").charAt(0)}${letter}]`;
    });
  });
}

/** The word characters: those of `\w`, and Cyrillic letters. */
const LETTER = String.raw`\w${CYRILLIC_LETTERS}`;
/** A character class, an escape, or a letter whose mark is left out in fast typing and by fold(). */
const SPELLED = /\[(?:[^\]\\]|\\.)*\]|\\.|[ёй]/g;
const CYRILLIC_FORMS: Readonly<Record<string, string>> = {
  ё: "[её]",
  й: "[йи]",
  "\\w": `[${LETTER}]`,
  "\\W": `[^${LETTER}]`,
  "\\b": `(?:(?<=[${LETTER}])(?![${LETTER}])|(?<![${LETTER}])(?=[${LETTER}]))`,
};

/** The same pattern with Cyrillic letters as word characters: in `\w`, in `à-ÿ`, and beside `\b`. */
function withCyrillic(source: string): string {
  return source.replace(
    SPELLED,
    (token) =>
      token.startsWith("[")
        ? token.replaceAll("à-ÿ", `à-ÿ${CYRILLIC_LETTERS}`).replaceAll("\\w", LETTER)
        : CYRILLIC_FORMS[token] ?? token,
  );
}
