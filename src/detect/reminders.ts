/**
 * What a person asked to be reminded of, whenever that was. Apart from questions.ts, because a later session
 * asks it of a step that is written down.
 */
import { heard } from "./languages.ts";

const REMIND = heard("reminders.remind", String.raw`\b{}`);

export function asksToBeReminded(text: string): boolean {
  return REMIND.test(text);
}

/** What it is about: 'bump the version code', without who is to be reminded. */
export function matterOfReminder(text: string): string {
  return text.replace(REMIND, "");
}
