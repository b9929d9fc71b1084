/**
 * Does ahead what the first prompt of a session would wait for: loads what searches, opens index and
 * model, and runs the code that is slow the first time. Searches for the newest notes by their titles,
 * and reads only.
 */
import { compareText } from "../base/text.ts";
import { gatherCandidates } from "./knowledge/candidates.ts";
import type { Memory } from "./memory.ts";
import { renderRecalled } from "./surfacing/surfaced.ts";
import { recallKnowledge } from "./knowledge/recall.ts";

/** By then the parts of the index that are read again and again are kept (search/segment.ts). */
const QUESTIONS_MAX = 8;

/** Yields after each step, so that requests meanwhile wait for one step at most. */
export async function* rehearse(memory: Memory): AsyncGenerator<void> {
  await memory.load();
  // What the end of a turn loads late.
  await Promise.all([
    import("../detect/detect.ts"),
    import("./checkpoint/extractive.ts"),
    import("./notice.ts"),
    import("./session/note.ts"),
    import("./session/topic.ts"),
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
