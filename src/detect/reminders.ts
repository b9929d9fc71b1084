/**
 * What a person asked to be reminded of, whenever that was. Apart from questions.ts, because a later session
 * asks it of a step that is written down.
 */
import { wider } from "./unspaced.ts";

const REMIND = wider(
  "reminders.remind",
  /\b(?:(?<!(?:\b(?:not|dont|never|stop|i)|n['’]t) )(?:remind me|remember to|ask me (?:again|tomorrow|next))|don['’]?t (?:let me )?forget|to-?do (?:for|on) (?:me|us)\b|note to self|erinner\w* mich|frag(?:e|t)? mich (?:morgen|nochmal|noch einmal|wieder|nächste)|nicht vergessen|denk(?:e|t)? (?:bitte )?dar?an|no (?:te )?olvides|acu[eé]rdate|recu[eé]rdame|n'oublie pas|rappelle-moi)/i,
);

export function asksToBeReminded(text: string): boolean {
  return REMIND.test(text);
}

/** What it is about: 'bump the version code', without who is to be reminded. */
export function matterOfReminder(text: string): string {
  return text.replace(REMIND, "");
}
