/**
 * The recap that Claude Code writes while its person is away: one to three sentences on what the session is about and
 * what was reached, and often what comes next. The model that led the conversation wrote it, and it costs nothing, so
 * it goes before what is picked from the conversation.
 */
import type { Turn } from "../../editor/editor.ts";
import { capitalised, collapse } from "../../base/text/text.ts";
import { hasWithheld } from "../text/sentences.ts";

export interface Recap {
  readonly summary: string;
  /** Empty if it does not say. */
  readonly next: string;
}

/** The client's word to the person. */
const HINT = / ?\(disable recaps in \/config\)$/;
/** 'Next: build the page.', '— the next step is building the page', 'Next, build it.' */
const NEXT =
  /(?:^|(?<=[.!?]) | ?[—–] )(?:the )?next(?: steps?| action)?(?: is| are|:|,)(?: to)? (\S.*)$/i;
const CHARACTERS_MAX = 800;

/** Undefined where it may tell what was said in private: it retells everything, in other words. */
export function recapOf(text: string | undefined, turns: readonly Turn[]): Recap | undefined {
  const said = collapse(text ?? "").replace(HINT, "");
  if (said === "" || said.length > CHARACTERS_MAX) return undefined;
  if (turns.some((turn) => hasWithheld(turn.text))) return undefined;
  const [found = "", next = ""] = NEXT.exec(said) ?? [];
  const summary = said.slice(0, said.length - found.length).trim();
  return summary === "" ? { summary: said, next: "" } : {
    summary,
    next: capitalised(next),
  };
}
