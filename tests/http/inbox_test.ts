/** What a person decides over HTTP: questions, versions, what is put away. Only the page may answer a question. */
import assert from "node:assert/strict";
import { askPerson, listQuestions } from "../../src/memory/question/question.ts";
import { AGENT, byHand, knowledge, PERSON, put, read } from "../support/world.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { type Served, served } from "./server.ts";
import { within } from "../support/within.ts";

interface Question {
  readonly id: string;
  readonly text: string;
  readonly diff: string;
}

const WISH = { title: "Tabs", content: "Tabs, never spaces.", subject: "preference" };

async function asked(server: Served): Promise<readonly Question[]> {
  return (await server.get<{ items: Question[] }>("/api/v1/inbox")).items;
}

Deno.test("a question is read by whoever has the token, and answered by the person alone", async () => {
  await using server = await served();
  assert.equal((await server.send("POST", "/api/v1/knowledge", WISH)).status, 409);
  const [question] = await asked(server);
  assert.equal(question?.text, WISH.content);
  for (const answer of ["accept", "later", "drop"]) {
    const refused = await server.send("POST", `/api/v1/inbox/${question?.id}/${answer}`, {});
    assert.equal(refused.status, 403, answer);
    await refused.body?.cancel();
  }
  assert.equal((await asked(server)).length, 1);
  const accepted = await server.page("POST", `/api/v1/inbox/${question?.id}/accept`, {});
  assert.equal((await accepted.json()).outcome, "saved");
  assert.deepEqual(await asked(server), []);
  const { note } = await server.get<{ note: { content: string } }>("/api/v1/knowledge/tabs");
  assert.equal(note.content, WISH.content);
  const gone = await server.page("POST", `/api/v1/inbox/${question?.id}/accept`, {});
  assert.equal(gone.status, 404);
  await gone.body?.cancel();
});

Deno.test("how somebody works in another project is asked there", async () => {
  await using server = await served();
  const { memory } = server.world;
  askPerson(memory, {
    why: "preference",
    question: 'Should I remember this preference: "Tabs"?',
    title: "Tabs",
    text: "Tabs.",
    diff: "",
    act: { kind: "save", input: { title: "Tabs", content: "Tabs." } },
    project: { name: "other", dir: "/nowhere/other", id: "other-1" },
  }, AGENT);
  assert.equal(listQuestions(memory).length, 1);
  assert.deepEqual(await asked(server), []);
});

Deno.test("what is put off waits, and says until when", async () => {
  await using server = await served();
  await server.send("POST", "/api/v1/knowledge", WISH);
  const [question] = await asked(server);
  const put = await server.page("POST", `/api/v1/inbox/${question?.id}/later`, {});
  const { id, later } = await put.json();
  assert.equal(id, question?.id);
  const [waiting] = await asked(server) as readonly (Question & { readonly later?: string })[];
  assert.equal(waiting?.later, later);
  assert.ok(Date.parse(later) > server.world.memory.now());
});

Deno.test("a no is kept: nothing is written, and it is not asked again", async () => {
  await using server = await served();
  await server.send("POST", "/api/v1/knowledge", WISH);
  const [question] = await asked(server);
  const dropped = await server.page("POST", `/api/v1/inbox/${question?.id}/drop`, {});
  assert.deepEqual(await dropped.json(), { dropped: question?.id });
  const again = await server.send("POST", "/api/v1/knowledge", WISH);
  assert.match((await again.json()).detail, /said no/);
  assert.deepEqual(await asked(server), []);
});

Deno.test("a yes to what meets another note asks which holds, and waits meanwhile", async () => {
  await using server = await served();
  await knowledge(server.world.memory, "Tabs", "Spaces in Python.");
  await server.send("POST", "/api/v1/knowledge", WISH);
  const [question] = await asked(server);
  assert.match(question?.diff ?? "", /^-Spaces in Python\.$/m);
  const path = `/api/v1/inbox/${question?.id}/accept`;
  const met = await server.page("POST", path, {});
  const problem = await met.json();
  assert.equal(met.status, 409, JSON.stringify(problem));
  assert.deepEqual(problem.choices, ["update", "keep_both", "contradicts", "discard"]);
  assert.equal((await asked(server)).length, 1);
  const decided = await server.page("POST", path, { on_conflict: "contradicts" });
  assert.equal((await decided.json()).outcome, "saved");
  const { items } = await server.get<{ items: { older: Statement; newer: Statement }[] }>(
    "/api/v1/contradictions",
  );
  const texts = items.map(({ older, newer }) => [older.content, newer.content].sort());
  assert.deepEqual(texts, [["Spaces in Python.", WISH.content]]);
  // Whichever is put away, the other holds.
  const newer = items[0]?.newer;
  const away = await server.page(
    "POST",
    `/api/v1/knowledge/${newer?.id}/archive`,
    {},
    `"${newer?.hash}"`,
  );
  assert.equal((await away.json()).outcome, "archived");
  assert.deepEqual((await server.get<{ items: unknown[] }>("/api/v1/contradictions")).items, []);
});

interface Statement {
  readonly id: string;
  readonly content: string;
  readonly hash: string;
}

Deno.test("a version comes back, unless somebody wrote since it was read", async () => {
  await using server = await served();
  const { memory } = server.world;
  const { path } = await knowledge(memory, "Ports", "The gateway is on 8443.");
  const change = { title: "Ports", content: "It is on 9443 now.", onConflict: "update" } as const;
  await saveKnowledge(memory, change, PERSON);
  const address = "/api/v1/knowledge/ports";
  const etag = (await server.ask(address)).headers.get("etag") ?? "";
  put(path, read(path).replace("9443", "9444"));
  for (const [act, body] of [["restore", { version: 1 }], ["archive", {}], ["restore", {}]]) {
    const lost = await server.page("POST", `${address}/${act}`, body, etag);
    assert.equal(lost.status, 412);
    await lost.body?.cancel();
    assert.equal((await server.page("POST", `${address}/${act}`, body)).status, 428);
  }
  assert.match(read(path), /9444/);
  const now = (await server.ask(address)).headers.get("etag") ?? "";
  const restored = await server.page("POST", `${address}/restore`, { version: 1 }, now);
  assert.equal((await restored.json()).outcome, "restored");
  assert.match(read(path), /on 8443/);
  const { versions } = await server.get<{ versions: { number: number; diff: string }[] }>(
    `${address}/versions`,
  );
  assert.deepEqual(versions.map(({ number }) => number), [3, 2, 1]);
  assert.match(versions[0]?.diff ?? "", /^-It is on 9444 now\.$/m);
});

Deno.test("what rests on a file that changed is listed as stale", async () => {
  await using server = await served();
  const { memory, cwd } = server.world;
  put(`${cwd}/src/auth.ts`, "export const days = 30;\n");
  const sources = [{ id: "src/auth.ts", relation: "source" }];
  await knowledge(memory, "Sessions", "They last 30 days.", { sources });
  await knowledge(memory, "Weather", "It rains.");
  byHand(`${cwd}/.sage`, "knowledge/plain.md", { id: "plain", type: "knowledge" }, "# Plain\n\nX.");
  const stale = async () =>
    (await server.get<{ items: { id: string }[] }>("/api/v1/knowledge?stale=true")).items
      .map(({ id }) => id);
  assert.deepEqual(await stale(), []);
  put(`${cwd}/src/auth.ts`, "export const days = 7;\n");
  assert.deepEqual(await stale(), ["sessions"]);
});

Deno.test("who listens hears of a question that another process asks", async () => {
  await using server = await served();
  const stream = await server.ask("/api/v1/events");
  const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
  let heard = "";
  const until = async (words: string): Promise<void> => {
    while (!heard.includes(words)) {
      heard += (await within(words, reader?.read() ?? assert.fail())).value ?? assert.fail(heard);
    }
  };
  await until(": listening");
  const other = await server.world.open();
  await saveKnowledge(other, { title: "Tabs", content: "Tabs.", scope: "user" }, {
    by: "agent",
    explicit: true,
  });
  await until("event: inbox");
  await reader?.cancel();
});
