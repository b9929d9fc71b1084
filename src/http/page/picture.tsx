/**
 * A subgraph as a picture in which every note is a link, reached by Tab or by the arrow keys, which lead to
 * the nearest note in that direction. A list beside it says the same for people who cannot see it.
 */
import type { VNode } from "preact";
import { useEffect, useMemo, useRef } from "preact/hooks";
import type { GraphItem, GraphPart } from "../../../clients/typescript/sage_client.ts";
import { cut } from "../../base/text/text.ts";
import { type Box, layOut, type Place } from "../../memory/graph/layout.ts";
import { counted, linkTo } from "./note.tsx";
import { shown } from "./prose.tsx";

const LABEL_CHARACTERS_MAX = 26;
const CHARACTER_WIDTH = 7;
const LABEL_HEIGHT = 16;
const MARGIN = 24;
/** The height that there is room for, to choose between landscape and portrait. */
const ROOM_HEIGHT = 560;
/** The height of the frame, of which the page's style says the same. */
const ROOM = "calc(75vh - 4px)";
/** Below this scale labels cannot be read, and the picture scrolls instead. */
const SHRUNK_MIN = 0.75;
/** An arrow key leads to notes at most this many times as far sideways as ahead. */
const SIDEWAYS_MAX = 1.6;

const WAYS: Readonly<Record<string, readonly [x: number, y: number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

interface Drawing {
  readonly places: readonly Place[];
  readonly radii: readonly number[];
  readonly labels: readonly string[];
  readonly width: number;
  readonly height: number;
}

export function Picture(
  { part, centre }: { readonly part: GraphPart; readonly centre: string | undefined },
): VNode {
  const drawing = useMemo(() => draw(part), [part]);
  const root = useRef<SVGSVGElement>(null);
  const isWalking = useRef(false);
  // The arrow keys continue from there.
  useEffect(() => {
    if (isWalking.current) root.current?.querySelector<SVGAElement>(".centre")?.focus();
    isWalking.current = false;
  }, [part]);
  const { places, radii, labels, width, height } = drawing;
  const onKey = (event: KeyboardEvent): void => {
    const way = WAYS[event.key];
    const links = [...root.current?.querySelectorAll<SVGAElement>("a") ?? []];
    const at = links.indexOf(document.activeElement as unknown as SVGAElement);
    if (event.key === "Enter") isWalking.current = true;
    if (way === undefined || at < 0) return;
    event.preventDefault();
    event.stopPropagation();
    links[nextThatWay(places, at, way) ?? at]?.focus();
  };
  return (
    <nav class="picture" aria-label="Picture of the links" onKeyDown={onKey}>
      <svg
        ref={root}
        viewBox={`0 0 ${width} ${height}`}
        style={{
          maxWidth: `${width}px`,
          minWidth: `${Math.round(width * SHRUNK_MIN)}px`,
          maxHeight: `max(${ROOM}, ${Math.round(height * SHRUNK_MIN)}px)`,
        }}
      >
        <defs>
          <marker
            id="to"
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="7"
            markerHeight="7"
            orient="auto"
          >
            <path d="M0 1 7 4 0 7z" />
          </marker>
        </defs>
        {part.links.map(({ from, to, relation }) => (
          <path
            key={`${from} ${to} ${relation}`}
            class={`edge ${relation === "contradicts" ? "against" : ""}`}
            d={edgeOf(places[from], places[to], radii[from] ?? 6, radii[to] ?? 6)}
            marker-end="url(#to)"
          />
        ))}
        {part.items.map((item, i) => (
          <a
            key={item.path}
            href={linkTo("graph", item.id)}
            class={`node of-${item.type}${item.id === centre ? " centre" : ""}${
              item.flags.length > 0 ? " faded" : ""
            }`}
            aria-label={nameOf(item)}
            aria-current={item.id === centre ? "true" : undefined}
            onClick={(event) => isWalking.current = event.detail === 0}
          >
            <title>{nameOf(item)}</title>
            <circle cx={places[i]?.x} cy={places[i]?.y} r={radii[i]} />
            <text x={places[i]?.x} y={(places[i]?.y ?? 0) + (radii[i] ?? 6) + 14}>{labels[i]}</text>
          </a>
        ))}
      </svg>
    </nav>
  );
}

function nameOf({ title, type, links, backlinks }: GraphItem): string {
  return `${shown(title)}, ${type}, ${counted(links + backlinks, "link")}`;
}

function draw({ items, links }: GraphPart): Drawing {
  const labels = items.map(({ title, short_id }) =>
    cut(shown(title), LABEL_CHARACTERS_MAX) || short_id
  );
  const radii = items.map(({ backlinks }) => 7 + Math.min(12, 2.5 * Math.sqrt(backlinks)));
  const boxes = labels.map((label, i): Box => ({
    width: Math.max(label.length * CHARACTER_WIDTH, 2 * (radii[i] ?? 7)) + 10,
    height: 2 * (radii[i] ?? 7) + LABEL_HEIGHT + 12,
  }));
  const pairs = links.map(({ from, to }) => [from, to] as const);
  const standing = framed(layOut(boxes, pairs), boxes);
  const turned = boxes.map(({ width, height }) => ({ width: height, height: width }));
  const lying = framed(layOut(turned, pairs).map(({ x, y }) => ({ x: y, y: x })), boxes);
  const chosen = scaleOf(lying) > scaleOf(standing) ? lying : standing;
  return { labels, radii, ...chosen };
}

type Frame = Pick<Drawing, "places" | "width" | "height">;

/** Moves the drawing to the upper left corner, with a margin. */
function framed(raw: readonly Place[], boxes: readonly Box[]): Frame {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  raw.forEach(({ x, y }, i) => {
    const { width, height } = boxes[i] ?? { width: 0, height: 0 };
    left = Math.min(left, x - width / 2);
    right = Math.max(right, x + width / 2);
    top = Math.min(top, y - height / 2);
    bottom = Math.max(bottom, y + height / 2 + LABEL_HEIGHT);
  });
  return {
    places: raw.map(({ x, y }) => ({
      x: Math.round(x - left + MARGIN),
      y: Math.round(y - top + MARGIN),
    })),
    width: Math.max(1, Math.ceil(right - left + 2 * MARGIN)),
    height: Math.max(1, Math.ceil(bottom - top + 2 * MARGIN)),
  };
}

/** How large it can be shown. */
function scaleOf({ width, height }: Frame): number {
  return Math.min(1, innerWidth / width, ROOM_HEIGHT / height);
}

/** A line from the rim of one dot to the rim of the other. */
function edgeOf(a: Place | undefined, b: Place | undefined, start: number, end: number): string {
  if (a === undefined || b === undefined) return "";
  const distance = Math.hypot(b.x - a.x, b.y - a.y) || 1;
  const [ux, uy] = [(b.x - a.x) / distance, (b.y - a.y) / distance];
  // A dot's label is below it.
  const [above, below] = [uy > 0.4 ? LABEL_HEIGHT : 0, uy < -0.4 ? LABEL_HEIGHT : 0];
  const point = (from: Place, by: number): string =>
    `${Math.round(from.x + ux * by)} ${Math.round(from.y + uy * by)}`;
  return `M${point(a, start + above)}L${point(b, -(end + 3 + below))}`;
}

/** The nearest note in a direction. */
function nextThatWay(
  places: readonly Place[],
  at: number,
  [wayX, wayY]: readonly [number, number],
): number | undefined {
  const from = places[at];
  let best: { readonly node: number; readonly far: number } | undefined;
  places.forEach(({ x, y }, node) => {
    if (from === undefined || node === at) return;
    const ahead = (x - from.x) * wayX + (y - from.y) * wayY;
    const aside = Math.abs((x - from.x) * wayY) + Math.abs((y - from.y) * wayX);
    if (ahead <= 0 || aside > ahead * SIDEWAYS_MAX) return;
    const far = ahead + 2 * aside;
    if (far < (best?.far ?? Infinity)) best = { node, far };
  });
  return best?.node;
}
