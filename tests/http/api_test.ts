/** The API as a program uses it: what it answers, how it refuses, and that a person's edit wins. */
import assert from "node:assert/strict";
import { Validator } from "@seriousme/openapi-schema-validator";
import { ROUTES } from "../../src/http/routes/table.ts";
import { API_PATH, openApiDocument } from "../../src/http/openapi.ts";
import { AGENT, draft, knowledge, put, read } from "../support/world.ts";
import { saveCheckpoint } from "../../src/memory/checkpoint/save.ts";
import { removeNote } from "../../src/memory/removal/remove.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { TRASH_FOLDER } from "../../src/store/layout.ts";
import { FIXED_KINDS, seeded } from "../support/secrets.ts";
import { timeZone } from "../support/time_zone.ts";
import { type Served, served } from "./server.ts";

type Item = { id: string; short_id: string; title: string; path: string };
type List = { items: Item[]; next?: string; total?: number };

const PORTS = { title: "Ports", content: "The gateway listens on 8443, the admin page on 9001." };

Deno.test("the OpenAPI document is valid, and names every route", async () => {
  const document = openApiDocument(ROUTES);
  const { valid, errors } = await new Validator().validate(
    JSON.parse(JSON.stringify(document)),
  );
  assert.ok(valid, JSON.stringify(errors, null, 1));
  const ids = Object.values(
    document.paths as Record<string, Record<string, { operationId: string }>>,
  )
    .flatMap((path) => Object.values(path)).map(({ operationId }) => operationId);
  assert.deepEqual(ids.toSorted(), [...ROUTES.map(({ name }) => name), "events"].toSorted());
});

Deno.test("every answer has the shape that the document promises", async () => {
  await using server = await served();
  const { memory } = server.world;
  const first = await saveCheckpoint(memory, draft(), AGENT);
  const second = await saveCheckpoint(
    memory,
    draft({
      coreQuestion: "Which queue holds the mails?",
      thesis: "Redis streams, because consumer groups survive a restart of the worker.",
    }),
    AGENT,
  );
  await knowledge(memory, PORTS.title, PORTS.content);
  await addTodo(memory, { content: "Measure the queue" }, AGENT);
  const [a, b] = [first, second].map((saved) => saved.kind === "saved" ? saved.id : "");
  await knowledge(memory, "Gateway", "Envoy, see [[ports]] and [[nothing]].");
  const todo = (await server.get<List>("/api/v1/todos")).items[0]?.id ?? "";
  for (const gone of ["Lantern", "Compass"]) {
    await removeNote(memory, (await knowledge(memory, gone, `The ${gone} is lost.`)).id);
  }
  const [yes, no] = [await wish(server, "Tabs"), await wish(server, "Spaces")];
  const known = (await server.get<List>("/api/v1/knowledge")).items[0]?.id ?? "";
  const asked: Record<string, [string, unknown?]> = {
    readStatus: ["/status"],
    search: ["/search?query=queue&limit=5"],
    recall: ["/recall?query=which+port"],
    listNotes: ["/notes?type=checkpoint&limit=1"],
    readNote: [`/notes/${a}`],
    removeNote: [`/notes/${b}`],
    listTrash: ["/trash?type=knowledge&limit=1"],
    restoreRemoved: ["/trash/lantern/restore", {}],
    listCheckpoints: ["/checkpoints"],
    saveCheckpoint: ["/checkpoints", {
      core_question: "Where do logs go?",
      thesis: "To stderr, since stdout carries the protocol.",
      confidence: 0.9,
      key_evidence: ["src/mcp/main.ts replaces console.log"],
    }],
    diffCheckpoints: [`/checkpoints/${a}/diff/${b}`],
    listKnowledge: ["/knowledge"],
    showKnowledge: [`/knowledge/${known}`],
    saveKnowledge: ["/knowledge", { title: "Deploy", content: "Migrations run before the API." }],
    updateKnowledge: [`/knowledge/${known}`, { ...PORTS, content: "The gateway is on 8444 now." }],
    listVersions: ["/knowledge/ports/versions"],
    restoreVersion: ["/knowledge/gateway/restore", { version: 1 }],
    archiveKnowledge: ["/knowledge/gateway/archive", {}],
    listContradictions: ["/contradictions"],
    queryGraph: ["/graph/query?query=type:knowledge+group:type"],
    drawGraph: ["/graph/part?of=ports&depth=2"],
    listLinks: ["/graph/gateway/links"],
    listBacklinks: ["/graph/ports/backlinks?limit=5"],
    listNear: ["/graph/ports/near?depth=2"],
    findPath: ["/graph/gateway/path/ports"],
    listOrphans: ["/graph/orphans"],
    listUnresolved: ["/graph/unresolved"],
    listInbox: ["/inbox"],
    acceptQuestion: [`/inbox/${yes}/accept`, {}],
    putOffQuestion: [`/inbox/${no}/later`, {}],
    dropQuestion: [`/inbox/${no}/drop`, {}],
    readDoctor: ["/doctor"],
    readImpact: ["/impact"],
    listTodos: ["/todos?all=true"],
    addTodo: ["/todos", { content: "Rotate the certificate", due: "2026-02-01" }],
    updateTodo: [`/todos/${todo}`, { status: "done" }],
    listSessions: ["/sessions"],
    listProjects: ["/projects"],
    listConfig: ["/config"],
    explainConfig: ["/config/server.port"],
    setConfig: ["/config/server.port", { value: 7300 }],
  };
  const inOrder = [...ROUTES].sort((x, y) => x.method.localeCompare(y.method) * -1);
  for (const { name, method, output, replaces, creates } of inOrder) {
    const [path, body] = asked[name] ?? [undefined];
    if (name === "showSession") continue;
    assert.ok(path !== undefined, `${name} is not asked here`);
    const etag = replaces === true ? await etagOf(server, path) : undefined;
    const response = method === "GET"
      ? await server.ask(`/api/v1${path}`)
      : await server.page(method, `/api/v1${path}`, body, etag);
    const answer = await response.json();
    assert.equal(
      response.status,
      creates === true ? 201 : 200,
      `${name} ${JSON.stringify(answer)}`,
    );
    output.parse(answer);
  }
  assert.deepEqual(server.bugs, []);
});

/** Of what a change would replace. */
async function etagOf(server: Served, path: string): Promise<string> {
  const read = path.replace("/todos/", "/notes/").replace(/\/(archive|restore)$/, "");
  return (await server.ask(`/api/v1${read}`)).headers.get("etag") ?? "";
}

/** An agent wants something to hold in every project; the id of the question that comes of it. */
async function wish(server: Served, title: string): Promise<string> {
  const asked = { title, content: `The person wants ${title} in every file.`, scope: "user" };
  return (await (await server.send("POST", "/api/v1/knowledge", asked)).json()).question_id;
}

Deno.test("a list comes in pages that miss nothing and repeat nothing", async () => {
  await using server = await served();
  for (let i = 0; i < 7; i++) {
    await addTodo(server.world.memory, { content: `Task number ${i} ${"abcdefg"[i]}` }, AGENT);
    server.world.later(60_000);
  }
  for (const list of ["todos", "notes"]) {
    const seen: string[] = [];
    for (let next: string | undefined = ""; next !== undefined;) {
      const page: List = await server.get(
        `/api/v1/${list}?limit=3${next === "" ? "" : `&cursor=${next}`}`,
      );
      seen.push(...page.items.map(({ id }) => id));
      next = page.next;
    }
    assert.equal(seen.length, 7);
    assert.equal(new Set(seen).size, 7);
  }
  const gone = await server.ask("/api/v1/todos?cursor=never-was");
  assert.equal(gone.status, 400);
});

Deno.test("a list goes on behind two notes that have one id", async () => {
  await using server = await served();
  const { home, cwd } = server.world;
  const note = (id: string) => `---\nid: ${id}\ntype: knowledge\n---\n\n# ${id}\n\nText.\n`;
  put(`${home}/.sage/knowledge/ports.md`, note("ports"));
  for (const id of ["ports", "gateway"]) put(`${cwd}/.sage/knowledge/${id}.md`, note(id));
  const seen: string[] = [];
  let next: string | undefined = "";
  // Where it goes in a circle, it would not end.
  for (let pages = 0; pages < 9 && next !== undefined; pages++) {
    const cursor: string = next === "" ? "" : `&cursor=${encodeURIComponent(next)}`;
    const page: List = await server.get(`/api/v1/notes?limit=1${cursor}`);
    seen.push(...page.items.map(({ id }) => id));
    next = page.next;
  }
  assert.deepEqual(seen.toSorted(), ["gateway", "ports", "ports"]);
});

Deno.test("a method that an address does not take is told which ones it takes", async () => {
  await using server = await served();
  const paths = Map.groupBy(ROUTES, ({ path }) => API_PATH + path.replaceAll(/[{}]/g, ""));
  const taken = [...paths].map(([path, routes]) => [path, routes.map(({ method }) => method)]);
  const others = ["/events", "/openapi.json"].map((path) => [API_PATH + path, ["GET"]]);
  for (const [path, allowed] of [...taken, ...others, ["/", ["GET"]]] as [string, string[]][]) {
    for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
      if (allowed.includes(method)) continue;
      const response = await server.ask(path, { method });
      const { code, detail } = await response.json();
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.equal(response.headers.get("content-type"), "application/problem+json");
      assert.equal(response.headers.get("allow"), allowed.join(", "), path);
      assert.equal(code, "method");
      assert.ok(detail.includes(method), detail);
    }
  }
});

Deno.test("what is wrong with a request is said in a problem document", async () => {
  await using server = await served();
  const asked: [string, number, string][] = [
    ["/api/v1/search", 400, "usage"],
    ["/api/v1/search?query=a&limit=many", 400, "usage"],
    ["/api/v1/search?query=a&serach=b", 400, "usage"],
    ["/api/v1/search?query=a&after=soon", 400, "usage"],
    ["/api/v1/notes?limit=0", 400, "usage"],
    ["/api/v1/notes/nobody", 404, "not_found"],
    ["/api/v1/knowledge/..%2f..%2fetc%2fpasswd", 404, "not_found"],
    ["/api/v1/config/no.such.key", 400, "usage"],
    ["/api/v1/nothing", 404, "not_found"],
    ["/nothing", 404, "not_found"],
  ];
  for (const [path, status, code] of asked) {
    const response = await server.ask(path);
    const body = await response.json();
    assert.equal(response.status, status, path);
    assert.equal(response.headers.get("content-type"), "application/problem+json");
    assert.equal(body.code, code, path);
    assert.equal(body.status, status);
    assert.ok(body.title.length > 0);
  }
  const noText = new TextEncoder().encode('{"title":"a","content":"b?"}');
  noText[noText.indexOf(0x3f)] = 0xff;
  for (
    const [body, why] of [
      ["", "is missing"],
      ["[]", "must be an object"],
      ["null", "must be an object"],
      ["{", "it is not JSON"],
      ['{"title":1}', '"title" must be'],
      ['"text"', "must be an object"],
      ["\ud800", "it is not JSON"],
      [noText, "it is not text in UTF-8"],
    ] as const
  ) {
    const response = await server.ask("/api/v1/knowledge", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    assert.equal(response.status, 400, String(body));
    const { code, detail } = await response.json();
    assert.equal(code, "usage");
    assert.ok(detail.includes(why), detail);
  }
  const sample = FIXED_KINDS[0]?.make(seeded(1)) ?? { text: "", secret: "" };
  const refused = await server.send("POST", "/api/v1/knowledge", {
    title: "Key",
    content: sample.text,
  });
  const problem = await refused.text();
  assert.equal(refused.status, 422);
  assert.equal(JSON.parse(problem).code, "secret");
  assert.ok(!problem.includes(sample.secret), "the value is told");
  assert.deepEqual(server.bugs, []);
});

Deno.test("a change wants to know what was read, and loses against whoever wrote in between", async () => {
  await using server = await served();
  await knowledge(server.world.memory, PORTS.title, PORTS.content);
  const [item] = (await server.get<List>("/api/v1/knowledge")).items;
  assert.ok(item !== undefined);
  const path = `/api/v1/knowledge/${item.id}`;
  const change = { title: "Ports", content: "The gateway listens on 8444." };
  for (const etag of [undefined, "*", "", "unquoted"]) {
    assert.equal((await server.send("PATCH", path, change, etag)).status, 428, etag);
  }
  const etag = (await server.ask(path)).headers.get("etag") ?? "";
  put(item.path, read(item.path).replace("8443", "9443"));
  const lost = await server.send("PATCH", path, change, etag);
  assert.equal(lost.status, 412);
  assert.equal((await lost.json()).code, "edited");
  assert.match(read(item.path), /9443/);
  assert.equal((await server.send("DELETE", `/api/v1/notes/${item.id}`, {}, etag)).status, 412);
  for (const act of ["archive", "restore"]) {
    assert.equal((await server.send("POST", `${path}/${act}`, {}, etag)).status, 412, act);
  }

  const now = (await server.ask(path)).headers.get("etag") ?? "";
  assert.notEqual(now, etag);
  assert.equal((await server.send("PATCH", path, change, now)).status, 200);
  const { note } = await server.get<{ note: { content: string; versions: { content: string }[] } }>(
    path,
  );
  assert.equal(note.content, change.content);
  assert.match(note.versions[0]?.content ?? "", /9443/);
});

Deno.test("a todo is kept with all that was said of it, and once it is removed it is in the trash", async () => {
  await using server = await served();
  const said = { content: "Rotate the certificate", priority: "high", due: "2026-02-01" };
  assert.equal((await server.send("POST", "/api/v1/todos", said)).status, 201);
  const [todo] = (await server.get<{ items: (typeof said & { id: string })[] }>("/api/v1/todos"))
    .items;
  assert.ok(todo !== undefined);
  assert.deepEqual([todo.priority, todo.due], [said.priority, said.due]);
  const path = `/api/v1/notes/${todo.id}`;
  const etag = (await server.ask(path)).headers.get("etag") ?? "";
  assert.equal((await server.send("DELETE", path, {}, etag)).status, 200);
  const removed = async () => (await server.get<List>("/api/v1/trash")).items.map(({ id }) => id);
  assert.deepEqual(await removed(), [todo.id]);
  // The trash is no part of the index.
  await Deno.remove(`${server.world.cwd}/.sage/${TRASH_FOLDER}`, { recursive: true });
  assert.deepEqual(await removed(), []);
});

Deno.test("a new note cannot replace one, nor a change put it elsewhere", async () => {
  await using server = await served();
  await knowledge(server.world.memory, PORTS.title, PORTS.content);
  const [item] = (await server.get<List>("/api/v1/knowledge")).items;
  assert.ok(item !== undefined);
  const [path, other] = [`/api/v1/knowledge/${item.id}`, { title: "Ports", content: "Port 1." }];
  const etag = (await server.ask(path)).headers.get("etag") ?? "";
  const before = read(item.path);
  const created = await server.send("POST", "/api/v1/knowledge", { ...other, id: item.id });
  assert.equal(created.status, 400);
  for (const more of [{ scope: "user" }, { on_conflict: "update" }]) {
    assert.equal((await server.send("PATCH", path, { ...other, ...more }, etag)).status, 400);
  }
  assert.equal(read(item.path), before);
});

Deno.test("of ten that keep the same at once, one does, and the others are told of it", async () => {
  await using server = await served();
  const kept = { title: "Ports", content: "The gateway listens on 8443, and on nothing else." };
  const statuses = await Promise.all(
    Array.from({ length: 10 }, async () => {
      const answer = await server.send("POST", "/api/v1/knowledge", kept);
      await answer.body?.cancel();
      return answer.status;
    }),
  );
  assert.equal((await server.get<List>("/api/v1/knowledge")).items.length, 1, statuses.join());
});

Deno.test("of twenty changes at once on what all of them have read, one wins", async () => {
  await using server = await served();
  await knowledge(server.world.memory, PORTS.title, PORTS.content);
  const [item] = (await server.get<List>("/api/v1/knowledge")).items;
  const path = `/api/v1/knowledge/${item?.id}`;
  const etag = (await server.ask(path)).headers.get("etag") ?? "";
  const statuses = await Promise.all(
    Array.from(
      { length: 20 },
      async (_, i) =>
        (await server.send("PATCH", path, { title: "Ports", content: `Port ${9000 + i}.` }, etag))
          .status,
    ),
  );
  assert.deepEqual(statuses.toSorted(), [200, ...Array(19).fill(412)]);
});

Deno.test("who writes is known by how they came: a program is an agent, the page a person", async () => {
  await using server = await served();
  await server.send("POST", "/api/v1/knowledge", { title: "By token", content: "An agent's." });
  await server.page("POST", "/api/v1/knowledge", { title: "By page", content: "A person's." });
  const { items } = await server.get<{ items: { title: string; author: string }[] }>(
    "/api/v1/search?query=by",
  );
  const authors = Object.fromEntries(items.map(({ title, author }) => [title, author]));
  assert.deepEqual(authors, { "By token": "agent", "By page": "person" });
  const scope = { title: "Everywhere", content: "In every project.", scope: "user" };
  // What only a person may grant waits as a question.
  const asked = await server.send("POST", "/api/v1/knowledge", scope);
  assert.equal(asked.status, 409);
  assert.match((await asked.json()).detail, /sage inbox accept/);
  const etag = (await server.ask("/api/v1/config/server.port")).headers.get("etag") ?? "";
  const moved = await server.send("PATCH", "/api/v1/config/server.port", { value: 1 }, etag);
  assert.equal(moved.status, 403);
});

Deno.test("what an agent may not do is 403, whether it is to change a note or to remove it", async () => {
  await using server = await served();
  const { memory } = server.world;
  const { id } = await knowledge(memory, PORTS.title, PORTS.content, { scope: "user" });
  const path = `/api/v1/knowledge/${id}`;
  const etag = (await server.ask(path)).headers.get("etag") ?? "";
  const changes = [
    ["PATCH", path, { title: "Ports", content: "Port 1." }],
    ["DELETE", `/api/v1/notes/${id}`, {}],
  ] as const;
  for (const [method, at, body] of changes) {
    const refused = await server.send(method, at, body, etag);
    assert.equal(refused.status, 403, method);
    assert.match((await refused.json()).detail, /only the person changes it/);
  }
});

Deno.test("notes with one id are told apart by their paths, and changed by them", async () => {
  await using server = await served();
  const { id } = await knowledge(server.world.memory, PORTS.title, PORTS.content);
  const everywhere = `${server.world.memory.user.root}/knowledge/${id}.md`;
  put(everywhere, "# Ports\n\nBelow 1024 is root's.\n");
  const many = await server.ask(`/api/v1/knowledge/${id}`);
  assert.equal(many.status, 409);
  const { items, detail } = await many.json() as { items: { path: string }[]; detail: string };
  assert.ok(items.some(({ path }) => path === everywhere));
  // All that the page shows of it.
  assert.ok(items.every(({ path }) => detail.includes(path)), detail);
  assert.match(detail, /have the same id; give one of them another .*: sage knowledge rm \//);
  assert.equal((await server.ask(`/api/v1/graph/${id}/links`)).status, 409);
  assert.equal((await server.ask(`/api/v1/graph/${id.slice(0, 4)}/near`)).status, 409);
  for (const { path } of items) {
    assert.equal((await server.ask(`/api/v1/graph/${encodeURIComponent(path)}/links`)).status, 200);
    const url = `/api/v1/knowledge/${encodeURIComponent(path)}`;
    const one = await server.ask(url);
    assert.equal((await one.json()).note.path, path);
    const etag = one.headers.get("etag") ?? "";
    const next = { title: PORTS.title, content: `Of ${path}.` };
    assert.equal((await server.page("PATCH", url, next, etag)).status, 200);
    assert.match(read(path), /Of \//);
  }
});

Deno.test("a note is sent again where what is told beside its text has changed", async () => {
  await using server = await served();
  const { id } = await knowledge(server.world.memory, PORTS.title, PORTS.content);
  const first = await server.ask(`/api/v1/notes/${id}`);
  const etag = first.headers.get("etag") ?? "";
  await first.body?.cancel();
  const against = {
    title: "Ports of 2027",
    content: "It is 9443.",
    sources: [`${id}: contradicts`],
  };
  await (await server.send("POST", "/api/v1/knowledge", against)).body?.cancel();
  const after = await server.ask(`/api/v1/notes/${id}`, { headers: { "if-none-match": etag } });
  assert.equal(after.status, 200);
  assert.deepEqual((await after.json()).note.flags, ["contradicted"]);
});

Deno.test("a setting that was set to what it was already can be moved again", async () => {
  await using server = await served();
  const url = "/api/v1/config/server.port";
  const move = async (change: (value: number) => number): Promise<number> => {
    const read = await server.ask(url);
    const { value } = await read.json();
    const etag = read.headers.get("etag") ?? "";
    const moved = await server.page("PATCH", url, { value: change(value) }, etag);
    await moved.body?.cancel();
    return moved.status;
  };
  assert.equal(await move((value) => value), 200);
  assert.equal(await move((value) => value + 1), 200);
});

Deno.test("an answer that is the same is not sent again, and one that is not, is", async () => {
  await using server = await served();
  await knowledge(server.world.memory, PORTS.title, PORTS.content);
  const first = await server.ask("/api/v1/search?query=gateway");
  const etag = first.headers.get("etag") ?? "";
  await first.body?.cancel();
  const ask = () =>
    server.ask("/api/v1/search?query=gateway", { headers: { "if-none-match": etag } });
  assert.equal((await ask()).status, 304);
  await server.send("POST", "/api/v1/knowledge", { title: "Gateway", content: "It is Envoy." });
  const after = await ask();
  assert.equal(after.status, 200);
  assert.equal((await after.json()).items.length, 2);
});

Deno.test("a date in a question is a day where the person is", async () => {
  await using server = await served();
  put(
    `${server.world.cwd}/.sage/knowledge/late.md`,
    "---\nid: late\ntype: knowledge\nupdated: 2026-01-13T23:30:00Z\n---\n# Late\n\nA late thing.\n",
  );
  const found = async (after: string): Promise<number> =>
    (await server.get<List>(`/api/v1/search?query=late&after=${after}`)).items.length;
  using _ = timeZone("Asia/Tokyo");
  assert.deepEqual([await found("2026-01-14"), await found("2026-01-15")], [1, 0]);
});
