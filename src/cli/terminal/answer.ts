/**
 * A command's answer as a value, which main.ts prints once, as lines or as one JSON document. So commands
 * print nothing themselves, and both forms have the same exit code.
 */
import type { Concept } from "../../memory/teaching.ts";
import { type ErrorCode, ERRORS, type SageError } from "../../base/errors.ts";

export type Style = "bold" | "dim" | "green" | "yellow" | "red";

/** Text that came from anywhere; control characters are removed where it is printed. */
export type Span = string | { readonly text: string; readonly style: Style };
export type Line = Span | readonly Span[];

export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
}

export interface Answer {
  /** The document of `--json`; main.ts adds `error` if there is one. A Map keeps its keys as they are. */
  readonly json: Readonly<Record<string, unknown>>;
  /** For stdout. */
  readonly text: readonly Line[];
  /** For stderr: hints and warnings. */
  readonly notices?: readonly string[];
  /** What is new to the person, to be explained on a terminal. */
  readonly concept?: Concept;
  readonly error?: Failure | undefined;
  /** The exit code, if it is not the error's. */
  readonly code?: number;
}

export function exitCode(answer: Answer): number {
  return answer.code ?? (answer.error === undefined ? 0 : ERRORS[answer.error.code].exit);
}

export function failed(error: Failure, more: Partial<Answer> = {}): Answer {
  return { json: {}, text: [], ...more, error };
}

/** Nothing was done, because the person did not want it or could not be asked. */
export function undone(notices: readonly string[], more: Partial<Answer> = {}): Answer {
  return { json: {}, text: [], code: 1, ...more, notices };
}

export function toFailure(error: SageError): Failure {
  return { code: error.code, message: error.message, hint: error.hint };
}

export function bold(text: string): Span {
  return { text, style: "bold" };
}

export function dim(text: string): Span {
  return { text, style: "dim" };
}

export function styled(text: string, style: Style): Span {
  return { text, style };
}

/** The spans of a line, in whichever form it was given. */
export function spansOf(line: Line): readonly Span[] {
  return Array.isArray(line) ? line : [line as Span];
}

export function textOf(span: Span): string {
  return typeof span === "string" ? span : span.text;
}

/** A line without its colours. */
export function textOfLine(line: Line): string {
  return spansOf(line).map(textOf).join("");
}
