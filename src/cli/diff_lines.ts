/** A unified diff as lines with its colours. */
import { type Line, styled } from "./answer.ts";

export function diffLines(diff: string, indent = "  "): Line[] {
  return diff.trimEnd().split("\n").map((line): Line => {
    const text = indent + line;
    if (line.startsWith("+")) return styled(text, "green");
    return line.startsWith("-") ? styled(text, "red") : text;
  });
}
