/** Cuts tool results to what a client accepts, and says so, so that the model can ask for the rest. */
import { MCP_RESULT_CHARACTERS_MAX } from "../base/limits.ts";
import { cut } from "../base/text/text.ts";
import type { Answer } from "./answer.ts";
import type { Recalled } from "./fenced.ts";

/** Room for the protocol around an answer. */
const ENVELOPE_CHARACTERS = 1000;

/**
 * The answer with as many of the notes as fit; a single one that does not is cut. `render` is given
 * how many were left out and whether the last was cut.
 */
export function truncateResult<T extends Recalled>(
  notes: readonly T[],
  render: (shown: readonly T[], left: { readonly out: number; readonly cut: boolean }) => Answer,
): Answer {
  let shown = notes;
  let isCut = false;
  for (;;) {
    const answer = render(shown, { out: notes.length - shown.length, cut: isCut });
    const excess = sizeOf(answer) / (MCP_RESULT_CHARACTERS_MAX - ENVELOPE_CHARACTERS);
    const [first] = shown;
    if (excess <= 1 || first === undefined || (shown.length === 1 && first.text === "")) {
      return answer;
    }
    if (shown.length > 1) {
      shown = shown.slice(0, Math.max(1, Math.floor(shown.length / excess)));
    } else {
      isCut = true;
      const room = Math.floor(first.text.length / excess * 0.95);
      // If the rest of the answer is too long by itself, nothing of the text is left, not even
      // the sign of a cut.
      shown = [{ ...first, text: room > 1 ? cut(first.text, room) : "" }];
    }
  }
}

/** The size of both forms, since both are sent. */
function sizeOf(answer: Answer): number {
  return JSON.stringify(answer).length;
}
