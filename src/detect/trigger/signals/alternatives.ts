/**
 * Branch points. Laid out: an answer that names alternatives with their cost, in a table, a list or running
 * text; or the editor's question with options. Taken: a prompt that settles, with its reason, what had been
 * open for a while.
 */
import { mean, range, saturate } from "../measures.ts";
import type { MeasuredExchange, RecentExchanges } from "../../text/recent_exchanges.ts";
import type { SentenceShape } from "../../text/shape.ts";
import type { Features } from "../signal.ts";
import { type AnswerContext, moreThanUsual } from "./answer_context.ts";

/**
 * Exchanges between laying out and taking. An alternative that is taken at once belongs to the point where it
 * was laid out.
 */
const LAID_OUT_AT_MOST = 10;
const LAID_OUT_AT_LEAST = 2;
/** From here on an exchange counts as one that laid alternatives out. */
const OPEN_MIN = 0.5;
/** How many prompts the usual length of this person's prompts is taken from. */
const USUAL_EXCHANGES = 15;

/** From here on the work is what the answer tells of. */
const CHANGES_MIN = 2;

/**
 * Whether it ends with a report of what was changed. Its list of files and tests has the form of one of ways, but
 * nothing is open.
 */
export function reportsChanges({ edits, answer }: MeasuredExchange): boolean {
  return edits >= CHANGES_MIN && !answer.asksBack;
}

export function alternativesLaidOut(
  recent: RecentExchanges,
  longer: AnswerContext["longer"],
): Features {
  const { last } = recent;
  const { prompt, answer, edits, looks } = last;
  const { wordClasses } = answer;
  return {
    "words of price": saturate(wordClasses.price, 8),
    "more price than usual": moreThanUsual(recent, "price"),
    "more ways than usual": moreThanUsual(recent, "way"),
    "more could than usual": moreThanUsual(recent, "could"),
    "ways named": saturate(wordClasses.way, 6),
    "either and or": saturate(wordClasses.or, 3),
    "what could be": saturate(wordClasses.could, 6),
    "ways in a row": saturate(answer.sentences.filter(isNextWay).length, 2),
    "told in the same form": saturate(answer.parallels, 3),
    "priced sentences": saturate(
      answer.sentences.filter((sentence) => sentence.wordClasses.price > 0).length,
      5,
    ),
    "amounts": saturate(answer.amounts, 4),
    "longer than usual": longer,
    "a long answer": saturate(answer.words, 200),
    "listed": saturate(Math.max(answer.items, answer.leads), 3),
    "a table": answer.hasTable ? 1 : 0,
    "asked for": prompt.questions > 0 ? 1 : 0,
    "ways asked for": saturate(prompt.wordClasses.way, 1),
    "asked back": answer.asksBack ? 1 : 0,
    "nothing done": edits + looks === 0 ? 1 : 0,
    "options described": saturate(wordsPerOption(last) - 1.5, 5),
  };
}

/** `laidOutChance`: how likely an earlier exchange, by its index, laid alternatives out. */
export function alternativeTaken(
  recent: RecentExchanges,
  context: AnswerContext,
  laidOutChance: (place: number) => number,
): Features {
  const { last } = recent;
  const { prompt, answer } = last;
  const usual = mean(
    recent.exchanges.slice(-USUAL_EXCHANGES - 1, -1).map((one) => one.prompt.words),
    15,
  );
  const now = recent.exchanges.length - 1;
  const candidates = range(
    Math.max(0, now - LAID_OUT_AT_MOST),
    Math.max(0, now - LAID_OUT_AT_LEAST + 1),
  )
    .map((place) => ({
      place,
      chance: isOffered(recent.exchanges[place]) ? 1 : laidOutChance(place),
    }))
    .sort((a, b) => b.chance - a.chance);
  const [open] = candidates;
  // A later exchange about the alternatives may look as open as the first one: a name from any of them counts.
  const ways = new Set(
    candidates.filter((one, i) => i === 0 || one.chance >= OPEN_MIN)
      .flatMap(({ place }) => [...recent.exchanges[place]?.answer.terms ?? []]),
  );
  const since = recent.exchanges.slice((open?.place ?? now) + 1, now);
  const known = [...prompt.terms].filter((term) => ways.has(term)).length;
  return {
    "words of choice": saturate(prompt.wordClasses.choose, 3),
    "opens with a choice": saturate(prompt.opening.choose, 1),
    "denies": saturate(prompt.wordClasses.not, 2),
    "gives a reason": saturate(prompt.wordClasses.cause, 2),
    "weighs": saturate(prompt.wordClasses.price, 2),
    "says much": saturate(Math.log(1 + prompt.words), Math.log(60)),
    "a longer prompt": saturate(Math.log((prompt.words + 5) / (usual + 5)), 1.5),
    "the answer agrees": saturate(answer.opening.assent, 1),
    "asks": prompt.questions > 0 ? 1 : 0,
    "ways lay open": open?.chance ?? 0,
    "names what lay open": saturate(known, 4),
    "work begins": last.edits > 0 && since.every(({ edits }) => edits === 0)
      ? open?.chance ?? 0
      : 0,
    "refers back": context.refersBack,
  };
}

/** Of the editor's question with options: 'yes' and 'no' are no alternatives, 'keep the pair: free, but …' is one. */
function wordsPerOption({ exchange }: MeasuredExchange): number {
  const options = exchange.tools.flatMap((tool) => tool.options ?? []);
  return options.length < 2 ? 0 : mean(options.map((option) => option.split(/\s+/).length));
}

/** The editor itself asked, with options that say something. */
function isOffered(exchange: MeasuredExchange | undefined): boolean {
  return exchange !== undefined && wordsPerOption(exchange) >= 3;
}

/** Begins with 'Or …', 'The other …', 'Die zweite …'. */
function isNextWay({ opening }: SentenceShape, place: number): boolean {
  return place > 0 && (opening.or > 0 || opening.way > 0);
}
