/** Asks whether stated preferences are to be remembered, unless they are known or asked already. */
import { isForEveryProject } from "../../detect/decisions/preferences.ts";
import { jaccard, termsOf } from "../../detect/text/sentences.ts";
import type { Turn } from "../../editor/editor.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import { knownEntries } from "../index/entries.ts";
import { inputOf } from "../knowledge/extract.ts";
import { preferenceFacts } from "../knowledge/facts.ts";
import { findRelated } from "../knowledge/related.ts";
import type { Memory } from "../memory.ts";
import { bySage } from "../write/outcome.ts";
import { redactTurns } from "../write/redact_turns.ts";
import { isOfThisProject, listQuestions } from "./question.ts";
import { proposeSave } from "./approval.ts";

/** Nobody reads more questions after one session. */
const ASKED_MAX = 2;
/** A longer sentence is not a preference. */
const CHARACTERS_MAX = 300;
/** With this share of words in common two preferences are the same. */
const SAME = 0.3;

/** Returns how many questions the session raised. */
export async function proposePreferences(
  memory: Memory,
  session: string,
  turns: readonly Turn[],
): Promise<number> {
  const author = bySage(session);
  let asked = 0;
  for (const fact of preferenceFacts(redactTurns(memory, turns))) {
    if (asked >= ASKED_MAX) break;
    if (fact.text.length > CHARACTERS_MAX || isKnown(memory, fact.text)) continue;
    const input = {
      ...inputOf(fact, `session:${session}`),
      ...(isForEveryProject(fact.text) ? { scope: "user" as const } : {}),
    };
    if (await findRelated(memory, input) !== undefined) continue;
    // An open question lies on disk: nothing secret or private may be in it.
    const { draft } = await cleanDraft(memory, { text: fact.text }, author);
    if (draft.text !== fact.text) continue;
    if (proposeSave(memory, input, "preference", undefined, author).kind === "proposed") asked++;
  }
  return asked;
}

function isKnown(memory: Memory, text: string): boolean {
  const terms = termsOf(text);
  const accepted = knownEntries(memory, { kinds: ["knowledge"], pinned: true });
  // A question of another project does not count here, unless it is about every project.
  const waiting = listQuestions(memory).filter((question) =>
    isOfThisProject(question, memory.places) ||
    (question.act.kind === "save" && question.act.input.scope === "user")
  );
  return [
    ...waiting.map((question) => `${question.title} ${question.text}`),
    ...accepted.map(({ note }) => note.title),
  ].some((known) => jaccard(terms, termsOf(known)) >= SAME);
}
