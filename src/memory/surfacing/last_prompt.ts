/**
 * What a prompt takes over from the one before it. A short question ("and for staging?") is
 * understood together with that; and a note found by a single word counts only where the last
 * prompt was about it too.
 */
import { sha256Hex } from "../../base/hash.ts";
import type { Candidate } from "../../search/document.ts";
import { specificTerms } from "./gates.ts";

/** Terms are only compared, and a term may be half of a secret that no rule knows: hashes are kept. */
export function termHash(term: string): string {
  return sha256Hex(term).slice(0, 12);
}

/** What is known of the conversation before a prompt. */
export interface Continuation {
  /** The hashed terms of the last prompt, if there was one. */
  readonly last: readonly string[] | undefined;
  readonly isShort: boolean;
  readonly isQuestion: boolean;
}

/** Whether a note may be shown beside a prompt, judged by the words that found it. */
export function continuesPrompt(
  candidate: Candidate,
  { last, isShort, isQuestion }: Continuation,
): boolean {
  const { isSingle, trigger } = candidate.evidence;
  // Found by a keyword or pattern that somebody gave the note.
  const isCalled = isQuestion ? trigger > 0 : trigger > 1;
  if (!isShort && (last === undefined || !isSingle || isCalled)) return true;
  return last !== undefined && sharesTerm(candidate, new Set(last));
}

function sharesTerm({ note, chunk }: Candidate, last: ReadonlySet<string>): boolean {
  const text = [note.title, chunk.snippet, ...note.keywords, ...note.tags].join(" ");
  return specificTerms(text).some((term) => last.has(termHash(term)));
}
