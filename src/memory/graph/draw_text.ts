/** The graph as lines: each note with what it links to, the most linked first. */
import { shortId } from "../../base/id.ts";
import { type Drawn, labelOf } from "./drawn.ts";

const TITLE_CHARACTERS_MAX = 70;

export function drawText({ nodes, edges, left }: Drawn): string {
  const count = nodes.map(() => 0);
  for (const { to } of edges) count[to] = (count[to] ?? 0) + 1;
  const out = nodes.map((_, node) => edges.filter(({ from }) => from === node));
  const weight = (node: number): number => (out[node]?.length ?? 0) + (count[node] ?? 0);
  const order = nodes.map((_, node) => node).sort((a, b) => weight(b) - weight(a) || a - b);
  const name = (node: number): string => {
    const one = nodes[node];
    return one === undefined ? "" : labelOf(one, TITLE_CHARACTERS_MAX);
  };
  const lines = order.flatMap((node) => {
    const one = nodes[node];
    if (one === undefined) return [];
    const backlinks = count[node] === 0 ? "" : `  ← ${count[node]}`;
    const links = out[node] ?? [];
    return [
      `${shortId(one.note.id)}  ${name(node)}  (${one.note.kind})${backlinks}`,
      ...links.map(({ to, relation }, i) => {
        const branch = i === links.length - 1 ? "└─" : "├─";
        const said = relation === "link" ? "" : `  [${relation}]`;
        return `          ${branch}→ ${name(to)}${said}`;
      }),
    ];
  });
  if (left > 0) lines.push(`… and ${left} more with fewer links`);
  return lines.join("\n") + "\n";
}
