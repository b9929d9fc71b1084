/** What every response carries, how many wait at once, and whose answers are kept. */
import assert from "node:assert/strict";
import { HTTP_CODE_MS_MAX, HTTP_PENDING_MAX, HTTP_SETTLED_MS_MAX } from "../../src/base/limits.ts";
import { createAccess } from "../../src/http/access.ts";
import { initStores } from "../../src/memory/init.ts";
import { knowledge, put, read } from "../support/world.ts";
import { PORT, type Served, served } from "./server.ts";

const SEALED = {
  "cache-control": "no-store, no-transform",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

Deno.test("every response is sealed: answers, refusals, streams, and what nobody is there for", async () => {
  await using server = await served();
  const asked: [string, RequestInit, number][] = [
    ["/api/v1/status", {}, 200],
    ["/api/v1/openapi.json", {}, 200],
    ["/api/v1/events", {}, 200],
    ["/api/v1/notes/nobody", {}, 404],
    ["/nowhere", {}, 404],
    ["/api/v1/status", { method: "PUT" }, 405],
    ["/api/v1/status", { headers: { authorization: "Bearer no" } }, 401],
    ["/open?code=no", {}, 401],
    ["/mcp", {}, 405],
  ];
  for (const [path, init, status] of asked) {
    const response = await server.ask(path, init);
    const { headers } = response;
    await response.body?.cancel();
    assert.equal(response.status, status, path);
    for (const [name, value] of Object.entries(SEALED)) {
      assert.equal(headers.get(name), value, `${path} ${name}`);
    }
  }
  assert.deepEqual(server.bugs, []);
});

Deno.test("a person who goes there without the cookie reads words, a program JSON", async () => {
  await using server = await served();
  for (
    const [path, told] of [["/", /sage serve --open/], ["/open?code=no", /press Enter/]] as const
  ) {
    const to = (mode: string) =>
      server.ask(path, { headers: { authorization: "", "sec-fetch-mode": mode } });
    const [read, asked] = [await to("navigate"), await to("cors")];
    assert.deepEqual([read.status, asked.status], [401, 401]);
    assert.equal(read.headers.get("content-type"), "text/plain; charset=utf-8");
    assert.match(await read.text(), told);
    assert.match((await asked.json()).detail, told);
  }
});

Deno.test("the document is served as it is made", async () => {
  await using server = await served();
  for (let n = 0; n < 2; n++) {
    const response = await server.ask("/api/v1/openapi.json");
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal((await response.json()).openapi, "3.1.0");
  }
});

Deno.test("one more than may wait at once is told to come again, and a place comes free", async () => {
  await using server = await served();
  const waiting: ReadableStreamDefaultController<Uint8Array>[] = [];
  const held = Array.from({ length: HTTP_PENDING_MAX }, () => {
    const body = new ReadableStream<Uint8Array>({ start: (to) => void waiting.push(to) });
    const headers = { "content-type": "application/json" };
    return server.ask("/api/v1/knowledge", { method: "POST", headers, body });
  });
  const busy = await server.ask("/api/v1/config");
  assert.deepEqual([busy.status, busy.headers.get("retry-after")], [503, "1"]);
  assert.equal((await busy.json()).code, "busy");
  for (const controller of waiting) controller.close();
  for (const response of await Promise.all(held)) {
    assert.equal(response.status, 400);
    await response.body?.cancel();
  }
  const free = await server.ask("/api/v1/config");
  assert.equal(free.status, 200);
  await free.body?.cancel();
});

Deno.test("a failure that only a bug can cause is reported, and told as one", async () => {
  await using server = await served();
  const app = server.watch(() => {
    throw new TypeError("x is not a function");
  });
  const headers = { host: `127.0.0.1:${PORT}`, authorization: `Bearer ${server.token}` };
  const url = `http://127.0.0.1:${PORT}/api/v1/status`;
  const response = await app(new Request(url, { headers }));
  assert.equal(response.status, 500);
  const { code, detail } = await response.json();
  assert.deepEqual([code, detail], ["internal", "This is a bug in Sage: x is not a function"]);
  assert.deepEqual(server.bugs.map(String), ["TypeError: x is not a function"]);
});

Deno.test("a page that does not listen is answered from the disk, like a program", async () => {
  await using server = await served();
  const total = async (): Promise<number> =>
    (await (await server.page("GET", "/api/v1/notes")).json()).total;
  await knowledge(server.world.memory, "One", "One alone.");
  assert.equal(await total(), 1);
  put(`${server.world.home}/.sage/knowledge/two.md`, "# Two\n\nBy hand.\n");
  await settle();
  assert.equal(await total(), 2);
});

Deno.test("a program is answered from the disk while a page listens, too", async () => {
  await using server = await served();
  const stream = await server.page("GET", "/api/v1/events");
  for (let n = 1; n <= 4; n++) {
    put(`${server.world.home}/.sage/knowledge/n${n}.md`, `# Number ${n}\n\nBy hand.\n`);
    await settle();
    assert.equal((await server.get<{ total: number }>("/api/v1/notes")).total, n);
  }
  await stream.body?.cancel();
});

Deno.test("the status is that of the disk, however lately somebody looked", async () => {
  await using server = await served();
  const known = async (): Promise<number | undefined> =>
    (await server.get<{ counts: Record<string, number> }>("/api/v1/status")).counts.knowledge;
  for (let n = 1; n <= 3; n++) {
    put(`${server.world.home}/.sage/knowledge/n${n}.md`, `---\ntype: knowledge\n---\n# ${n}\n`);
    assert.equal(await known(), n);
  }
});

interface Told {
  readonly flags: readonly string[];
  readonly text?: string;
}

/** The first note of an answer. */
async function told(server: Served, path: string): Promise<Told> {
  const { items, note } = await server.get<{ items?: Told[]; note?: Told }>(`/api/v1${path}`);
  const first = items?.[0] ?? note;
  assert.ok(first !== undefined, path);
  return first;
}

/** Longer than the disk is looked at once for all, and far shorter than an answer is kept. */
const settle = () => new Promise((resolve) => setTimeout(resolve, 1.2 * HTTP_SETTLED_MS_MAX));

Deno.test("a note is told as stale at once, whoever asked for it before its source changed", async () => {
  await using server = await served();
  const { memory, cwd } = server.world;
  put(`${cwd}/src/port.ts`, "export const port = 1;\n");
  const sources = [{ id: "src/port.ts", relation: "source" }];
  await knowledge(memory, "Port", "The gateway listens on port 1.", { sources });
  const query = "query=gateway+port";
  const paths = [`/search?${query}`, `/recall?${query}`, "/knowledge", "/notes/port"];
  for (const path of paths) assert.deepEqual((await told(server, path)).flags, [], path);
  put(`${cwd}/src/port.ts`, "export const port = 2;\n");
  for (const path of paths) assert.deepEqual((await told(server, path)).flags, ["stale"], path);
});

Deno.test("notes of another project are told as they are, whoever asked for them before", async () => {
  await using server = await served();
  const { world } = server;
  const cwd = `${world.home}/other`;
  put(`${cwd}/.git/HEAD`, "ref: refs/heads/main\n");
  await initStores(await world.open({ cwd }), { project: true });
  const { path } = await knowledge(await world.open({ cwd }), "Heron", "It runs in batches.");
  const search = async (query: string): Promise<number> =>
    (await server.get<{ items: unknown[] }>(`/api/v1/search?${query}`)).items.length;
  const asked = ["query=heron+runs&all=true", "query=heron+runs+project:other"];
  for (const query of asked) assert.equal(await search(query), 1, query);
  assert.match((await told(server, "/notes/heron")).text ?? "", /in batches/);
  await settle();
  await knowledge(await world.open({ cwd }), "Heron export", "The export runs in lines.");
  put(path, read(path).replace("in batches", "at night"));
  for (const query of asked) assert.equal(await search(query), 2, query);
  assert.match((await told(server, "/notes/heron")).text ?? "", /at night/);
});

Deno.test("a cookie is of one port and one process, and a code is good to its last moment", () => {
  let now = 0;
  const access = createAccess(() => now);
  const cookie = access.redeem(access.code(), "7243")?.split(";")[0] ?? "";
  const headers = new Headers({ cookie });
  assert.equal(access.identify(headers, "7243"), "page");
  assert.equal(access.identify(headers, "7244"), undefined);
  assert.equal(createAccess(() => now).identify(headers, "7243"), undefined);
  const [early, late] = [access.code(), access.code()];
  now = HTTP_CODE_MS_MAX;
  assert.notEqual(access.redeem(early, "7243"), undefined);
  now++;
  assert.equal(access.redeem(late, "7243"), undefined);
});
