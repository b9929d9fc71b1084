/** What is known: list, one with its versions, a new one, new content for one. */
import { z } from "zod";
import { saveKnowledgeInput } from "../../mcp/tools/knowledge.ts";
import { given, sources } from "../../mcp/tools/shapes.ts";
import { listKnowledge } from "../../memory/knowledge/list.ts";
import type { KnowledgeOutcome } from "../../memory/knowledge/outcome.ts";
import { saveKnowledge } from "../../memory/knowledge/save.ts";
import { showKnowledge } from "../../memory/knowledge/show.ts";
import { ambiguous, edited, saved, stop, unknown } from "../outcome.ts";
import { defineRoute, done, type Reply } from "../route.ts";
import {
  flag,
  knowledge,
  knowledgeItem,
  listOf,
  nothing,
  page,
  PAGE_LIMIT,
  pageOf,
  saveOutcome,
} from "../shapes.ts";

const saveInput = saveKnowledgeInput.omit({ id: true });

export const listKnowledgeRoute = defineRoute({
  method: "GET",
  path: "/knowledge",
  name: "listKnowledge",
  summary: "What is known, newest first",
  input: z.strictObject({
    ...page,
    skill: z.string().optional(),
    scope: z.enum(["project", "user"]).optional(),
    archived: flag,
  }),
  output: listOf(knowledgeItem),
  async run({ memory, input: { limit = PAGE_LIMIT, cursor, skill, scope, archived } }) {
    const filter = { ...given({ cursor, skill, scope }), archived: archived === "true" };
    return done(pageOf(await listKnowledge(memory, { ...filter, limit: limit + 1 }), limit));
  },
});

export const showKnowledgeRoute = defineRoute({
  method: "GET",
  path: "/knowledge/{id}",
  name: "showKnowledge",
  summary: "One of them, with the versions that were replaced",
  input: nothing,
  output: z.looseObject({ note: knowledge }),
  // Versions are no part of the index.
  live: true,
  async run({ memory, params: { id = "" } }) {
    const shown = await showKnowledge(memory, id);
    if (shown.kind === "many") return ambiguous(id, shown.items);
    if (shown.kind === "none") return unknown(id, shown.nearest);
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
    return reply(await saveKnowledge(memory, toInput(input), author));
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
    const change = { ...toInput(input), id };
    return reply(await saveKnowledge(memory, change, author, { expectedHash }));
  },
});

function toInput({ on_conflict, sources: lines, ...input }: z.output<typeof saveInput>) {
  return {
    title: input.title,
    content: input.content,
    ...given({
      keywords: input.keywords,
      subject: input.subject,
      skills: input.skills,
      scope: input.scope,
      sources: lines === undefined ? undefined : sources(lines),
      onConflict: on_conflict === "keep_both" ? "both" as const : on_conflict,
    }),
  };
}

function reply(outcome: KnowledgeOutcome): Reply {
  switch (outcome.kind) {
    case "updated": {
      const { id, shortId, title, path, scope } = outcome;
      return done({ outcome: "updated", id, short_id: shortId, title, path, scope });
    }
    case "conflict": {
      const { reason, existing, choices } = outcome;
      return stop(409, "conflict", reason, { existing, choices });
    }
    case "proposed": {
      const { id, question, text, diff } = outcome;
      const reason = `This is the person's to decide: sage inbox accept ${id}, or drop`;
      return stop(409, "conflict", reason, { question_id: id, question, text, diff });
    }
    case "edited":
      return edited(outcome.reason);
    case "none":
      return unknown(outcome.id, outcome.nearest);
    default:
      return saved(outcome);
  }
}
