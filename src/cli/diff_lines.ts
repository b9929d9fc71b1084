/** A unified diff as lines with its colours. */
import { type Line, styled } from "./answer.ts";

export function diffLines(diff: string): Line[] {
  return diff.trimEnd().split("\n").map((line): Line =>
    line.startsWith("+")
      ? styled(`  ${line}`, "green")
      : line.startsWith("-")
      ? styled(`  ${line}`, "red")
      : `  ${line}`
  );
}
