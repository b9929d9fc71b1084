/**
 * What a person asked to be reminded of, whenever that was. Apart from questions.ts, because a later session
 * asks it of a step that is written down.
 */
import { wider } from "./unspaced.ts";

const REMIND = wider(
  "reminders.remind",
  /\b(?:(?<!(?:\b(?:not|dont|never|stop|i)|n['’]t) )(?:remind me|remember to|ask me (?:again|tomorrow|next))|don['’]?t (?:let me )?forget|to-?do (?:for|on) (?:me|us)\b|(?<=^\W*)to-?do:|(?<=\w[,;:]? (?:and )?)(?:put|write) (?:it|that|this|them|those) (?:down )?on (?:the|my|our|your) (?:to-?do )?list\b(?! of\b)|add (?:it|that|this|them|those) to (?:my|our|your) (?:to-?do )?(?:list|backlog|to-?dos)\b(?! of\b)|note to self|erinner\w* mich|frag(?:e|t)? mich (?:morgen|nochmal|noch einmal|wieder|nächste)|nicht vergessen|denk(?:e|t)? (?:bitte )?dar?an|(?:schreib|setz|pack)\w* (?:es|das) (?:mal )?(?:mit )?auf die (?:liste|to-?do)|ap[uú]nta(?:lo|me)|ponlo en la lista|ajoute[- ](?:le|ça) à la liste|no (?:te )?olvides|acu[eé]rdate|recu[eé]rdame|n'oublie pas|rappelle-moi)/i,
);

export function asksToBeReminded(text: string): boolean {
  return REMIND.test(text);
}

/** What it is about: 'bump the version code', without who is to be reminded. */
export function matterOfReminder(text: string): string {
  return text.replace(REMIND, "");
}
