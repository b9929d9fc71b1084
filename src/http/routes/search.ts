/** Search over everything, and recall of what is known: the answers of `sage search` and `match`. */
import { z } from "zod";
import { rfc3339 } from "../../base/clock.ts";
import { defined } from "../../base/defined.ts";
import { parseWhen, WHEN } from "../../base/when.ts";
import { recallInput } from "../../mcp/tools/knowledge.ts";
import { searchInput } from "../../mcp/tools/search.ts";
import { recallFacts, recallKnowledge } from "../../memory/knowledge/recall.ts";
import { searchMemory } from "../../memory/search.ts";
import { stop } from "../outcome.ts";
import { defineRoute, done } from "../route.ts";
import { flag, hit } from "../shapes.ts";

export const searchRoute = defineRoute({
  method: "GET",
  path: "/search",
  name: "search",
  summary: "Search every note by words and meaning, best first",
  input: searchInput.extend({ all: flag }),
  output: z.looseObject({
    items: z.array(hit),
    total: z.number(),
    weak: z.boolean(),
    lexical_only: z.boolean(),
    hints: z.array(z.string()),
  }),
  async run({ memory, input: { query, after: typed, all, also, ...filter } }) {
    const afterMs = typed === undefined ? undefined : parseWhen(typed, memory.now());
    if (typed !== undefined && afterMs === undefined) {
      return stop(400, "usage", `"after" is ${WHEN}`);
    }
    const after = afterMs === undefined ? undefined : rfc3339(afterMs);
    const options = defined({ all, after, also, ...filter });
    const { items, total, weak, lexicalOnly, hints } = await searchMemory(memory, query, options);
    return done({ items, total, weak, lexical_only: lexicalOnly, hints });
  },
});

export const recallRoute = defineRoute({
  method: "GET",
  path: "/recall",
  name: "recall",
  summary: "What would be recalled for a question, what nearly, and the settings that decide",
  input: recallInput,
  output: z.looseObject({
    items: z.array(z.looseObject({ id: z.string(), title: z.string(), score: z.number() })),
    near_misses: z.array(z.looseObject({ id: z.string(), score: z.number() })),
    tokens: z.number(),
    lexical_only: z.boolean(),
  }),
  async run({ memory, input: { query, also, max_items: maxItems, skill, scope } }) {
    const recall = await recallKnowledge(memory, query, defined({ also, maxItems, skill, scope }));
    return done(recallFacts(recall));
  },
});
