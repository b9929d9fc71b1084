/**
 * What an orientation says right after a compaction: the checkpoint from just before it, and the exact
 * things that the summary dropped, as many as there is room for.
 */
import { readCheckpoint } from "../../note/checkpoint.ts";
import { type Entry, readEntry } from "../entries.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../open_part.ts";
import { howToLoad } from "../pointer.ts";
import { asSentence, quote } from "../recalled.ts";
import type { Candidate } from "./candidate.ts";
import { lostLine } from "./lost_lines.ts";
import { readSession } from "./state.ts";

/** What was saved just before the words went, then what the summary dropped of them. */
export async function afterCompaction(
  memory: Memory,
  session: string,
  entries: readonly Entry[],
): Promise<Candidate[]> {
  const { lastSave, compaction } = readSession(memory, session) ?? {};
  const lost = compaction?.lost ?? [];
  const note = lastSave?.id;
  const saved = await readEntry(entries.find((entry) => entry.note.id === note));
  const told = saved === undefined ? "" : beforeCompaction(saved, lost.length > 0);
  return [
    ...(told === "" ? [] : [{ priority: 0, text: told, ...(note === undefined ? {} : { note }) }]),
    // The exact things that the summary dropped, as many as there is room for.
    ...(lost.length === 0 ? [] : [{
      priority: 0.5,
      text: lostLine(lost, Infinity, told),
      fit: (tokensMax: number) => lostLine(lost, tokensMax, told),
    }]),
  ];
}

function beforeCompaction({ note }: StoredNote, isLossy: boolean): string {
  const { thesis, nextStep, openQuestions } = readCheckpoint(withoutPrivate(note));
  // The gist stands in the summary as well; what it left out does not.
  const parts = [
    `Before this compaction: ${quote(thesis, isLossy ? 120 : 240)}`,
    ...(nextStep === undefined ? [] : [`next ${quote(nextStep, isLossy ? 80 : 120)}`]),
    ...(isLossy ? [] : openQuestions.slice(0, 1)).map((question) => `open ${quote(question, 120)}`),
  ];
  return `- ${asSentence(parts.join("; "))} ${howToLoad(note.id)}`;
}
