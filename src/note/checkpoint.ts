/**
 * Renders and reads checkpoints: front matter and sections. A checkpoint is history, so nothing here edits
 * one. Reading is lenient with what people do to files, and knows earlier layouts that had the fields in
 * the front matter.
 */
import { collapse, cutTitle } from "../base/text/text.ts";
import { estimateTokens } from "../base/text/tokens.ts";
import {
  readField,
  readList,
  renderField,
  renderList,
  renderSection,
  renderTitle,
} from "./fields.ts";
import { renderFrontMatter } from "./front_matter.ts";
import {
  frontFlag,
  frontLines,
  frontMap,
  frontNumber,
  frontText,
  listOrNothing,
  mapOrNothing,
} from "./front_values.ts";
import { sectionText } from "./markdown.ts";
import type { FrontMap, FrontValue, Note } from "./note.ts";
import {
  type Generated,
  generatedValue,
  type Header,
  headerEntries,
  readGenerated,
  readSourceList,
  readSources,
  renderSourceList,
  type Source,
  sourcesValue,
} from "./provenance.ts";

export const TRIGGERS = [
  "topic_shift",
  "branch_point",
  "constraint_discovered",
  "synthesis",
  "precompact",
  "context_threshold",
  "manual",
  "recovery",
  "session_end",
] as const;

export type Trigger = typeof TRIGGERS[number];

export interface GitState {
  readonly branch?: string | undefined;
  readonly commit?: string | undefined;
  readonly dirty?: boolean | undefined;
}

export interface CheckpointDraft {
  readonly title?: string | undefined;
  readonly coreQuestion: string;
  readonly thesis: string;
  /** 0..1 */
  readonly confidence: number;
  readonly trigger: Trigger;
  readonly keyEvidence: readonly string[];
  readonly reasoningTrace: string;
  readonly openQuestions: readonly string[];
  readonly tensions: readonly string[];
  readonly sources: readonly Source[];
  readonly decisions?: readonly string[] | undefined;
  readonly nextStep?: string | undefined;
  readonly skill?: string | undefined;
  readonly parent?: string | undefined;
  readonly session?: string | undefined;
  readonly git?: GitState | undefined;
  /** Ids of the notes that had been recalled for the agent. */
  readonly recalled?: readonly string[] | undefined;
  readonly messages?: number | undefined;
  readonly contextTokens?: number | undefined;
  readonly generated?: Generated | undefined;
}

export interface Checkpoint extends CheckpointDraft {
  readonly id: string;
  readonly title: string;
  readonly created: string;
  readonly project: string | undefined;
  readonly decisions: readonly string[];
  readonly recalled: readonly string[];
  /** Tokens of the whole file, as recorded when it was written. */
  readonly tokens: number | undefined;
}

/** The file of a new checkpoint. */
export function renderCheckpoint(draft: CheckpointDraft, header: Header): string {
  const body = renderBody(draft);
  // The count is part of the text that is counted: render it with a placeholder first.
  const tokens = estimateTokens(renderFront(draft, header, "0") + body);
  return renderFront(draft, header, String(tokens)) + body;
}

function renderFront(draft: CheckpointDraft, header: Header, tokens: string): string {
  const { git, messages, contextTokens } = draft;
  return renderFrontMatter([
    ...headerEntries("checkpoint", header),
    ["trigger", draft.trigger],
    ["confidence", String(Math.round(clampShare(draft.confidence) * 100) / 100)],
    ["session", draft.session],
    ["parent", draft.parent],
    ["skill", draft.skill],
    ["git", gitValue(git)],
    ["sources", sourcesValue(draft.sources)],
    ["recalled", listOrNothing(draft.recalled)],
    ["messages", messages === undefined ? undefined : String(messages)],
    ["context_tokens", contextTokens === undefined ? undefined : String(contextTokens)],
    ["tokens", tokens],
    ["generated", generatedValue(draft.generated)],
  ]);
}

function renderBody(draft: CheckpointDraft): string {
  const title = draft.title || draft.coreQuestion || draft.thesis;
  const body = renderTitle(draft.title ? title : cutTitle(collapse(title), 100)) +
    renderSection("Core Question", renderField(draft.coreQuestion)) +
    renderSection("Thesis", renderField(draft.thesis)) +
    renderSection("Key Evidence", renderList(draft.keyEvidence)) +
    renderSection("Reasoning Trace", renderField(draft.reasoningTrace)) +
    renderSection("Decisions", renderList(draft.decisions ?? [])) +
    renderSection("Next Step", renderField(draft.nextStep ?? "")) +
    renderSection("Open Questions", renderList(draft.openQuestions)) +
    renderSection("Tensions", renderList(draft.tensions)) +
    renderSection("Sources", renderSourceList(draft.sources));
  return "\n" + body.trimEnd() + "\n";
}

/** The checkpoint in a note, in whatever state people left the file. */
export function readCheckpoint(note: Note): Checkpoint {
  const { front, body } = note;
  const git = frontMap(front, "git");
  const sources = readSources(front);
  return {
    id: note.id,
    title: note.title,
    created: note.created,
    project: note.project,
    coreQuestion: text(body, front, "Core Question", "core_question"),
    thesis: readThesis(note),
    confidence: clampShare(frontNumber(front, "confidence") ?? 0),
    trigger: readTrigger(frontText(front, "trigger")),
    keyEvidence: list(body, front, "Key Evidence", "key_evidence"),
    reasoningTrace: text(body, front, "Reasoning Trace", "reasoning_trace"),
    decisions: list(body, front, "Decisions", "decisions"),
    nextStep: text(body, front, "Next Step", "next_step") || undefined,
    openQuestions: list(body, front, "Open Questions", "open_questions"),
    tensions: list(body, front, "Tensions", "tensions"),
    sources: sources.length > 0 ? sources : readSourceList(sectionText(body, "Sources", 2)),
    skill: frontText(front, "skill"),
    parent: frontText(front, "parent"),
    session: frontText(front, "session"),
    git: git === undefined ? undefined : readGit(git),
    recalled: frontLines(front, "recalled"),
    messages: frontNumber(front, "messages"),
    contextTokens: frontNumber(front, "context_tokens"),
    tokens: frontNumber(front, "tokens") ?? frontNumber(front, "token_count"),
    generated: readGenerated(front),
  };
}

/** A checkpoint's conclusion. */
export function readThesis({ body, front }: Note): string {
  return text(body, front, "Thesis", "thesis");
}

/** The trigger that a text names; anything else, such as `explicit` of earlier layouts, is `manual`. */
export function readTrigger(name: string | undefined): Trigger {
  return TRIGGERS.find((trigger) => trigger === name?.toLowerCase().replaceAll("-", "_")) ??
    "manual";
}

function text(body: string, front: FrontMap, heading: string, key: string): string {
  const content = sectionText(body, heading, 2);
  return content === undefined ? frontText(front, key) ?? "" : readField(content);
}

function list(body: string, front: FrontMap, heading: string, key: string): string[] {
  const content = sectionText(body, heading, 2);
  return content === undefined ? frontLines(front, key) : readList(content);
}

function gitValue(git: GitState | undefined): FrontValue | undefined {
  const dirty = git?.dirty === undefined ? undefined : String(git.dirty);
  return mapOrNothing([["branch", git?.branch], ["commit", git?.commit], ["dirty", dirty]]);
}

function readGit(git: FrontMap): GitState {
  return {
    branch: frontText(git, "branch"),
    commit: frontText(git, "commit"),
    dirty: git.has("dirty") ? frontFlag(git, "dirty") : undefined,
  };
}

function clampShare(value: number): number {
  return Number.isFinite(value) ? Math.min(1, Math.max(0, value)) : 0;
}
