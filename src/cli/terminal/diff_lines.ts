/** A unified diff as lines with its colours. */
import { type Line, styled } from "./answer.ts";

export function diffLines(diff: string, indent = "  "): Line[] {
  // A file of Windows ends its lines with two characters, and a line that is shown is one.
  return diff.trimEnd().split(/\r?\n/).map((line): Line => {
    const text = indent + line;
    if (line.startsWith("+")) return styled(text, "green");
    return line.startsWith("-") ? styled(text, "red") : text;
  });
}
