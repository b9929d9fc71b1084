/** A moment as people type it after an option. An empty text is no moment. */
import { SageError } from "../base/errors.ts";
import { parseWhen, WHEN } from "../base/when.ts";

export function moment(
  typed: string | undefined,
  option: string,
  nowMs: number,
): number | undefined {
  if (typed === undefined) return undefined;
  const at = parseWhen(typed, nowMs);
  if (at !== undefined) return at;
  throw new SageError("usage", `Cannot read "${typed}" as a time`, {
    hint: `${option} takes ${WHEN}`,
  });
}
