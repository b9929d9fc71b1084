/**
 * How a person wants things done, beyond the task at hand: what they like, what is always and what is
 * never to be. Said once and expected to hold, so it is told wherever decisions are.
 */
import { collapse } from "../base/text.ts";
import { spoken } from "./clean.ts";
import { isQuestion, type Sentence, sentencesOf } from "./sentences.ts";
import type { Turn } from "../editor/editor.ts";

/** A taste, a habit, or that something holds from now on. */
const HOLDS: readonly RegExp[] = [
  /\b(?:i(?:'d| would)? (?:really |strongly |much )?(?:prefer|rather)|i (?:like|love|hate|dislike|don't like|can't stand)|we (?:prefer|usually)|our (?:convention|style|rule|habit)|from now on|by default,? (?:use|write|keep))\b/i,
  /\bwe (?:always|never) (?!\w+ed\b|had|got|saw|knew|found|did|were)/i,
  /\b(?:ich (?:bevorzuge|mag|hätte lieber)|wir (?:bevorzugen|nehmen immer|schreiben immer)|ab (?:jetzt|sofort)|in zukunft|künftig|eiserne regel|merk(?:e)? dir)\b/i,
  /^(?:(?:the|a|one|new|house|die|eine|neue|unsere) )*(?:rule|regel)(?: [a-zà-ÿ]+){0,4}: /i,
  /\b(?:prefiero|preferimos|de ahora en adelante|je préfère|nous préférons|désormais)\b/i,
];
/** An order that holds always, where a clause begins: 'it always fails' is none. */
const ALWAYS =
  /(?:^|[.!?;:,–—]\s|\b(?:and|but|please|also|so|then|und|aber|bitte|dann) )(?:please |bitte |por favor,? |s'il te plaît,? )?(?:always|never|don't ever|do not ever|immer|nie|niemals|siempre|nunca|toujours|jamais) (?!(?:at|in|on|when|after|before|been|mind|again|there|the|an?)\b)[a-zà-ÿ]/i;
/** What may never be, and what may only be so. */
const MUST =
  /\b(?:must|may|shall|darf|dürfen|soll|sollen|müssen|muss|werden)\b.{0,80}?\b(?:always|never|nie|niemals|immer)\b/i;
/** Asked for in so many projects, or in this one: more than the task at hand. */
const EVERYWHERE =
  /\b(?:please|bitte)\b.{0,80}\b(?:in (?:this|every|any|all) (?:project|repo|repository|projects|repositories)|in (?:diesem|keinem|jedem|allen) projekt(?:en)?)\b/i;
/** Liking what was just said, and wanting something now. */
const NOW =
  /\bi(?:'d| would)? (?:like|love|want|prefer) (?:you|to|it|that|this|the|your|how|where|both|option)\b|\bnever mind\b/i;

/** Whether a sentence of the person's says how things are to be done from now on. */
export function saysPreference(text: string): boolean {
  const said = collapse(spoken(text));
  return !NOW.test(said) &&
    (HOLDS.some((pattern) => pattern.test(said)) || ALWAYS.test(said) || MUST.test(said) ||
      EVERYWHERE.test(said));
}

/** The sentences that say so, in order. */
export function preferencesIn(turns: readonly Turn[]): Sentence[] {
  return sentencesOf(turns).filter((sentence) =>
    sentence.turn.role === "user" && !isQuestion(sentence) && saysPreference(sentence.text)
  );
}
