/**
 * Topic drift: a prompt brings words that the conversation did not have, words that kept coming back are
 * gone, other files are touched. News is measured against what exchanges of this conversation usually
 * bring. One exchange may be a detour; two that belong together seldom are.
 */
import { dot } from "../../../base/dot.ts";
import { centroid, mean, range, saturate, share } from "../measures.ts";
import type { MeasuredExchange, RecentExchanges } from "../../text/recent_exchanges.ts";
import type { Features } from "../signal.ts";

/** For how many exchanges of the new subject the change is still reported. */
const AFTER_MAX = 3;
/** Exchanges before the change, for there to be a subject that could change. */
const BEFORE_MIN = 2;
/** Exchanges that make up the old subject; known words are collected further back. */
const SUBJECT = 5;
const KNOWN = 12;
/** Exchanges that the usual amount of news is taken from. */
const USUAL = 7;
/** With less news in any new exchange, embeddings are not computed. */
const NEWS_MIN = 0.6;

/** For each place where the subject may have changed: the last exchange, or one of two before it. */
export function drift(recent: RecentExchanges): Features[] {
  return range(1, AFTER_MAX + 1).map((after) => changedSince(recent, after))
    .filter((features) => features !== undefined);
}

/** Features of a change `after` exchanges ago; undefined where there is too little before it. */
function changedSince(recent: RecentExchanges, after: number): Features | undefined {
  const { exchanges, firstNew } = recent;
  const turn = exchanges.length - after;
  const first = exchanges[turn];
  const previous = exchanges[turn - 1];
  if (first === undefined || previous === undefined) return undefined;
  if (turn < Math.max(BEFORE_MIN, firstNew)) return undefined;
  const old = exchanges.slice(Math.max(0, turn - SUBJECT), turn);
  const fresh = exchanges.slice(turn);
  const before = exchanges.slice(Math.max(0, turn - KNOWN), turn);
  const usual = range(Math.max(1, turn - USUAL), turn);
  const words = mean(old.map(({ prompt }) => prompt.words));
  const returning = returningTerms(old);
  const gone = [...returning].filter((term) => !fresh.some(({ terms }) => terms.has(term))).length;
  const news = Math.min(...fresh.map(({ terms }) => share(unknown(terms, old), terms.size, 0.5)));
  return {
    "new words asked for": saturate(unknown(first.prompt.terms, before), 8),
    "many words asked for": saturate(first.prompt.terms.size, 12),
    "more news than usual": newsAsked(exchanges, turn) -
      mean(usual.map((place) => newsAsked(exchanges, place)), 0.4),
    "news in the answer": share(unknown(first.answer.terms, before), first.answer.terms.size, 0.5),
    "news in each exchange": news,
    "old words gone": share(gone, returning.size, 0.5),
    "an old subject": saturate(returning.size, 15),
    "a longer prompt": saturate(Math.log((first.prompt.words + 5) / (words + 5)) + 1, 2.5),
    "it looks around": first.looks > 0 ? 1 : 0,
    "it changes files": first.edits > 0 ? 1 : 0,
    "other files": otherFiles(old, fresh),
    "after a commit": previous.commits > 0 ? 1 : 0,
    "after a question": previous.answer.asksBack ? 1 : 0,
    "a question": first.prompt.questions > 0 ? 1 : 0,
    "after many exchanges": saturate(turn, 8),
    "turning words": saturate(first.prompt.opening.other, 1),
    "it stays": after === 1 || news < NEWS_MIN ? 0 : nearness(recent, turn),
  };
}

/** Difference of cosines: how much nearer later exchanges are to the first new one than to the old subject. */
function nearness({ exchanges, vector }: RecentExchanges, turn: number): number {
  const old = range(Math.max(0, turn - SUBJECT), turn).flatMap((place) => vector(place) ?? []);
  const first = vector(turn);
  if (old.length === 0 || first === undefined) return 0;
  const centre = centroid(old);
  return mean(
    range(turn + 1, exchanges.length).map((place) => {
      const own = vector(place);
      return own === undefined ? 0 : dot(own, first) - dot(own, centre);
    }),
  );
}

/** The share of a prompt's terms that the exchanges before it did not have. */
function newsAsked(exchanges: readonly MeasuredExchange[], place: number): number {
  const terms = exchanges[place]?.prompt.terms ?? new Set();
  return share(unknown(terms, exchanges.slice(Math.max(0, place - KNOWN), place)), terms.size);
}

/** 1: only other files than before; 0: some of the same; 0.3: nothing to compare. */
function otherFiles(old: readonly MeasuredExchange[], fresh: readonly MeasuredExchange[]): number {
  const [before, now] = [filesOf(old), filesOf(fresh)];
  if (before.size === 0 || now.size === 0) return 0.3;
  return [...now].some((file) => before.has(file)) ? 0 : 1;
}

function filesOf(exchanges: readonly MeasuredExchange[]): Set<string> {
  return new Set(exchanges.flatMap(({ files }) => [...files]));
}

function returningTerms(exchanges: readonly MeasuredExchange[]): Set<string> {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const { terms } of exchanges) {
    for (const term of terms) (once.has(term) ? again : once).add(term);
  }
  return again;
}

function unknown(wanted: ReadonlySet<string>, known: readonly MeasuredExchange[]): number {
  let count = 0;
  for (const term of wanted) if (!known.some(({ terms }) => terms.has(term))) count++;
  return count;
}
