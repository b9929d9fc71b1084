/**
 * Plans of Codex. In plan mode the agent puts one into its reply, in a tag; the person approves it in a dialog,
 * and the client says so in their place, with the plan where the conversation is a new one.
 */
import { asHanded, type HandedPlan } from "../handed_plan.ts";

const TAG = /<\/?proposed_plan>[^\S\n]*\n?/g;
const PLAN = /<proposed_plan>([^]*?)(?:<\/proposed_plan>|$)/g;

/** In the same conversation: of the command line, and of the desktop program. */
const APPROVAL = /^Implement the (?:proposed )?plan\.$/;
const WITH_PLAN =
  /^(?:PLEASE IMPLEMENT THIS PLAN:|A previous agent produced the plan below to accomplish the user's task\.[^\n]{0,400})\s*\n/;

/** The reply as it is shown. */
export function withoutPlanTag(reply: string): string {
  return reply.replace(TAG, "");
}

/** The last plan in a reply. */
export function proposedPlan(reply: string): string | undefined {
  return [...reply.matchAll(PLAN)].at(-1)?.[1]?.trim();
}

/** The plan that a prompt of the client hands over; `proposed`: the last one of the conversation. */
export function approvedPlan(prompt: string, proposed?: string): HandedPlan | undefined {
  const [lead] = WITH_PLAN.exec(prompt) ?? [];
  if (lead !== undefined) return asHanded(prompt.slice(lead.length));
  return proposed !== undefined && APPROVAL.test(prompt.trim()) ? asHanded(proposed) : undefined;
}
