/** The input and the outcomes of saving knowledge. */
import type { KnowledgeDraft } from "../../note/knowledge.ts";
import type { Source } from "../../note/provenance.ts";
import type { Missed } from "../find.ts";
import type { Attributed, NoteRef } from "../item.ts";
import type { ChangedNote, Edited, SaveOutcome } from "../write/outcome.ts";

/** What a file has beyond the fields of the input, verbatim. */
export interface GivenFile {
  /** Front matter between the fences. */
  readonly front: string;
  /** The list below the heading of the history. */
  readonly history: string;
}

export interface KnowledgeInput {
  readonly title: string;
  readonly content: string;
  readonly keywords?: readonly string[];
  readonly subject?: KnowledgeDraft["subject"];
  readonly skills?: readonly string[];
  /** A file of the project is anchored to its content at the time of the save. */
  readonly sources?: readonly Source[];
  readonly patterns?: readonly string[];
  readonly tags?: readonly string[];
  readonly scope?: "project" | "user";
  /** The note whose text this replaces, or that it is linked to: whole id, short id or path. */
  readonly id?: string;
  /** The file it comes from: its other keys and its history are kept. */
  readonly file?: GivenFile;
  /** `keep_both` links the new note to the old as an alternative, `contradicts` as its contradiction. */
  readonly onConflict?: "update" | "keep_both" | "contradicts";
}

export type KnowledgeOutcome =
  | SaveOutcome
  | Updated
  | Edited
  | Proposed
  /** The note that was to be replaced does not exist. */
  | { readonly kind: "none"; readonly id: string } & Missed
  | {
    readonly kind: "conflict";
    readonly choices: readonly ["update", "keep_both", "contradicts", "discard"];
    readonly existing: Attributed & NoteRef & { readonly text: string };
    /** From the note's text to the text that was to be saved. */
    readonly diff: string;
    readonly reason: string;
    /**
     * The text is not the one that the agent knew, and was shown before it is replaced: saving again replaces it.
     * `isCut`: only its beginning was shown.
     */
    readonly unseen?: { readonly isCut: boolean };
  };

/** A person has to decide: it waits as a question, and nothing was written. */
export interface Proposed {
  readonly kind: "proposed";
  /** The question's id. */
  readonly id: string;
  readonly question: string;
  readonly title: string;
  readonly text: string;
  readonly diff: string;
}

export interface Updated extends ChangedNote {
  readonly kind: "updated";
  /** The note had changed elsewhere since the agent read it: both changes are in it. */
  readonly merged?: boolean;
  /** Path of a copy with text that somebody wrote at the same moment. */
  readonly copy?: string;
}
