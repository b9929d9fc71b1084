/**
 * A labelled conversation. The sets are handmade: no real transcripts, and none was changed after a detector
 * had seen it.
 */
import type { Inflection } from "../../src/detect/trigger/signal.ts";

export interface Step {
  readonly prompt: string;
  readonly answer: string;
  readonly tools?: readonly Call[];
  /** The point that a reader marked at the end of this turn, by the definitions of detection. */
  readonly label?: Inflection;
}

/** What the agent did between the prompt and its answer, in order. */
export type Call =
  /** A command and what it printed. */
  | { readonly run: string; readonly out: string; readonly failed?: true }
  /** A tool with the file that it read or changed: Read, Write, Edit, Grep. */
  | { readonly tool: string; readonly file: string; readonly failed?: true }
  /** Plan mode ended with this plan; the person approved it or sent it back. */
  | { readonly plan: string; readonly approved: boolean }
  /** The agent's question with options, and which one was taken (or the person's own words). */
  | { readonly ask: string; readonly options: readonly string[]; readonly answer: string }
  /** The task list as it stands after this call. */
  | { readonly todos: readonly (readonly [text: string, status: TodoStatus])[] }
  /** What the agent said between two calls. */
  | { readonly say: string }
  /** A subagent's task and what it reported. */
  | { readonly subagent: string; readonly report: string };

type TodoStatus = "pending" | "in_progress" | "completed";

/** What a person would want an extractive checkpoint to keep. */
export interface Keep {
  /** Each decision as the words that one line of the checkpoint must hold, whatever the case. */
  readonly decisions: readonly (readonly string[])[];
  /** Commands, paths, errors, identifiers and numbers that must stand there exactly. */
  readonly exact: readonly string[];
}

/** What the session note must tell, each as the words that one line of that part must contain. */
export interface Told {
  /** In the summary: what was wanted, and what came out. */
  readonly about: readonly (readonly string[])[];
  readonly cameOut: readonly (readonly string[])[];
  readonly decisions: readonly (readonly string[])[];
  /** Among the decisions, as something that was taken back. */
  readonly reversed?: readonly (readonly string[])[];
  /** What the person wants from now on. */
  readonly wishes: readonly (readonly string[])[];
  readonly open: readonly (readonly string[])[];
  readonly next: readonly (readonly string[])[];
  /** Stands in no decision and no wish. */
  readonly notDecided: readonly string[];
}

export interface Conversation {
  readonly name: string;
  readonly language: "en" | "de" | "es" | "fr" | "pt" | "it" | "ru" | "zh" | "ja";
  readonly steps: readonly Step[];
  readonly keep?: Keep;
  readonly session?: Told;
}
