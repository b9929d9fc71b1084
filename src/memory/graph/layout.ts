/**
 * Positions of a drawing's notes: linked ones near each other, labels not overlapping. The same graph gives
 * the same picture. Pure; draw_svg.ts decides how it looks.
 */

export interface Box {
  readonly width: number;
  readonly height: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** A box during the layout: its centre, and its displacement in one round. */
interface Body<T extends Box = Box> {
  readonly box: T;
  x: number;
  y: number;
  dx: number;
  dy: number;
}

/** The preferred length of a link, in pixels. */
const LINK_LENGTH = 130;
const ROUNDS = 260;
const PARTING_ROUNDS = 120;
/** Pulls everything towards the centre, so that long chains do not drift away. */
const GRAVITY = 0.06;
/** With this angle no two points of a spiral are in line. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/**
 * Returns each box with its centre. Links are pairs of indexes in `boxes`. Connected components are laid out
 * one by one.
 */
export function layOut<T extends Box>(
  boxes: readonly T[],
  links: readonly (readonly [number, number])[],
): (T & Place)[] {
  const bodies = boxes.map((box): Body<T> => ({ box, x: 0, y: 0, dx: 0, dy: 0 }));
  const linked = links.flatMap(([from, to]): (readonly [Body, Body])[] => {
    const [a, b] = [bodies[from], bodies[to]];
    return a === undefined || b === undefined ? [] : [[a, b]];
  });
  const parts = connected(bodies, links).map((part) => {
    const members = new Set<Body>(part);
    return { part, ...layOutPart(part, linked.filter(([a]) => members.has(a))) };
  });
  const area = parts.reduce((sum, { width, height }) => sum + width * height, 0);
  const widest = Math.max(WIDTH_MIN, ...parts.map(({ width }) => width), Math.sqrt(area) * 1.3);
  let [left, top, rowHeight] = [0, 0, 0];
  // Largest first, in rows.
  for (const { part, x, y, width, height } of parts.sort((a, b) => b.height - a.height)) {
    if (left > 0 && left + width > widest) [left, top, rowHeight] = [0, top + rowHeight + GAP, 0];
    for (const body of part) [body.x, body.y] = [left + (body.x - x), top + (body.y - y)];
    left += width + GAP;
    rowHeight = Math.max(rowHeight, height);
  }
  return bodies.map(({ box, x, y }) => ({ ...box, x, y }));
}

const WIDTH_MIN = 700;
/** Between parts that nothing links. */
const GAP = 36;

/** Connected components, each in the given order. */
function connected(
  bodies: readonly Body[],
  links: readonly (readonly [number, number])[],
): Body[][] {
  const root = bodies.map((_, i) => i);
  const rootOf = (node: number): number => {
    let at = node;
    while (root[at] !== at) at = root[at] = root[root[at] ?? at] ?? at;
    return at;
  };
  for (const [from, to] of links) root[rootOf(from)] = rootOf(to);
  return [...Map.groupBy(bodies.keys(), rootOf).values()]
    .map((nodes) => nodes.flatMap((node) => bodies[node] ?? []));
}

/** One component: its upper left corner and its size. */
function layOutPart(part: readonly Body[], links: readonly (readonly [Body, Body])[]): Box & Place {
  part.forEach((body, i) => {
    const radius = LINK_LENGTH * 0.7 * Math.sqrt(i + 0.5);
    body.x = radius * Math.cos(i * GOLDEN_ANGLE);
    body.y = radius * Math.sin(i * GOLDEN_ANGLE);
  });
  attract(part, links);
  lieDown(part);
  moveCloser(part);
  moveApart(part);
  const left = Math.min(...part.map(({ box, x }) => x - box.width / 2));
  const right = Math.max(...part.map(({ box, x }) => x + box.width / 2));
  const top = Math.min(...part.map(({ box, y }) => y - box.height / 2));
  const bottom = Math.max(...part.map(({ box, y }) => y + box.height / 2));
  return { x: left, y: top, width: right - left, height: bottom - top };
}

/** Fruchterman and Reingold: all nodes repel each other, links pull, steps shrink. */
function attract(part: readonly Body[], links: readonly (readonly [Body, Body])[]): void {
  for (let round = 0; round < ROUNDS; round++) {
    for (const body of part) [body.dx, body.dy] = [0, 0];
    part.forEach((body, i) => {
      for (const other of part.slice(i + 1)) push(body, other, repulsion);
      body.dx -= body.x * GRAVITY;
      body.dy -= body.y * GRAVITY;
    });
    for (const [a, b] of links) push(a, b, attraction);
    const reach = LINK_LENGTH * (1 - round / ROUNDS) + 1;
    for (const body of part) {
      const length = Math.hypot(body.dx, body.dy) || 1;
      const step = Math.min(length, reach) / length;
      body.x += body.dx * step;
      body.y += body.dy * step;
    }
  }
}

function push(a: Body, b: Body, force: (distance: number) => number): void {
  const [x, y] = [a.x - b.x, a.y - b.y];
  const distance = Math.max(1, Math.hypot(x, y));
  const by = force(distance) / distance;
  a.dx += x * by;
  a.dy += y * by;
  b.dx -= x * by;
  b.dy -= y * by;
}

function repulsion(distance: number): number {
  return LINK_LENGTH * LINK_LENGTH / distance;
}

function attraction(distance: number): number {
  return -distance * distance / LINK_LENGTH;
}

/** Turns the longest axis into the horizontal: frames are wide, and so are labels. */
function lieDown(part: readonly Body[]): void {
  const [meanX, meanY] = [meanOf(part, ({ x }) => x), meanOf(part, ({ y }) => y)];
  for (const body of part) [body.x, body.y] = [body.x - meanX, body.y - meanY];
  const xx = meanOf(part, ({ x }) => x * x);
  const yy = meanOf(part, ({ y }) => y * y);
  const xy = meanOf(part, ({ x, y }) => x * y);
  const angle = Math.atan2(2 * xy, xx - yy) / 2;
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  for (const body of part) {
    [body.x, body.y] = [body.x * cos + body.y * sin, body.y * cos - body.x * sin];
  }
}

function meanOf(part: readonly Body[], value: (body: Body) => number): number {
  return part.reduce((sum, body) => sum + value(body), 0) / part.length;
}

/** How much room a note has, as a multiple of its label's. */
const ROOM = 2;

/** Shrinks the distances, which grow with the number of notes, until there is just room for all labels. */
function moveCloser(part: readonly Body[]): void {
  const needed = part.reduce((sum, { box }) => sum + box.width * box.height, 0) * ROOM;
  const [xs, ys] = [part.map(({ x }) => x), part.map(({ y }) => y)];
  const taken = (Math.max(...xs) - Math.min(...xs)) * (Math.max(...ys) - Math.min(...ys));
  const by = Math.min(1, Math.sqrt(needed / Math.max(1, taken)));
  for (const body of part) [body.x, body.y] = [body.x * by, body.y * by];
}

/** Moves overlapping boxes apart along the axis on which they overlap less. */
function moveApart(part: readonly Body[]): void {
  for (let round = 0; round < PARTING_ROUNDS; round++) {
    let isMoved = false;
    for (const [i, a] of part.entries()) {
      for (const b of part.slice(i + 1)) {
        const [x, y] = [b.x - a.x, b.y - a.y];
        const overX = (a.box.width + b.box.width) / 2 - Math.abs(x);
        const overY = (a.box.height + b.box.height) / 2 - Math.abs(y);
        if (overX <= 0 || overY <= 0) continue;
        isMoved = true;
        if (overX < overY) {
          const by = overX / 2 * (x < 0 ? -1 : 1);
          a.x -= by;
          b.x += by;
        } else {
          const by = overY / 2 * (y < 0 ? -1 : 1);
          a.y -= by;
          b.y += by;
        }
      }
    }
    if (!isMoved) return;
  }
}
