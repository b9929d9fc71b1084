/**
 * What a person asked to be reminded of, whenever that was. Apart from questions.ts, because a later session
 * asks it of a step that is written down.
 */
import { BEGINS, heard } from "./languages.ts";
import { onlyUnspaced } from "./unspaced.ts";

const REMIND = heard("reminders.remind", BEGINS);
/** What a person puts off to a day, which is `@` here: 'den Cronjob testen wir @'. */
const PUT_OFF = heard("reminders.put_off", String.raw`(?<![\wà-ÿ]){}`);
const PUT_OFF_UNSPACED = onlyUnspaced("reminders.put_off_unspaced");
/** Few sentences name one: it is looked for first. */
const DAY = heard("reminders.day", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);

export function asksToBeReminded(text: string): boolean {
  return REMIND.test(text) || PUT_OFF_UNSPACED.test(text) ||
    DAY.test(text) && PUT_OFF.test(text.replace(DAY, "@"));
}

/** What it is about: 'bump the version code', without who is to be reminded. */
export function matterOfReminder(text: string): string {
  return text.replace(REMIND, "");
}
