/** Draws a part of the graph: as lines, each note with its links, or as a picture. */
import { shortId } from "../../base/id.ts";
import { drawSvg } from "./draw_svg.ts";
import { backlinksTo, labelOf, type Subgraph } from "./subgraph.ts";

export const DRAWING_FORMS = ["text", "svg"] as const;
type DrawingForm = typeof DRAWING_FORMS[number];

export function draw(part: Subgraph, form: DrawingForm): string {
  return form === "svg" ? drawSvg(part) : drawText(part);
}

const TITLE_CHARACTERS_MAX = 70;

/** The most linked first. */
function drawText(part: Subgraph): string {
  const { nodes, edges, left } = part;
  const all = nodes.map((node, place) => ({
    note: node.note,
    name: labelOf(node, TITLE_CHARACTERS_MAX),
    links: edges.filter(({ from }) => from === place),
    backlinks: backlinksTo(part, place),
  }));
  const mostLinkedFirst = all.toSorted((a, b) =>
    b.links.length + b.backlinks - a.links.length - a.backlinks
  );
  const lines = mostLinkedFirst.flatMap(({ note, name, links, backlinks }) => [
    `${shortId(note.id)}  ${name}  (${note.kind})${backlinks === 0 ? "" : `  ← ${backlinks}`}`,
    ...links.map(({ to, relation }, i) => {
      const branch = i === links.length - 1 ? "└─" : "├─";
      const said = relation === "link" ? "" : `  [${relation}]`;
      return `          ${branch}→ ${all[to]?.name ?? ""}${said}`;
    }),
  ]);
  if (left > 0) lines.push(`… and ${left} more with fewer links`);
  return lines.join("\n") + "\n";
}
