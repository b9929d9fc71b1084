/**
 * What waits for somebody else, as a person says in passing: 'Ana has to sign off first', 'the load test is on
 * Jonas'. Nobody asked for it, and who goes on without knowing it ships too early.
 */
import type { Exchange } from "./exchanges.ts";
import { heard } from "./languages.ts";
import { isAsked, type Sentence } from "./sentences.ts";

/** A clause begins there, whatever is said before one gets to it. */
const CLAUSE = String.raw`(?:^|[.,;:!–—] |(?<![\wà-ÿ]){waits.and} )`;
/** Each line names `who` has to come first. */
const WAITS = heard("waits.for_others", `${CLAUSE}{}`);
const SUPPOSED = heard("waits.supposed", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);

/** Whether what a person said is open waits for somebody. */
export function saysToWait(text: string): boolean {
  return waitsFor(text) !== undefined;
}

/** Whom a sentence says to wait for, undefined where it says that of nobody. */
function waitsFor(text: string): string | undefined {
  const found = WAITS.exec(text);
  if (found === null || isAsked(text)) return undefined;
  const before = text.slice(0, found.index + 1).split(/[.;!?]/).at(-1) ?? "";
  return SUPPOSED.test(before) ? undefined : found.groups?.who?.toLowerCase();
}

/** Said by a person who has not come back to whom it waits for: 'marta said ok'. */
export function isWaitedFor(
  { text, turn, turnIndex }: Sentence,
  exchanges: readonly Exchange[],
): boolean {
  const who = turn.role === "user" ? waitsFor(text) : undefined;
  return who !== undefined &&
    !exchanges.some(({ start, prompt }) =>
      start > turnIndex && prompt !== undefined && prompt.text.toLowerCase().includes(who) &&
      waitsFor(prompt.text) !== who
    );
}
