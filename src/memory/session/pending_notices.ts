/**
 * Whether something waits to be said at a session's next prompt. Loads nothing, because every
 * prompt asks.
 */
import type { SessionState } from "./session_state.ts";

/** Another session changed the same files, and this one was not told. */
export function hasUnsaidOverlap(state: SessionState | undefined): boolean {
  return state?.overlaps?.some(({ isSaid }) => !isSaid) ?? false;
}

/** A saved point is offered to be said better, and this prompt is a turn: a command is none, nor is a notice. */
export function hasUntoldOffer(state: SessionState | undefined, prompt: string): boolean {
  return state?.offer?.told === false && prompt !== "" && !prompt.startsWith("/");
}
