/**
 * How much of a query a passage has verbatim: its longest run of words, and which of its identifiers and
 * numbers. A note about `v3` does not answer what `v4` does, though every other word agrees. And whether
 * the passage has what the question asks for at all.
 */
import { type AskedFor, askedFor } from "../query/asked_for.ts";
import { type Board, UNKNOWN_WEIGHT } from "./board.ts";
import type { SynonymShare, TermShare } from "../document.ts";
import { phraseOf } from "../query/lexical.ts";
import { type MatchedWords, type QueryWords, stemOf, WORDS_MAX } from "../query/query_words.ts";
import type { Evidence } from "./score.ts";
import type { Language } from "../query/words.ts";

const NAMES_MAX = 16;
/** An identifier or number: it has a digit, a mark between letters, or a capital behind a small letter. */
const NAME = /\d|[A-Za-z0-9][_/.=]+[A-Za-z0-9]|[a-z][A-Z]/;
const EDGES = /^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g;

/** A query's words and names (identifiers and numbers), with what they weigh in one store. */
export interface Wording {
  readonly query: QueryWords;
  readonly names: readonly { readonly phrase: string; readonly weight: number }[];
  readonly board: Pick<Board, "weights" | "reach">;
  readonly isAsked: boolean;
  readonly askedFor: AskedFor | undefined;
}

/** A question about facts; 'could you add v4?' is a question in form only. */
const ASKS_WHAT_IS =
  /^(?:why(?! (?:not|don['’]?t)\b)|where|when|since when|who|which|what(?= (?:is|are|was|were|does|did)\b)|how (?:many|much|long|often)|warum(?! nicht\b)|wieso(?! nicht\b)|weshalb|wo|wann|seit wann|wer|welche[mnrs]?|was(?= (?:ist|sind|war|waren)\b)|wie (?:viele?|lange?|oft)|pourquoi|por qué)\b[^\n]*\?\s*$/i;

/** `isAsked`: false for a prompt, which may name what is yet to be made. */
export function wordingOf(
  text: string,
  query: QueryWords,
  board: Pick<Board, "weights" | "reach" | "mass">,
  isAsked: boolean,
  language?: Language,
): Wording {
  const weightMin = board.mass > 0 ? UNKNOWN_WEIGHT * board.reach / board.mass : 0;
  const isSought = isAsked || ASKS_WHAT_IS.test(text);
  const names = (isSought ? namesOf(text) : []).map((phrase) => ({
    phrase,
    weight: Math.max(weightMin, weightOf(phrase.split(" "), board)),
  }));
  const sought = isSought ? askedFor(query.words, language) : undefined;
  return { query, names, board, isAsked, askedFor: sought };
}

/** The identifiers and numbers of a query as phrases, each once. */
export function namesOf(text: string): string[] {
  const names = text.split(/\s+/, WORDS_MAX).map((token) => token.replace(EDGES, ""));
  const phrases = new Set(names.filter((name) => NAME.test(name)).map(phraseOf));
  phrases.delete("");
  return [...phrases].slice(0, NAMES_MAX);
}

/**
 * The shares as in `Evidence`. `texts`: the parts of the passage; `matched`: the query's words in them.
 * A name in the note's trigger counts as there.
 */
export function compareWording(
  wording: Wording,
  texts: readonly string[],
  matched: MatchedWords,
  trigger = "",
): Pick<Evidence, "run" | "named" | "missing"> {
  const { query, names, board, isAsked } = wording;
  let phrase: string | undefined;
  let [lacking, all] = [0, 0];
  for (const { phrase: name, weight } of names) {
    all += weight;
    if (` ${trigger} `.includes(` ${name} `)) continue;
    // The cheap check first: a name whose first word did not match is not there.
    const first = query.stems.get(stemOf(name.split(" ", 1)[0] ?? ""))?.[0];
    const isThere = (first === undefined || matched.places.includes(first)) &&
      ` ${phrase ??= texts.map(phraseOf).join(" ")} `.includes(` ${name} `);
    if (!isThere) lacking += weight;
  }
  return {
    run: board.reach > 0 ? Math.min(1, heaviestRun(wording, matched) / board.reach) : 0,
    // A prompt is full of names: that one of them is found proves nothing.
    named: !isAsked || all === lacking ? 0 : (all - lacking) / Math.max(board.reach, all),
    missing: lacking === 0 ? 0 : lacking / Math.max(board.reach, all),
  };
}

/** The terms of a query that were found in a passage. */
export interface FoundTerms {
  readonly shares: readonly TermShare[];
  readonly synonyms: readonly SynonymShare[];
  /** The keyword or pattern that brought the note. */
  readonly trigger?: string | undefined;
}

/** Whether a passage has neither what the question asks for nor anything that looks like it. */
export function isBeside(
  { askedFor, query }: Wording,
  texts: readonly string[],
  { places }: MatchedWords,
  { shares, synonyms, trigger = "" }: FoundTerms,
): boolean {
  if (askedFor === undefined) return false;
  const { word, form } = askedFor;
  const isSaid = places.includes(query.stems.get(stemOf(word))?.[0] ?? -1) ||
    // Another form of the word was found.
    shares.some(({ term }) => term.startsWith(word.slice(0, -1))) ||
    synonyms.some(({ asked }) => asked.split(" ").includes(word)) ||
    ` ${trigger} `.includes(` ${word} `);
  return !isSaid && !texts.some((text) => form?.test(text));
}

/** The weight of the heaviest run of the query's words in the passage: two or more. */
function heaviestRun(wording: Wording, { positions, places }: MatchedWords): number {
  const { query, board } = wording;
  let most = 0;
  for (let i = 0; i + 1 < positions.length; i++) {
    const at = positions[i] ?? 0;
    if (positions[i + 1] !== at + 1) continue;
    for (const from of query.stems.get(stemOf(query.words[places[i] ?? 0] ?? "")) ?? []) {
      // The tail of a longer run weighs no more. Without this, a repeated word would make thousands of runs.
      const isPart = from > 0 && positions[i - 1] === at - 1 &&
        query.firstPlaces[from - 1] === places[i - 1];
      if (isPart) continue;
      let length = 1;
      while (
        from + length < query.words.length && positions[i + length] === at + length &&
        query.firstPlaces[from + length] === places[i + length]
      ) length++;
      const run = query.words.slice(from, from + length);
      if (length > 1) most = Math.max(most, weightOf(run, board));
    }
  }
  return most;
}

function weightOf(words: readonly string[], { weights }: Wording["board"]): number {
  let sum = 0;
  for (const word of new Set(words)) sum += weights.get(word) ?? 0;
  return sum;
}
