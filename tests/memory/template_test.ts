/** Starter notes: whole, linked with each other, and never over what is there. */
import assert from "node:assert/strict";
import { openGraph } from "../../src/memory/graph/graph.ts";
import { plantTemplate, TEMPLATES } from "../../src/memory/template.ts";
import { readKnowledge, SUBJECTS } from "../../src/note/knowledge.ts";
import { parseNote } from "../../src/note/parse.ts";
import { binary, hasBinary, scratch } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { put, read, world } from "../support/world.ts";

const notesIn = (root: string): string[] =>
  filesIn(root).filter((name) => /^[a-z]+\/[^/]*\.md$/.test(name));

for (const name of TEMPLATES) {
  Deno.test(`every ${name} starter note is valid, and every link in it leads to one`, async () => {
    using on = await world();
    const { made, there } = await plantTemplate(on.memory, name);
    assert.ok(made.length >= 4 && made.length <= 7, `${made.length}`);
    assert.deepEqual(there, []);
    for (const path of made) {
      const note = await parseNote(read(path), path.slice(`${on.cwd}/.sage/`.length));
      assert.equal(note.problem, undefined);
      assert.deepEqual(note.tags, ["starter"]);
      assert.notEqual(note.kind, "note");
      assert.ok(note.body.length > 80, path);
      const { subject } = readKnowledge(note);
      assert.ok(note.kind !== "knowledge" || SUBJECTS.some((one) => one === subject), subject);
    }
    const graph = await openGraph(await on.open());
    assert.deepEqual(graph.unresolved, []);
    assert.ok(graph.nodes.some(({ note }) => note.kind === "topic"));
    assert.deepEqual(await plantTemplate(await on.open(), name), {
      made: [],
      there: made.map((path) => path.replace(/^.*\/|\.md$/g, "")),
    });
  });
}

Deno.test("an existing starter note is left as it is, and a deleted one may be created again", async () => {
  using on = await world();
  const own = "# Style sheet\n\nMine.\n";
  put(`${on.cwd}/.sage/knowledge/style-sheet.md`, own);
  const { made, there } = await plantTemplate(on.memory, "writing");
  assert.deepEqual(there, ["style-sheet"]);
  assert.equal(read(`${on.cwd}/.sage/knowledge/style-sheet.md`), own);
  await Deno.remove(made[0] ?? "");
  assert.deepEqual((await plantTemplate(await on.open(), "writing")).made, [made[0]]);
});

Deno.test({
  name:
    "sage init --template creates them, with --user in the person's store, and lists the names if one is unknown",
  ignore: !hasBinary,
  async fn() {
    const place = scratch();
    try {
      const first = await binary(["init", "--template", "research"], place);
      assert.match(
        first.stdout,
        /\nMade 5 starter notes \(research\): sage graph query tag:starter\n$/,
      );
      const own = await binary(["init", "--user", "--template", "writing"], place);
      assert.match(own.stdout, /Made 4 starter notes/, "the todo is there already");
      assert.equal(notesIn(`${place.home}/.sage`).length, 4);
      assert.doesNotMatch(read(`${place.home}/.sage/knowledge/style-sheet.md`), /\nproject:/);
      const wrong = await binary(["init", "--template", "novel"], place);
      assert.equal(wrong.code, 2);
      assert.match(wrong.stderr, /knows research, software, writing, got "novel"/);
      const query = await binary(["graph", "query", "tag:starter"], place);
      assert.equal(query.stdout.trim().split("\n").length, 9);
    } finally {
      await Deno.remove(place.home, { recursive: true });
    }
  },
});
