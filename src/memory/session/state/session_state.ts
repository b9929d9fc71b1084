/**
 * What Sage remembers of an editor session while it lasts, and for a while after. A small private
 * file a session; losing it costs a repeated hint at most, never a note.
 */
import type { ExactDetail } from "../../../detect/checkpoint/exact.ts";

export interface SessionState {
  readonly session: string;
  readonly project: string;
  /** The project's folder: clones of one remote share the id. */
  readonly dir: string;
  /** The worktree it works in, where that has the project's store for want of one of its own. */
  readonly checkout?: string;
  readonly transcriptPath?: string;
  /** The sessions that this conversation was branched from, the first one first. */
  readonly forkedFrom?: readonly string[];
  /** When it was branched off, in milliseconds: earlier turns are another session's. */
  readonly forkedAt?: number;
  /** Bytes of the transcript that the last stop has seen. */
  readonly readTo?: number;
  /** Milliseconds. */
  readonly started: number;
  /** When its conversation began or was last resumed; not at a compaction. */
  readonly begun?: number;
  readonly seen: number;
  /** The start that was answered last, so that a hook that is registered twice tells once. */
  readonly answeredStart?: { readonly at: number; readonly source: string };
  /** The editor's process, if known. */
  readonly pid?: number;
  /**
   * Where that is not known, the process that started its hooks: the editor, or a shell that ended since.
   * Proves which server belongs to it, and not whether it lives.
   */
  readonly starter?: number;
  /** The starter started a later hook too, so it is no shell of one: when it is gone, the session is over. */
  readonly isStarterLasting?: true;
  /** The machine or container of these and of `dir`. */
  readonly host?: string;
  /** First prompt, shortened: what this session is about. */
  readonly topic?: string;
  readonly filesTouched?: readonly string[];
  /** Set when the session ended in order or was recovered. */
  readonly ended?: number;
  readonly endReason?: string;

  /** The last save of this session: turns after it are new. `turn` is empty where the saver saw no turns. */
  readonly lastSave?: {
    readonly at: number;
    readonly turn: string;
    /** Where the transcript ended then, as far as the saver knew. */
    readonly offset?: number;
    readonly hash: string;
    readonly id: string;
  };
  /** All saves in it, oldest first. */
  readonly checkpoints?: readonly string[];
  /** The checkpoint that was restored into this conversation, and becomes its next save's parent. */
  readonly restored?: string;
  /** Context thresholds already saved at, in percent; emptied by a compaction. */
  readonly contextSteps?: readonly number[];
  readonly asks?: readonly { readonly at: number }[];
  /** A point that is not saved yet: the agent was asked, or the save is decided on and owed. */
  readonly pendingAsk?: {
    readonly at: number;
    readonly trigger: string;
    readonly confidence: number;
    /** How many of the last exchanges were about another subject by then. */
    readonly newSubject?: number;
    readonly isOwed?: true;
  };
  /** What was saved by extraction, offered to the agent to say better beside the next prompt. */
  readonly offer?: {
    readonly id: string;
    readonly trigger: string;
    /** The hash of the note's bytes; other bytes are a person's, and stay. */
    readonly hash: string;
    readonly told: boolean;
  };
  readonly cooldowns?: Readonly<Record<string, number>>;
  /** Content hashes that triggered before. */
  readonly hashes?: readonly string[];

  /** The session note, and the hash of the bytes that Sage wrote last: other bytes are a person's. */
  readonly note?: {
    readonly id: string;
    readonly path: string;
    readonly hash: string;
    readonly scope: "project" | "user";
    /** Bytes of the transcript that it was made of. */
    readonly readTo?: number;
    /** The hash of bytes that wait in the inbox to be written. */
    readonly waiting?: { readonly hash: string; readonly inbox: string };
  };
  /** Notes of it that lie on other branches, or tell what its transcript does not hold any more. */
  readonly notesElsewhere?: readonly NonNullable<SessionState["note"]>[];
  /** When it was last written. */
  readonly noteAt?: number;
  /** What the agent said the note should say. */
  readonly amended?: Amendment & { readonly at: number };
  /** What was shown, once each: note id → content hash at that time. */
  readonly shown?: Readonly<Record<string, string>>;
  /** What was shown beside the last prompt, and how far the transcript was read by then. */
  readonly lastShown?: { readonly ids: readonly string[]; readonly readTo: number };
  /** Terms of the last prompt that passed the gates. */
  readonly lastTerms?: readonly string[];
  /** Hashes of lines of orientations that this conversation contains, and of what they quote. */
  readonly told?: readonly string[];
  /** Handoffs that it was told of and has not taken up yet. */
  readonly offered?: readonly Offer[];
  /** Files that other live sessions changed as well; said once, at the next prompt. */
  readonly overlaps?: readonly Overlap[];
  /** What subagents reported, one line each. */
  readonly subagents?: readonly {
    readonly id?: string;
    readonly type: string;
    readonly said: string;
  }[];

  /** When all that was said was saved for a compaction to come; milliseconds. */
  readonly savedForCompaction?: number;
  /** The last compaction: how many exact things its summary kept, and which it dropped. */
  readonly compaction?: {
    readonly at: number;
    readonly kept: number;
    readonly lost: readonly LostThing[];
  };

  /** Note id → hash of its file as this session left it: other bytes are somebody else's. */
  readonly wrote?: Readonly<Record<string, string>>;
  /** Note id → hash of its file as this session's agent last read or wrote it: it knows no other text of it. */
  readonly read?: Readonly<Record<string, string>>;
  readonly notesWritten?: number;
  readonly bytesWritten?: number;
}

/** Something exact that a summary did not tell. */
export interface LostThing extends Omit<ExactDetail, "weight"> {
  /** An earlier compaction had lost it already. */
  readonly isOlder?: true;
  /** Nobody is likely to need it again: it is listed, and not told. */
  readonly isUnlikely?: true;
}

/** A handoff, as the session that was told of it recognises it. */
export interface Offer {
  /** The session whose handoff it is, and the id of its note. */
  readonly session: string;
  readonly note: string;
  /** When it was told; milliseconds. */
  readonly at: number;
  readonly files: readonly string[];
  /** The specific words of each step and question that it left open. */
  readonly marks: readonly (readonly string[])[];
}

/**
 * Another session at work beside this one, with the files that both changed; no files where the
 * start could not tell of it.
 */
export interface Overlap {
  readonly session: string;
  readonly topic?: string;
  /** The name of its worktree, where that is another. */
  readonly worktree?: string;
  readonly files: readonly string[];
  /** Those of the files that were said before, where others came since. */
  readonly said?: readonly string[];
  readonly isSaid: boolean;
}

/** Parts of a session note in somebody's own words; a part that is missing is made from the transcript. */
export interface Amendment {
  readonly summary?: string;
  readonly done?: readonly string[];
  readonly decisions?: readonly string[];
  readonly openQuestions?: readonly string[];
  readonly next?: readonly string[];
}
