/**
 * A passage that a prompt is about: 'Read this paragraph: They decided to leave. Is it too dry?' What it says
 * was decided or forgotten by somebody in it.
 */
import { memoize } from "../../base/memoize.ts";
import { splitTyped } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { phrasePattern } from "../phrases/phrase_patterns.ts";
import { replaceTexts } from "./replace_text.ts";
import { endsWithQuestion } from "./sentences.ts";

/** What a text of prose is called, and a colon behind it, with the text below it or on the same line. */
const GIVEN = phrasePattern("given.text", String.raw`^[^\n]{0,120}?\b{}\b[^.:?!\n]{0,60}:(?=\s)`);
/** A passage begins as a sentence does; 'in the paragraph: make it red' goes on with the request. */
const BEGINS = /^\s+["“„«'(‘]?[A-ZÄÖÜÀ-Ý\d]/;
/** A longer prompt is a document. */
const PROMPT_CHARACTERS_MAX = 4_000;

/** The same turns, each such prompt with an ellipsis for the passage. */
export const withoutGivenText: (turns: readonly Turn[]) => readonly Turn[] = memoize((
  turns: readonly Turn[],
) => replaceTexts(turns, ({ role, text }) => role === "user" ? askedAbout(text) : undefined));

/** What introduces the passage, and a question behind it; undefined if no passage is given. */
function askedAbout(prompt: string): string | undefined {
  if (prompt.length > PROMPT_CHARACTERS_MAX || !prompt.includes(":")) return undefined;
  const [lead] = GIVEN.exec(prompt) ?? [];
  const passage = prompt.slice(lead?.length);
  if (lead === undefined || !BEGINS.test(passage)) return undefined;
  const last = splitTyped(passage).at(-1) ?? "";
  return `${lead} …${endsWithQuestion(last) ? ` ${last}` : ""}`;
}
