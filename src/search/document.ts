/**
 * What goes into an index and what comes out of it, as plain values: the index neither reads notes from
 * disk nor knows their format. memory/index/reindex.ts hands it documents.
 */
import type { NoteKind, NoteStatus } from "../note/note.ts";
import type { FileSource } from "../note/provenance.ts";
import type { Evidence } from "./ranking/score.ts";

/** Part of a note that is indexed. */
export interface ChunkLike {
  /** Title and headings above the text: `Title › Section`. */
  readonly heading: string;
  readonly text: string;
}

/** The text of a chunk that its vector is computed from. */
export function embeddedText({ heading, text }: ChunkLike): string {
  return `${heading}\n${text}`;
}

/** Size, times and inode of a file when it was indexed: by them a scan sees that it changed. */
export interface FileStampLike {
  readonly size: number;
  readonly mtimeMs: number;
  readonly ctimeMs: number;
  readonly inode: number;
  /** The file had changed so shortly before that a later edit may leave the same stamp. */
  readonly racy: boolean;
}

/** What documents and indexed notes have in common. */
interface NoteFacts {
  readonly id: string;
  readonly kind: NoteKind;
  readonly title: string;
  /** Relative to the store's root; identifies a document. */
  readonly path: string;
  /** RFC 3339; may be empty. */
  readonly created: string;
  readonly updated: string;
  readonly status: NoteStatus;
  readonly project: string | undefined;
  readonly tags: readonly string[];
  /** Trigger keywords: the note is a candidate for every query that contains one. */
  readonly keywords: readonly string[];
  /** RE2 patterns with the same effect. */
  readonly patterns: readonly string[];
  readonly pinned: boolean;
  readonly always: boolean;
  readonly skills: readonly string[];
  readonly subject: string | undefined;
  /** Ids of the notes that this one replaces. */
  readonly supersedes: readonly string[];
  /** Ids of the notes that it contradicts; absent if there are none. */
  readonly contradicts?: readonly string[] | undefined;
  /** RFC 3339. When somebody last vouched for it. */
  readonly verified?: string | undefined;
  /** For a session or checkpoint, the editor's id of the session. */
  readonly session?: string | undefined;
  /** Files of the project that it rests on; absent if there are none. */
  readonly sources?: readonly FileSource[] | undefined;
  readonly author: string | undefined;
  readonly stamp: FileStampLike;
  readonly contentHash: string;
  /** The front matter could not be read; the text is searched all the same. */
  readonly problem: boolean;
}

/** A note's links, aliases and further front matter: read only when relations are asked for. */
export interface Relations {
  readonly aliases: readonly string[];
  /** Pairs, as they are stored, because large vaults have tens of thousands. */
  readonly links: readonly (readonly [target: string, relation: string])[];
  /** Front matter keys that no other field holds, with their values as text, lists joined by commas. */
  readonly fields: readonly (readonly [string, string])[];
}

/** One note on its way into the index. */
export interface NoteDocument extends NoteFacts {
  readonly chunks: readonly ChunkLike[];
  readonly relations?: Relations | undefined;
}

/** One note as the index knows it. */
export interface IndexedNote extends NoteFacts {
  readonly chunkCount: number;
  /** Id of a note in the same index that replaces this one. */
  readonly supersededBy?: string | undefined;
}

/** The part of it that its segment holds; `supersedes` may have links in place of ids. */
export type StoredNote = Omit<IndexedNote, "supersededBy">;

export interface RelatedNote {
  readonly note: IndexedNote;
  readonly relations: Relations;
}

/** The passage that a note was found by. */
export interface ChunkHit {
  readonly heading: string;
  /** The beginning of the chunk's text, as much as is shown without reading the note. */
  readonly snippet: string;
}

/** One query term's part in a keyword score. */
export interface TermShare {
  readonly term: string;
  /** The term's part of the highest possible keyword score, 0..1. The shares of all terms sum up to `kw`. */
  readonly share: number;
}

/** A synonym in a passage, in place of some of the query's words. */
export interface SynonymShare extends TermShare {
  readonly asked: string;
}

/** A note that may answer the query, with all numbers of its score. */
export interface Candidate {
  readonly note: IndexedNote;
  readonly chunk: ChunkHit;
  /** Nearness of meaning apart from shared words, 0..1. */
  readonly emb: number;
  /** The keyword score, 0..1; at least the trigger's share if one fired. */
  readonly kw: number;
  readonly evidence: Evidence;
  /** Log-odds of its own evidence: what notes compete by. */
  readonly sum: number;
  /** Log-odds that count in the combined score and not in competition. */
  readonly certainty: number;
  /** Log-odds from competition with the other notes. */
  readonly competing: number;
  readonly combined: number;
  readonly carriedBy: "mix" | "emb" | "kw";
  readonly cosine: number;
  readonly terms: readonly string[];
  readonly shares: readonly TermShare[];
  readonly synonyms: readonly SynonymShare[];
  /** The trigger keyword or pattern that the query contains. */
  readonly trigger: string | undefined;
  /**
   * With several phrasings: the index of the one with the most evidence, which gives `evidence` and the
   * passage. Sums are means over all.
   */
  readonly phrasing: number;
  /** The evidence of each of several phrasings; undefined for one that finds nothing. */
  readonly phrasings: readonly (Evidence | undefined)[] | undefined;
}

/** Which notes a query or a listing is about. Everything given must hold. */
export interface NoteFilter {
  readonly kinds?: readonly NoteKind[] | undefined;
  readonly statuses?: readonly NoteStatus[] | undefined;
  readonly project?: string | undefined;
  /** Notes of any of these projects; `""` for notes of none. */
  readonly projects?: readonly string[] | undefined;
  /** All of them. */
  readonly tags?: readonly string[] | undefined;
  /** A date or RFC 3339: only notes updated then or later. */
  readonly after?: string | undefined;
  /** Only notes updated earlier. */
  readonly before?: string | undefined;
  readonly pinned?: boolean | undefined;
  /** Only notes that name files as their sources. */
  readonly sourced?: boolean | undefined;
}

/** The kinds of notes that may answer a prompt, and the statuses in which they hold. */
export const TELLING = {
  kinds: ["knowledge", "checkpoint", "session", "todo", "topic"],
  statuses: ["active", "pending", "in_progress", "blocked"],
} as const satisfies NoteFilter;
