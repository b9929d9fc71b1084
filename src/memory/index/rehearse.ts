/**
 * Warms up what the first prompt of a session would wait for: loads the code for searching, opens index
 * and model, and searches for the newest notes by their titles, so that code which is slow at its first
 * run has run. Reads only.
 */
import { compareText } from "../../base/text/text.ts";
import { gatherCandidates } from "../knowledge/candidates.ts";
import type { Memory } from "../memory.ts";
import { renderRecalled } from "../surfacing/surfaced.ts";
import { recallKnowledge } from "../knowledge/recall.ts";

/** After so many the parts of the index that are read again and again are cached (search/segment/segment.ts). */
const QUESTIONS_MAX = 8;

/** Yields after each step, so that requests meanwhile wait for one step at most. */
export async function* rehearse(memory: Memory): AsyncGenerator<void> {
  await memory.load();
  // Loaded only at the end of a turn.
  await Promise.all([
    import("../../detect/trigger/detect.ts"),
    import("../checkpoint/extractive.ts"),
    import("../notice.ts"),
    import("../session/note.ts"),
    import("../session/topic.ts"),
  ]);
  yield;
  const newest = memory.stores.flatMap((store) => memory.index(store).notes({}, QUESTIONS_MAX))
    .sort((a, b) => compareText(b.updated, a.updated)).slice(0, QUESTIONS_MAX);
  yield;
  for (const { title } of newest) {
    const gathered = await gatherCandidates(memory, title, { forHook: true });
    yield;
    const recall = await recallKnowledge(memory, title, { forHook: true }, gathered);
    if (recall.items.length > 0) renderRecalled(recall.items);
    yield;
  }
}
