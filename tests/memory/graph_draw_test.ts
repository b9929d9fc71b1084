/** Drawings say what the graph says, escape what titles hold, and put no label on another. */
import assert from "node:assert/strict";
import { draw } from "../../src/memory/graph/draw.ts";
import {
  chooseSubgraph,
  type Subgraph,
  SUBGRAPH_NODES_MAX,
} from "../../src/memory/graph/subgraph.ts";
import { type Graph, openGraph } from "../../src/memory/graph/graph.ts";
import { layOut } from "../../src/memory/graph/layout.ts";
import { byHand, type World, world } from "../support/world.ts";

function note(
  on: World,
  id: string,
  kind: string,
  body: string,
  more: Record<string, string> = {},
): void {
  byHand(`${on.cwd}/.sage`, `${FOLDERS[kind]}/${id}.md`, { id, type: kind, ...more }, body);
}

const FOLDERS: Readonly<Record<string, string>> = {
  knowledge: "knowledge",
  checkpoint: "checkpoints",
  todo: "todos",
  session: "sessions",
  topic: "topics",
};

function five(on: World): void {
  note(on, "a", "knowledge", '# A <script>&\u202e"x"\n\n[[b]]');
  note(on, "b", "checkpoint", "# B", { sources: "[{id: a, relation: contradicts}]" });
  note(on, "c", "todo", "# C", { source: "b" });
  note(on, "d", "session", "# D", { checkpoints: "[b]" });
  note(on, "e", "topic", "# E\n\n[[a]]");
  note(on, "alone", "knowledge", "# Alone");
}

/** The most linked notes of all. */
function chosenPart(on: World, graph: Graph): Subgraph {
  const part = chooseSubgraph(on.memory, graph, "", 2);
  return "kind" in part ? assert.fail() : part;
}

Deno.test("draw() shows all five kinds and what links say, in a file that runs nothing", async () => {
  using on = await world();
  five(on);
  const graph = await openGraph(on.memory);
  const part = chosenPart(on, graph);
  const svg = draw(part, "svg");
  assert.equal(svg, draw(part, "svg"));
  for (const kind of Object.keys(FOLDERS)) assert.ok(svg.includes(`>${kind}</text>`), kind);
  assert.equal(svg.match(/<circle /g)?.length, 6 + 5);
  assert.equal(svg.match(/marker-end/g)?.length, 5);
  assert.match(svg, /class="bad" marker-end/);
  assert.match(svg, />contradicts<\/text>/);
  assert.ok(svg.includes("A &lt;script&gt;&amp;&quot;x&quot;"), svg);
  assert.doesNotMatch(svg, /<script|\u202e|href|url\((?!#)/);
  const text = draw(part, "text");
  assert.match(text, /└─→ A <script>.* {2}\[contradicts\]\n/);
  assert.match(text, / {2}Alone {2}\(knowledge\)\n/);
});

Deno.test("chooseSubgraph() takes a note with its surroundings, a query, or the most linked", async () => {
  using on = await world();
  five(on);
  const graph = await openGraph(on.memory);
  const ids = (wanted: string, depth = 1) => {
    const part = chooseSubgraph(on.memory, graph, wanted, depth);
    return "kind" in part ? part.kind : part.nodes.map(({ note }) => String(note.id)).sort();
  };
  assert.deepEqual(ids("e"), ["a", "e"]);
  assert.deepEqual(ids("e", 2), ["a", "b", "e"]);
  assert.deepEqual(ids("type:todo,session"), ["c", "d"]);
  assert.equal(ids("no such thing"), "none");
  for (let i = 0; i < SUBGRAPH_NODES_MAX + 9; i++) {
    note(on, `n${i}`, "knowledge", `# N${i}\n\n[[a]]`);
  }
  const many = chosenPart(on, await openGraph(on.memory));
  assert.equal(many.nodes.length, SUBGRAPH_NODES_MAX);
  assert.equal(many.left, 15);
  assert.match(draw(many, "text"), /… and 15 more/);
});

Deno.test("layOut() places boxes without overlap", () => {
  for (const links of [[], star(30), chain(30), [...star(30), ...chain(30)]]) {
    const boxes = Array.from(
      { length: 31 },
      (_, i) => ({ width: 60 + (i * 37) % 120, height: 38 }),
    );
    const places = layOut(boxes, links);
    places.forEach((a, i) =>
      places.slice(i + 1).forEach((b, k) => {
        const other = boxes[i + 1 + k] ?? assert.fail();
        const [dx, dy] = [Math.abs(a.x - b.x), Math.abs(a.y - b.y)];
        const isApart = dx > ((boxes[i]?.width ?? 0) + other.width) / 2 - 2 || dy > 38 - 2;
        assert.ok(isApart, JSON.stringify([a, b]));
      })
    );
  }
});

Deno.test("layOut() lays a long chain down, in little more room than its labels take", () => {
  const boxes = Array.from({ length: 31 }, () => ({ width: 180, height: 44 }));
  for (const links of [chain(30), [...chain(30), ...star(15)]]) {
    const places = layOut(boxes, links);
    const [width, height] = [spread(places.map(({ x }) => x)), spread(places.map(({ y }) => y))];
    assert.ok(width > height, `${width} × ${height}`);
    assert.ok(width * height < 4 * 31 * 180 * 44, `${width} × ${height}`);
  }
});

function spread(values: readonly number[]): number {
  return Math.max(...values) - Math.min(...values);
}

function star(count: number): [number, number][] {
  return Array.from({ length: count }, (_, i) => [0, i + 1]);
}

function chain(count: number): [number, number][] {
  return Array.from({ length: count }, (_, i) => [i, i + 1]);
}
