/**
 * A checkpoint as it comes from a person's hands: options, JSON with the field names of the agent's
 * tool, or Markdown in the form of a checkpoint file. What is missing is judged by memory, not here.
 */
import { SageError } from "../base/errors.ts";
import { stripPrivate } from "../guard/private.ts";
import { type CheckpointDraft, readCheckpoint, readTrigger } from "../note/checkpoint.ts";
import { parseNote } from "../note/parse.ts";

/** What a person says without saying how sure they are. */
const CONFIDENCE = 0.8;
/** The name that a text from stdin has, to be told from a title of its own. */
const NAMELESS = "stdin.md";

export interface DraftFlags {
  readonly message?: string | undefined;
  readonly question?: string | undefined;
  readonly thesis?: string | undefined;
  readonly evidence: readonly string[];
  readonly open: readonly string[];
  readonly tension: readonly string[];
  readonly reasoning?: string | undefined;
  readonly next?: string | undefined;
  readonly source: readonly string[];
  readonly confidence?: number | undefined;
  readonly title?: string | undefined;
  readonly skill?: string | undefined;
  readonly parent?: string | undefined;
}

/** The draft of the options, over what was read from stdin. */
export function draftFromFlags(
  given: Partial<CheckpointDraft>,
  flags: DraftFlags,
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
    ...given,
    ...definedOnly({
      title: flags.title,
      coreQuestion: flags.question,
      thesis,
      reasoningTrace: flags.reasoning,
      nextStep: flags.next,
      confidence: flags.confidence,
      skill: flags.skill,
      parent: flags.parent,
      keyEvidence: filled(flags.evidence),
      openQuestions: filled(flags.open),
      tensions: filled(flags.tension),
      sources: filled(flags.source.map((id) => ({ id, relation: "informs" }))),
    }),
  };
}

/** What `-` brought: JSON when it begins as such, Markdown otherwise. */
export async function draftFromText(
  operand: string,
  text: string,
): Promise<Partial<CheckpointDraft>> {
  if (operand !== "-") {
    throw new SageError("usage", `Unexpected argument "${operand}"`, {
      hint: `to save a sentence: sage checkpoint -m "${operand}"`,
    });
  }
  if (text.trimStart().startsWith("{")) return draftFromJson(text);
  // Before it is split into fields: half of a pair of tags protects nothing.
  const note = await parseNote(stripPrivate(text), NAMELESS);
  if (note.problem !== undefined) {
    const { line, column, reason } = note.problem;
    throw new SageError("invalid_note", `Cannot read stdin:${line}:${column}: ${reason}`);
  }
  const read = readCheckpoint(note);
  const hasSections = read.thesis !== "" || read.coreQuestion !== "";
  return definedOnly({
    title: note.title === "stdin" ? undefined : note.title,
    trigger: read.trigger,
    confidence: note.front.has("confidence") ? read.confidence : undefined,
    coreQuestion: read.coreQuestion,
    thesis: hasSections ? read.thesis : note.body.replace(/^\s*# .*\n/, "").trim(),
    keyEvidence: read.keyEvidence,
    reasoningTrace: read.reasoningTrace,
    openQuestions: read.openQuestions,
    tensions: read.tensions,
    decisions: filled(read.decisions),
    nextStep: read.nextStep,
    sources: read.sources,
    skill: read.skill,
    parent: read.parent,
  });
}

function draftFromJson(text: string): Partial<CheckpointDraft> {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(text);
  } catch (cause) {
    const detail = cause instanceof Error ? cause.message : "";
    throw new SageError("usage", `Cannot read stdin as JSON: ${detail}`, { cause });
  }
  return definedOnly({
    title: string(fields, "title"),
    coreQuestion: string(fields, "core_question"),
    thesis: string(fields, "thesis"),
    confidence: number(fields, "confidence"),
    trigger: fields.trigger === undefined ? undefined : readTrigger(string(fields, "trigger")),
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
    if (typeof item === "string") return { id: item, relation: "informs" };
    const { id, relation } = (item ?? {}) as { id?: unknown; relation?: unknown };
    if (typeof id !== "string") throw wrongType("sources", 'a list of ids or {"id", "relation"}');
    return { id, relation: typeof relation === "string" ? relation : "informs" };
  });
}

function wrongType(key: string, wanted: string): SageError {
  return new SageError("usage", `Cannot use the JSON from stdin: "${key}" has to be ${wanted}`);
}

/** An empty list says nothing, and must not hide what was given elsewhere. */
function filled<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}

/** Without the keys that say nothing, so that spreading it hides nothing. */
function definedOnly<T extends object>(fields: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== undefined),
  ) as { [K in keyof T]?: Exclude<T[K], undefined> };
}
