/**
 * Where the notes of a drawing stand: linked ones near each other, no two labels on one another. The same
 * graph gives the same picture. Pure; what a picture looks like is draw_svg.ts.
 */

export interface Box {
  readonly width: number;
  readonly height: number;
}

export interface Place {
  readonly x: number;
  readonly y: number;
}

/** The wanted length of a link, in pixels. */
const LINK_LENGTH = 130;
const ROUNDS = 260;
const PARTING_ROUNDS = 120;
/** Pulls all to the middle, so that long chains do not drift away. */
const GRAVITY = 0.035;
/** An angle at which no two points of a spiral are in line. */
const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));

/** The middle of each box; links are pairs of places in `boxes`. Parts that hang together stand together. */
export function layOut(
  boxes: readonly Box[],
  links: readonly (readonly [number, number])[],
): Place[] {
  const places: Place[] = boxes.map(() => ({ x: 0, y: 0 }));
  const parts = connected(boxes.length, links).map((members) => {
    const own = members.map((node) => boxes[node] ?? { width: 0, height: 0 });
    const place = new Map(members.map((node, i) => [node, i]));
    const inner = links.flatMap(([from, to]): (readonly [number, number])[] => {
      const [i, j] = [place.get(from), place.get(to)];
      return i === undefined || j === undefined ? [] : [[i, j]];
    });
    return { members, ...layOutPart(own, inner) };
  });
  const area = parts.reduce((sum, { width, height }) => sum + width * height, 0);
  const widest = Math.max(WIDTH_MIN, ...parts.map(({ width }) => width), Math.sqrt(area) * 1.3);
  let [left, top, rowHeight] = [0, 0, 0];
  // The largest first, in rows.
  for (const { members, own, width, height } of parts.sort((a, b) => b.height - a.height)) {
    if (left > 0 && left + width > widest) [left, top, rowHeight] = [0, top + rowHeight + GAP, 0];
    members.forEach((node, i) => {
      const { x, y } = own[i] ?? { x: 0, y: 0 };
      places[node] = { x: left + x, y: top + y };
    });
    left += width + GAP;
    rowHeight = Math.max(rowHeight, height);
  }
  return places;
}

const WIDTH_MIN = 700;
/** Between parts that nothing links. */
const GAP = 36;

/** Groups of places with a way between any two; each in order. */
function connected(count: number, links: readonly (readonly [number, number])[]): number[][] {
  const root = Array.from({ length: count }, (_, i) => i);
  const rootOf = (node: number): number => {
    let at = node;
    while (root[at] !== at) at = root[at] = root[root[at] ?? at] ?? at;
    return at;
  };
  for (const [from, to] of links) root[rootOf(from)] = rootOf(to);
  const groups = new Map<number, number[]>();
  for (let node = 0; node < count; node++) {
    const key = rootOf(node);
    groups.set(key, [...groups.get(key) ?? [], node]);
  }
  return [...groups.values()];
}

/** One part, from its upper left corner. */
function layOutPart(
  boxes: readonly Box[],
  links: readonly (readonly [number, number])[],
): { own: Place[]; width: number; height: number } {
  const x = new Float64Array(boxes.length);
  const y = new Float64Array(boxes.length);
  for (let i = 0; i < boxes.length; i++) {
    const radius = LINK_LENGTH * 0.7 * Math.sqrt(i + 0.5);
    x[i] = radius * Math.cos(i * GOLDEN_ANGLE);
    y[i] = radius * Math.sin(i * GOLDEN_ANGLE);
  }
  attract(x, y, links);
  part(x, y, boxes);
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  boxes.forEach(({ width, height }, i) => {
    const [cx, cy] = [x[i] ?? 0, y[i] ?? 0];
    left = Math.min(left, cx - width / 2);
    right = Math.max(right, cx + width / 2);
    top = Math.min(top, cy - height / 2);
    bottom = Math.max(bottom, cy + height / 2);
  });
  const own = boxes.map((_, i) => ({ x: (x[i] ?? 0) - left, y: (y[i] ?? 0) - top }));
  return { own, width: right - left, height: bottom - top };
}

/** Fruchterman and Reingold: all repel each other, links pull, and steps become smaller. */
function attract(
  x: Float64Array,
  y: Float64Array,
  links: readonly (readonly [number, number])[],
): void {
  const count = x.length;
  const [dx, dy] = [new Float64Array(count), new Float64Array(count)];
  for (let round = 0; round < ROUNDS; round++) {
    dx.fill(0);
    dy.fill(0);
    for (let i = 0; i < count; i++) {
      for (let j = i + 1; j < count; j++) push(i, j, repulsion);
      dx[i] = (dx[i] ?? 0) - (x[i] ?? 0) * GRAVITY;
      dy[i] = (dy[i] ?? 0) - (y[i] ?? 0) * GRAVITY;
    }
    for (const [i, j] of links) push(i, j, attraction);
    const reach = LINK_LENGTH * (1 - round / ROUNDS) + 1;
    for (let i = 0; i < count; i++) {
      const length = Math.hypot(dx[i] ?? 0, dy[i] ?? 0) || 1;
      const step = Math.min(length, reach) / length;
      x[i] = (x[i] ?? 0) + (dx[i] ?? 0) * step;
      y[i] = (y[i] ?? 0) + (dy[i] ?? 0) * step;
    }
  }

  function push(i: number, j: number, force: (distance: number) => number): void {
    const [ax, ay] = [(x[i] ?? 0) - (x[j] ?? 0), (y[i] ?? 0) - (y[j] ?? 0)];
    const distance = Math.max(1, Math.hypot(ax, ay));
    const by = force(distance) / distance;
    dx[i] = (dx[i] ?? 0) + ax * by;
    dy[i] = (dy[i] ?? 0) + ay * by;
    dx[j] = (dx[j] ?? 0) - ax * by;
    dy[j] = (dy[j] ?? 0) - ay * by;
  }
}

function repulsion(distance: number): number {
  return LINK_LENGTH * LINK_LENGTH / distance;
}

function attraction(distance: number): number {
  return -distance * distance / LINK_LENGTH;
}

/** Moves boxes that overlap apart, along the way on which they overlap less. */
function part(x: Float64Array, y: Float64Array, boxes: readonly Box[]): void {
  for (let round = 0; round < PARTING_ROUNDS; round++) {
    let isMoved = false;
    for (let i = 0; i < boxes.length; i++) {
      for (let j = i + 1; j < boxes.length; j++) {
        const [a, b] = [boxes[i], boxes[j]];
        if (a === undefined || b === undefined) continue;
        const [ax, ay] = [(x[j] ?? 0) - (x[i] ?? 0), (y[j] ?? 0) - (y[i] ?? 0)];
        const overX = (a.width + b.width) / 2 - Math.abs(ax);
        const overY = (a.height + b.height) / 2 - Math.abs(ay);
        if (overX <= 0 || overY <= 0) continue;
        isMoved = true;
        if (overX < overY) {
          const by = overX / 2 * (ax < 0 ? -1 : 1);
          x[i] = (x[i] ?? 0) - by;
          x[j] = (x[j] ?? 0) + by;
        } else {
          const by = overY / 2 * (ay < 0 ? -1 : 1);
          y[i] = (y[i] ?? 0) - by;
          y[j] = (y[j] ?? 0) + by;
        }
      }
    }
    if (!isMoved) return;
  }
}
