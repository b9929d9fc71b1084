/**
 * What people and agents say, by language: a table each (english.txt and its like), in which a line is an
 * alternative of the pattern of its name. A pattern has what any language says, for people mix them, and is
 * made when it is first asked. Where Cyrillic is written another one is asked, of English and Russian. Apart
 * from unspaced.ts, which a prompt loads: it asks for none of these.
 */
import { CYRILLIC_LETTERS, isCyrillic } from "../base/cyrillic.ts";
import { lazy, memoize } from "../base/memoize.ts";
import { russian } from "./cyrillic.ts";
import { tablesEverywhere, tablesFor } from "./tables.ts";
import { type Table, Wider } from "./unspaced.ts";

/** Among Russian words stand English ones, which are the first table, and hardly any of another language. */
const ofCyrillic = lazy((): readonly Table[] => [...tablesEverywhere().slice(0, 1), russian()]);

/**
 * The pattern of a name. `frame` is what all languages have around it: `{}` stands for the lines of that
 * name, `{orders.fault}` for those of another.
 */
export function heard(name: string, frame = "{}", flags = "i"): Wider {
  const whole = frame.replace("{}", `{${name}}`);
  const made = memoize((tables: readonly Table[]) => {
    if (tables === ofCyrillic()) {
      return new RegExp(withCyrillic(meeting(filled(whole, tables))), flags);
    }
    return new RegExp(meeting(filled(whole, tables, tables !== tablesEverywhere())), flags);
  });
  return new Wider(name, (text) => made(isCyrillic(text) ? ofCyrillic() : tablesFor(text)), flags);
}

/** A class of letters, an escaped letter, or the end of a group that something follows. */
const GROUP_END = /\[(?:\\.|[^\]])*\]|\\.|\)\??(?![?*+{|)]|$)/g;

/**
 * The same pattern, whose ways through a group meet behind it. V8 writes what follows anew for each of them, up
 * to ten times and in each group again; an empty look ahead is where it does not (docs/decisions/0110).
 */
export function meeting(source: string): string {
  return source.replace(GROUP_END, (one) => one.startsWith(")") ? `${one}(?=)` : one);
}

/** A frame: what is found is a word, or begins one. */
export const WORD = String.raw`\b{}\b`;
export const BEGINS = String.raw`\b{}`;

/** The lines of a name, as they are. */
export function listed(name: string, tables = tablesEverywhere()): readonly string[] {
  return tables.flatMap((table) => table.get(name) ?? []);
}

const NAMED = /(\\b)?\{([a-z_]+\.[a-z_]+)\}(\\b)?/g;
/** To `\b` a letter with a mark is none: it finds no "sí" in "sí, claro". */
const [BEFORE, BEHIND] = [String.raw`(?<![\wà-ÿ])`, String.raw`(?![\wà-ÿ])`];
const BEGINS_MARKED = /(?:^|[|(:])(?:\[\w?)?[à-ÿ]/;
const ENDS_MARKED = /[à-ÿ]\]?(?:s\?)?(?:$|[|)])/;

/**
 * A source with what stands under the names in it; a line means what its own language has of them. Where a
 * line begins or ends with a letter that has a mark, the end of a word beside it is that of such letters; and
 * where the commonest words have one within (`isWithin`): to `\b` "não" ends with an "o".
 */
export function filled(
  source: string,
  languages = tablesEverywhere(),
  isWithin = false,
): string {
  const isRow = ROW.test(source);
  return source.replace(NAMED, (_, before = "", name, behind = "") => {
    const found: string[] = [];
    const known = new Set<string>();
    for (const table of languages) {
      const lines = table.get(name);
      if (lines === undefined) continue;
      const typed = withoutMarks((isRow ? newIn(lines, known) : lines).join("|"));
      if (typed !== "") found.push(typed.includes("{") ? filled(typed, [table]) : typed);
    }
    const all = found.join("|") || NOTHING;
    const begin = before !== "" && (isWithin || BEGINS_MARKED.test(all)) ? BEFORE : before;
    const end = behind !== "" && (isWithin || ENDS_MARKED.test(all)) ? BEHIND : behind;
    return `${begin}(?:${all})${end}`;
  });
}

/** Of a name that none of the languages has. */
const NOTHING = "(?!)";

/** A group that may stand there again and again. */
const ROW = /\)[*+]/;

/**
 * What no other language says in the same letters: "ok" three times over would be tried in 3^n ways in a row
 * of n. Lines with groups are taken as they are, and names mean another thing in each language.
 */
function newIn(lines: readonly string[], known: Set<string>): string[] {
  return lines.flatMap((line) => line.includes("(") ? line : line.split("|"))
    .filter((one) => one.includes("{") || !known.has(one) && known.add(one));
}

/** A group of letters of a pattern, an escaped letter, or letters that stand for themselves. */
const LETTERS = /\[[^\]]*\]|\\.|[A-Za-zà-ÿ]+/g;
const MARK = /[ßà-ÿ]/g;
/** Without their marks they are other words: "hätte" and "hatte", "está" and "esta". */
const OTHER_WORD = /^(?:hätt|w[üä]r|könnt|müsst|dürft|möcht|est[áé](?!n))/i;
/** Shorter words seldom mean the same without: "qué" and "que", "là" and "la". */
const MARKED_LETTERS_MIN = 4;
const UMLAUTS: Readonly<Record<string, string>> = { ä: "a", ö: "o", ü: "u" };

/** A pattern that finds its words as they are typed in a hurry: 'nächste', 'naechste' and 'nachste'. */
function withoutMarks(source: string): string {
  if (source.search(MARK) < 0) return source;
  return source.replace(LETTERS, (word) => {
    if (word.startsWith("[") || word.startsWith("\\") || word.search(MARK) < 0) return word;
    return word.replace(MARK, (letter) => {
      const bare = UMLAUTS[letter];
      if (letter === "ß") return "(?:ß|ss)";
      if (bare !== undefined) {
        return OTHER_WORD.test(word) ? `(?:${letter}|${bare}e)` : `[${bare}${letter}]e?`;
      }
      const isShort = word.length < MARKED_LETTERS_MIN && letter !== "ç" && letter !== "ñ";
      if (isShort || OTHER_WORD.test(word)) return letter;
      return `[${letter.normalize("NFD").charAt(0)}${letter}]`;
    });
  });
}

/** What a word is made of. */
const LETTER = String.raw`\w${CYRILLIC_LETTERS}`;
/** A class, an escaped letter, and letters whose marks are left out in a hurry, or by fold(). */
const SPELT = /\[(?:[^\]\\]|\\.)*\]|\\.|[ёй]/g;
const WRITTEN: Readonly<Record<string, string>> = {
  ё: "[её]",
  й: "[йи]",
  "\\w": `[${LETTER}]`,
  "\\W": `[^${LETTER}]`,
  "\\b": `(?:(?<=[${LETTER}])(?![${LETTER}])|(?<![${LETTER}])(?=[${LETTER}]))`,
};

/** The same pattern, to which Cyrillic letters are letters: within `\w` and `à-ÿ`, and on either side of `\b`. */
function withCyrillic(source: string): string {
  return source.replace(
    SPELT,
    (token) =>
      token.startsWith("[")
        ? token.replaceAll("à-ÿ", `à-ÿ${CYRILLIC_LETTERS}`).replaceAll("\\w", LETTER)
        : WRITTEN[token] ?? token,
  );
}
