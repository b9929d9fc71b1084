/** What a person and an agent said themselves: what summaries and checkpoints are made of. */
import type { Turn } from "../../editor/editor.ts";
import { withoutGivenText } from "./given_text.ts";
import { withoutPastedBack } from "./pasted_back.ts";
import { withinProseLimit } from "./prose_limit.ts";

/** The same turns without what was pasted to be asked about, as far as prose is analysed. */
export function ownWords(turns: readonly Turn[]): readonly Turn[] {
  return withoutGivenText(withoutPastedBack(withinProseLimit(turns)));
}
