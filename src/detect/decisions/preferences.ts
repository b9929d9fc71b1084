/**
 * How a person wants things done beyond the task at hand: what they like, what must always and what must
 * never be. Said once and expected to last, so it is kept with the decisions.
 */
import { collapse } from "../../base/text/text.ts";
import { spoken } from "../text/clean.ts";
import { CLAUSE, OPENING, ORDER, phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";
import {
  isQuestion,
  isTypedQuestion,
  precedingTyped,
  type Sentence,
  sentencesOf,
  withPreceding,
} from "../text/sentences.ts";
import type { Turn } from "../../editor/editor.ts";
import { isNarrated } from "./norms.ts";
import { unspacedPattern } from "../phrases/unspaced.ts";

/** A taste, a habit, or 'from now on'. */
const HOLDS = phrasePattern(
  "preferences.holds",
  String
    .raw`{}|(?<![\wà-ÿ]){preferences.from_now_on}(?!,? (?:{preferences.so_by_now}\b|{preferences.things} \S+ {preferences.is_so}))(?:, | )`,
);
/** 'Always' or 'never' with an imperative at the start of a clause; 'it always fails' is none. */
const ALWAYS = phrasePattern(
  "preferences.always",
  String
    .raw`${ORDER}(?:{preferences.always_for},? )?(?:{preferences.always_verb} )?{} (?!{preferences.always_so}\b)[a-zà-ÿ]`,
);
/** The same where imperatives have a form of their own or come first: 'nunca subas'. */
const ALWAYS_ORDER = phrasePattern("preferences.always_order", `${ORDER}{}`)
  .prefilteredBy(phrasePattern("preferences.always_sign"));
/**
 * What must never be, or only be so; 'may never finish' is a fear, 'werden immer langsamer' an observation.
 */
const MUST = phrasePattern("preferences.must", WHOLE_WORD);
/** An alternative is chosen, and the rule is the reason: a decision of this project. */
const CHOOSES = phrasePattern(
  "preferences.chooses",
  String.raw`${OPENING}{}\b`,
);
/** A rule in few words: 'migrations run in release_command, never at boot', 'metric only pls always'. */
const TERSE = phrasePattern(
  "preferences.terse",
  String
    .raw`^(?!.*(?<![\wà-ÿ])(?<!{preferences.names_fault} ?){preferences.happens})${OPENING}{}`,
).prefilteredBy(phrasePattern("preferences.terse_sign", "{}|{preferences.always_sign}"));
/** A matter of principle, or the language that something is written in. */
const PRINCIPLE = phrasePattern("preferences.principle", `${ORDER}{}`)
  .prefilteredBy(phrasePattern("preferences.principle_sign"));
/** A rule about what is done or not done: 'stop adding headers', 'no unicode in comments'. */
const RULE = phrasePattern("preferences.rule").prefilteredBy(
  phrasePattern("preferences.rule_sign"),
);
/** Asked for in many projects, or in this one: more than the task at hand. */
const EVERYWHERE = phrasePattern(
  "preferences.here",
  String.raw`\b{preferences.asking}\b.{0,80}\b{}\b`,
);
/** For every project; "everywhere" alone means everywhere in this one. */
const EVERY_PROJECT = phrasePattern(
  "preferences.projects",
  String.raw`\b{preferences.across} {preferences.every} {}\b`,
);
/** The same without doubt: a workspace has "all projects" too, and they are built today. */
const ALL_OF_MINE = phrasePattern(
  "preferences.all_of_mine",
  String.raw`\b{}\b|^{preferences.for_all}\s*[:,]`,
).prefilteredBy(phrasePattern("preferences.of_mine_sign"));
/** Describes all projects and asks for nothing. */
const NOT_EVERY = phrasePattern("preferences.not_every", String.raw`\b{} {preferences.every}\b`);
/** The beginning of a wish, which "in all my projects" makes a preference. */
const WISH = phrasePattern(
  "preferences.wish",
  String.raw`${CLAUSE}(?:{preferences.asking} )?{}\b`,
);
/** Liking what was just said, or wanting something now, for this, or from what is at hand. */
const NOW = phrasePattern(
  "preferences.not_lasting",
  String.raw`{}|\b{preferences.likes}\b[^,.;:!?]{1,60} {preferences.just_now}[.!]*$`,
);

/** In languages without spaces: asked, supposed, or about the past. */
const NOT_WISHED = unspacedPattern("preferences.not_wished");

/** Whether a person's sentence says how things are to be done from now on. */
export function saysPreference(text: string): boolean {
  const said = collapse(spoken(text));
  if (isNarrated(said)) return false;
  if (ALL_OF_MINE.test(said) && !NOT_EVERY.test(said) && WISH.test(said)) return true;
  return !NOW.test(said) && !NOT_WISHED.test(said) &&
    (HOLDS.test(said) || ALWAYS.test(said) || PRINCIPLE.test(said) || ALWAYS_ORDER.test(said) ||
      MUST.test(said) && !CHOOSES.test(said) || EVERYWHERE.test(said) || TERSE.test(said) ||
      RULE.test(said));
}

/** Whether it is meant for all of somebody's projects. */
export function isForEveryProject(text: string): boolean {
  const said = collapse(spoken(text));
  return (EVERY_PROJECT.test(said) || ALL_OF_MINE.test(said)) && !NOT_EVERY.test(said);
}

/** The sentences that do, in order. */
export function preferencesIn(turns: readonly Turn[]): Sentence[] {
  return sentencesOf(turns).filter((sentence) =>
    sentence.turn.role === "user" && !isQuestion(sentence) && saysPreference(sentence.text)
  );
}

/** Refers to something said before. */
const POINTS_BACK = phrasePattern("preferences.points_back", WHOLE_WORD);

/** With the sentence that it refers to, so that it can be understood alone. */
export function withAntecedent(sentence: Pick<Sentence, "text" | "turn">): string {
  const pointsBack = POINTS_BACK.test(sentence.text) &&
    !isTypedQuestion(precedingTyped(sentence) ?? "");
  return pointsBack ? withPreceding(sentence) : sentence.text;
}
