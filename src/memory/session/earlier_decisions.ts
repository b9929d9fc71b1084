/** A decision that takes back one of an earlier session says which, with a link to where it stands. */
import { cut } from "../../base/text.ts";
import { REVERSED_CHARACTERS_MAX, reversesEarlier } from "../../detect/reversals.ts";
import { readSession as readSessionNote } from "../../note/session.ts";
import { isHere, knownEntries, lastUpdatedFirst, readEntry } from "../entries.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../open_part.ts";

/** Session notes looked back at, the latest first. */
const NOTES_MAX = 20;

/** `own`: the id of the session's own note. A decision that names what it takes back stays as it is. */
export async function withEarlier(
  memory: Memory,
  decisions: readonly string[],
  own: string | undefined,
): Promise<readonly string[]> {
  if (decisions.length === 0) return decisions;
  const earlier = await earlierDecisions(memory, own);
  return decisions.map((decision) => {
    if (decision.includes("(takes back: ")) return decision;
    const gone = earlier.find(({ text }) => reversesEarlier(decision, text));
    return gone === undefined
      ? decision
      : `${decision} (takes back: “${cut(gone.text, REVERSED_CHARACTERS_MAX)}” of [[${gone.id}]])`;
  });
}

/** The latest first; one that was itself taken back does not hold any more. */
async function earlierDecisions(
  memory: Memory,
  own: string | undefined,
): Promise<readonly { readonly text: string; readonly id: string }[]> {
  const entries = knownEntries(memory, { kinds: ["session"] })
    .filter((entry) => entry.note.id !== own && isHere(memory, entry))
    .sort(lastUpdatedFirst).slice(0, NOTES_MAX);
  const found: { text: string; id: string }[] = [];
  for (const entry of entries) {
    const stored = await readEntry(entry);
    if (stored === undefined) continue;
    const { decisions } = readSessionNote(withoutPrivate(stored.note));
    found.push(...decisions.toReversed().map((text) => ({ text, id: stored.note.id })));
  }
  return found.filter(({ text }) =>
    !found.some((other) => other.text.includes(`“${cut(text, REVERSED_CHARACTERS_MAX)}”`))
  );
}
