/**
 * One question, three surfaces: what the command line prints as JSON, what HTTP answers and what MCP tells
 * a model are the same notes in the same order with the same numbers.
 */
import assert from "node:assert/strict";
import { saveCheckpoint } from "../../src/memory/checkpoint/save.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { useModel } from "../../src/memory/model/use.ts";
import { readNote } from "../../src/memory/read.ts";
import { updateSession } from "../../src/memory/session/state/state.ts";
import { removeNote } from "../../src/memory/removal/remove.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { sage } from "../support/sage.ts";
import { openEmbeddings } from "../support/embeddings_server.ts";
import {
  AGENT,
  byHand,
  draft,
  knowledge,
  OTHER,
  PERSON,
  SESSION,
  type World,
} from "../support/world.ts";
import { type Served, served } from "./server.ts";

type Json = Record<string, unknown>;
type Items = readonly Json[];

const FACTS = [
  ["Ports", "The gateway listens on 8443, the admin page on 9001. See [[gateway]]."],
  ["Deploy order", "Migrations first, then the API behind the [[Gateway]], then the workers."],
  ["Gateway", "Envoy is the gateway, because it reloads without dropping. [[nobody-wrote-this]]"],
  ["Weather", "It rains."],
] as const;

Deno.test("search and recall have one answer", async () => {
  await using server = await served();
  await fill(server.world);
  for (
    const query of ["which port", "gateway", "worktree hooks", "type:knowledge deploy", "zebra"]
  ) {
    for (const limit of [undefined, 8]) {
      const asked = limit === undefined ? {} : { limit };
      const http = await server.get<{ items: Items; weak: boolean }>(
        `/api/v1/search?${new URLSearchParams({ query, ...limit && { limit: `${limit}` } })}`,
      );
      const line = await command(server, [
        "search",
        query,
        ...limit === undefined ? [] : ["--limit", `${limit}`],
      ]);
      assert.deepEqual(http.items, line.items ?? [], query);
      assert.equal(http.weak, line.weak, query);
      const told = await tool(server, "search_notes", { query, ...asked });
      assert.deepEqual(only(told.items, "id", "score"), only(http.items, "id", "score"), query);
    }
    const recalled = await server.get(`/api/v1/recall?query=${encodeURIComponent(query)}`);
    const matched = await command(server, ["knowledge", "match", query]);
    // Nothing known is no failure over HTTP, and an exit code for a shell.
    const { error: _, ...known } = matched;
    assert.deepEqual(recalled, known, query);
  }
});

Deno.test("a filter that cannot be read is told alike, and loses no search", async () => {
  await using server = await served();
  await fill(server.world);
  for (const words of ["gateway", "gateway tag:none"]) {
    const query = `${words} before:tomorrow type:nonsense`;
    const http = await server.get<{ hints: string[]; items: Items }>(
      `/api/v1/search?${new URLSearchParams({ query })}`,
    );
    assert.equal(http.items.length > 0, words === "gateway");
    assert.equal(http.hints.length, 2);
    assert.match(http.hints.join("\n"), /^"before:tomorrow" counts as words.*\n"type:nonsense"/);
    assert.deepEqual((await command(server, ["search", query])).hints, http.hints);
    const { message } = await tool(server, "search_notes", { query });
    for (const hint of http.hints) assert.ok(String(message).includes(hint), String(message));
    const { stderr } = await sage(["search", query], server.world);
    for (const hint of http.hints) assert.ok(stderr.includes(hint), stderr);
  }
});

Deno.test("notes that have one id have each their own numbers", async () => {
  await using server = await served();
  const { home, cwd } = server.world;
  const front = { id: "ports", type: "knowledge" };
  byHand(`${home}/.sage`, "knowledge/ports.md", front, "# Ports\n\nThe gateway listens on 8443.");
  byHand(
    `${cwd}/.sage`,
    "knowledge/ports.md",
    front,
    "# Harbours\n\nA gateway of the sea: Bergen.",
  );
  const query = "on which port does the gateway listen";
  const http = await server.get<{ items: Items }>(
    `/api/v1/search?query=${encodeURIComponent(query)}`,
  );
  const told = await tool(server, "search_notes", { query });
  assert.equal(new Set(http.items.map(({ score }) => score)).size, 2);
  assert.deepEqual(only(told.items, "id", "score"), only(http.items, "id", "score"));
});

Deno.test("a question in several wordings has one answer", async () => {
  await using server = await served();
  await fill(server.world);
  const query = "where does traffic enter";
  for (const also of [["gateway ports"], ["envoy is the gateway", "", "listens on 8443"]]) {
    const words = new URLSearchParams([["query", query], ...also.map((one) => ["also", one])]);
    const args = also.flatMap((one) => ["--also", one]);
    const http = await server.get<{ items: Items }>(`/api/v1/search?${words}`);
    const line = await command(server, ["search", query, ...args]);
    assert.deepEqual(http.items, line.items);
    assert.ok(http.items.some(({ phrasing }) => phrasing === also[0]), JSON.stringify(http.items));
    const told = await tool(server, "search_notes", { query, also });
    assert.deepEqual(only(told.items, "id", "score"), only(http.items, "id", "score"));
    const recalled = await server.get<Json>(`/api/v1/recall?${words}`);
    const { error: _, ...matched } = await command(server, ["knowledge", "match", query, ...args]);
    assert.deepEqual(recalled, matched);
  }
  const fifty = Array.from({ length: 50 }, (_, i) => `wording ${i}`);
  const words = new URLSearchParams([["query", query], ...fifty.map((one) => ["also", one])]);
  const refused = await server.ask(`/api/v1/search?${words}`);
  assert.equal(refused.status, 400);
  await refused.body?.cancel();
  const line = await command(server, ["search", query, ...fifty.flatMap((one) => ["--also", one])]);
  assert.match(JSON.stringify(line.error), /4 further phrasings at most/);
});

Deno.test("the graph has one answer: links, backlinks, near, path, orphans, unresolved", async () => {
  await using server = await served({ profile: "full" });
  await fill(server.world);
  const asked: [string[], string, Json][] = [
    ...["gateway", "Ports", "deploy-order", "weather"].flatMap((note): [string[], string, Json][] =>
      (["links", "backlinks", "near"] as const).map((action) => [
        [action, note],
        `/graph/${encodeURIComponent(note)}/${action}`,
        { action, note },
      ])
    ),
    [
      ["near", "ports", "--depth", "1"],
      "/graph/ports/near?depth=1",
      { action: "near", note: "ports", depth: 1 },
    ],
    ...[["ports", "deploy-order"], ["ports", "weather"]].map(([a = "", b = ""]) =>
      [
        ["path", a, b],
        `/graph/${a}/path/${b}`,
        { action: "path", note: a, to: b },
      ] as [string[], string, Json]
    ),
    [["orphans"], "/graph/orphans", { action: "orphans" }],
    [["unresolved"], "/graph/unresolved", { action: "unresolved" }],
  ];
  for (const [args, path, call] of asked) {
    const { total: _, ...http } = await server.get<Json & { items: Items }>(`/api/v1${path}`);
    // With its exit code a shell is told why there is nothing.
    const { total: __, error: ___, ...line } = await command(server, ["graph", ...args]);
    assert.deepEqual(http, line, path);
    const told = await tool(server, "sage_graph", call);
    const ids = call.action === "unresolved"
      ? http.items.map(({ from }) => ({ id: (from as Json).id }))
      : only(http.items, "id");
    assert.deepEqual(only(told.items, "id"), ids, path);
  }
});

Deno.test("the query language has one answer, its mistakes too", async () => {
  await using server = await served({ profile: "full" });
  await fill(server.world);
  for (
    const query of [
      "type:knowledge",
      "type:knowledge links:>0 sort:title",
      "is:orphan",
      "to:gateway group:type",
      "near:ports/3 -type:session sort:-backlinks limit:2",
      "updated:<30d envoy",
      "type:topic",
    ]
  ) {
    const http = await server.get<Json & { items: Items }>(
      `/api/v1/graph/query?query=${encodeURIComponent(query)}`,
    );
    const { error: _, ...line } = await command(server, ["graph", "query", query]);
    assert.deepEqual(http, line, query);
    const told = await tool(server, "sage_graph", { action: "query", query });
    assert.deepEqual(
      only(told.items, "id", "links", "backlinks"),
      only(http.items, "id", "links", "backlinks"),
      query,
    );
  }
  for (const query of ["is:lost", "to:nobody-here", "type:knowledge limit:many"]) {
    const refused = await server.ask(`/api/v1/graph/query?query=${encodeURIComponent(query)}`);
    const line = await command(server, ["graph", "query", query]);
    const { detail } = await refused.json();
    assert.ok(refused.status >= 400, query);
    assert.ok(detail.startsWith((line.error as Json).message), `${query}: ${detail}`);
  }
});

Deno.test("a note has one text, its versions one history, lists one order", async () => {
  await using server = await served();
  await fill(server.world);
  await removeNote(server.world.memory, "old");
  const asked: [string[], string][] = [
    [["knowledge", "show", "gateway"], "/notes/gateway"],
    [["knowledge", "history", "gateway", "--diff"], "/knowledge/gateway/versions"],
    [["knowledge", "list"], "/knowledge"],
    [["checkpoint", "list"], "/checkpoints"],
    [["todo", "list"], "/todos"],
    [["session", "list"], "/sessions"],
    [["inbox"], "/inbox"],
    [["knowledge", "restore"], "/trash?type=knowledge"],
  ];
  for (const [args, path] of asked) {
    const http = await server.get(`/api/v1${path}`);
    const line = await command(server, args);
    // A list says beside it how many there are, each in its own way.
    if ("items" in http) assert.deepEqual(http.items, line.items, path);
    else assert.deepEqual(http, line, path);
  }
  const { note } = await server.get<{ note: Json }>("/api/v1/notes/gateway");
  const told = await tool(server, "get_note", { id: "gateway" });
  assert.ok(String(told.notes).includes(String(note.text)), "the same text in the fence");
});

Deno.test("a session has one account, and the list and the note say alike how it stands", async () => {
  await using server = await served();
  const { memory, cwd } = server.world;
  const at = "2026-01-12T10:00:00Z";
  const front = { id: "stripes", type: "session", session: SESSION, started: at, updated: at };
  byHand(`${cwd}/.sage`, "sessions/stripes.md", front, "# Stripes\n\n## Summary\n\nWe count.");
  const list = async () => (await server.get<{ items: Items }>("/api/v1/sessions")).items[0];
  assert.equal((await list())?.ended, undefined);
  const endedMs = Date.parse(at) + 60_000;
  updateSession(memory, SESSION, (state) => ({
    ...state,
    ended: endedMs,
    endReason: "clear",
    compaction: { at: endedMs, kept: 2, lost: [] },
  }));
  assert.equal((await list())?.ended, "2026-01-12T10:01:00Z");
  const later = await server.world.open({ session: OTHER });
  assert.equal((await readNote(later, "stripes")).kind, "one");
  await saveCheckpoint(later, draft(), { ...AGENT, session: OTHER });
  const http = await server.get<Json & { note: Json; taken: Json; compaction: Json }>(
    "/api/v1/sessions/stripes",
  );
  const { sections: _, ...line } = await command(server, ["session", "show", "stripes"]);
  assert.deepEqual(http, line);
  assert.deepEqual([http.note.ended, http.note.end_reason], ["2026-01-12T10:01:00Z", "clear"]);
  for (const { at } of [http.taken, http.compaction]) assert.match(String(at), /^2026-.*Z$/);
  const { text: __, hash: ___, ...shown } = http.note;
  assert.deepEqual(shown, await list());
});

Deno.test("what memory did for its tokens has one account, from a day that is said alike", async () => {
  await using server = await served();
  for (const since of ["2026-01-13", "2d", "yesterday"]) {
    const http = await server.get(`/api/v1/impact?since=${since}`);
    const line = await command(server, ["impact", "--since", since]);
    const [day, lines] = [http, line].map(({ since }) => String(since).slice(0, 10));
    assert.equal(day, lines, since);
  }
  const refused = await server.ask("/api/v1/impact?since=someday");
  const { detail } = await refused.json();
  const { error } = await command(server, ["impact", "--since", "someday"]);
  assert.ok(String((error as Json).hint).endsWith(detail.slice('"since" is '.length)), detail);
});

Deno.test("two checkpoints differ alike, and by the model that needs nobody", async () => {
  await using embeddings = openEmbeddings();
  await using server = await served({ isConnected: true });
  const { memory, open } = server.world;
  const ids: string[] = [];
  for (const thesis of ["The herons wait for the tide.", "The herons wait for no tide at all."]) {
    const saved = await saveCheckpoint(memory, draft({ thesis, title: thesis }), AGENT);
    ids.push(saved.kind === "saved" ? saved.id : "");
  }
  await useModel(await open({ confine: () => true }), embeddings.base, () => {});
  const { diff } = await server.get(`/api/v1/checkpoints/${ids.join("/diff/")}`);
  assert.deepEqual(diff, (await command(server, ["checkpoint", "diff", ...ids])).diff);
});

async function fill({ memory, cwd }: World): Promise<void> {
  for (const [title, content] of FACTS) await knowledge(memory, title, content);
  const second = "Envoy is the gateway, since it reloads without dropping. [[nobody-wrote-this]]";
  const change = { title: "Gateway", content: second, onConflict: "update" } as const;
  assert.equal((await saveKnowledge(memory, change, PERSON)).kind, "updated");
  await saveCheckpoint(memory, draft(), AGENT);
  await addTodo(memory, { content: "Rotate the certificate of the gateway" }, AGENT);
  const front = { id: "old", type: "knowledge", created: "2026-01-01T00:00:00Z" };
  byHand(
    `${cwd}/.sage`,
    "knowledge/old.md",
    { ...front, tags: "[net]" },
    "# Old\n\n[[ports|there]]",
  );
}

async function command(server: Served, args: readonly string[]): Promise<Json> {
  const { home, cwd } = server.world;
  const { stdout } = await sage([...args, "--json"], { home, cwd });
  return JSON.parse(stdout);
}

function only(items: unknown, ...keys: readonly string[]): Items {
  return (items as Items).map((item) => Object.fromEntries(keys.map((key) => [key, item[key]])));
}

/** By the revision without a handshake. */
async function tool(server: Served, name: string, args: Json): Promise<Json> {
  const version = "2026-07-28";
  const response = await server.ask("/mcp", {
    method: "POST",
    headers: {
      "content-type": "application/json",
      "mcp-protocol-version": version,
      "mcp-method": "tools/call",
      "mcp-name": name,
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: {
        name,
        arguments: args,
        _meta: {
          "io.modelcontextprotocol/protocolVersion": version,
          "io.modelcontextprotocol/clientCapabilities": {},
        },
      },
    }),
  });
  const { result } = await response.json();
  assert.ok(result.structuredContent !== undefined, JSON.stringify(result));
  return result.structuredContent;
}
