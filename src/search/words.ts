/**
 * How much a word of a query says about what is looked for. Documents are indexed whole: a word that
 * is noise in a question may be the point of a note. English only; in other languages a store's own
 * frequencies do the same work, later.
 */
import { phraseOf } from "./lexical.ts";

const NOISE = setOf(
  `a about above after again ah all also am an and any anyone anything are aren as at be because
  been before being both but by can cannot could couldn d did didn do does doesn doing don done down
  each either else ever every few for from further had hadn has hasn have haven having he hello her
  here hers hey hi him his how i if in into is isn it its itself just let ll m may maybe me might
  mine more most much must my myself need no nor not now o of off ok okay on once only or other our
  ours out over own please pls re really s same shall she should shouldn so some somehow someone
  something such t than thank thanks that the their theirs them then there these they thing things
  think this those though through to too try under until up upon us ve very was wasn way we well
  were weren what whatever when where whether which while who whom whose why will with within
  without won would wouldn yeah yes yet you your yours`,
);

const GENERIC = setOf(
  `actually add again ask asked based better case change changed check checkpoint code come correct create
  current currently different directly exactly example file find first fix following full get gets
  getting give given go going good got great handle happen happens help implement implementation
  include instead issue kind know last like line list little look looking lot made make makes making
  many mean means needed needs new next note number old one part place possible problem project put question
  quick quickly rather read ready real remember right run running said say see seem session set should show
  side simple since start still stuff sure take tell time today todo together topic true turn two update use
  used useful using usually want wanted wants work working works write wrong`,
);

/** 1: says something; 0: says nothing. */
export function wordWeight(word: string): number {
  if (NOISE.has(word)) return 0;
  if (GENERIC.has(word)) return 0.35;
  return word.length === 1 && word < "\x80" ? 0.2 : 1;
}

/** The words of a title that say what it is about. */
export function tellingWords(title: string): ReadonlySet<string> {
  return new Set(phraseOf(title).split(" ").filter((word) => wordWeight(word) === 1));
}

/** Whether a text has the small words of English, of which a sentence is a third to a half. */
export function isEnglish(text: string): boolean {
  const words = phraseOf(text).split(" ");
  const small = words.reduce((sum, word) => sum + (NOISE.has(word) ? 1 : 0), 0);
  return small > words.length * SMALL_WORDS;
}

/** Other languages have `in`, `was`, `so` and `am` too. */
const SMALL_WORDS = 0.15;

/** By strings alone: to split five hundred words by a pattern took a millisecond of every search. */
function setOf(lines: string): ReadonlySet<string> {
  return new Set(lines.replaceAll("\n  ", " ").split(" "));
}
