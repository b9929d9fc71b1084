/** Tools over all notes: search by words and meaning, and notes similar to a note or text. */
import { z } from "zod";
import { rfc3339 } from "../../base/clock.ts";
import { defined } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import { parseWhen, WHEN } from "../../base/when.ts";
import { type HitItem, searchMemory, WEAK } from "../../memory/search.ts";
import { quotable } from "../../memory/recalled.ts";
import { findSimilar } from "../../memory/index/similar.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Answer, failed, notFound } from "../answer.ts";
import { defineTool, READS } from "../tool.ts";
import { label, listing, notesShape, phrasings, REPHRASE, staleFact, text } from "./shapes.ts";

const limit = z.int().min(1).max(50).optional();
const LIMIT = 8;

export const searchInput = z.strictObject({
  query: text,
  also: phrasings.optional(),
  type: z.enum(["checkpoint", "knowledge", "todo", "session", "topic", "note"]).optional(),
  tag: label.optional(),
  project: label.optional(),
  after: label.optional(),
  limit,
});

export const searchNotesTool = defineTool({
  name: "search_notes",
  title: "Search notes",
  description:
    "Search all notes for what happened or was decided. also: 2 rephrasings, in words the note may " +
    "use.",
  input: searchInput,
  // The query may hold filters too: project:web after:2026-01-31.
  output: notesShape,
  annotations: READS,
  async run(memory, { query, limit, after: typed, also, ...filter }) {
    const afterMs = typed === undefined ? undefined : parseWhen(typed, memory.now());
    if (typed !== undefined && afterMs === undefined) {
      return failed(`search_notes: "after" must be ${WHEN}.`);
    }
    const after = afterMs === undefined ? undefined : rfc3339(afterMs);
    const { items, total, weak, lexicalOnly, hints } = await searchMemory(
      memory,
      query,
      defined({ limit, after, also, ...filter }),
    );
    const besides = [
      ...(lexicalOnly ? ["Words only, no meaning, were compared"] : []),
      ...hints.map(quotable),
    ].map((said) => ` ${said}.`).join("");
    return hits(memory, items, (shown) => {
      if (shown === 0) return `Nothing found. Try other words or fewer filters.${besides}`;
      const more = total > shown ? " More: raise limit or narrow the query." : "";
      const first = weak
        ? "Nothing matches well; the nearest"
        : `${shown} of ${count(total, "hit")}`;
      const best = Math.max(0, ...items.map(({ score }) => score));
      const isUnsure = best > 0 && best < memory.config.get("retrieval.recall_threshold");
      const doubt = isUnsure ? " score is how likely it answers." : "";
      const rephrase = weak && also === undefined ? ` ${REPHRASE}` : "";
      return `${first}, best first.${doubt}${rephrase}${more}${besides}`;
    });
  },
});

export const findSimilarNotesTool = defineTool({
  name: "find_similar_notes",
  title: "Find similar notes",
  description: "Notes like a note (id) or text, such as duplicates before saving.",
  input: z.strictObject({ id: label.optional(), text: text.optional(), limit }),
  unadvertised: ["limit"],
  output: notesShape,
  annotations: READS,
  async run(memory, { id, text, limit = LIMIT }) {
    if (id === undefined) {
      if (text === undefined) return failed('find_similar_notes: give "id" of a note, or "text".');
      return similar(memory, (await searchMemory(memory, text, { limit, literal: true })).items);
    }
    const outcome = await findSimilar(memory, id, { limit });
    switch (outcome.kind) {
      case "hits":
        return similar(memory, outcome.items);
      case "many":
      case "none":
        return notFound("note", id, outcome);
    }
  },
});

function similar(memory: Memory, items: readonly HitItem[]): Answer {
  // Weak hits are dropped if there are similar notes.
  const like = items.filter(({ score }) => score >= WEAK);
  return hits(
    memory,
    like.length === 0 ? items : like,
    (shown) => {
      if (shown === 0) return "Nothing similar is stored.";
      return like.length === 0
        ? "Nothing is much like it; the nearest, best first."
        : `${count(shown, "similar note")}, best first.`;
    },
  );
}

function hits(
  memory: Memory,
  items: readonly HitItem[],
  message: (shown: number) => string,
): Answer {
  const notes = items.map((item) => ({
    ...item,
    text: item.snippet,
    facts: {
      type: item.type,
      score: item.score,
      emb: item.emb,
      kw: item.kw,
      ...defined({ of_project: item.of }),
      ...staleFact(item),
    },
  }));
  return listing(memory, notes, message);
}
