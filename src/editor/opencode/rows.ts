/** What is read of opencode's sessions, whether from its database or from files. */
import type { Fields } from "../../base/fields.ts";

/** A session's metadata. */
export interface SessionFacts {
  readonly id: string;
  readonly directory: string;
  readonly updatedMs: number;
}

/** A message with its parts, in order. */
export interface Message {
  readonly id: string;
  readonly data: Fields;
  readonly parts: readonly Fields[];
}

export interface OpenRows {
  sessions(): SessionFacts[];
  messages(session: string): Message[];
  close(): void;
}
