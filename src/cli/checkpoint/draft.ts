/**
 * A checkpoint as a person provides it: options, JSON with the field names of the agent's tool, or Markdown
 * in the form of a checkpoint file. Memory judges what is missing.
 */
import { SageError } from "../../base/errors.ts";
import { defined, nonEmpty } from "../../base/defined.ts";
import { stripPrivate } from "../../guard/private.ts";
import { cut, nearest } from "../../base/text/text.ts";
import type { CheckpointDraft } from "../../note/checkpoint.ts";
import { DEFAULT_RELATION } from "../../note/provenance.ts";
import type { Options, Values } from "../command.ts";
import { draftFromMarkdown, requireTrigger } from "./markdown.ts";

/** The confidence of a person who does not give one. */
const CONFIDENCE = 0.8;
/** How many misspelt fields are named. */
const UNKNOWN_MAX = 5;

export const DRAFT_OPTIONS = {
  message: {
    type: "string",
    short: "m",
    value: "text",
    summary: "what you concluded, in a sentence or more",
  },
  question: { type: "string", value: "text", summary: "the question you are working on" },
  thesis: { type: "string", value: "text", summary: "your present answer to it (same as -m)" },
  evidence: { type: "strings", value: "text", summary: "a finding that supports it" },
  open: { type: "strings", value: "text", summary: "a question still open" },
  tension: { type: "strings", value: "text", summary: "a contradiction that is not resolved" },
  reasoning: { type: "string", value: "text", summary: "how you got there" },
  next: { type: "string", value: "text", summary: "what to do next" },
  source: { type: "strings", value: "id", summary: "a note this rests on" },
  confidence: { type: "number", min: 0, max: 1, summary: "how sure you are, 0.8 by default" },
  title: { type: "string", value: "text", summary: "a title, instead of the first sentence" },
  skill: { type: "string", value: "name", summary: "the skill it belongs to" },
  parent: { type: "string", value: "id", summary: "the checkpoint it continues from" },
} as const satisfies Options;

/** The draft from options, which win over what was read from stdin. */
export function draftFromFlags(
  read: Partial<CheckpointDraft>,
  flags: Values<typeof DRAFT_OPTIONS>,
): CheckpointDraft {
  const thesis = flags.thesis ?? flags.message;
  return {
    trigger: "manual",
    confidence: CONFIDENCE,
    coreQuestion: "",
    thesis: "",
    keyEvidence: [],
    reasoningTrace: "",
    openQuestions: [],
    tensions: [],
    sources: [],
    ...read,
    ...defined({
      title: flags.title,
      coreQuestion: flags.question,
      thesis,
      reasoningTrace: flags.reasoning,
      nextStep: flags.next,
      confidence: flags.confidence,
      skill: flags.skill,
      parent: flags.parent,
      keyEvidence: nonEmpty(flags.evidence),
      openQuestions: nonEmpty(flags.open),
      tensions: nonEmpty(flags.tension),
      sources: nonEmpty(flags.source.map((id) => ({ id, relation: DEFAULT_RELATION }))),
    }),
  };
}

/** The draft in stdin: JSON if it begins like that, Markdown otherwise. */
export async function draftFromText(text: string): Promise<Partial<CheckpointDraft>> {
  if (text.trimStart().startsWith("{")) return draftFromJson(text);
  // Private text is removed before splitting: half a pair of tags protects nothing.
  return await draftFromMarkdown(stripPrivate(text));
}

/** The fields in the order of the agent's tool. */
const JSON_FIELDS = [
  ...["title", "core_question", "thesis", "confidence", "trigger", "key_evidence"],
  ...["reasoning_trace", "open_questions", "tensions", "decisions", "next_step", "sources"],
  ...["skill", "parent"],
];

function draftFromJson(text: string): Partial<CheckpointDraft> {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(text);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : "";
    throw new SageError("usage", `Cannot read stdin as JSON: ${detail}`, {
      hint: "what begins with { is read so: mend it, or pipe Markdown in",
      cause,
    });
  }
  checkKeys(fields);
  const trigger = string(fields, "trigger");
  return defined({
    title: string(fields, "title"),
    coreQuestion: string(fields, "core_question"),
    thesis: string(fields, "thesis"),
    confidence: number(fields, "confidence"),
    trigger: trigger === undefined ? undefined : requireTrigger(trigger),
    keyEvidence: strings(fields, "key_evidence"),
    reasoningTrace: string(fields, "reasoning_trace"),
    openQuestions: strings(fields, "open_questions"),
    tensions: strings(fields, "tensions"),
    decisions: strings(fields, "decisions"),
    nextStep: string(fields, "next_step"),
    sources: sources(fields),
    skill: string(fields, "skill"),
    parent: string(fields, "parent"),
  });
}

/** A misspelt field would be lost silently. */
function checkKeys(fields: Record<string, unknown>): void {
  const unknown = Object.keys(fields).filter((key) => !JSON_FIELDS.includes(key));
  if (unknown.length === 0) return;
  const named = unknown.slice(0, UNKNOWN_MAX).map((key) => {
    const meant = nearestField(key);
    return `"${cut(key, 40)}"` + (meant === undefined ? "" : `, perhaps "${meant}"`);
  });
  throw new SageError("usage", `A checkpoint has no field ${named.join("; ")}: nothing was saved`, {
    hint: `it has ${JSON_FIELDS.join(", ")}`,
  });
}

function nearestField(key: string): string | undefined {
  const spelled = key.toLowerCase().replace(/[^a-z]+/g, "_");
  return JSON_FIELDS.find((field) => field.split("_").includes(spelled)) ??
    nearest(spelled, JSON_FIELDS);
}

function string(fields: Record<string, unknown>, key: string): string | undefined {
  const value = fields[key];
  if (value === undefined || value === null || typeof value === "string") return value ?? undefined;
  throw wrongType(key, "a string");
}

function number(fields: Record<string, unknown>, key: string): number | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && value >= 0 && value <= 1) return value;
  throw wrongType(key, "a number from 0 to 1");
}

function strings(fields: Record<string, unknown>, key: string): string[] | undefined {
  const value = fields[key];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string") return [value];
  if (Array.isArray(value) && value.every((item) => typeof item === "string")) return value;
  throw wrongType(key, "a list of strings");
}

function sources(fields: Record<string, unknown>): CheckpointDraft["sources"] | undefined {
  const value = fields.sources;
  if (value === undefined || value === null) return undefined;
  if (!Array.isArray(value)) throw wrongType("sources", "a list");
  return value.map((item: unknown) => {
    if (typeof item === "string") return { id: item, relation: DEFAULT_RELATION };
    const { id, relation = DEFAULT_RELATION, ...more } = (item ?? {}) as Record<string, unknown>;
    if (typeof id !== "string" || typeof relation !== "string" || Object.keys(more).length > 0) {
      throw wrongType("sources", 'a list of ids or {"id", "relation"}');
    }
    return { id, relation };
  });
}

function wrongType(key: string, wanted: string): SageError {
  return new SageError("usage", `Cannot use the JSON from stdin: "${key}" has to be ${wanted}`);
}
