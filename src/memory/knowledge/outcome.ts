/** What saving knowledge takes, and what it can come to. */
import type { KnowledgeDraft } from "../../note/knowledge.ts";
import type { Source } from "../../note/provenance.ts";
import type { Missed } from "../find.ts";
import type { Attributed, NoteRef } from "../item.ts";
import type { ChangedNote, Edited, SaveOutcome } from "../outcome.ts";

/** What a file has that is no field of the input, as it stands there. */
export interface GivenFile {
  /** Between the fences. */
  readonly front: string;
  /** Below the heading. */
  readonly history: string;
}

export interface KnowledgeInput {
  readonly title: string;
  readonly content: string;
  readonly keywords?: readonly string[];
  readonly subject?: KnowledgeDraft["subject"];
  readonly skills?: readonly string[];
  /** A file of the project is anchored to what it holds when the note is saved. */
  readonly sources?: readonly Source[];
  readonly patterns?: readonly string[];
  readonly tags?: readonly string[];
  readonly scope?: "project" | "user";
  /** The note whose text this replaces, or beside which it stands: its whole id, short id or path. */
  readonly id?: string;
  /** The file it comes from: its other keys and its history are kept. */
  readonly file?: GivenFile;
  /** `both` links the new note to the old as an alternative, `contradicts` as its contradiction. */
  readonly onConflict?: "update" | "keep_both" | "contradicts";
}

export type KnowledgeOutcome =
  | SaveOutcome
  | Updated
  | Edited
  | Proposed
  /** No note has the id that was to be replaced. */
  | { readonly kind: "none"; readonly id: string } & Missed
  | {
    readonly kind: "conflict";
    readonly choices: readonly ["update", "keep_both", "contradicts", "discard"];
    readonly existing: Attributed & NoteRef & { readonly text: string };
    /** From what is there to what was to be kept. */
    readonly diff: string;
    readonly reason: string;
  };

/** A person's to decide: it waits as a question, and nothing was written. */
export interface Proposed {
  readonly kind: "proposed";
  /** Of the question. */
  readonly id: string;
  readonly question: string;
  readonly title: string;
  readonly text: string;
  readonly diff: string;
}

export interface Updated extends ChangedNote {
  readonly kind: "updated";
}
