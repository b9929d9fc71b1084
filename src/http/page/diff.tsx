/** A unified diff, line by line. The sign repeats what the colour says. */
import type { VNode } from "preact";
import { neutralize } from "../../base/text/printable.ts";

const CLASS: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "place" };

export function Diff({ text }: { readonly text: string }): VNode {
  return (
    <pre class="changes" tabIndex={0}>
      {neutralize(text).trimEnd().split("\n").map((line, i) => (
        <span key={i} class={CLASS[line.slice(0, 1)]}>{line + "\n"}</span>
      ))}
    </pre>
  );
}
