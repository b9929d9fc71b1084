/**
 * Whether something waits to be said at a session's next prompt. Loads nothing, because every
 * prompt asks.
 */
import type { SessionState } from "./state/session_state.ts";

/** Another session changed the same files, and this one was not told. */
export function hasUnsaidOverlap(state: SessionState | undefined): boolean {
  return state?.overlaps?.some(({ isSaid }) => !isSaid) ?? false;
}

/**
 * An offer to rewrite an extract was not made yet, and this prompt is a turn: commands and notices are
 * not.
 */
export function hasUntoldOffer(state: SessionState | undefined, prompt: string): boolean {
  return state?.offer?.told === false && prompt !== "" && !prompt.startsWith("/");
}
