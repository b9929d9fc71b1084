/** Notes that somebody changed in an editor, with the old date in them: since when they say what they say. */
import assert from "node:assert/strict";
import { agedEntries } from "../../src/memory/freshness/freshness.ts";
import { editKnowledge } from "../../src/memory/knowledge/edit.ts";
import { listKnowledge } from "../../src/memory/knowledge/list.ts";
import { readNote } from "../../src/memory/read.ts";
import { rebuildAll, refreshAll } from "../../src/memory/index/reindex.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { doubtfulNotes } from "../../src/memory/source/check.ts";
import {
  DAY,
  knowledge,
  NOW,
  PERSON,
  put,
  read,
  repository,
  type World,
  world,
} from "../support/world.ts";

const YEAR = 365 * DAY;
const THEN = "2026-01-13T14:30:00Z";
const EDITED = "2027-01-13T14:30:00Z";

interface Noted extends World {
  readonly path: string;
}

/** A note of a year ago that rests on a file, as everything left it then. */
async function yearOld(): Promise<Noted> {
  const on = await world();
  repository(on.cwd);
  writeAt(`${on.cwd}/src/auth.ts`, "export const a = 1;\n", NOW - DAY);
  const { path } = await knowledge(on.memory, "Token refresh", "One waits behind a mutex.", {
    sources: [{ id: "src/auth.ts", relation: "informs" }],
  });
  writeAt(path, read(path), NOW);
  await refreshAll(on.memory);
  on.later(YEAR);
  return { ...on, path };
}

function writeAt(path: string, text: string, ms: number): void {
  put(path, text);
  Deno.utimeSync(path, new Date(ms), new Date(ms));
}

/** In an editor, which knows nothing of the date in the file. */
function edit({ path }: Noted, from: string, to: string, ms = NOW + YEAR): void {
  const text = read(path);
  assert.ok(text.includes(from));
  writeAt(path, text.replace(from, to), ms);
}

/** Its date on every surface, which is one. */
async function dateOf(on: Noted): Promise<string> {
  const memory = await on.open();
  const [listed] = await listKnowledge(memory);
  const [hit] = (await searchMemory(memory, "token refresh")).items;
  const shown = await readNote(memory, "token-refresh");
  const dates = [listed, hit, shown.kind === "one" ? shown.item : undefined]
    .map((item) => item?.updated);
  assert.equal(new Set(dates).size, 1, dates.join(", "));
  return dates[0] ?? "";
}

Deno.test("a note that was changed in an editor has the date of that change", async () => {
  using on = await yearOld();
  assert.equal(agedEntries(on.memory).length, 1);
  edit(on, "behind a mutex", "in a queue");
  const text = read(on.path);
  assert.equal(await dateOf(on), EDITED);
  await refreshAll(on.memory);
  assert.equal(agedEntries(on.memory).length, 0);
  assert.equal(read(on.path), text);
  // What is derived may be deleted.
  await rebuildAll(on.memory);
  assert.equal(await dateOf(on), EDITED);
});

Deno.test("a tag, a history entry, a rewritten link or another line end does not change a note's date", async () => {
  for (
    const [from, to] of [
      ["subject: fact", "subject: fact\ntags: [auth]"],
      ["mutex.", "mutex.\n\n## History\n\n- 2027-01-01: looked at\n"],
      ["One waits", "One\nwaits"],
    ] as const
  ) {
    using on = await yearOld();
    edit(on, from, to);
    assert.equal(await dateOf(on), THEN, to);
  }
  using on = await yearOld();
  edit(on, "mutex.", "mutex, see [[old name]].", NOW + DAY);
  assert.equal(await dateOf(on), "2026-01-14T14:30:00Z");
  edit(on, "[[old name]]", "[[new name]]");
  assert.equal(await dateOf(on), "2026-01-14T14:30:00Z");
});

Deno.test("a clone, a checkout or a copy does not change a note's date", async () => {
  using on = await yearOld();
  writeAt(on.path, read(on.path), NOW + YEAR);
  assert.equal(await dateOf(on), THEN);
  await Deno.remove(`${on.home}/.sage/state/index`, { recursive: true });
  edit(on, "behind a mutex", "in a queue");
  // Nobody knows what stood there before.
  assert.equal(await dateOf(on), THEN);
});

Deno.test("a note whose former text is restored has its former date", async () => {
  using on = await yearOld();
  edit(on, "behind a mutex", "in a queue", NOW + DAY);
  assert.equal(await dateOf(on), "2026-01-14T14:30:00Z");
  edit(on, "in a queue", "behind a mutex");
  assert.equal(await dateOf(on), THEN);
  edit(on, "behind a mutex", "in a queue");
  assert.equal(await dateOf(on), "2026-01-14T14:30:00Z");
});

Deno.test("a date that somebody writes into the file is used", async () => {
  using on = await yearOld();
  const text = read(on.path).replace("behind a mutex", "in a queue");
  writeAt(on.path, text.replace(`updated: ${THEN}`, "updated: 2026-06-01"), NOW + YEAR);
  assert.equal((await dateOf(on)).slice(0, 10), "2026-06-01");
});

Deno.test("editKnowledge() keeps the date of a text that was edited by hand", async () => {
  using on = await yearOld();
  edit(on, "behind a mutex", "in a queue", NOW + DAY);
  assert.equal(await dateOf(on), "2026-01-14T14:30:00Z");
  const patch = { kind: "set", key: "tags", value: ["auth"] } as const;
  const outcome = await editKnowledge(on.memory, "token-refresh", { patch }, PERSON);
  assert.equal(outcome.kind, "patched", JSON.stringify(outcome));
  assert.equal(await dateOf(on), "2026-01-14T14:30:00Z");
});

Deno.test("rewording a note in an editor anchors it to its files as they are then", async () => {
  using on = await yearOld();
  const file = `${on.cwd}/src/auth.ts`;
  const stale = async () => {
    await refreshAll(on.memory);
    return (await doubtfulNotes(on.memory)).length === 1;
  };
  writeAt(file, "export const a = 2;\n", NOW + YEAR - DAY);
  assert.equal(await stale(), true);
  edit(on, "behind a mutex", "in a queue");
  assert.equal(await stale(), false);
  const [listed] = await listKnowledge(on.memory);
  assert.deepEqual(listed?.flags, []);
  writeAt(file, "export const a = 3;\n", NOW + YEAR);
  assert.equal(await stale(), true);
});

Deno.test("a note is stale if a file changed after it was reworded", async () => {
  using on = await yearOld();
  edit(on, "behind a mutex", "in a queue", NOW + DAY);
  writeAt(`${on.cwd}/src/auth.ts`, "export const a = 2;\n", NOW + 2 * DAY);
  await refreshAll(on.memory);
  assert.equal((await doubtfulNotes(on.memory)).length, 1);
});
