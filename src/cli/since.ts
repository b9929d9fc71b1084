/** A moment as people type it: a span back from now, or a date. Nothing typed is no moment. */
import { parseMoment, parseSpan } from "../base/clock.ts";
import { SageError } from "../base/errors.ts";

export function moment(
  typed: string | undefined,
  option: string,
  nowMs: number,
): number | undefined {
  if (typed === undefined) return undefined;
  const span = parseSpan(typed);
  const at = span === undefined ? parseMoment(typed) : nowMs - span;
  if (at !== undefined) return at;
  throw new SageError("usage", `Cannot read "${typed}" as a time`, {
    hint: `${option} takes a span back from now (12h, 30d, 8w) or a date (2026-01-13, 2026-01)`,
  });
}
