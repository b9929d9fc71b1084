/** Topics: suggested from clusters, written between the marks only. */
import assert from "node:assert/strict";
import { openGraph } from "../../src/memory/graph/graph.ts";
import { keepTopic, suggestTopics } from "../../src/memory/topic.ts";
import { replaceRegion } from "../../src/note/topic.ts";
import { writeOld } from "../support/temp_store.ts";
import { byHand, NOW, PERSON, read, type World, world } from "../support/world.ts";

function note(on: World, id: string, tags: string, body = ""): void {
  const front = { id, type: "knowledge", tags: `[${tags}]` };
  byHand(`${on.cwd}/.sage`, `knowledge/${id}.md`, front, `# The ${id}\n\n${body}`);
}

Deno.test("suggestTopics() finds clusters by tag and by link, once each, except those that a topic lists", async () => {
  using on = await world();
  for (const id of ["rebase", "bisect", "stash"]) note(on, id, "git-tools");
  note(on, "flock", "", "[[inode]]");
  note(on, "inode", "", "[[fsync]]");
  note(on, "fsync", "x");
  note(on, "alone", "x");
  // What leads there and is no knowledge is no part of it.
  const front = { id: "session", type: "checkpoint", tags: "[git-tools]" };
  byHand(`${on.cwd}/.sage`, "checkpoints/session.md", front, "# The disk\n\n[[inode]]");
  const graph = await openGraph(on.memory);
  assert.deepEqual(
    suggestTopics(graph).map(({ title, why, nodes }) => [title, why, nodes.length]),
    [["Git tools", "tag git-tools", 3], ["The inode", "linked with each other", 3]],
  );
  const kept = await keepTopic(on.memory, "Git tools", ["rebase", "bisect", "The stash"], PERSON);
  assert.equal(kept.kind, "saved", JSON.stringify(kept));
  assert.deepEqual(suggestTopics(await openGraph(on.memory)).map(({ title }) => title), [
    "The inode",
  ]);
});

Deno.test("keepTopic() saves a topic although the clock moves on while it is written", async () => {
  using on = await world();
  let ticks = NOW;
  const memory = await on.open({ now: () => ticks += 1000 });
  assert.equal((await keepTopic(memory, "Git tools", [], PERSON)).kind, "saved");
});

Deno.test("keepTopic() writes nothing while a person has one of its marks cut out", async () => {
  for (const mark of ["<!-- sage:begin -->", "<!-- sage:end -->"]) {
    using on = await world();
    for (const id of ["rebase", "bisect"]) note(on, id, "git");
    const saved = await keepTopic(on.memory, "Git", ["rebase"], PERSON);
    const path = saved.kind === "saved" ? saved.path : assert.fail(saved.kind);
    writeOld(path, read(path).replace(mark, ""));
    const before = read(path);
    await assert.rejects(keepTopic(on.memory, "Git", ["bisect"], PERSON), { code: "conflict" });
    assert.equal(read(path), before);
  }
});

Deno.test("replaceRegion() keeps its end where a line quotes the mark", () => {
  const region = (text: string): string => `- [[rebase]]: where ${text} stands`;
  const once = replaceRegion("# Git\n", region("<!-- sage:end -->"));
  const twice = replaceRegion(once, region("nothing"));
  assert.equal(twice, `# Git\n\n<!-- sage:begin -->\n${region("nothing")}\n<!-- sage:end -->\n`);
});

Deno.test("keepTopic() adds missing links between the marks, and changes nothing else", async () => {
  using on = await world();
  for (const id of ["rebase", "bisect", "stash"]) note(on, id, "git");
  const saved = await keepTopic(on.memory, "Git", ["rebase", "The rebase"], PERSON);
  const path = saved.kind === "saved" ? saved.path : assert.fail(saved.kind);
  writeOld(
    path,
    read(path).replace("<!-- sage:begin -->", "My words, and [[bisect]].\n\n<!-- sage:begin -->") +
      "\nBelow.\n",
  );
  const before = read(path);
  const updated = await keepTopic(on.memory, "git", ["rebase", "bisect", "stash", "stash"], PERSON);
  assert.equal(updated.kind === "updated" && updated.added, 1);
  assert.equal(
    read(path),
    before.replace("- [[rebase|The rebase]]\n", "- [[rebase|The rebase]]\n- [[stash|The stash]]\n"),
  );
  const again = await keepTopic(on.memory, "Git", ["stash"], PERSON);
  assert.equal(again.kind === "updated" && again.added, 0);
  await assert.rejects(
    keepTopic(on.memory, "Git", ["nobody"], PERSON),
    /No note is called "nobody"/,
  );
  assert.equal((await keepTopic(on.memory, "  ", [], PERSON)).kind, "thin");
});
