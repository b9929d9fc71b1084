/** What somebody changed since an agent read a note is not lost when the agent saves the note. */
import assert from "node:assert/strict";
import { editKnowledge } from "../../src/memory/knowledge/edit.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import type { Patch } from "../../src/note/patch.ts";
import { PERSON } from "../support/world.ts";
import { connect, type Connected, type Result, SESSION, withServer } from "./connect.ts";
import { exists, readText, remove } from "./disk.ts";

const OTHER = "00000000-0000-4000-8000-000000000002";
const TITLE = "Loading dock";
/** Three paragraphs, so that two can change apart. */
const [DOOR, LIFT, LAMP] = [
  "The door of the dock opens at six.",
  "The lift carries two tonnes.",
  "The lamp is switched by hand.",
];
const CONTENT = [DOOR, LIFT, LAMP].join("\n\n");
const NEW_DOOR = "The door of the dock opens at seven.";
const NEW_LAMP = "The lamp is switched by a sensor.";
const WITH_NEW_DOOR = CONTENT.replace(DOOR, NEW_DOOR);
const WITH_NEW_LAMP = CONTENT.replace(LAMP, NEW_LAMP);

function pathOf(project: string, id: string): string {
  return `${project}/.sage/knowledge/${id}.md`;
}

/** A note of a person's. */
async function persons({ use }: Connected, content = CONTENT): Promise<string> {
  const outcome = await use((memory) => saveKnowledge(memory, { title: TITLE, content }, PERSON));
  assert.ok(outcome.kind === "saved", JSON.stringify(outcome));
  return outcome.id;
}

/** By the command line or the page. */
async function changeByCommand({ use }: Connected, id: string, patch: Patch): Promise<void> {
  const outcome = await use((memory) => editKnowledge(memory, id, { patch }, PERSON));
  assert.equal(outcome.kind, "patched", JSON.stringify(outcome));
}

/** As editors and git do it: a new file in the place of the old one, with a time of its own. */
function changeByHand(path: string, change: (text: string) => string): void {
  const text = readText(path);
  const next = change(text);
  assert.notEqual(next, text);
  Deno.writeTextFileSync(`${path}~`, next);
  Deno.renameSync(`${path}~`, path);
  const past = new Date(Date.now() - 5000);
  Deno.utimeSync(path, past, past);
}

function save(on: Connected, id: string, content: string, more = {}): Promise<Result> {
  return on.call("sage_save_knowledge", { id, title: TITLE, content, ...more });
}

const READS: readonly [string, (on: Connected, id: string) => Promise<unknown>][] = [
  ["get_note", ({ call }, id) => call("get_note", { id })],
  ["sage_recall_knowledge", async ({ call }) => {
    const { data } = await call("sage_recall_knowledge", { query: "loading dock door lift lamp" });
    assert.equal((data.items as unknown[]).length, 1);
  }],
];

for (const session of [SESSION, undefined]) {
  const options = session === undefined ? {} : { session };
  const where = session === undefined ? "without a session" : "in a session";
  for (const [name, read] of READS) {
    Deno.test(`after ${name} ${where}, what a person changed elsewhere in the note stays`, () =>
      withServer(async (on) => {
        const id = await persons(on);
        const path = pathOf(on.project, id);
        await read(on, id);
        changeByHand(path, (text) => text.replace(DOOR, NEW_DOOR));
        const { data, text } = await save(on, id, WITH_NEW_LAMP);
        assert.equal(data.outcome, "merged", text);
        assert.match(text, /^Updated knowledge [0-9a-f]{8} .* changed since.*both changes stand/);
        const after = readText(path);
        for (const said of [NEW_DOOR, LIFT, NEW_LAMP]) assert.ok(after.includes(said), after);
        assert.ok(!after.includes(DOOR) && !after.includes(LAMP), after);
      }, options));

    Deno.test(`after ${name} ${where}, what a person changed in the same place is shown first`, () =>
      withServer(async (on) => {
        const id = await persons(on);
        const path = pathOf(on.project, id);
        await read(on, id);
        await changeByCommand(on, id, { kind: "rewrite", text: WITH_NEW_DOOR });
        const before = readText(path);
        const mine = CONTENT.replace(DOOR, "The door of the dock opens at five.");
        const refused = await save(on, id, mine);
        assert.equal(refused.data.outcome, "conflict", refused.text);
        assert.match(refused.text, /^Not saved: .*changed/);
        assert.ok(refused.text.includes(NEW_DOOR), refused.text);
        assert.match(String(refused.data.diff), /-The door .* seven\.[^]*\+The door .* five\./);
        assert.equal(readText(path), before);
        // The agent knows by now what stands there.
        const again = await save(on, id, mine);
        assert.equal(again.data.outcome, "updated", again.text);
        assert.ok(readText(path).includes("opens at five."));
        const { data } = await on.call("get_note", { id });
        assert.ok(String(data.notes).includes("updated by agent"));
      }, options));
  }
}

Deno.test("a person's note that the agent has not read is shown before it is replaced", () =>
  withServer(async (on) => {
    const id = await persons(on);
    await on.call("search_notes", { query: "loading dock" });
    const before = readText(pathOf(on.project, id));
    const refused = await save(on, id, "All new.");
    assert.equal(refused.data.outcome, "conflict", refused.text);
    assert.ok(refused.text.includes(LIFT), refused.text);
    assert.equal(readText(pathOf(on.project, id)), before);
    const again = await save(on, id, "All new.");
    assert.equal(again.data.outcome, "updated", again.text);
    assert.ok(readText(pathOf(on.project, id)).includes("All new."));
  }, { session: SESSION }));

Deno.test("what another session's agent wrote is replaced without having been read, unless somebody touched it", async () => {
  const first = await connect({ session: OTHER });
  try {
    const made = await first.call("sage_save_knowledge", { title: TITLE, content: CONTENT });
    const id = String(made.data.id);
    const on = await connect({ session: SESSION, at: first });
    const updated = await save(on, id, WITH_NEW_DOOR);
    assert.equal(updated.data.outcome, "updated", updated.text);
    // Its own text is known to a session, and the other's is not.
    changeByHand(
      pathOf(first.project, id),
      (text) => text.replace(LIFT, "It carries three tonnes."),
    );
    const third = await connect({ session: "00000000-0000-4000-8000-000000000003", at: first });
    const refused = await save(third, id, "All new.");
    assert.equal(refused.data.outcome, "conflict", refused.text);
    assert.match(refused.text, /three tonnes/);
    const merged = await save(on, id, WITH_NEW_DOOR.replace(LAMP, NEW_LAMP));
    assert.equal(merged.data.outcome, "merged", merged.text);
    assert.match(
      readText(pathOf(first.project, id)),
      /seven\.\n\nIt carries three tonnes\.\n\n.*sensor/,
    );
    for (const one of [on, third]) await one.client.close();
  } finally {
    await first.close();
  }
});

Deno.test("a line that a person added to an agent's note by command is shown to an agent that has not read it", async () => {
  const first = await connect({ session: OTHER });
  try {
    const made = await first.call("sage_save_knowledge", { title: TITLE, content: CONTENT });
    const id = String(made.data.id);
    await changeByCommand(first, id, { kind: "append", text: "Ask Ann for the key." });
    const on = await connect({ session: SESSION, at: first });
    const refused = await save(on, id, "All new.");
    assert.equal(refused.data.outcome, "conflict", refused.text);
    assert.match(refused.text, /Ask Ann for the key/);
    await on.client.close();
  } finally {
    await first.close();
  }
});

Deno.test("a note of the same title is not replaced where somebody changed it since the agent was shown it", () =>
  withServer(async (on) => {
    const id = await persons(on);
    const path = pathOf(on.project, id);
    const wanted = { title: TITLE, content: WITH_NEW_LAMP };
    const asked = await on.call("sage_save_knowledge", wanted);
    assert.equal(asked.data.outcome, "conflict", asked.text);
    changeByHand(path, (text) => text.replace(LAMP, "The lamp is broken."));
    const update = { ...wanted, on_conflict: "update" };
    const refused = await on.call("sage_save_knowledge", update);
    assert.equal(refused.data.outcome, "conflict", refused.text);
    assert.ok(refused.text.includes("The lamp is broken."), refused.text);
    const again = await on.call("sage_save_knowledge", update);
    assert.equal(again.data.outcome, "updated", again.text);
  }, { session: SESSION }));

Deno.test("a note of the same title that the agent was never shown is not replaced by on_conflict alone", () =>
  withServer(async (on) => {
    const id = await persons(on);
    const update = { title: TITLE, content: "All new.", on_conflict: "update" };
    const refused = await on.call("sage_save_knowledge", update);
    assert.equal(refused.data.outcome, "conflict", refused.text);
    assert.ok(readText(pathOf(on.project, id)).includes(LIFT));
    const again = await on.call("sage_save_knowledge", update);
    assert.equal(again.data.outcome, "updated", again.text);
  }, { session: SESSION }));

Deno.test("what was merged once stays when the agent, which has not seen it, saves again", () =>
  withServer(async (on) => {
    const id = await persons(on);
    const path = pathOf(on.project, id);
    await on.call("get_note", { id });
    changeByHand(path, (text) => text.replace(DOOR, NEW_DOOR));
    for (const lamp of [NEW_LAMP, "The lamp is switched by Ann."]) {
      const saved = await save(on, id, CONTENT.replace(LAMP, lamp));
      assert.equal(saved.data.outcome, "merged", saved.text);
      const after = readText(path);
      for (const said of [NEW_DOOR, lamp]) assert.ok(after.includes(said), after);
    }
    // Nor is it replaced by a session that knows none of it, and takes it for an agent's.
    const other = await connect({ session: OTHER, at: on });
    const refused = await save(other, id, "All new.");
    assert.equal(refused.data.outcome, "conflict", refused.text);
    await other.client.close();
  }, { session: SESSION }));

Deno.test("an agent that adds a line knows no more of the note than before", () =>
  withServer(async (on) => {
    const id = await persons(on);
    const path = pathOf(on.project, id);
    await on.call("get_note", { id });
    changeByHand(path, (text) => text.replace(DOOR, NEW_DOOR));
    const more = "It has a bell.";
    const added = await on.call("sage_update_note", { id, action: "append", text: more });
    assert.equal(added.data.outcome, "updated", added.text);
    const saved = await save(on, id, `${WITH_NEW_LAMP}\n\n${more}`);
    assert.match(String(saved.data.outcome), /^(?:merged|conflict)$/, saved.text);
    assert.ok(readText(path).includes(NEW_DOOR));
    // Nobody changed anything since this time.
    await on.call("get_note", { id });
    const again = await on.call("sage_update_note", { id, action: "append", text: "And a horn." });
    assert.equal(again.data.outcome, "updated", again.text);
    const updated = await save(on, id, CONTENT);
    assert.equal(updated.data.outcome, "updated", updated.text);
  }, { session: SESSION, profile: "full" }));

Deno.test("an agent that reads one section knows no more of the others than before", () =>
  withServer(async (on) => {
    const content = `## Door\n\n${DOOR}\n\n## Lamp\n\n${LAMP}`;
    const id = await persons(on, content);
    const path = pathOf(on.project, id);
    await on.call("get_note", { id });
    changeByHand(path, (text) => text.replace(DOOR, NEW_DOOR));
    await on.call("get_note", { id, section: "Lamp" });
    const saved = await save(on, id, content.replace(LAMP, NEW_LAMP));
    assert.equal(saved.data.outcome, "merged", saved.text);
    assert.ok(readText(path).includes(NEW_DOOR));
  }, { session: SESSION }));

Deno.test("fields that a person set since are kept beside the agent's", () =>
  withServer(async (on) => {
    const input = { title: TITLE, content: CONTENT, keywords: ["dock", "door"] };
    const made = await on.call("sage_save_knowledge", input);
    const id = String(made.data.id);
    await changeByCommand(on, id, {
      kind: "set",
      key: "keywords",
      value: ["dock", "door", "lift"],
    });
    await changeByCommand(on, id, { kind: "set", key: "title", value: "Loading dock, east" });
    const { data, text } = await save(on, id, WITH_NEW_LAMP, {
      keywords: ["dock", "door", "lamp"],
    });
    assert.equal(data.outcome, "merged", text);
    const after = readText(pathOf(on.project, id));
    assert.match(after, /keywords: \[dock, door, lamp, lift\]/);
    assert.match(after, /^# Loading dock, east$/m);
    assert.ok(after.includes(NEW_LAMP));
  }, { session: SESSION }));

Deno.test("a note with CRLF is merged like any other, and keeps its line ends", () =>
  withServer(async (on) => {
    const id = await persons(on);
    const path = pathOf(on.project, id);
    changeByHand(path, (text) => text.replaceAll("\n", "\r\n"));
    await on.call("get_note", { id });
    changeByHand(path, (text) => text.replace(DOOR, NEW_DOOR));
    const { data, text } = await save(on, id, WITH_NEW_LAMP);
    assert.equal(data.outcome, "merged", text);
    const after = readText(path);
    assert.ok(after.includes(`${NEW_DOOR}\r\n\r\n${LIFT}\r\n\r\n${NEW_LAMP}\r\n`), after);
    assert.ok(!/[^\r]\n/.test(after));
  }, { session: SESSION }));

Deno.test("private text that a person added since stays in the note, once, and is not shown", () =>
  withServer(async (on) => {
    const id = await persons(on);
    const path = pathOf(on.project, id);
    await on.call("get_note", { id });
    const secret = "<private>The code is 4711.</private>";
    changeByHand(path, (text) => text.replace(DOOR, `${DOOR}\n\n${secret}`));
    const merged = await save(on, id, WITH_NEW_LAMP);
    assert.equal(merged.data.outcome, "merged", merged.text);
    const after = readText(path);
    assert.equal(after.split(secret).length, 2, after);
    assert.ok(after.includes(NEW_LAMP));
    // Of a note with private text no copy is kept to merge with.
    changeByHand(path, (text) => text.replace(LIFT, "It carries three tonnes."));
    const refused = await save(on, id, "All new.");
    assert.equal(refused.data.outcome, "conflict", refused.text);
    assert.doesNotMatch(JSON.stringify(refused), /4711/);
    assert.match(refused.text, /three tonnes/);
    const again = await save(on, id, "All new.");
    assert.equal(again.data.outcome, "updated", again.text);
    assert.equal(readText(path).split(secret).length, 2);
  }, { session: SESSION }));

Deno.test("a note too long to keep a copy of is shown in part, and saved the second time", () =>
  withServer(async (on) => {
    const long = Array.from({ length: 2000 }, (_, n) => `Line ${n} of the long list of the dock.`);
    const id = await persons(on, long.join("\n\n"));
    const path = pathOf(on.project, id);
    await on.call("get_note", { id });
    changeByHand(path, (text) => text.replace("Line 1999 of", "Row 1999 of"));
    const refused = await save(on, id, "All new.");
    assert.equal(refused.data.outcome, "conflict", refused.text.slice(0, 500));
    assert.match(refused.text, /get_note/);
    assert.ok(refused.size < 60_000, String(refused.size));
    const again = await save(on, id, "All new.");
    assert.equal(again.data.outcome, "updated", again.text);
  }, { session: SESSION }));

Deno.test("a note that was removed meanwhile is not brought back", () =>
  withServer(async (on) => {
    const id = await persons(on);
    const path = pathOf(on.project, id);
    await on.call("get_note", { id });
    remove(path);
    const gone = await save(on, id, WITH_NEW_LAMP);
    assert.equal(gone.isError, true);
    assert.match(gone.text, /^No knowledge "loading-dock"/);
    assert.ok(!exists(path));
  }, { session: SESSION }));

Deno.test("the same text twice is saved once, and a note that nobody changed is simply updated", () =>
  withServer(async (on) => {
    const id = await persons(on);
    await on.call("get_note", { id });
    const same = await save(on, id, CONTENT);
    assert.equal(same.data.outcome, "duplicate", same.text);
    const updated = await save(on, id, WITH_NEW_DOOR);
    assert.equal(updated.data.outcome, "updated", updated.text);
    const next = await save(on, id, WITH_NEW_DOOR.replace(LAMP, NEW_LAMP));
    assert.equal(next.data.outcome, "updated", next.text);
  }, { session: SESSION }));

Deno.test("forgetting a note leaves nothing of what agents read of it", () =>
  withServer(async (on) => {
    const id = await persons(on);
    await on.call("get_note", { id });
    const states = (): string[] =>
      [...Deno.readDirSync(`${on.home}/.sage/state/instances`)].map(({ name }) =>
        readText(`${on.home}/.sage/state/instances/${name}`)
      );
    assert.ok(states().some((text) => text.includes(id)));
    const { forget } = await import("../../src/memory/removal/forget.ts");
    assert.equal((await on.use((memory) => forget(memory, id))).kind, "forgotten");
    assert.ok(!states().some((text) => text.includes(id)));
  }, { session: SESSION }));
