/**
 * What a prompt has from the one before it. A question of few words ("and for staging?") says enough together with
 * that, and a note that one word of a prompt speaks for is what was meant where the last prompt was about it too.
 */
import { sha256Hex } from "../base/hash.ts";
import type { Candidate } from "../search/document.ts";
import { specificTerms } from "./gates.ts";

/** Terms are only compared; as they stand they may be half of a secret, which no rule would know. */
export function termHash(term: string): string {
  return sha256Hex(term).slice(0, 12);
}

/** Whether a note may be shown beside a prompt, by the hashed terms of the last one. */
export function goesOn(
  candidate: Candidate,
  last: readonly string[] | undefined,
  isShort: boolean,
): boolean {
  const { isSingle, trigger } = candidate.evidence;
  // Somebody wrote a pattern for just such a prompt.
  if (!isShort && (last === undefined || !isSingle || trigger > 1)) return true;
  return last !== undefined && sharesTerm(candidate, new Set(last));
}

function sharesTerm({ note, chunk }: Candidate, last: ReadonlySet<string>): boolean {
  const text = [note.title, chunk.snippet, ...note.keywords, ...note.tags].join(" ");
  return specificTerms(text).some((term) => last.has(termHash(term)));
}
