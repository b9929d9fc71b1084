/**
 * Secrets that only a line of their own gives away (`STRIPE=…` of an environment file) are taken out of
 * what was said before sentences are drawn from it: joined to others they could not be known any more.
 * Everything else is found in the draft (clean_draft.ts).
 */
import type { Turn } from "../editor/editor.ts";
import { environmentLines } from "../guard/assignments.ts";
import { redactSync } from "../guard/redact.ts";
import type { Memory } from "./memory.ts";

export function redactTurns(memory: Memory, turns: readonly Turn[]): readonly Turn[] {
  if (!memory.config.get("privacy.redact")) return turns;
  return turns.map((turn) =>
    environmentLines(turn.text).length === 0 ? turn : { ...turn, text: redactSync(turn.text).text }
  );
}
