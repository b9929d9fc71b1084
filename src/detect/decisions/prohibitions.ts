/**
 * What a person forbids by name, without a reason or an end: 'don't touch android/', 'never merge prs
 * yourself', 'room 1.01 is off limits'. Without a name, or with something to do instead, it is about the
 * current step. Apart from orders.ts, where an end or a verb says that it lasts.
 */
import { ORDER, phrasePattern, WHOLE_WORD } from "../phrases/phrase_patterns.ts";

/** Prefilter: few sentences have one of these words. */
const SIGN = phrasePattern("prohibitions.sign");
const FORBIDS = phrasePattern("prohibitions.forbids", `${ORDER}{}(?<object>[^;!?]*)`);
/** Only says what is off limits. */
const OFF_LIMITS = phrasePattern("prohibitions.off_limits", `${ORDER}{}`);
/** Says that it is for ever, or under which condition it is allowed. */
const LASTS = phrasePattern("prohibitions.lasts", WHOLE_WORD);
/** 'Do not add a gem for this without asking' applies every time. */
const UNLESS_ASKED = phrasePattern("prohibitions.unless_asked", WHOLE_WORD);
/** For the moment, or instead of something. */
const MOMENT = phrasePattern("prohibitions.moment", WHOLE_WORD);
/** The same after a comma. */
const ENDS_SOON = phrasePattern("prohibitions.moment", String.raw`, {}\b`);
/** A path, file or code name: a separator or digit between two parts, or a folder. */
const THING =
  /\w[/_]\w|\w\/(?=\s|$)|\w\.[a-z]\w{0,4}\b|[a-z]\w{0,40}-\w{0,40}[a-z]|[a-z]\w{0,40}\d|[a-z][A-Z]/;

/** Whether a person's sentence does. */
export function forbids(said: string): boolean {
  if (!SIGN.test(said)) return false;
  if (OFF_LIMITS.test(said)) return true;
  const { object = "" } = FORBIDS.exec(said)?.groups ?? {};
  // After a comma comes the reason, which names nothing forbidden.
  const [named = ""] = object.split(/,(?=\s)|\s[,–—-]\s|\.\s/, 1);
  if (object === "") return false;
  if (UNLESS_ASKED.test(object)) return true;
  if (MOMENT.test(named) || ENDS_SOON.test(object)) return false;
  return LASTS.test(object) || THING.test(named);
}
