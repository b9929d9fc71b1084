/** Finds git's conflict markers in a text. Notes and settings are both checked for them. */

/** The reason given for a text with conflict markers. */
export const UNMERGED = "two versions of one place stand here, between git's marks";

/** The first line of a whole conflict, from 0. */
export function conflictLine(text: string): number | undefined {
  if (!text.includes("<<<<<<< ")) return undefined;
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith("<<<<<<< "));
  const middle = lines.indexOf("=======", start + 1);
  const isWhole = start >= 0 && middle > 0 &&
    lines.some((line, i) => i > middle && line.startsWith(">>>>>>> "));
  return isWhole ? start : undefined;
}
