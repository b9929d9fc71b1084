/** What who listens is told: each change once and by its name, what they missed, and when it was too much. */
import assert from "node:assert/strict";
import { HTTP_EVENTS_MAX } from "../../src/base/limits.ts";
import {
  type ChangeEvent,
  type Changes,
  createChanges,
  pauseAfter,
} from "../../src/http/changes.ts";
import { createLender } from "../../src/http/lend.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { AGENT, knowledge, put, type World, world } from "../support/world.ts";
import { until } from "../support/within.ts";

interface Watched extends AsyncDisposable {
  readonly on: World;
  readonly changes: Changes;
}

async function watched(): Promise<Watched> {
  const on = await world();
  const lender = createLender({ cwd: on.cwd, env: (name) => on.env[name], holder: "test" });
  const changes = createChanges(lender);
  return {
    on,
    changes,
    async [Symbol.asyncDispose]() {
      changes.close();
      // A look that had begun ends before it.
      await lender.write(() => undefined);
      await lender.read(() => undefined);
      lender.close();
      on[Symbol.dispose]();
    },
  };
}

/** What is told from now on, and the way to hear no more. */
async function hearing(changes: Changes, since?: string) {
  const heard: ChangeEvent[] = [];
  const leave = await changes.listen((event) => void heard.push(event), since);
  return { heard, leave };
}

const said = (events: readonly ChangeEvent[]): readonly string[] =>
  events.map((event) =>
    event.kind === "note" ? `${event.note.change} ${event.note.id} ${event.note.scope}` : event.kind
  );

/** By hand: its front matter says nothing of when. */
const note = (id: string, text: string): string =>
  `---\nid: ${id}\ntype: knowledge\nupdated: 2026-01-13T14:30:00Z\n---\n# ${id}\n\n${text}\n`;

/** Looks until the scan that is made a few times a second was made again. */
async function untilHeard(changes: Changes, isThere: () => boolean): Promise<void> {
  await until("what is told", async () => isThere() || (await changes.look(), isThere()));
}

Deno.test("a page left open costs a tenth of the time however many notes there are, and hears within seconds", () => {
  assert.deepEqual([5, 100, 300, 20_000].map(pauseAfter), [1000, 1000, 2700, 10_000]);
});

Deno.test("look() tells what was created, changed and removed, to each who listens, once", async () => {
  await using at = await watched();
  const { on, changes } = at;
  const path = `${on.home}/.sage/knowledge/port.md`;
  put(`${on.home}/.sage/knowledge/old.md`, note("old", "It was there."));
  const [first, second] = [await hearing(changes), await hearing(changes)];
  assert.equal(changes.listeners, 2);
  put(path, note("port", "It is 8443."));
  await untilHeard(changes, () => first.heard.length === 1);
  put(path, note("port", "It is 9443."));
  await untilHeard(changes, () => first.heard.length === 2);
  second.leave();
  assert.equal(changes.listeners, 1);
  await Deno.remove(path);
  await untilHeard(changes, () => first.heard.length === 3);
  put(path, note("port", "Yours."));
  put(`${on.cwd}/.sage/knowledge/port.md`, note("port", "The project's."));
  await untilHeard(changes, () => first.heard.length === 5);
  const all = ["created port user", "changed port user", "removed port user"];
  assert.deepEqual(said(first.heard.splice(3)).toSorted(), [
    "created port project",
    "created port user",
  ]);
  assert.deepEqual(said(first.heard), all);
  assert.deepEqual(said(second.heard), all.slice(0, 2));
  assert.equal(new Set(first.heard.map(({ id }) => id)).size, 3);
});

Deno.test("look() tells of no end of a note whose file has another name, or was there twice", async () => {
  await using at = await watched();
  const { on, changes } = at;
  const folder = `${on.cwd}/.sage/knowledge`;
  put(`${folder}/a.md`, note("port", "It is 8443."));
  const { heard } = await hearing(changes);
  await Deno.rename(`${folder}/a.md`, `${folder}/b.md`);
  await untilHeard(changes, () => heard.length > 0);
  put(`${folder}/b 1.md`, note("port", "It is 8443."));
  await untilHeard(changes, () => heard.length > 1);
  await Deno.remove(`${folder}/b 1.md`);
  await untilHeard(changes, () => heard.length > 2);
  assert.deepEqual(said(heard), Array(3).fill("changed port project"));
});

Deno.test("listen() tells who comes back what they missed, and no more", async () => {
  await using at = await watched();
  const { on, changes } = at;
  const { heard } = await hearing(changes);
  for (const id of ["a", "b", "c"]) {
    put(`${on.home}/.sage/knowledge/${id}.md`, note(id, "Text."));
    await untilHeard(
      changes,
      () => heard.length > 0 && said(heard).at(-1) === `created ${id} user`,
    );
  }
  const seen = (place: number): string => heard[place]?.id ?? "";
  assert.deepEqual(said((await hearing(changes)).heard), []);
  assert.deepEqual((await hearing(changes, seen(0))).heard, heard.slice(1));
  assert.deepEqual((await hearing(changes, seen(2))).heard, []);
  assert.deepEqual(said((await hearing(changes, "of-another-process-1")).heard), ["reload"]);
});

Deno.test("listen() tells who comes back to a server that nobody listened to that it changed", async () => {
  await using at = await watched();
  const { on, changes } = at;
  const path = `${on.home}/.sage/knowledge/port.md`;
  const first = await hearing(changes);
  put(path, note("port", "It is 8443."));
  await untilHeard(changes, () => first.heard.length === 1);
  first.leave();
  assert.equal(changes.listeners, 0);
  const [last] = first.heard;
  const back = await hearing(changes, last?.id);
  assert.deepEqual(said(back.heard), [], "nothing happened meanwhile");
  back.leave();
  await knowledge(on.memory, "Gateway", "Envoy.");
  // It does not go on looking, or it would have seen what.
  await new Promise((resolve) => setTimeout(resolve, 1500));
  assert.deepEqual(said((await hearing(changes, last?.id)).heard), ["reload"]);
});

Deno.test("look() asks for a reload where too much changed at once, and forgets the oldest", async () => {
  await using at = await watched();
  const { on, changes } = at;
  const write = (from: number, to: number): void => {
    for (let n = from; n < to; n++) {
      put(`${on.home}/.sage/knowledge/n${n}.md`, note(`n${n}`, "Text."));
    }
  };
  const { heard } = await hearing(changes);
  put(`${on.home}/.sage/knowledge/first.md`, note("first", "Text."));
  await untilHeard(changes, () => heard.length > 0);
  write(0, HTTP_EVENTS_MAX + 1);
  await untilHeard(changes, () => said(heard).includes("reload") || heard.length > HTTP_EVENTS_MAX);
  assert.deepEqual(said(heard), ["created first user", "reload"]);
  const before = heard.length;
  for (let n = 0; n < HTTP_EVENTS_MAX; n++) {
    await Deno.remove(`${on.home}/.sage/knowledge/n${n}.md`);
  }
  await untilHeard(changes, () => heard.length >= before + HTTP_EVENTS_MAX);
  assert.deepEqual(said((await hearing(changes, heard[0]?.id)).heard), ["reload"]);
  assert.deepEqual((await hearing(changes, heard[2]?.id)).heard, heard.slice(3));
});

Deno.test("look() looks anew where another look began before what it is to tell", async () => {
  using on = await world();
  const lender = createLender({ cwd: on.cwd, env: (name) => on.env[name], holder: "test" });
  const [looked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let isHeld = false;
  const changes = createChanges({
    ...lender,
    async read(body, behindMsMax) {
      const answer = await lender.read(body, behindMsMax);
      if (isHeld) {
        looked.resolve();
        await held.promise;
      }
      return answer;
    },
  });
  try {
    const { heard } = await hearing(changes);
    isHeld = true;
    const first = changes.look();
    await looked.promise;
    await lender.write((memory) => knowledge(memory, "Port", "It is 8443."));
    const second = changes.look();
    isHeld = false;
    held.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(said(heard), ["created port project"]);
  } finally {
    changes.close();
    await lender.read(() => undefined);
    lender.close();
  }
});

Deno.test("listen() loses nothing of the first where a second begins beside it", async () => {
  using on = await world();
  const lender = createLender({ cwd: on.cwd, env: (name) => on.env[name], holder: "test" });
  const held = Promise.withResolvers<void>();
  let reads = 0;
  const changes = createChanges({
    ...lender,
    async read(body, behindMsMax) {
      if (++reads === 2) await held.promise;
      return await lender.read(body, behindMsMax);
    },
  });
  try {
    const both = [hearing(changes), hearing(changes)] as const;
    const { heard } = await both[0];
    await lender.write((memory) => knowledge(memory, "Port", "It is 8443."));
    held.resolve();
    await both[1];
    await changes.look();
    assert.deepEqual(said(heard), ["created port project"]);
  } finally {
    changes.close();
    await lender.read(() => undefined);
    lender.close();
  }
});

Deno.test("look() tells of a question when it is asked and answered, and not of those that wait", async () => {
  await using at = await watched();
  const { on, changes } = at;
  const ask = async (title: string): Promise<void> => {
    const wish = { title, content: `${title}.`, scope: "user" } as const;
    assert.equal((await saveKnowledge(on.memory, wish, AGENT)).kind, "proposed");
  };
  await ask("Tabs");
  const { heard } = await hearing(changes);
  for (let n = 0; n < 3; n++) await changes.look();
  assert.deepEqual(said(heard), []);
  await ask("Spaces");
  for (let n = 0; n < 3; n++) await changes.look();
  assert.deepEqual(said(heard), ["inbox"]);
});
