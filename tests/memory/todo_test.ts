/** The life of a todo. */
import assert from "node:assert/strict";
import { addTodo, listTodos, setTodo } from "../../src/memory/todo.ts";
import { AGENT, byHand, DAY, PERSON, put, read, type World, world } from "../support/world.ts";
import { tempDir } from "../support/temp_store.ts";

async function add(on: World, content: string, parts = {}): Promise<string> {
  const outcome = await addTodo(on.memory, { content, ...parts }, PERSON);
  assert.ok(outcome.kind === "saved", JSON.stringify(outcome));
  return outcome.id;
}

const contents = async (on: World, options = {}): Promise<string[]> =>
  (await listTodos(on.memory, options)).map(({ content }) => content);

Deno.test("a todo goes from pending to done and back, and the file says when", async () => {
  using on = await world();
  const source = await add(on, "look at zebras", {});
  await setTodo(on.memory, source, { status: "done" }, PERSON);
  const id = await add(on, "count the  stripes", {
    context: "of zebras",
    due: "2026-01-31",
    source: "look at zebras",
  });
  const [item] = await listTodos(on.memory);
  assert.deepEqual(
    [item?.content, item?.context, item?.priority, item?.todo_status, item?.due, item?.source],
    ["count the stripes", "of zebras", "medium", "pending", "2026-01-31", source],
  );
  for (const status of ["in_progress", "blocked"] as const) {
    const outcome = await setTodo(on.memory, id, { status }, PERSON);
    assert.ok(outcome.kind === "updated" && outcome.item.todo_status === status);
  }
  on.later(DAY);
  await setTodo(on.memory, id, { status: "done" }, PERSON);
  assert.match(
    read(item?.path ?? ""),
    /\nstatus: done\n(?:.*\n)*completed: 2026-01-14T14:30:00Z\n/,
  );
  assert.deepEqual([await contents(on), await contents(on, { all: true })], [[], [
    "count the stripes",
    "look at zebras",
  ]]);
  await setTodo(on.memory, id, { status: "pending" }, PERSON);
  assert.doesNotMatch(read(item?.path ?? ""), /completed:/);
  assert.deepEqual(await contents(on), ["count the stripes"]);
});

Deno.test("a date that does not exist is refused as due date, and nothing changes", async () => {
  using on = await world();
  const id = await add(on, "count the stripes", { due: "2028-02-29" });
  for (const due of ["soon", "2026-13-45", "2026-02-31", "2027-02-29", "31.01.2026"]) {
    const says = { code: "usage", message: `A todo is due on a date, not "${due}"` };
    await assert.rejects(addTodo(on.memory, { content: "x", due }, AGENT), says);
    await assert.rejects(setTodo(on.memory, id, { due }, PERSON), says);
  }
  const items = await listTodos(on.memory);
  assert.deepEqual(items.map(({ due }) => due), ["2028-02-29"]);
});

Deno.test("a due date may be given in words, changed and removed", async () => {
  using on = await world();
  const id = await add(on, "count the stripes", { due: "friday" });
  const path = (await listTodos(on.memory))[0]?.path ?? "";
  assert.match(read(path), /\ndue: 2026-01-16\n/);
  await setTodo(on.memory, id, { due: "in 2 weeks", priority: "high" }, PERSON);
  assert.match(read(path), /\npriority: high\ndue: 2026-01-27\n/);
  await setTodo(on.memory, id, { due: "none" }, PERSON);
  assert.doesNotMatch(read(path), /due:/);
});

Deno.test("a todo's source is a note or an address, and an error names the nearest note", async () => {
  using on = await world();
  const source = await add(on, "look at zebras");
  const id = await add(on, "count", { source: "https://example.org/zebras" });
  const [item] = (await listTodos(on.memory)).filter((one) => one.id === id);
  assert.equal(item?.source, "https://example.org/zebras");
  const linked = await setTodo(on.memory, id, { source: source.slice(0, 12) }, PERSON);
  assert.ok(linked.kind === "updated" && linked.item.source === source);
  for (const wrong of ["look at zebrs", "javascript:alert(1)", "nowhere"]) {
    const says = { code: "usage", message: /comes from a note or an address/ };
    await assert.rejects(addTodo(on.memory, { content: "x", source: wrong }, AGENT), says);
    await assert.rejects(setTodo(on.memory, id, { source: wrong }, PERSON), says);
  }
  await assert.rejects(
    setTodo(on.memory, id, { source: "look at zebrs" }, PERSON),
    (error: Error) => /look at zebras/.test((error as Error & { hint: string }).hint),
  );
  assert.equal((await listTodos(on.memory)).length, 2);
  const gone = await setTodo(on.memory, id, { source: "none" }, PERSON);
  assert.ok(gone.kind === "updated" && gone.item.source === undefined);
});

Deno.test("listTodos() sorts by priority, then by when it is due, then newest first", async () => {
  using on = await world();
  for (
    const [content, priority] of [["a", "low"], ["b", "high"], ["c", undefined], ["d", "high"]]
  ) {
    await add(on, content ?? "", priority === undefined ? {} : { priority });
    on.later(DAY);
  }
  assert.deepEqual(await contents(on), ["d", "b", "c", "a"]);
  const [low] = (await listTodos(on.memory)).slice(-1);
  const outcome = await setTodo(
    on.memory,
    low?.id ?? "",
    { priority: "high", due: "2026-02-01" },
    PERSON,
  );
  assert.ok(outcome.kind === "updated" && outcome.item.due === "2026-02-01");
  assert.deepEqual(await contents(on), ["a", "d", "b", "c"]);
});

Deno.test("listTodos() shows one status, and this project's only", async () => {
  using on = await world({ project: "none" });
  const id = await add(on, "a");
  await add(on, "b");
  await setTodo(on.memory, id, { status: "blocked" }, PERSON);
  assert.deepEqual(await contents(on, { status: "blocked" }), ["a"]);
  const elsewhere = await on.open({ cwd: tempDir() });
  assert.deepEqual(await listTodos(elsewhere), []);
});

Deno.test("a todo needs content, also after private text was removed", async () => {
  using on = await world();
  for (const content of ["", " \n", "<private>secret plan</private>"]) {
    const outcome = await addTodo(on.memory, { content }, AGENT);
    assert.deepEqual(outcome, { kind: "thin", missing: ["content"] }, content);
  }
  assert.deepEqual(await listTodos(on.memory, { all: true }), []);
});

Deno.test("setTodo() keeps what a person wrote, comments included", async () => {
  using on = await world();
  const path = byHand(`${on.cwd}/.sage`, "todos/mine.md", {
    id: "mine",
    type: "todo",
    status: "pending # for now",
    mood: "calm",
  }, "# Mine\n\nwith context");
  assert.equal((await setTodo(on.memory, "mine", { status: "done" }, PERSON)).kind, "updated");
  assert.match(read(path), /\nstatus: done # for now\nmood: calm\n/);
  assert.match(read(path), /\n# Mine\n\nwith context\n$/);
});

Deno.test("setTodo() leaves a todo as it is where it says so already: author, dates and all", async () => {
  using on = await world();
  const id = await add(on, "count", { due: "2026-01-31", priority: "high" });
  await setTodo(on.memory, id, { status: "done" }, PERSON);
  const path = (await listTodos(on.memory, { all: true }))[0]?.path ?? "";
  const before = read(path);
  on.later(DAY);
  for (const change of [{}, { status: "done" }, { priority: "high", due: "2026-01-31" }] as const) {
    const outcome = await setTodo(on.memory, id, change, AGENT);
    assert.ok(outcome.kind === "updated", JSON.stringify(outcome));
    assert.equal(outcome.item.author, "person");
    assert.equal(read(path), before, JSON.stringify(change));
  }
});

Deno.test("setTodo() steps back when a person edits the todo at the same moment", async () => {
  using on = await world();
  const id = await add(on, "count");
  const path = (await listTodos(on.memory))[0]?.path ?? "";
  const mine = read(path) + "\nmine\n";
  const { fs } = on.memory;
  let edits = 0;
  const raced = await on.open({
    fs: {
      ...fs,
      open(at, options) {
        if (/\/note-..\.lock$/.test(at) && edits++ === 0) put(path, mine);
        return fs.open(at, options);
      },
    },
  });
  const outcome = await setTodo(raced, id, { status: "done" }, PERSON);
  assert.equal(outcome.kind, "edited");
  assert.equal(read(path), mine);
});

Deno.test("setTodo() says none and many like every other verb", async () => {
  using on = await world();
  await add(on, "oak trees");
  await add(on, "oak tables");
  assert.equal((await setTodo(on.memory, "oak", { status: "done" }, PERSON)).kind, "many");
  assert.equal((await setTodo(on.memory, "beech", { status: "done" }, PERSON)).kind, "none");
});

Deno.test("an agent's todos count towards what its session may write", async () => {
  using on = await world();
  const outcome = await addTodo(on.memory, { content: "x ".repeat(40_000) }, AGENT);
  assert.equal(outcome.kind, "over_cap");
});
