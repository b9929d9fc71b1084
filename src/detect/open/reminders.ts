/**
 * What a person asked to be reminded of. Apart from questions.ts, because a later session asks it of a step
 * that is written down.
 */
import { spoken } from "../text/clean.ts";
import { phrasePattern, WORD_START } from "../phrases/phrase_patterns.ts";
import { unspacedPattern } from "../phrases/unspaced.ts";

const REMIND = phrasePattern("reminders.remind", WORD_START);
/** Puts something off to a day, which is replaced by `@`: 'den Cronjob testen wir @'. */
const PUT_OFF = phrasePattern("reminders.put_off", String.raw`(?<![\wà-ÿ]){}`);
const PUT_OFF_UNSPACED = unspacedPattern("reminders.put_off_unspaced");
/** Prefilter: few sentences name a day. */
const DAY = phrasePattern("reminders.day", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);

export function asksToBeReminded(text: string): boolean {
  return REMIND.test(spoken(text)) || PUT_OFF_UNSPACED.test(text) ||
    DAY.test(text) && PUT_OFF.test(text.replace(DAY, "@"));
}

/** What the reminder is about: 'bump the version code', without the asking. */
export function matterOfReminder(text: string): string {
  return text.replace(REMIND, "");
}
