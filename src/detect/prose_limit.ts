/** How much of a conversation is read for its words. */
import type { Turn } from "../editor/editor.ts";

/** A million characters take about a tenth of a second, and a hook at the end of a session has one. */
const PROSE_CHARACTERS_MAX = 1_500_000;
/** What the conversation is about is said at its beginning. */
const OPENING_TURNS = 8;

/**
 * The turns, of which those that the newest 1.5 million characters have left behind keep what they
 * did and lose what they said. The opening keeps both.
 */
export function withinProseLimit(turns: readonly Turn[]): readonly Turn[] {
  let characters = 0;
  const first = turns.findLastIndex(({ text }) =>
    (characters += text.length) > PROSE_CHARACTERS_MAX
  );
  return first < OPENING_TURNS
    ? turns
    : turns.map((turn, place) =>
      place < OPENING_TURNS || place > first ? turn : { ...turn, text: "" }
    );
}
