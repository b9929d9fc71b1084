/**
 * What a person settles by the form of what they say: something is left, kept, forbidden, taken after all, or
 * was settled by somebody else. Apart from decisions.ts, which recognises decisions whoever states them: here
 * it must be an order or news, and not what somebody does next, waits for or wonders about.
 */
import { OPENING, phrasePattern, WHOLE_WORD, WORD_START } from "../phrases/phrase_patterns.ts";
import { termsOf } from "../text/sentences.ts";

/** What may come before the order. */
const BEGINNING = phrasePattern("orders.beginning", "^(?:(?:{discourse.markers}|{})[,.!]? )+");
/** The end of a clause; `3.18` is one word. */
const CLAUSE_END = /[,;?!]|[.:](?=\s|$)/;

const FORBIDS = phrasePattern("orders.forbids", String.raw`^{}(?![\wà-ÿ])`);
/** What must not be used, for however long: 'do not use lodash for this'. */
const BARS = phrasePattern(
  "orders.bars",
  String
    .raw`^{} (?!(?:{orders.article} ?)*{orders.own_talk}(?![\wà-ÿ]))(?!.*\b{orders.this_time}[.!]*$).{3,}`,
).prefilteredBy(phrasePattern("orders.bars_sign", "^{}"));
const KEEPS = phrasePattern("orders.keeps", String.raw`^{}\b`);
const AS_IT_IS = phrasePattern("orders.as_it_is", "^{}");

/** How long something holds. */
const SPAN = phrasePattern("orders.span", WHOLE_WORD);
/** What the two are just waiting for is no end. */
const NOT_JUST_NOW = String
  .raw`(?! (?:{orders.just_now}|(?:{orders.all_of} )*{orders.checks})\b)`;
const UNTIL = phrasePattern("orders.until", String.raw`\b{}${NOT_JUST_NOW}`);
/** 'Until then don't deploy': what ends it was just named. */
const UNTIL_THEN = phrasePattern("orders.until_then", "^{},? ");
const BEFORE = phrasePattern("orders.before", String.raw`\b{}\b${NOT_JUST_NOW}`);
const NOT_BEFORE = phrasePattern("orders.not_before", String.raw`^{}\b${NOT_JUST_NOW}`);

/**
 * Whether something is to be left alone, left out or left as it is, with an end or by a verb that needs none.
 */
function isHeld(said: string): boolean {
  const order = said.replace(BEGINNING, "");
  const held = order.replace(UNTIL_THEN, "");
  const [clause = ""] = held.split(CLAUSE_END, 1);
  const lasts = held !== order || UNTIL.test(clause) || SPAN.test(clause);
  return lasts && KEEPS.test(clause) ||
    (lasts || BEFORE.test(clause)) && FORBIDS.test(clause) ||
    BARS.test(clause) || NOT_BEFORE.test(clause) || AS_IT_IS.test(clause);
}

/** What must not be done, and what is to stay. In a report of a fault the same words express surprise. */
const MUST_STAY = phrasePattern(
  "orders.must",
  String
    .raw`^(?!.*, {orders.reports}\b)(?!(?:{orders.no_subject}|(?:{orders.fault_article} )?{orders.fault}s?) )(?:{orders.before_subject} )*[^\s,.;:?]+(?: [^\s,.;:?]+){0,3} {}\b`,
).prefilteredBy(phrasePattern("orders.must_sign", WORD_START));
const STAYS = phrasePattern("orders.stays", "^{}");

/** Whether a person says what is to stay as it is, or what must not be done. */
export function isStandingOrder(said: string): boolean {
  return isHeld(said) || MUST_STAY.test(said) || STAYS.test(said);
}

/** Taken after all, or again. */
const TURNED = phrasePattern("orders.turned", "^{}");
/** What a person says they will do or leave settles it for whoever works on it. */
const WILL = phrasePattern("orders.will");
/**
 * Decisions of others, passed on: who decided, or what an office answered. Two patterns, because a combined
 * one is more expensive.
 */
const OTHERS_DECIDED = phrasePattern(
  "orders.others_decided",
  String.raw`^(?!{orders.nobody}\b){}`,
  "",
);
const OTHERS_ANSWERED = phrasePattern(
  "orders.others_answered",
  String.raw`^{} (?!(?:\S+ )?{orders.asked_of_programs}(?![\wà-ÿ]))`,
  "",
);
const NAME = "[A-ZÄÖÜ][a-zäöüéñ]+";
/** Somebody in the company wants it so. */
const WANTED = phrasePattern(
  "orders.wants",
  `^(?:{orders.offices}|(?!(?:{orders.nobody}|{orders.nobody_speaks})\\b)${NAME}(?: ${NAME})?) {}{orders.ought}`,
  "",
);
const SAYS = phrasePattern("orders.wants", WHOLE_WORD);
const WHY = phrasePattern("orders.why", WHOLE_WORD);
const DATED = phrasePattern("orders.dated", "^{}");

/** Whether the reason is somebody else's wish, or a date. */
function isWanted(said: string): boolean {
  if (!WHY.test(said)) return false;
  const matter = said.replace(BEGINNING, "");
  return DATED.test(matter) || SAYS.test(matter) && WANTED.test(matter);
}

/** Tried once, and it went wrong. */
const TRIED = phrasePattern("orders.tried", WORD_START);
const CAME_OF_IT = phrasePattern("orders.came_of_it", WORD_START);

const NOT_NEEDED = phrasePattern("orders.not_needed");
const SETTLES = phrasePattern(
  "orders.settles",
  String.raw`${OPENING}{}\b.{4,}`,
);
/** 'Drop it and rerun': what it refers to was named before. */
const POINTS = phrasePattern(
  "orders.points",
  String.raw`^(?:\S+[,.!]? ){0,2}{} {orders.pointed_at}\b`,
);
const POINTED_TERMS_MIN = 3;

/** Whether its verb leaves or settles something. */
export function hasSettlingVerb(said: string): boolean {
  return SETTLES.test(said);
}

/** Whether it also names what. */
export function settles(said: string): boolean {
  return hasSettlingVerb(said) && (!POINTS.test(said) || termsOf(said).size >= POINTED_TERMS_MIN);
}

/** Prefilter: a word of each pattern; most sentences have none, and the patterns are expensive to compile. */
const SIGN = phrasePattern("orders.sign");
const LIFE = phrasePattern("orders.life", WHOLE_WORD);
/** When others settled it is said after it. */
const ASIDE = phrasePattern("orders.aside", ", {} ");

/** Whether a person settles something, or reports what was settled. */
export function reportsSettlement(said: string): boolean {
  return settles(said) || TURNED.test(said) || isWanted(said) ||
    CAME_OF_IT.test(said) && TRIED.test(said) ||
    SIGN.test(said) && !LIFE.test(said.split(ASIDE)[0] ?? "") &&
      (OTHERS_DECIDED.test(said) || OTHERS_ANSWERED.test(said) ||
        NOT_NEEDED.test(said) || WILL.test(said));
}

/** 'I changed my mind about the index. It stays.': what is decided now comes behind it. */
const CHANGED_MIND = phrasePattern("decisions.changed_mind");

/** Whether a person takes back what they decided. */
export function changesMind(said: string): boolean {
  return CHANGED_MIND.test(said);
}

/** 'We keep both. That's final.' */
const FINAL = phrasePattern("decisions.final", `${OPENING}{}`);

/** Whether it says that the sentence before it settles the matter. */
export function endsMatter(said: string): boolean {
  return FINAL.test(said);
}
