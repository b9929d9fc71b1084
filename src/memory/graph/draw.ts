/** A part of the graph as a drawing: as lines, each note with what it links to, or as a picture. */
import { shortId } from "../../base/id.ts";
import { drawSvg } from "./draw_svg.ts";
import { backlinksIn, type Drawn, labelOf } from "./drawn.ts";

export const DRAWING_FORMS = ["text", "svg"] as const;
export type DrawingForm = typeof DRAWING_FORMS[number];

export function draw(drawn: Drawn, form: DrawingForm): string {
  return form === "svg" ? drawSvg(drawn) : drawText(drawn);
}

const TITLE_CHARACTERS_MAX = 70;

/** The most linked first. */
function drawText(drawn: Drawn): string {
  const { nodes, edges, left } = drawn;
  const count = backlinksIn(drawn);
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
