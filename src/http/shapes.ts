/** The shapes of answers. They may gain fields, so readers ignore those they do not know. */
import { z } from "zod";
import { defined } from "../base/defined.ts";
import { HTTP_CURSOR_CHARACTERS_MAX, HTTP_PAGE_ITEMS_MAX } from "../base/limits.ts";

/**
 * The parameters of every list. A cursor is the `next` of the page before: a path, because two files
 * may share an id.
 */
export const page = {
  limit: z.int().min(1).max(HTTP_PAGE_ITEMS_MAX).optional(),
  cursor: z.string().min(1).max(HTTP_CURSOR_CHARACTERS_MAX).optional(),
};
export const PAGE_LIMIT = 50;

/** A boolean query parameter, which is text. */
export const flag = z.enum(["true", "false"]).transform((text) => text === "true").optional();
export const nothing = z.strictObject({});

const nearest = z.looseObject({ id: z.string(), short_id: z.string(), title: z.string() });

export const noteItem = z.looseObject({
  id: z.string(),
  short_id: z.string(),
  type: z.string(),
  title: z.string(),
  path: z.string(),
  created: z.string(),
  updated: z.string(),
  status: z.string(),
  scope: z.enum(["project", "user"]),
  author: z.string(),
  project: z.string().optional(),
  tags: z.array(z.string()),
  flags: z.array(z.string()),
});

export const note = noteItem.extend({
  /** SHA-256 of the file: the note's ETag. */
  hash: z.string(),
  sections: z.array(z.string()),
  /** Without private parts. */
  text: z.string(),
});

export const hit = noteItem.extend({
  score: z.number(),
  emb: z.number(),
  kw: z.number(),
  snippet: z.string(),
  heading: z.string(),
  formula: z.string(),
  /** The phrasing that the note matches best. */
  phrasing: z.string().optional(),
});

export const checkpointItem = noteItem.extend({
  trigger: z.string(),
  confidence: z.number(),
  thesis: z.string(),
  session: z.string().optional(),
  parent: z.string().optional(),
});

export const knowledgeItem = noteItem.extend({
  subject: z.string(),
  keywords: z.array(z.string()),
  skills: z.array(z.string()),
  tokens: z.number(),
});

export const knowledge = knowledgeItem.extend({
  hash: z.string(),
  content: z.string(),
  versions: z.array(z.looseObject({
    title: z.string(),
    updated: z.string(),
    author: z.string(),
    content: z.string(),
  })),
});

/** One side of a contradiction. */
export const statement = noteItem.extend({ content: z.string(), hash: z.string() });

export const todoItem = noteItem.extend({
  content: z.string(),
  context: z.string().optional(),
  priority: z.string(),
  todo_status: z.string(),
  due: z.string().optional(),
  source: z.string().optional(),
  completed: z.string().optional(),
});

export const sessionItem = noteItem.extend({
  session: z.string(),
  started: z.string(),
  ended: z.string().optional(),
  end_reason: z.string().optional(),
  summary: z.string(),
});

export const removedItem = noteItem.extend({ removed: z.string(), restore_until: z.string() });

const partDiff = z.looseObject({
  added: z.array(z.string()),
  removed: z.array(z.string()),
  changed: z.array(z.looseObject({ before: z.string(), after: z.string() })),
  same: z.number(),
});

export const checkpointDiff = z.looseObject({
  conclusions: partDiff,
  evidence: partDiff,
  questions: partDiff,
  tensions: partDiff,
  sources: partDiff,
});

export const graphItem = noteItem.extend({ links: z.number(), backlinks: z.number() });

/** A subgraph. Links give their ends as positions in `items`. */
export const graphPart = z.looseObject({
  items: z.array(graphItem),
  links: z.array(z.looseObject({ from: z.number(), to: z.number(), relation: z.string() })),
  /** How many matching notes are not shown. */
  left: z.number(),
});

export const related = z.looseObject({
  id: z.string(),
  short_id: z.string(),
  title: z.string(),
  updated: z.string(),
});

export const version = z.looseObject({
  number: z.number(),
  updated: z.string(),
  author: z.string(),
  hash: z.string(),
  title: z.string(),
  reason: z.string(),
  path: z.string(),
  /** Unified diff to the version before; empty for the oldest. */
  diff: z.string(),
});

export const question = z.looseObject({
  id: z.string(),
  asked: z.string(),
  project: z.looseObject({ name: z.string(), dir: z.string() }),
  why: z.string(),
  question: z.string(),
  title: z.string(),
  text: z.string(),
  diff: z.string(),
  /** Until when the question was put off. */
  later: z.string().optional(),
});

export const finding = z.looseObject({
  level: z.enum(["ok", "warning", "error"]),
  what: z.string(),
  mend: z.string().optional(),
});

export const setting = z.looseObject({
  key: z.string(),
  value: z.union([z.string(), z.number(), z.boolean()]),
  source: z.string(),
  default: z.union([z.string(), z.number(), z.boolean()]),
  summary: z.string(),
});

export const saveOutcome = z.looseObject({
  outcome: z.enum(["saved", "updated", "removed"]),
  id: z.string(),
  short_id: z.string(),
  title: z.string(),
});

export const problem = z.looseObject({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  code: z.string(),
  nearest: z.array(nearest).optional(),
  /** Where somebody has to decide first. */
  choices: z.array(z.string()).optional(),
});

/** One page of a list. */
export function listOf(item: z.ZodObject): z.ZodObject {
  return z.looseObject({ items: z.array(item), next: z.string().optional() });
}

/** A page, made of one item more than it shows. */
export function pageOf<T extends { readonly path: string }>(
  items: readonly T[],
  limit: number,
): { readonly items: readonly T[]; readonly next?: string } {
  const shown = items.slice(0, limit);
  const last = items.length > limit ? shown.at(-1) : undefined;
  return { items: shown, ...defined({ next: last?.path }) };
}
