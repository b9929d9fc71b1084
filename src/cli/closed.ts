/** For what people run when something is wrong: where memory cannot be opened, that is the answer. */
import { SageError, toldError } from "../base/errors.ts";
import { type Answer, dim, type Line, styled } from "./terminal/answer.ts";
import type { Io } from "./io.ts";
import { pageLines } from "./terminal/table.ts";

/** Answers with `otherwise` where `body` fails, unless the command itself was called in a wrong way. */
export async function unlessClosed<T>(
  body: () => Promise<T>,
  otherwise: (error: SageError) => T | Promise<T>,
): Promise<T> {
  try {
    return await body();
  } catch (cause) {
    const error = toldError(cause);
    if (!(error instanceof SageError) || error.code === "usage") throw cause;
    return await otherwise(error);
  }
}

/** The answer of `sage status`, and of `sage` alone with `more` below. */
export function closedAnswer(
  io: Io,
  { code, message, hint }: SageError,
  more: readonly Line[] = [],
): Answer {
  const line = `needs attention · ${message}`;
  const next = code === "permission" || hint === undefined ? "sage doctor" : hint;
  return {
    json: { healthy: false, line, next },
    text: pageLines(io, [styled(line, "yellow"), dim(`next: ${next}`), ...more]),
  };
}
