/**
 * Renders and reads the note of a session, which is rewritten while the session runs and is a handoff when
 * it has ended. memory/session decides what is rewritten when.
 */
import { encode } from "../base/utf8.ts";
import { readField, readList, renderField, renderList, renderSection } from "./fields.ts";
import { renderFrontMatter } from "./front_matter.ts";
import { frontLines, frontText, listOrNothing } from "./front_values.ts";
import { sectionText } from "./markdown.ts";
import type { Note } from "./note.ts";
import {
  type Generated,
  generatedValue,
  type Header,
  headerEntries,
  readGenerated,
} from "./provenance.ts";

export interface SessionDraft {
  /** Shown in lists; the file has no heading. */
  readonly title?: string | undefined;
  /** The editor's id of the session. */
  readonly session: string;
  readonly started: string;
  readonly ended?: string | undefined;
  readonly endReason?: string | undefined;
  readonly agent: string;
  readonly filesTouched: readonly string[];
  readonly checkpoints: readonly string[];
  readonly summary: string;
  readonly decisions: readonly string[];
  readonly done: readonly string[];
  readonly openQuestions: readonly string[];
  readonly next: readonly string[];
  readonly log: readonly string[];
  readonly generated?: Generated | undefined;
}

export interface Session extends SessionDraft {
  readonly id: string;
  readonly updated: string;
}

export function renderSession(draft: SessionDraft, header: Header): string {
  const front = renderFrontMatter([
    ...headerEntries("session", header),
    ["title", draft.title || undefined],
    ["session", draft.session],
    ["started", draft.started],
    ["ended", draft.ended],
    ["end_reason", draft.endReason],
    ["agent", draft.agent],
    ["files_touched", listOrNothing(lastOf(draft.filesTouched))],
    ["checkpoints", listOrNothing(draft.checkpoints)],
    ["generated", generatedValue(draft.generated)],
  ]);
  const body = renderSection("Summary", renderField(draft.summary)) +
    renderSection("Decisions", renderList(draft.decisions)) +
    renderSection("Done", renderList(draft.done)) +
    renderSection("Open Questions", renderList(draft.openQuestions)) +
    renderSection("Next", renderList(draft.next)) +
    renderSection("Log", renderList(draft.log));
  return body === "" ? front : `${front}\n${body.trimEnd()}\n`;
}

/** Hooks read front matter of up to a third of its limit without the parser (base/yaml/simple.ts): stay below it. */
const FILES_BYTES_MAX = 16 * 1024;
const LINE_BYTES = 8;

/** The files changed last, as many as fit: with all files of a large change the front matter would be too long. */
function lastOf(files: readonly string[]): readonly string[] {
  let room = FILES_BYTES_MAX;
  return files.toReversed().filter((file) => (room -= encode(file).length + LINE_BYTES) >= 0)
    .toReversed();
}

export function readSession(note: Note): Session {
  const { front, body } = note;
  return {
    id: note.id,
    title: frontText(front, "title"),
    updated: note.updated,
    session: frontText(front, "session") ?? "",
    started: frontText(front, "started") ?? note.created,
    ended: frontText(front, "ended"),
    endReason: frontText(front, "end_reason"),
    agent: frontText(front, "agent") ?? "",
    filesTouched: frontLines(front, "files_touched"),
    checkpoints: frontLines(front, "checkpoints"),
    summary: readField(sectionText(body, "Summary", 2) ?? ""),
    decisions: readList(sectionText(body, "Decisions", 2)),
    done: readList(sectionText(body, "Done", 2)),
    openQuestions: readList(sectionText(body, "Open Questions", 2)),
    next: readList(sectionText(body, "Next", 2)),
    log: readList(sectionText(body, "Log", 2)),
    generated: readGenerated(front),
  };
}
