/** How much of a conversation's prose is analysed. */
import type { Turn } from "../../editor/editor.ts";

/** A million characters take about 0.1 s, and a session-end hook has one second. */
const PROSE_CHARACTERS_MAX = 1_500_000;
/** The beginning says what the conversation is about. */
const OPENING_TURNS = 8;

/**
 * Drops the text, but not the tool calls, of turns before the newest 1.5 million characters. The opening
 * keeps its text.
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
