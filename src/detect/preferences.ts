/**
 * How a person wants things done, beyond the task at hand: what they like, what is always and what is
 * never to be. Said once and expected to hold, so it is told wherever decisions are.
 */
import { collapse } from "../base/text.ts";
import { spoken } from "./clean.ts";
import { phrasePattern, WHOLE_WORD } from "./phrase_patterns.ts";
import {
  isQuestion,
  isTypedQuestion,
  precedingTyped,
  type Sentence,
  sentencesOf,
  withPreceding,
} from "./sentences.ts";
import type { Turn } from "../editor/editor.ts";
import { unspacedPattern } from "./unspaced.ts";

/** A taste, a habit, or that something holds from now on. */
const HOLDS = phrasePattern(
  "preferences.holds",
  String
    .raw`{}|(?<![\wà-ÿ]){preferences.from_now_on}(?!,? (?:{preferences.so_by_now}\b|{preferences.things} \S+ {preferences.is_so}))(?:, | )`,
);
const CLAUSE = String
  .raw`(?:^|[.!?;:,–—]\s|\b{preferences.clause_after} )(?:{preferences.please} )?`;
/** An order that holds always, where a clause begins: 'it always fails' is none. */
const ALWAYS = phrasePattern(
  "preferences.always",
  String
    .raw`${CLAUSE}(?:{preferences.always_for},? )?(?:{preferences.always_verb} )?{} (?!{preferences.always_so}\b)[a-zà-ÿ]`,
);
/** The same where the verb of an order has a form of its own, or stands in front: 'nunca subas'. */
const ALWAYS_ORDER = phrasePattern("preferences.always_order", `${CLAUSE}{}`)
  .prefilteredBy(phrasePattern("preferences.always_sign"));
/** What may never be, and what may only be so; 'may never finish' fears it, 'werden immer langsamer' tells it. */
const MUST = phrasePattern("preferences.must", WHOLE_WORD);
/** One of the ways is taken, and what must be is why: a decision of this project. */
const CHOOSES = phrasePattern(
  "preferences.chooses",
  String.raw`^(?:{preferences.chooses_after}[,.!]? )*{}\b`,
);
/**
 * A rule in few words: 'migrations run in release_command, never at boot', 'metric only pls always'. Where an
 * order that is always so has a sign, it is that of this, too.
 */
const TERSE = phrasePattern(
  "preferences.terse",
  String
    .raw`^(?!.*(?<![\wà-ÿ])(?<!{preferences.names_fault} ?){preferences.happens})(?:{preferences.terse_after}[,.]? )*{}`,
).prefilteredBy(phrasePattern("preferences.terse_sign", "{}|{preferences.always_sign}"));
/** What is wanted as a matter of principle, and in which language something is written. */
const PRINCIPLE = phrasePattern("preferences.principle", `${CLAUSE}{}`)
  .prefilteredBy(phrasePattern("preferences.principle_sign"));
/** A rule that is told of what is done, or as what is not to be: 'stop adding headers', 'no unicode in comments'. */
const RULE = phrasePattern("preferences.rule").prefilteredBy(
  phrasePattern("preferences.rule_sign"),
);
/** Asked for in so many projects, or in this one: more than the task at hand. */
const EVERYWHERE = phrasePattern(
  "preferences.here",
  String.raw`\b{preferences.asking}\b.{0,80}\b{}\b`,
);
/** Meant for every project, as it is said; "everywhere" alone is everywhere in this one. */
const EVERY_PROJECT = phrasePattern(
  "preferences.projects",
  String.raw`\b{preferences.across} {preferences.every} {}\b`,
);
/** The same where nothing else can be meant: a workspace has "all projects" too, and they are built today. */
const ALL_OF_MINE = phrasePattern(
  "preferences.all_of_mine",
  String.raw`\b{}\b|^{preferences.for_all}\s*[:,]`,
).prefilteredBy(phrasePattern("preferences.of_mine_sign"));
/** What is said of all of them, and asks for nothing. */
const NOT_EVERY = phrasePattern("preferences.not_every", String.raw`\b{} {preferences.every}\b`);
/** How a wish begins, where "in all my projects" is what makes it one. */
const WISH = phrasePattern(
  "preferences.wish",
  String.raw`(?:^|[.!?;:,–—]\s*|\b{preferences.wish_after} )(?:{preferences.asking} )?{}\b`,
);
/** Liking what was just said, and wanting something now or for this, or one of what can be had now. */
const NOW = phrasePattern(
  "preferences.not_lasting",
  String.raw`{}|\b{preferences.likes}\b[^,.;:!?]{1,60} {preferences.just_now}[.!]*$`,
);

/** Asked or supposed where no mark says so, or said of what lies before. */
const NOT_WISHED = unspacedPattern("preferences.not_wished");

/** Whether a sentence of the person's says how things are to be done from now on. */
export function saysPreference(text: string): boolean {
  const said = collapse(spoken(text));
  if (ALL_OF_MINE.test(said) && !NOT_EVERY.test(said) && WISH.test(said)) return true;
  return !NOW.test(said) && !NOT_WISHED.test(said) &&
    (HOLDS.test(said) || ALWAYS.test(said) || PRINCIPLE.test(said) || ALWAYS_ORDER.test(said) ||
      MUST.test(said) && !CHOOSES.test(said) || EVERYWHERE.test(said) || TERSE.test(said) ||
      RULE.test(said));
}

/** Whether what is wanted is wanted in all of somebody's projects. */
export function isForEveryProject(text: string): boolean {
  const said = collapse(spoken(text));
  return (EVERY_PROJECT.test(said) || ALL_OF_MINE.test(said)) && !NOT_EVERY.test(said);
}

/** The sentences that say so, in order. */
export function preferencesIn(turns: readonly Turn[]): Sentence[] {
  return sentencesOf(turns).filter((sentence) =>
    sentence.turn.role === "user" && !isQuestion(sentence) && saysPreference(sentence.text)
  );
}

/** What is meant stands in front of it. */
const POINTS_BACK = phrasePattern("preferences.points_back", WHOLE_WORD);

/** As somebody understands it who reads nothing else: with the sentence that it points back to. */
export function withAntecedent(sentence: Pick<Sentence, "text" | "turn">): string {
  const pointsBack = POINTS_BACK.test(sentence.text) &&
    !isTypedQuestion(precedingTyped(sentence) ?? "");
  return pointsBack ? withPreceding(sentence) : sentence.text;
}
