/**
 * The graph as a picture: one SVG file without scripts that loads nothing, light or dark like its viewer.
 * Colour shows the kind of a note, size how many notes link to it, stroke the relation of a link.
 */
import { collapse, cut } from "../../base/text/text.ts";
import { neutralize } from "../../base/text/printable.ts";
import { escapeHtml } from "../../base/text/escape_html.ts";
import { round } from "../../base/round.ts";
import type { NoteKind } from "../../note/note.ts";
import { backlinksTo, labelOf, type Subgraph, type SubgraphEdge } from "./subgraph.ts";
import { type Box, layOut, type Place } from "./layout.ts";

const COLOURS: Readonly<Record<NoteKind, string>> = {
  checkpoint: "#d9822b",
  knowledge: "#2f6fbd",
  todo: "#2e9e63",
  session: "#8a8f98",
  topic: "#8d55c4",
  note: "#b0892c",
};

/** The strokes of relations other than `link`. */
const STROKES: Readonly<Record<string, string>> = {
  contradicts: "bad",
  supersedes: "old",
  alternative: "old",
};

const LABEL_CHARACTERS_MAX = 30;
const CHARACTER_WIDTH = 6.3;
const LABEL_HEIGHT = 15;
const MARGIN = 40;
const LEGEND_HEIGHT = 44;
/** With more links their names would not be readable. */
const NAMED_LINKS_MAX = 60;
const BEND_MAX = 26;

export function drawSvg(part: Subgraph): string {
  const { nodes, edges } = part;
  const boxes = nodes.map((node, place) => {
    const radius = 6 + Math.min(14, 3 * Math.sqrt(backlinksTo(part, place)));
    const label = labelOf(node, LABEL_CHARACTERS_MAX);
    const width = Math.max(label.length * CHARACTER_WIDTH, 2 * radius) + 14;
    return { node, radius, label, width, height: 2 * radius + 26 };
  });
  const raw = layOut(boxes, edges.map(({ from, to }) => [from, to] as const));
  const { dots, width, height } = framed(raw);
  const links = edges.map((edge) => linkOf(edge, dots)).join("");
  const names = edges.length > NAMED_LINKS_MAX
    ? ""
    : edges.map((edge) => nameOf(edge, dots)).join("");
  const notes = dots.map(({ node, radius, label, x, y }) => {
    const { note } = node;
    const tip = `${labelOf(node, 200)} · ${note.kind} · ${note.updated.slice(0, 10)}`;
    const faded = note.status === "archived" || note.supersededBy !== undefined
      ? ' class="faded"'
      : "";
    return `<g${faded}><title>${escapeHtml(tip)}</title>` +
      `<circle cx="${x}" cy="${y}" r="${round(radius, 1)}" fill="${COLOURS[note.kind]}"/>` +
      `<text x="${x}" y="${round(y + radius + 13, 1)}">${escapeHtml(label)}</text></g>\n`;
  }).join("");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" style="max-width:100%;height:auto" role="img">
<title>${nodes.length} notes, ${edges.length} links</title>
${STYLE}
<defs><marker id="to" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 1 7 4 0 7z"/></marker></defs>
<rect width="100%" height="100%" class="page"/>
<g class="links">\n${links}</g>
<g class="names">\n${names}</g>
<g class="notes">\n${notes}</g>
${legend(part, height)}
</svg>
`;
}

const STYLE = `<style>
.page{fill:#fff}.links path{stroke:#9aa3ad;stroke-width:1.2;fill:none}.links .bad{stroke:#c8342f;stroke-width:1.8;stroke-dasharray:5 3}.links .old{stroke-dasharray:2 3}
marker path{fill:#9aa3ad}text{font:11px system-ui,sans-serif;fill:#22262b;text-anchor:middle}.notes text{paint-order:stroke;stroke:#fff;stroke-width:3px;stroke-linejoin:round}
.names text{font-size:9px;fill:#6a727b;paint-order:stroke;stroke:#fff;stroke-width:3px}.notes circle{stroke:#fff;stroke-width:1.5}.faded{opacity:.45}.legend text{text-anchor:start;fill:#6a727b}
@media(prefers-color-scheme:dark){.page{fill:#16191d}text{fill:#e4e7ea}.notes text,.names text,.notes circle{stroke:#16191d}.names text,.legend text{fill:#98a1ab}.links path{stroke:#5b646e}marker path{fill:#5b646e}}
</style>`;

/** Moved so that nothing is cut off, with room for the legend. */
function framed<T extends Box & Place>(
  raw: readonly T[],
): { readonly dots: readonly T[]; readonly width: number; readonly height: number } {
  const left = Math.min(0, ...raw.map(({ x, width }) => x - width / 2));
  const right = Math.max(0, ...raw.map(({ x, width }) => x + width / 2));
  const top = Math.min(0, ...raw.map(({ y, height }) => y - height / 2));
  const bottom = Math.max(0, ...raw.map(({ y, height }) => y + height / 2));
  const width = Math.max(560, Math.ceil(right - left + 2 * MARGIN));
  const shift = (width - (right - left)) / 2 - left;
  return {
    dots: raw.map((one) => (
      { ...one, x: round(one.x + shift, 1), y: round(one.y - top + MARGIN, 1) }
    )),
    width,
    height: Math.ceil(bottom - top + 2 * MARGIN + LEGEND_HEIGHT),
  };
}

type Dot = Place & { readonly radius: number };

/** From rim to rim, slightly bent, so that two links between the same notes are both visible. */
function linkOf({ from, to, relation }: SubgraphEdge, dots: readonly Dot[]): string {
  const [a, b] = [dots[from], dots[to]];
  if (a === undefined || b === undefined) return "";
  const distance = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / distance, (b.y - a.y) / distance];
  // From below, an arrow ends under the label.
  const label = uy < -0.4 ? LABEL_HEIGHT : 0;
  const [start, end] = [a.radius + 1, b.radius + 3 + label];
  const middle = bendOf(a, b);
  const path = `M${round(a.x + ux * start, 1)} ${round(a.y + uy * start, 1)}Q${
    round(middle.x, 1)
  } ${round(middle.y, 1)} ${round(b.x - ux * end, 1)} ${round(b.y - uy * end, 1)}`;
  const stroke = STROKES[relation];
  return `<path d="${path}"${
    stroke === undefined ? "" : ` class="${stroke}"`
  } marker-end="url(#to)"/>\n`;
}

/** In the middle of the bend. */
function nameOf({ from, to, relation }: SubgraphEdge, dots: readonly Dot[]): string {
  const [a, b] = [dots[from], dots[to]];
  if (relation === "link" || a === undefined || b === undefined) return "";
  const { x, y } = bendOf(a, b);
  const name = escapeHtml(cut(collapse(neutralize(relation)), 24));
  return `<text x="${round((a.x + b.x) / 4 + x / 2, 1)}" y="${
    round((a.y + b.y) / 4 + y / 2 + 3, 1)
  }">${name}</text>\n`;
}

/** The control point of a link's curve. */
function bendOf(a: Place, b: Place): Place {
  const distance = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const bend = Math.min(BEND_MAX, distance / 6) / distance;
  return { x: (a.x + b.x) / 2 - (b.y - a.y) * bend, y: (a.y + b.y) / 2 + (b.x - a.x) * bend };
}

function legend({ nodes, left }: Subgraph, height: number): string {
  const kinds = [...new Set(nodes.map(({ note }) => note.kind))];
  const y = height - 22;
  let x = MARGIN / 2;
  const items = kinds.map((kind) => {
    const item = `<circle cx="${x + 5}" cy="${y - 4}" r="5" fill="${COLOURS[kind]}"/><text x="${
      x + 15
    }" y="${y}">${kind}</text>`;
    x += 34 + kind.length * CHARACTER_WIDTH;
    return item;
  });
  const more = left > 0 ? `<text x="${x + 8}" y="${y}">${left} more not shown</text>` : "";
  return `<g class="legend">${items.join("")}${more}</g>`;
}
