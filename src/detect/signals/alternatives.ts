/**
 * A choice. Laid out: an answer that names ways with their price, in a table, a list or one sentence
 * after the other; or the editor's question with options. Taken: a prompt that settles what lay open for
 * a while, with its reason.
 */
import { mean, most, range } from "../measures.ts";
import type { Moment, Recent } from "../recent.ts";
import type { SentenceShape } from "../shape.ts";
import type { Features } from "../signal.ts";
import { moreThanUsual, type Standing } from "./standing.ts";

/** A way named so many exchanges ago may be taken now; at once it is one point with the laying out. */
const LAID_OUT_AT_MOST = 10;
const LAID_OUT_AT_LEAST = 2;
/** As likely as not to have laid ways out. */
const OPEN_MIN = 0.5;
/** How long this person's prompts are is told by so many. */
const USUAL_EXCHANGES = 15;

export function waysLaidOut(recent: Recent, longer: Standing["longer"]): Features {
  const { last } = recent;
  const { prompt, answer, edits, looks } = last;
  const { families } = answer;
  return {
    "words of price": most(families.price, 8),
    "more price than usual": moreThanUsual(recent, "price"),
    "more ways than usual": moreThanUsual(recent, "way"),
    "more could than usual": moreThanUsual(recent, "could"),
    "ways named": most(families.way, 6),
    "either and or": most(families.or, 3),
    "what could be": most(families.could, 6),
    "ways in a row": most(answer.sentences.filter(isNextWay).length, 2),
    "told in the same form": most(answer.parallels, 3),
    "priced sentences": most(
      answer.sentences.filter((sentence) => sentence.families.price > 0).length,
      5,
    ),
    "amounts": most(answer.amounts, 4),
    "longer than usual": longer,
    "a long answer": most(answer.words, 200),
    "listed": most(Math.max(answer.items, answer.leads), 3),
    "a table": answer.hasTable ? 1 : 0,
    "asked for": prompt.questions > 0 ? 1 : 0,
    "ways asked for": most(prompt.families.way, 1),
    "asked back": answer.asksBack ? 1 : 0,
    "nothing done": edits + looks === 0 ? 1 : 0,
    "options described": most(wordsPerOption(last) - 1.5, 5),
  };
}

/** `openness` tells of an earlier moment how likely it laid ways out. */
export function wayTaken(
  recent: Recent,
  standing: Standing,
  openness: (place: number) => number,
): Features {
  const { last } = recent;
  const { prompt, answer } = last;
  const usual = mean(
    recent.moments.slice(-USUAL_EXCHANGES - 1, -1).map((one) => one.prompt.words),
    15,
  );
  const now = recent.moments.length - 1;
  const candidates = range(
    Math.max(0, now - LAID_OUT_AT_MOST),
    Math.max(0, now - LAID_OUT_AT_LEAST + 1),
  )
    .map((place) => ({ place, chance: isOffered(recent.moments[place]) ? 1 : openness(place) }))
    .sort((a, b) => b.chance - a.chance);
  const [open] = candidates;
  // What was made of the ways may look as open as they did: a name from any of them counts.
  const ways = new Set(
    candidates.filter((one, i) => i === 0 || one.chance >= OPEN_MIN)
      .flatMap(({ place }) => [...recent.moments[place]?.answer.terms ?? []]),
  );
  const since = recent.moments.slice((open?.place ?? now) + 1, now);
  const known = [...prompt.terms].filter((term) => ways.has(term)).length;
  return {
    "words of choice": most(prompt.families.choose, 3),
    "opens with a choice": most(prompt.opening.choose, 1),
    "denies": most(prompt.families.not, 2),
    "gives a reason": most(prompt.families.cause, 2),
    "weighs": most(prompt.families.price, 2),
    "says much": most(Math.log(1 + prompt.words), Math.log(60)),
    "a longer prompt": most(Math.log((prompt.words + 5) / (usual + 5)), 1.5),
    "the answer agrees": most(answer.opening.assent, 1),
    "asks": prompt.questions > 0 ? 1 : 0,
    "ways lay open": open?.chance ?? 0,
    "names what lay open": most(known, 4),
    "work begins": last.edits > 0 && since.every(({ edits }) => edits === 0)
      ? open?.chance ?? 0
      : 0,
    "refers back": standing.refersBack,
  };
}

/** Of the editor's question with options: 'yes' and 'no' are no ways, 'keep the pair: free, but …' is one. */
function wordsPerOption({ exchange }: Moment): number {
  const options = exchange.tools.flatMap((tool) => tool.options ?? []);
  return options.length < 2 ? 0 : mean(options.map((option) => option.split(/\s+/).length));
}

/** The editor's own question with options that say something. */
function isOffered(moment: Moment | undefined): boolean {
  return moment !== undefined && wordsPerOption(moment) >= 3;
}

/** Goes on with 'Or …', 'The other …', 'Die zweite …'. */
function isNextWay({ opening }: SentenceShape, place: number): boolean {
  return place > 0 && (opening.or > 0 || opening.way > 0);
}
