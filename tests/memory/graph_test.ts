/** The graph of notes: resolved as people link, walked, and asked in its language. */
import assert from "node:assert/strict";
import { buildGraph, type Graph, type GraphNode, openGraph } from "../../src/memory/graph/graph.ts";
import { askGraph } from "../../src/memory/graph/query.ts";
import { rfc3339 } from "../../src/base/clock.ts";
import { momentOf } from "../../src/memory/graph/query_syntax.ts";
import { neighbours, orphans, shortestPath } from "../../src/memory/graph/walk.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { rebuildAll } from "../../src/memory/index/reindex.ts";
import { timeZone } from "../support/time_zone.ts";
import { byHand, type World, world } from "../support/world.ts";

/** All five kinds, linked in every way that people and Sage do. */
function vault(on: World): void {
  const put = (path: string, front: Record<string, string>, body: string): string =>
    byHand(
      `${on.cwd}/.sage`,
      path,
      { created: "2026-01-01", updated: "2026-01-10", ...front },
      body,
    );
  put(
    "knowledge/Git Worktrees.md",
    {
      id: "git-worktrees",
      type: "knowledge",
      subject: "entity",
      tags: "[git, build]",
      aliases: "[Worktrees]",
      mood: "calm",
      weight: "3",
    },
    "# Git Worktrees\n\nSee [[Hooks]], [[hooks|again]], [file](./Locks%20and%20more.md) and [[Nowhere]]. `[[code]]` #inline ![[Plan.PNG]] [[Node.js]]",
  );
  put(
    "knowledge/deep/Hooks.md",
    { id: "hooks", type: "knowledge", tags: "git", updated: "2026-01-12", project: "p" },
    "# Hooks\n\nThe café's   naïve\nhooks.",
  );
  put("knowledge/Locks and more.md", {
    id: "locks",
    type: "knowledge",
    related: '"[[Worktrees]]"',
    weight: "10",
  }, "# Locks\n\nFlock.");
  put(
    "knowledge/lonely.md",
    { id: "lonely", type: "knowledge", status: "draft" },
    "# Lonely\n\nNobody links here.",
  );
  put(
    "checkpoints/2026-01-05_why.md",
    {
      id: "2026-01-05_why",
      type: "checkpoint",
      sources: "[{id: hooks, relation: supports}, https://example.org/a, Makefile]",
      updated: "2025-06-01",
    },
    "# Why\n\n## Thesis\n\nBecause.\n\n## Sources\n\n- [[Makefile]]",
  );
  put("checkpoints/2026-01-06_then.md", {
    id: "2026-01-06_then",
    type: "checkpoint",
    parent: "2026-01-05_why",
  }, "# Then");
  put(
    "todos/mend.md",
    { id: "mend", type: "todo", source: "2026-01-06_then", status: "pending" },
    "# Mend it",
  );
  put(
    "topics/Git.md",
    { id: "git", type: "topic" },
    "# Git\n\n- [[deep/Hooks]]\n- [[git-worktrees#Gotchas|W]]",
  );
  put("sessions/2026-01-06-x.md", {
    id: "2026-01-06-x",
    type: "session",
    checkpoints: "[2026-01-06_then]",
  }, "# X");
}

async function graphOf(on: World): Promise<Graph> {
  return await openGraph(await on.open());
}

function ids(nodes: readonly GraphNode[]): string[] {
  return nodes.map(({ note }) => note.id);
}

function at(graph: Graph, ref: string): GraphNode {
  return graph.find(ref) ?? assert.fail(ref);
}

function edges(graph: Graph): string[] {
  return graph.nodes.flatMap(({ out }) =>
    out.map(({ from, to, relation }) => `${from.note.id} ${relation} ${to.note.id}`)
  );
}

Deno.test("links resolve by id, file name, alias, title, path and file; code and addresses are none", async () => {
  using on = await world();
  vault(on);
  const graph = await graphOf(on);
  const out = (ref: string) =>
    at(graph, ref).out.map(({ to, relation }) => `${relation} ${to.note.id}`);
  assert.deepEqual(out("git-worktrees"), ["link hooks", "link locks"]);
  assert.deepEqual(out("locks"), ["related git-worktrees"]);
  assert.deepEqual(out("2026-01-05_why"), ["supports hooks"]);
  assert.deepEqual(out("topics/Git"), ["link hooks", "link git-worktrees"]);
  assert.deepEqual(out("mend"), ["source 2026-01-06_then"]);
  assert.deepEqual(
    at(graph, "2026-01-06_then").into.map(({ from, relation }) => `${from.note.id} ${relation}`)
      .sort(),
    ["2026-01-06-x checkpoints", "mend source"],
  );
  assert.deepEqual(graph.unresolved.map(({ target }) => target), ["Nowhere", "Node.js"]);
  assert.equal(graph.find("worktrees"), graph.find("GIT WORKTREES"));
  assert.equal(graph.find("no such"), undefined);
});

Deno.test("a link to a name that several notes have leads to the one in its own store", async () => {
  using on = await world();
  for (const [scope, root] of [["own", on.home], ["project", on.cwd]] as const) {
    const put = (name: string, body: string): string =>
      byHand(`${root}/.sage`, `knowledge/${scope}-${name}.md`, {
        id: `${scope}-${name}`,
        type: "knowledge",
      }, body);
    put("locks", "# Locks\n\nAn index lock holds for one worktree.");
    put("hooks", "# Hooks of it\n\nThey wait for [[Locks]].");
  }
  const linked = edges(await graphOf(on)).filter((edge) => edge.includes(" link ")).sort();
  assert.deepEqual(linked, ["own-hooks link own-locks", "project-hooks link project-locks"]);
});

Deno.test("a path leads from one note to another, and neighbours are counted in links", async () => {
  using on = await world();
  vault(on);
  const graph = await graphOf(on);
  const [mend, locks] = [at(graph, "mend"), at(graph, "locks")];
  const steps = shortestPath(mend, locks) ?? [];
  assert.deepEqual(
    steps.map(({ node, edge }) => `${node.note.id} ${edge?.relation ?? ""}`.trim()),
    [
      "mend",
      "2026-01-06_then source",
      "2026-01-05_why parent",
      "hooks supports",
      "git-worktrees link",
      "locks link",
    ],
  );
  assert.equal(shortestPath(mend, at(graph, "lonely")), undefined);
  assert.deepEqual(shortestPath(mend, mend)?.length, 1);
  const near = neighbours(at(graph, "hooks"), 1);
  assert.deepEqual(
    ids([...near].filter(([, away]) => away === 1).map(([node]) => node)).sort(),
    [
      "2026-01-05_why",
      "git",
      "git-worktrees",
    ],
  );
  assert.deepEqual(ids(orphans(graph)), ["lonely"]);
});

const QUERIES: Readonly<Record<string, readonly string[]>> = {
  "type:knowledge tag:git": ["hooks", "git-worktrees"],
  "type:knowledge,todo -tag:git sort:id": ["locks", "lonely", "mend"],
  "tag:inline": ["git-worktrees"],
  "subject:entity": ["git-worktrees"],
  "mood:calm": ["git-worktrees"],
  "mood:~AL": ["git-worktrees"],
  "weight:>5": ["locks"],
  "weight:<=10 sort:weight": ["git-worktrees", "locks"],
  "title:git*trees": ["git-worktrees"],
  "alias:worktrees": ["git-worktrees"],
  "to:hooks sort:id": ["2026-01-05_why", "git", "git-worktrees"],
  "from:git sort:id": ["git-worktrees", "hooks"],
  "near:mend/2 sort:id": ["2026-01-05_why", "2026-01-06-x", "2026-01-06_then"],
  "near:lonely": [],
  "relation:supports sort:id": ["2026-01-05_why", "hooks"],
  "links:>1 sort:id": ["git", "git-worktrees"],
  "backlinks:0 type:knowledge sort:id": ["lonely"],
  "is:orphan": ["lonely"],
  "is:unresolved": ["git-worktrees"],
  "has:aliases": ["git-worktrees"],
  "has:ALIAS limit:1": ["git-worktrees"],
  "type:knowledge sort:-Title limit:2": ["lonely", "locks"],
  "has:alias": ["git-worktrees"],
  "status:draft": ["lonely"],
  "updated:2026-01-12": ["hooks"],
  "updated:2026-01 type:knowledge sort:-updated,id limit:2": ["hooks", "git-worktrees"],
  "updated:<2026-01-01": ["2026-01-05_why"],
  "updated:>2026-01-11": ["hooks"],
  "updated:2026-01-11..2026-01-12": ["hooks"],
  "updated:<2d": ["hooks"],
  "updated:>30d": ["2026-01-05_why"],
  "cafe naive": ["hooks"],
  '"naive hooks"': ["hooks"],
  "CAFÉ -flock": ["hooks"],
  "flock -tag:git": ["locks"],
  'title:"Git Worktrees"': ["git-worktrees"],
  "limit:1 sort:id": ["2026-01-05_why"],
};

Deno.test("askGraph() answers its language: keys, tags, times, links, words, order, limit", async () => {
  using on = await world();
  vault(on);
  const memory = await on.open();
  const graph = await openGraph(memory);
  for (const [query, wanted] of Object.entries(QUERIES)) {
    assert.deepEqual(ids(askGraph(memory, graph, query).nodes), wanted, query);
  }
  assert.deepEqual(ids(askGraph(memory, graph, "updated:2026-01-11..").nodes), ["hooks"]);
  const { groups, total } = askGraph(memory, graph, "group:type sort:id");
  assert.equal(total, 9);
  assert.deepEqual(
    groups?.map(({ key, nodes }) => [key, nodes.length]),
    [["knowledge", 4], ["checkpoint", 2], ["session", 1], ["todo", 1], ["topic", 1]],
  );
  const grouped = (name: string) =>
    askGraph(memory, graph, `type:knowledge sort:id group:${name}`).groups;
  assert.deepEqual(grouped("Aliases"), grouped("alias"));
  assert.ok((grouped("alias")?.length ?? 0) > 1);
});

Deno.test("momentOf() takes today for the person's day", () => {
  using _ = timeZone("Asia/Tokyo");
  const { start, end } = momentOf("today", Date.parse("2026-01-13T23:30:00Z")) ?? {};
  assert.deepEqual([start, end], [
    Date.parse("2026-01-13T15:00:00Z"),
    Date.parse("2026-01-14T15:00:00Z"),
  ]);
});

Deno.test("momentOf() ends a day, a month and a year at the person's midnight", () => {
  using _ = timeZone("Europe/Berlin");
  const ends = (value: string) => {
    const { start, end } = momentOf(value, 0) ?? { start: NaN, end: NaN };
    return [rfc3339(start), rfc3339(end)];
  };
  // The day on which clocks are put forward has 23 hours.
  assert.deepEqual(ends("2026-03-29"), ["2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z"]);
  assert.deepEqual(ends("2026-12"), ["2026-11-30T23:00:00Z", "2026-12-31T23:00:00Z"]);
  assert.deepEqual(ends("2026"), ["2025-12-31T23:00:00Z", "2026-12-31T23:00:00Z"]);
  assert.deepEqual(ends("2026-01-13T10:00:00Z"), ["2026-01-13T10:00:00Z", "2026-01-13T10:00:01Z"]);
});

Deno.test("a query that makes no sense is an error that says what to write instead", async () => {
  using on = await world();
  vault(on);
  const memory = await on.open();
  const graph = await openGraph(memory);
  for (
    const [query, said] of [
      ["is:orphaned", /is:orphaned/],
      ["updated:<soon", /"soon" where a time belongs/],
      ["updated:soon..later", /"soon..later" where a time/],
      ["created:2026-01-01..soon", /where a time belongs/],
      ["created:..", /where a time belongs/],
      ["created:2026-01-01..2026-01-02..2026-01-03", /where a time belongs/],
      ["limit:0", /limit/],
      ["links:many", /count of links/],
      ["to:nobody", /no note has that name/],
      ["tag:", /has no value after "tag:"/],
      ["x".repeat(3000), /longer than/],
    ] as const
  ) {
    assert.throws(() => askGraph(memory, graph, query), said, query);
  }
  for (
    const odd of [
      "",
      "   ",
      '"',
      "-",
      "::",
      "a:b:c",
      "~",
      '-""',
      "[[x]]",
      "\0",
      "(a+)+$",
      "😀 é",
      "https://x.y",
    ]
  ) {
    askGraph(memory, graph, odd);
  }
});

Deno.test("the graph follows edits, survives a rebuild and merged segments, and forgets", async () => {
  using on = await world();
  vault(on);
  const before = await graphOf(on);
  const memory = await on.open();
  await rebuildAll(memory);
  assert.deepEqual(edges(await openGraph(memory)), edges(before));
  byHand(
    `${on.cwd}/.sage`,
    "knowledge/lonely.md",
    { id: "lonely", type: "knowledge" },
    "# Lonely\n\n[[Hooks]]",
  );
  for (let i = 0; i < 12; i++) {
    byHand(
      `${on.cwd}/.sage`,
      `knowledge/n${i}.md`,
      { id: `n${i}`, type: "knowledge" },
      `# N${i}\n\n[[n${i + 1}]]`,
    );
    await graphOf(on);
  }
  const graph = await graphOf(on);
  assert.deepEqual(orphans(graph), []);
  assert.equal(shortestPath(at(graph, "n0"), at(graph, "n11"))?.length, 12);
  assert.equal((await forget(await on.open(), "hooks")).kind, "forgotten");
  assert.equal((await graphOf(on)).find("hooks"), undefined);
});

Deno.test("the cost of redirects does not grow with the number of links", async () => {
  using on = await world();
  const links = Array.from({ length: 40 }, (_, i) => `[[note-${i}]] [[old-${i}]]`).join(" ");
  for (const id of ["a", "b", "c"]) {
    byHand(
      `${on.cwd}/.sage`,
      `knowledge/${id}.md`,
      { id, type: "knowledge" },
      `# ${id}\n\n${links}`,
    );
  }
  const { nodes } = await openGraph(await on.open());
  let reads = 0;
  const redirects = Array.from({ length: 40 }, (_, i) => ({
    get id() {
      reads++;
      return `old-${i}`;
    },
    to: "b",
    path: `knowledge/old-${i}.md`,
    title: `Old ${i}`,
    moved: "",
  }));
  const entries = nodes.map((node) =>
    node.note.id === "b" ? { ...node, store: { ...node.store, scope: "user" as const } } : node
  );
  const graph = buildGraph(entries, redirects);
  assert.equal(graph.find("a")?.out.filter(({ to }) => to.note.id === "b").length, 1);
  assert.ok(reads <= 3 * redirects.length, `${reads} looks at ${redirects.length} redirects`);
});
