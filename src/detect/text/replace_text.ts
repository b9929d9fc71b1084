/** Turns with parts of their texts taken out, for those who look for what was meant. */
import type { Turn } from "../../editor/editor.ts";

/** The same turns with other texts: what `change` makes of a turn, in order; undefined leaves it as it is. */
export function replaceTexts(
  turns: readonly Turn[],
  change: (turn: Turn) => string | undefined,
): readonly Turn[] {
  let isAny = false;
  const changed = turns.map((turn) => {
    const text = change(turn);
    if (text === undefined) return turn;
    isAny = true;
    return { ...turn, text };
  });
  return isAny ? changed : turns;
}
