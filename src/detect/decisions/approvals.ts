/**
 * Replies by which only the work goes on: a yes to what was made, or leave for what the agent does next. They settle
 * nothing that holds later. Apart from replies.ts, whose replies choose something.
 */
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { lasts } from "./replies.ts";

/** Whether somebody wants to see more before they choose. */
export function asksToSee(said: string): boolean {
  return SHOW_FIRST.test(said);
}

const SHOW_FIRST = phrasePattern("approvals.show_first", String.raw`^{}(?![\wà-ÿ])`);

/** 'Does the plan look right? → yes, go on': the work goes on, and nothing is settled but that. */
export function approves(asked: string, said: string): boolean {
  return ASKS.test(asked) && saysYes(said);
}

const ASKS = phrasePattern("approvals.asks", String.raw`(?<![\wà-ÿ]){}`);
const APPROVES = phrasePattern("approvals.approves", String.raw`^{}(?![\wà-ÿ])`);
const RESERVED = phrasePattern("replies.reserves", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);

function saysYes(said: string): boolean {
  const behind = said.replace(APPROVES, "");
  return behind !== said && !RESERVED.test(behind);
}

/**
 * 'Shall I run the suite? → yes, run it', 'Commit it unsigned? → no, I'll sign it': leave for one act, given or not.
 * A refusal that says what stays is more than that.
 */
export function givesLeave(asked: string, said: string): boolean {
  const [act] = ASKS_LEAVE.exec(asked) ?? [];
  if (act === undefined) return false;
  return saysYes(said) || REFUSES.test(said) && !lasts(said) || takesUpVerb(said, act);
}

/** Asks for leave, up to the verb of what the agent would do. */
const ASKS_LEAVE = phrasePattern("approvals.asks_leave", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);
const REFUSES = phrasePattern("replies.no", String.raw`^{}(?![\wà-ÿ])`);

/** 'With subagents (this session)': an alternative of how the agent goes on, not of what is made. */
export function namesCourse(alternative: string): boolean {
  return COURSE.test(alternative);
}

const COURSE = phrasePattern("approvals.course", String.raw`(?<![\wà-ÿ]){}(?![\wà-ÿ])`);

/** 'Want me to plan it, or was the analysis enough? → plan it', '→ make a plan and start'. */
function takesUpVerb(said: string, act: string): boolean {
  const verb = /\S+$/.exec(act)?.[0].toLowerCase() ?? "";
  return `${said.replace(MAKES, "")} `.toLowerCase().startsWith(`${verb} `);
}

const MAKES = phrasePattern("approvals.makes", "^{} ");
