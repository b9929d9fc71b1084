/** Git's conflict marks in a text. Apart, because notes and files of settings are checked alike. */

/** Why a text with them cannot be relied on: nobody chose between the two sides. */
export const UNMERGED = "two versions of one place stand here, between git's marks";

/** The first line with such marks, from 0. */
export function conflictLine(text: string): number | undefined {
  if (!text.includes("<<<<<<< ")) return undefined;
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith("<<<<<<< "));
  const middle = lines.indexOf("=======", start + 1);
  const isWhole = start >= 0 && middle > 0 &&
    lines.some((line, i) => i > middle && line.startsWith(">>>>>>> "));
  return isWhole ? start : undefined;
}
