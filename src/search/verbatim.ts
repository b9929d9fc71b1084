/**
 * What of a query stands in a passage as it was typed: how much of it in a row, and which of its
 * identifiers and numbers do not stand there at all. A note about `v3` does not answer what `v4` does,
 * though every other word agrees.
 */
import { type Board, UNKNOWN_WEIGHT } from "./board.ts";
import { phraseOf } from "./lexical.ts";
import { type QueryWords, stemOf, WORDS_MAX, type WordsThere } from "./query_words.ts";
import type { Evidence } from "./score.ts";
import { wordWeight } from "./words.ts";

const NAMES_MAX = 16;
/** A digit, a mark between letters, or a capital behind a small letter: nobody means that loosely. */
const NAME = /\d|[A-Za-z0-9][_/.=]+[A-Za-z0-9]|[a-z][A-Z]/;
const EDGES = /^[^A-Za-z0-9]+|[^A-Za-z0-9]+$/g;

/** A query's words and names with what they weigh in one store. */
export interface Wording {
  readonly query: QueryWords;
  readonly names: readonly { readonly phrase: string; readonly weight: number }[];
  readonly board: Pick<Board, "weights" | "reach">;
  readonly isAsked: boolean;
}

/** A question about what is: 'could you add v4?' is asked as well, and is a task. */
const ASKS_WHAT_IS =
  /^(?:why(?! (?:not|don['’]?t)\b)|where|when|since when|who|which|what(?= (?:is|are|was|were|does|did)\b)|how (?:many|much|long|often)|warum(?! nicht\b)|wieso(?! nicht\b)|weshalb|wo|wann|seit wann|wer|welche[mnrs]?|was(?= (?:ist|sind|war|waren)\b)|wie (?:viele?|lange?|oft)|pourquoi|por qué)\b[^\n]*\?\s*$/i;

/** `isAsked`: a prompt may name what is yet to be made, a question names what is looked for. */
export function wordingOf(
  text: string,
  query: QueryWords,
  board: Pick<Board, "weights" | "reach" | "mass">,
  isAsked: boolean,
): Wording {
  const weightMin = board.mass > 0 ? UNKNOWN_WEIGHT * board.reach / board.mass : 0;
  const isSought = isAsked || ASKS_WHAT_IS.test(text);
  const names = (isSought ? namesOf(text) : []).map((phrase) => ({
    phrase,
    weight: Math.max(weightMin, weightOf(phrase.split(" "), board)),
  }));
  return { query, names, board, isAsked };
}

/** The identifiers and numbers of a query as phrases, each once. */
export function namesOf(text: string): string[] {
  const names = text.split(/\s+/, WORDS_MAX).map((token) => token.replace(EDGES, ""));
  const phrases = new Set(names.filter((name) => NAME.test(name)).map(phraseOf));
  phrases.delete("");
  return [...phrases].slice(0, NAMES_MAX);
}

/**
 * As shares of what the query's words could reach. `texts`: the parts of the passage, `there`: the
 * query's words in them. A name may stand in the note's trigger as well.
 */
export function compareWording(
  wording: Wording,
  texts: readonly string[],
  there: WordsThere,
  trigger = "",
): Pick<Evidence, "run" | "named" | "missing"> {
  const { query, names, board, isAsked } = wording;
  let phrase: string | undefined;
  let [lacking, all] = [0, 0];
  for (const { phrase: name, weight } of names) {
    all += weight;
    if (` ${trigger} `.includes(` ${name} `)) continue;
    // Its words are the query's: what does not begin there is not there.
    const first = query.stems.get(stemOf(name.split(" ", 1)[0] ?? ""))?.[0];
    const isThere = (first === undefined || there.said.includes(first)) &&
      ` ${phrase ??= texts.map(phraseOf).join(" ")} `.includes(` ${name} `);
    if (!isThere) lacking += weight;
  }
  return {
    run: board.reach > 0 ? Math.min(1, heaviestRun(wording, there) / board.reach) : 0,
    // Unasked, that a name is there makes no note more certain: prompts are full of them.
    named: !isAsked || all === lacking ? 0 : (all - lacking) / Math.max(board.reach, all),
    missing: lacking === 0 ? 0 : lacking / Math.max(board.reach, all),
  };
}

/** What the query's words in a row weigh that weigh most: two or more, one of them telling. */
function heaviestRun(wording: Wording, { at, said }: WordsThere): number {
  const { query, board } = wording;
  let most = 0;
  for (let i = 0; i + 1 < at.length; i++) {
    if (at[i + 1] !== (at[i] ?? 0) + 1) continue;
    for (const from of query.stems.get(stemOf(query.words[said[i] ?? 0] ?? "")) ?? []) {
      // A part of a longer one weighs no more; of a word said over and over there are thousands.
      const isPart = from > 0 && at[i - 1] === (at[i] ?? 0) - 1 &&
        query.said[from - 1] === said[i - 1];
      if (isPart) continue;
      let length = 1;
      while (
        from + length < query.words.length && at[i + length] === (at[i] ?? 0) + length &&
        query.said[from + length] === said[i + length]
      ) length++;
      const run = query.words.slice(from, from + length);
      if (length > 1 && run.some((word) => wordWeight(word) === 1)) {
        most = Math.max(most, weightOf(run, board));
      }
    }
  }
  return most;
}

function weightOf(words: readonly string[], { weights }: Wording["board"]): number {
  let sum = 0;
  for (const word of new Set(words)) sum += weights.get(word) ?? 0;
  return sum;
}
