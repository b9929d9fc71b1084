/** What is read of opencode's sessions, from rows and from files alike. */
import type { Fields } from "../../base/fields.ts";

/** What is known of a session, wherever it is kept. */
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
