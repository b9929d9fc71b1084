/**
 * Corrections of something known, other than a rejection (reversals.ts): it is no longer used, all of it was
 * moved or replaced, it is to be forgotten; or, right after somebody said it, it is wrong. Apart, because a
 * statement is compared with a text here, and a wrong doubt is worse than none: suppositions, questions, and
 * statements about a part correct nothing.
 */
import { mapEach } from "../../base/map_each.ts";
import { lazy } from "../../base/memoize.ts";
import { pattern, patternFor } from "../../base/text/pattern.ts";
import { isCyrillic } from "../../base/text/cyrillic.ts";
import { isUnspaced, spaced } from "../../base/text/unspaced.ts";
import { collapse, hasQuestionMark, splitSentences, withoutEnd } from "../../base/text/text.ts";
import {
  chosenNamesIn,
  isStatement,
  namesIn,
  rejects,
  sentenceReversedBy,
  withoutReason,
} from "./reversals.ts";
import { expanded, phraseLines, phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import { russianLines } from "../phrases/russian.ts";
import { unspacedLines } from "../phrases/unspaced.ts";

/** One to three words that name something. */
const NAME = String.raw`["'\x60]?[\p{L}\p{N}][^\s,;:!?()]*(?: [\p{L}\p{N}][^\s,;:!?()]*){0,2}?`;
const THE = "(?:{corrections.the} )?";
/**
 * A clause may follow a word and a colon ("fyi:"); after more words before the colon somebody else says it.
 */
const CLAUSE = String.raw`(?:^(?:\S+:\s+)?|[.!?;,–—]\s+|\b{corrections.clause} )`;
const LEFT = `(?<the>${THE})(?<left>${NAME})`;
/** What stands for a name in a form. */
const PLACES_OF_NAMES: Readonly<Record<string, string>> = {
  left: LEFT,
  also: `(?<its>${THE})(?<also>${NAME})`,
  next: `${THE}(?<next>${NAME})`,
  end: String.raw`(?=[\s,;:.!?]|$)`,
};
/**
 * In text without spaces only a Latin or Katakana word is taken for a name, because nothing else shows where
 * one ends; in Russian only a Latin one, because others bend.
 */
const FOREIGN = String
  .raw`(?:[A-Za-z][\w.+#-]{0,40}(?: [A-Za-z][\w.+#-]{0,40}){0,2}|[\u30a1-\u30fa\u30fc]{2,40})`;

/** A form and its prefilter: forms are expensive to compile, and most texts match none. */
type Form = readonly [sign: RegExp, form: string];

/** What is no longer used comes after these words, or before them as the only thing that is mentioned. */
const FORMS = lazy(() => [
  ...formsOf(phraseLines("corrections.behind"), PLACES_OF_NAMES, String.raw`\b`),
  ...formsOf(phraseLines("corrections.before"), PLACES_OF_NAMES, `${CLAUSE}${LEFT} `),
]);
const FOREIGN_NAMES = { left: `(?<left>${FOREIGN})`, next: `(?<next>${FOREIGN})` };
const UNSPACED = lazy(() => formsOf(unspacedLines("corrections.form"), FOREIGN_NAMES));
const RUSSIAN = lazy(() => formsOf(russianLines("corrections.form"), FOREIGN_NAMES));

function formsOf(lines: readonly string[], names: typeof PLACES_OF_NAMES, before = ""): Form[] {
  return lines.map((line) => {
    const [sign = "", form = ""] = line.split("\t");
    const named = form.replace(/\{([a-z]+)\}/g, (_, name) => names[name] ?? "");
    return [new RegExp(sign, "i"), expanded(before + named)];
  });
}

/** Only supposed, wanted, of another time, of somebody else, or broken just now. */
const SUPPOSED = phrasePattern("corrections.supposed", String.raw`\?|\b{}\b`);
/** About a part: then it holds for that part only. */
const PART = phrasePattern("corrections.part", String.raw`(?:^|\s){}\s+(.{2,40})`);
/** The name continues after its first word: "npm aliases" is not npm. */
const GOES_ON = phrasePattern("corrections.ends", String.raw`^ (?!{}s?\b)`);
/** Negated later in its clause. */
const DENIED = phrasePattern("corrections.denied");
const TIME = phrasePattern("corrections.time", String.raw`^(?:{}|\d{4}\b)`);
/** After these words a word in lower case is something that is used. */
const USED = String.raw`\b{corrections.use} `;
/** Days, numbers and pronouns. */
const NO_NAME = phrasePattern("corrections.no_name", String.raw`^(?:{}|[\d.-]+)$`, "");

interface Abandoned {
  readonly left: string;
  /** With an article it is one of its kind: "the branch is gone". */
  readonly isOneOf: boolean;
  /** Its capital is only that of the first word. */
  readonly isFirst: boolean;
  readonly next: string;
  /** The rest of its sentence, before and after it. */
  readonly around: readonly string[];
}

/** Whether it says that something is no longer used or true. Cheap, because it is asked of every sentence. */
export function abandons(statement: string): boolean {
  return abandonedBy(statement) !== undefined && !isSupposed(statement);
}

function abandonedBy(statement: string): Abandoned | undefined {
  const said = collapse(statement);
  for (const [sign, form] of formsFor(said)) {
    const match = sign.test(said) ? patternFor(said, form, "iu").exec(said) : null;
    if (match === null) continue;
    const { the, its, left, also, next } = match.groups ?? {};
    const [before, rest] = [said.slice(0, match.index), said.slice(match.index + match[0].length)];
    if (DENIED.test(before.split(/[.,;:!]/).at(-1) ?? "")) continue;
    if (match[0].endsWith(left ?? also ?? "") && GOES_ON.test(rest)) continue;
    const isOneOf = (the ?? its ?? "") !== "";
    const name = left ?? also ?? "";
    return {
      left: name,
      isOneOf,
      isFirst: said.startsWith(name),
      next: next ?? "",
      around: [before, rest],
    };
  }
  return undefined;
}

function formsFor(said: string): readonly Form[] {
  if (isUnspaced(said)) return [...FORMS(), ...UNSPACED()];
  return isCyrillic(said) ? [...FORMS(), ...RUSSIAN()] : FORMS();
}

/** Only up to the reason: "pnpm instead of npm, because npm hung again" is a correction. */
function isSupposed(statement: string): boolean {
  if (!SUPPOSED.test(statement)) return false;
  const said = withoutReason(statement);
  return SUPPOSED.test(said) || hasQuestionMark(statement) || !rejects(said);
}

/** The sentence of a text that says what a statement says to be over. */
export function abandonedIn(statement: string, text: string): string | undefined {
  if (isSupposed(statement)) return undefined;
  for (const one of splitSentences(statement)) {
    const gone = abandonedBy(one);
    const found = gone === undefined
      ? undefined
      : splitSentences(text).find((known) => isStatement(known) && saysOf(known, gone));
    if (found !== undefined) return found;
  }
  return undefined;
}

/**
 * Whether a sentence retracts something without deciding anything. Cheap, because it is asked of every
 * sentence.
 */
export function retracts(statement: string): boolean {
  return (rejects(statement) || abandonedBy(statement) !== undefined ||
    placeIn(statement) !== undefined) && !isSupposed(statement);
}

/** Says since when, or that it was another one. */
const NOW = phrasePattern("corrections.since", WHOLE_WORD);
/** An address, host or path with a number in it; the words around it say whose it is. */
const PLACES = /(?:[a-z][a-z\d+]{1,9}:\/\/)?[a-z\d_-]{1,60}(?:[.:/][a-z\d_-]{1,60}){1,8}/gi;
const PLACE = phrasePattern(
  "corrections.at",
  String.raw`\b{} (?:{corrections.at_now} )?["'\x60]?(${PLACES.source})`,
  "gi",
);
/** The old place follows. */
const LEFT_PLACE = phrasePattern("corrections.from", String.raw`\b{} ${PLACES.source}`, "gi");
/** A shorter one, or one without a second part, is a number or a word. */
const PLACE_CHARACTERS_MIN = 7;

/** An additional one, not a replacement. */
const ONE_MORE = phrasePattern("corrections.one_more", WHOLE_WORD);

/** Where something is now, if the sentence names exactly one place. */
function placeIn(statement: string): string | undefined {
  if (statement.length > CORRECTION_CHARACTERS_MAX) return undefined;
  if (!NOW.test(statement) || ONE_MORE.test(statement)) return undefined;
  const said = statement.replace(LEFT_PLACE, "");
  const named = (said.match(PLACES) ?? []).filter(isPlace);
  const [place = ""] = [...PLACE.matchAll(said)].map(([, found = ""]) => found);
  return named.length === 1 && isPlace(place) ? place : undefined;
}

function isPlace(text: string): boolean {
  return text.length >= PLACE_CHARACTERS_MIN && /\d/.test(text) &&
    !/^\d+[-./:]\d+([-./:]\d+)?$/.test(text);
}

/** Places of the same form differ only in numbers. */
function formOf(place: string): string {
  return place.toLowerCase().replace(/\d+/g, "#");
}

/** The sentence of a text that gives another place of the same form for the same thing. */
function movedIn(statement: string, text: string): string | undefined {
  const place = placeIn(statement);
  if (place === undefined) return undefined;
  const things = namesIn(statement.replace(LEFT_PLACE, "").replace(place, ""));
  return splitSentences(text).find((known) => {
    const [other, ...more] = (known.match(PLACES) ?? []).filter(isPlace);
    return other !== undefined && more.length === 0 && other !== place &&
      formOf(other) === formOf(place) && isStatement(known) &&
      !namesIn(known.replace(other, "")).isDisjointFrom(things);
  });
}

/** The sentence of a text that such a sentence retracts. */
export function retractedIn(statement: string, text: string): string | undefined {
  if (!retracts(statement)) return undefined;
  return (rejects(statement) ? sentenceReversedBy(statement, text) : undefined) ??
    abandonedIn(statement, text) ?? movedIn(statement, text);
}

/** Whether a sentence says that what is over is in use: all of it, and nothing of what replaced it. */
function saysOf(known: string, { left, isOneOf, isFirst, next, around }: Abandoned): boolean {
  const said = namesIn(left);
  const there = chosenNamesIn(known);
  // A table row names things and says nothing about them.
  if (known.includes("|")) return false;
  if (said.size === 0 || !said.isSubsetOf(there) || [...said].some((name) => NO_NAME.test(name))) {
    return false;
  }
  if (!namesIn(next).isDisjointFrom(namesIn(known))) return false;
  for (const text of around) {
    const part = PART.exec(text)?.[1];
    if (part !== undefined && !TIME.test(part) && namesIn(part).isDisjointFrom(there)) return false;
  }
  if (said.size > 1 || isOneOf) return said.size > 1;
  const [name = ""] = said;
  const isProper = left !== left.toLowerCase() && left.toLowerCase() === name &&
    (!isFirst || known.indexOf(left) > 0);
  const escaped = RegExp.escape(name);
  const isUsed = pattern(
    expanded(`${USED}${THE}(?:\\S+ )?["'\`]?${escaped}\\b`),
    "iu",
  ).test(known) ||
    usedLines(known).some((form) => new RegExp(form.replace("{name}", escaped), "i").test(known));
  return isProper || isUsed;
}

/** What stands beside the name of something that is used, in languages of another script. */
function usedLines(known: string): readonly string[] {
  if (isUnspaced(known)) return unspacedLines("corrections.used");
  return isCyrillic(known) ? russianLines("corrections.used") : [];
}

/** The beginning of a contradiction. */
const WRONG = phrasePattern(
  "corrections.wrong",
  String.raw`^(?:{corrections.wrong_after}[,.!:]?\s+)*{}(?=[\s,.;:!–—]|$)[\s,.;:!–—]*`,
);
/** What it is instead, of something that was just mentioned. */
const IT_IS = phrasePattern(
  "corrections.it_is",
  String
    .raw`^{}\s+(?:{corrections.it_is_now}\s+)*({corrections.one}\s+)?(.{2,40}?)(?:[,.;:!]|$| {corrections.because}\b)`,
);
/** What something is like, not what it is. */
const STATE = phrasePattern("corrections.state", String.raw`^{}(?![\w-])|^\w+{corrections.day}s?$`);
/** Longer text is pasted, and would be compared with every known sentence. */
const CORRECTION_CHARACTERS_MAX = 500;
/**
 * How many words two sentences must begin with in common, a name among them, for the next word to be the
 * difference.
 */
const FRAME_WORDS = 3;
/** A sentence with this share of its terms said again is repeated. */
const REPEATED = 0.6;
const REPEATED_NAMES = 3;
/** In a longer reply it is not clear what "that" is. */
const REPLY_SENTENCES_MAX = 6;

/** The correction after its opening; undefined if there is none. */
export function correctionIn(sentence: string, before = ""): string | undefined {
  if (sentence.length > CORRECTION_CHARACTERS_MAX || hasQuestionMark(sentence)) return undefined;
  const behind = collapse(sentence).replace(WRONG, "");
  if (behind !== collapse(sentence)) return behind === "" ? undefined : behind;
  return WRONG.test(before) && collapse(before).replace(WRONG, "") === "" ? behind : undefined;
}

/** The sentence of a text that a correction is about. `reply`: what was said just before the correction. */
export function correctedIn(correction: string, reply: string, text: string): string | undefined {
  const [, thing, value] = IT_IS.exec(correction) ?? [];
  const replied = splitSentences(reply);
  const repeats = (known: string): boolean =>
    replied.length <= REPLY_SENTENCES_MAX && replied.some((one) => isRepeated(known, one));
  return splitSentences(text).find((known) =>
    isStatement(known) && (differsAtTheEnd(correction, known) ||
      value !== undefined && thing === undefined && !STATE.test(value) && isOther(value, known) &&
        repeats(known))
  );
}

function isOther(value: string, known: string): boolean {
  // "Port 9090", where another port is known: the last word alone is the value.
  const [, kind = "", last = value] = /^(.+) (\S+)$/.exec(collapse(value)) ?? [];
  const isOfKind = namesIn(kind).size > 0 &&
    ` ${known.toLowerCase()}`.includes(` ${kind.toLowerCase()} `);
  const names = namesIn(isOfKind ? last : value);
  return names.size > 0 && names.isDisjointFrom(namesIn(known));
}

function isRepeated(known: string, reply: string): boolean {
  const names = namesIn(known);
  const shared = names.intersection(namesIn(reply)).size;
  return shared >= REPEATED_NAMES && shared >= names.size * REPEATED;
}

const LEADING = phrasePattern("corrections.leading", "^{} ", "");

/** Whether both say the same of the same thing, with another end. */
function differsAtTheEnd(correction: string, known: string): boolean {
  const [a, b] = mapEach(
    [correction, known],
    (one) =>
      collapse(isUnspaced(one) ? spaced(one) : one).toLowerCase().replace(LEADING, "").split(" ")
        .map(
          (word) => withoutEnd(word.replace(/^["'`]+/, ""), /[.,;:!"'`。，]/),
        ),
  );
  let same = 0;
  while (same < a.length && same < b.length && a[same] === b[same]) same++;
  const [next = "", was = ""] = [a[same], b[same]];
  return same >= FRAME_WORDS && namesIn(a.slice(0, same).join(" ")).size > 0 &&
    isOther(next, known) && isOther(was, correction);
}
