/**
 * A new subject: a prompt brings words that the conversation did not have, the words that kept coming
 * back are gone, other files are touched. How new is new is told by the conversation itself: what its
 * exchanges usually bring. One exchange may be a detour; two that belong together seldom are.
 */
import { dot } from "../../base/dot.ts";
import { centroid, mean, most, range, share } from "../measures.ts";
import type { Moment, Recent } from "../recent.ts";
import type { Features } from "../signal.ts";

/** Exchanges of the new subject within which the turn is still worth telling. */
const AFTER_MAX = 3;
/** Exchanges before the turning point, for there to be a subject that could change. */
const BEFORE_MIN = 2;
/** The subject before is what so many exchanges were about; what is known reaches further back. */
const SUBJECT = 5;
const KNOWN = 12;
/** Exchanges that tell how much news is usual here. */
const USUAL = 7;
/** With less news than this in each exchange the model is not asked whether it stays. */
const NEWS_MIN = 0.6;

/** For each place where the subject may have changed: the last exchange, or one of two before it. */
export function drift(recent: Recent): Features[] {
  return range(1, AFTER_MAX + 1).map((after) => changedSince(recent, after))
    .filter((features) => features !== undefined);
}

/** As though the subject had changed `after` exchanges ago; undefined where that cannot be asked. */
function changedSince(recent: Recent, after: number): Features | undefined {
  const { moments, firstNew } = recent;
  const turn = moments.length - after;
  const first = moments[turn];
  const previous = moments[turn - 1];
  if (first === undefined || previous === undefined) return undefined;
  if (turn < Math.max(BEFORE_MIN, firstNew)) return undefined;
  const old = moments.slice(Math.max(0, turn - SUBJECT), turn);
  const fresh = moments.slice(turn);
  const before = moments.slice(Math.max(0, turn - KNOWN), turn);
  const usual = range(Math.max(1, turn - USUAL), turn);
  const words = mean(old.map(({ prompt }) => prompt.words));
  const returning = returningTerms(old);
  const gone = [...returning].filter((term) => !fresh.some(({ terms }) => terms.has(term))).length;
  const news = Math.min(
    ...fresh.map(({ terms }) => share(unknown(terms, old), terms.size, 0.5)),
  );
  return {
    "new words asked for": most(unknown(first.prompt.terms, before), 8),
    "many words asked for": most(first.prompt.terms.size, 12),
    "more news than usual": newsAsked(moments, turn) -
      mean(usual.map((place) => newsAsked(moments, place)), 0.4),
    "news in the answer": share(unknown(first.answer.terms, before), first.answer.terms.size, 0.5),
    "news in each exchange": news,
    "old words gone": share(gone, returning.size, 0.5),
    "an old subject": most(returning.size, 15),
    "a longer prompt": most(Math.log((first.prompt.words + 5) / (words + 5)) + 1, 2.5),
    "it looks around": first.looks > 0 ? 1 : 0,
    "it changes files": first.edits > 0 ? 1 : 0,
    "other files": otherFiles(old, fresh),
    "after a commit": previous.commits > 0 ? 1 : 0,
    "after a question": previous.answer.asksBack ? 1 : 0,
    "a question": first.prompt.questions > 0 ? 1 : 0,
    "after many exchanges": most(turn, 8),
    "turning words": most(first.prompt.opening.other, 1),
    "it stays": after === 1 || news < NEWS_MIN ? 0 : nearness(recent, turn),
  };
}

/** How much nearer the later new exchanges are to the first new one than to the old subject. */
function nearness({ moments, vector }: Recent, turn: number): number {
  const old = range(Math.max(0, turn - SUBJECT), turn).flatMap((place) => vector(place) ?? []);
  const first = vector(turn);
  if (old.length === 0 || first === undefined) return 0;
  const centre = centroid(old);
  return mean(
    range(turn + 1, moments.length).map((place) => {
      const own = vector(place);
      return own === undefined ? 0 : dot(own, first) - dot(own, centre);
    }),
  );
}

/** The share of a prompt's terms that the exchanges before it did not have. */
function newsAsked(moments: readonly Moment[], place: number): number {
  const terms = moments[place]?.prompt.terms ?? new Set();
  return share(unknown(terms, moments.slice(Math.max(0, place - KNOWN), place)), terms.size);
}

/** Files apart from those before: 1; some of them again: 0; nothing to compare: between. */
function otherFiles(old: readonly Moment[], fresh: readonly Moment[]): number {
  const [before, now] = [filesOf(old), filesOf(fresh)];
  if (before.size === 0 || now.size === 0) return 0.3;
  return [...now].some((file) => before.has(file)) ? 0 : 1;
}

function filesOf(moments: readonly Moment[]): Set<string> {
  return new Set(moments.flatMap(({ files }) => [...files]));
}

function returningTerms(moments: readonly Moment[]): Set<string> {
  const [once, again] = [new Set<string>(), new Set<string>()];
  for (const { terms } of moments) {
    for (const term of terms) (once.has(term) ? again : once).add(term);
  }
  return again;
}

function unknown(wanted: ReadonlySet<string>, known: readonly Moment[]): number {
  let count = 0;
  for (const term of wanted) if (!known.some(({ terms }) => terms.has(term))) count++;
  return count;
}
