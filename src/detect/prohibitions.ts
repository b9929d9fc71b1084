/**
 * What a person forbids by its name, with no reason and no end: 'don't touch android/', 'never merge prs
 * yourself', 'room 1.01 is off limits'. Said of nothing in particular, or with what to do in its place, it is
 * about the step at hand. Apart from orders.ts, where an end or a verb says that it lasts.
 */
import { phrasePattern, WHOLE_WORD } from "./phrase_patterns.ts";

const CLAUSE = String
  .raw`(?:^|[,.;:!–—] |(?<![\wà-ÿ])(?:{prohibitions.and}) )(?:{preferences.please} )?`;
/** A word of each: few sentences have one. */
const SIGN = phrasePattern("prohibitions.sign");
const FORBIDS = phrasePattern("prohibitions.forbids", `${CLAUSE}{}(?<object>[^;!?]*)`);
/** Nothing is said but what is left alone. */
const OFF_LIMITS = phrasePattern("prohibitions.off_limits", `${CLAUSE}{}`);
/** That it is for all time, or how else it may be. */
const LASTS = phrasePattern("prohibitions.lasts", WHOLE_WORD);
/** 'Do not add a gem for this without asking': it is asked every time. */
const UNLESS_ASKED = phrasePattern("prohibitions.unless_asked", WHOLE_WORD);
/** For this moment, or in place of something. */
const MOMENT = phrasePattern("prohibitions.moment", WHOLE_WORD);
/** The same behind a comma. */
const ENDS_SOON = phrasePattern("prohibitions.moment", String.raw`, {}\b`);
/** A path, a file, a name of code: two parts of a word with a sign or a digit between them, or a folder. */
const THING =
  /\w[/_]\w|\w\/(?=\s|$)|\w\.[a-z]\w{0,4}\b|[a-z]\w{0,40}-\w{0,40}[a-z]|[a-z]\w{0,40}\d|[a-z][A-Z]/;

/** Whether a sentence of the person's does. */
export function forbids(said: string): boolean {
  if (!SIGN.test(said)) return false;
  if (OFF_LIMITS.test(said)) return true;
  const { object = "" } = FORBIDS.exec(said)?.groups ?? {};
  // What stands behind a comma gives the reason, and is no part of what is named.
  const [named = ""] = object.split(/,(?=\s)|\s[,–—-]\s|\.\s/, 1);
  if (object === "") return false;
  if (UNLESS_ASKED.test(object)) return true;
  if (MOMENT.test(named) || ENDS_SOON.test(object)) return false;
  return LASTS.test(object) || THING.test(named);
}
