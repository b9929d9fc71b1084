/** Knowledge: list, one with its versions, a new one, new content for one. */
import { z } from "zod";
import { saveKnowledgeInput, toKnowledgeInput } from "../../mcp/tools/knowledge.ts";
import { listKnowledge } from "../../memory/knowledge/list.ts";
import { saveKnowledge } from "../../memory/knowledge/save.ts";
import { showKnowledge } from "../../memory/knowledge/show.ts";
import { knowledgeReply } from "../knowledge_outcome.ts";
import { listRoute } from "../list_route.ts";
import { notFound } from "../outcome.ts";
import { defineRoute, done } from "../route.ts";
import { flag, knowledge, knowledgeItem, nothing, saveOutcome } from "../shapes.ts";

const saveInput = saveKnowledgeInput.omit({ id: true });

export const listKnowledgeRoute = listRoute({
  path: "/knowledge",
  name: "listKnowledge",
  summary: "What is known, newest first",
  item: knowledgeItem,
  filter: {
    skill: z.string().optional(),
    scope: z.enum(["project", "user"]).optional(),
    archived: flag,
    stale: flag,
  },
  // Not cached by the index: files decide whether it is stale.
  live: true,
  list: listKnowledge,
});

export const showKnowledgeRoute = defineRoute({
  method: "GET",
  path: "/knowledge/{id}",
  name: "showKnowledge",
  summary: "One of them, with the versions that were replaced",
  input: nothing,
  output: z.looseObject({ note: knowledge }),
  // Versions are not part of the index.
  live: true,
  async run({ memory, params: { id = "" } }) {
    const shown = await showKnowledge(memory, id);
    if (shown.kind !== "one") return notFound(id, shown);
    const { kind: _, item, ...rest } = shown;
    return done({ note: { ...item, ...rest } }, shown.hash);
  },
});

export const saveKnowledgeRoute = defineRoute({
  method: "POST",
  path: "/knowledge",
  name: "saveKnowledge",
  summary: "Keep something; what is there already is told, and a contradiction is a conflict",
  input: saveInput,
  output: saveOutcome,
  creates: true,
  async run({ memory, input, author }) {
    return knowledgeReply(await saveKnowledge(memory, toKnowledgeInput(input), author));
  },
});

export const updateKnowledgeRoute = defineRoute({
  method: "PATCH",
  path: "/knowledge/{id}",
  name: "updateKnowledge",
  summary: "New title and content; the version before is kept",
  input: saveInput.omit({ on_conflict: true, scope: true }),
  output: saveOutcome,
  replaces: true,
  async run({ memory, params: { id = "" }, input, author, expected: expectedHash }) {
    const change = toKnowledgeInput({ ...input, id });
    return knowledgeReply(await saveKnowledge(memory, change, author, { expectedHash }));
  },
});
