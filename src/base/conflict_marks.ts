/** Where git left both sides of a conflict in a text. Apart, as notes and files of settings are asked alike. */

/** Why such a text is not to be relied on: nobody chose between the two. */
export const UNMERGED = "two versions of one place stand here, between git's marks";

/** The first line of the two, from 0. */
export function conflictLine(text: string): number | undefined {
  if (!text.includes("<<<<<<< ")) return undefined;
  const lines = text.split(/\r?\n/);
  const start = lines.findIndex((line) => line.startsWith("<<<<<<< "));
  const middle = lines.indexOf("=======", start + 1);
  const isWhole = start >= 0 && middle > 0 &&
    lines.some((line, i) => i > middle && line.startsWith(">>>>>>> "));
  return isWhole ? start : undefined;
}
