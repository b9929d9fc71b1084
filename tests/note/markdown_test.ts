/** Headings, fences, links, tags and regions: what counts, what does not, and what stays untouched. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { SageError } from "../../src/base/errors.ts";
import { addHistory } from "../../src/note/knowledge.ts";
import { links, replaceSection, sections, sectionText, tags } from "../../src/note/markdown.ts";
import { parseNote } from "../../src/note/parse.ts";
import { readTopic, renderTopic, replaceRegion } from "../../src/note/topic.ts";
import { depth } from "../support/depth.ts";
import { hostileText } from "../support/yaml_texts.ts";

Deno.test("sections() covers the body and names the way to each heading", () => {
  const body = "above\n\n# A\n\n## B\nb\n\n#### D\n\n## C\n";
  const found = sections(body);
  assert.deepEqual(found.map(({ level, path }) => [level, path.join("/")]), [
    [0, ""],
    [1, "A"],
    [2, "A/B"],
    [4, "A/B/D"],
    [2, "A/C"],
  ]);
  assert.equal(found.map(({ start, end }) => body.slice(start, end)).join(""), body);
});

Deno.test("sections() knows fences, and none that nobody closed", () => {
  const headings = (body: string) =>
    sections(body).filter(({ level }) => level > 0).map(({ heading }) => heading);
  assert.deepEqual(headings("```\n# a\n```\n# b\n"), ["b"]);
  assert.deepEqual(headings("~~~ x\n# a\n```\n# b\n~~~~\n# c\n"), ["c"]);
  assert.deepEqual(headings("````\n```\n# a\n````\n# b\n"), ["b"]);
  assert.deepEqual(headings("```\n# a\n# b\n"), ["a", "b"]);
  assert.deepEqual(headings("```code```\n# a\n"), ["a"]);
  assert.deepEqual(headings("#no\n  # no\n#\n####### no\n# yes\r\n"), ["", "yes"]);
});

Deno.test("sectionText() prefers a section to a title of the same name", () => {
  const body = "# Thesis\n\nintro\n\n## Thesis\n\nt\n\n### deeper\n\nd\n\n## Next\n";
  assert.equal(sectionText(body, "thesis"), "t\n\n### deeper\n\nd");
  assert.equal(sectionText(body, "Deeper"), "d");
  assert.equal(sectionText(body, "Deeper", 2), undefined);
  assert.equal(sectionText(body, "none"), undefined);
  // Of two the first.
  assert.equal(sectionText("## A\n\none\n\n## A\n\ntwo\n", "A"), "one");
});

Deno.test("replaceSection() writes one section and adds it where it is missing", () => {
  const body = "# T\n\n## A\n\nold\n\n## B\n\nb\n";
  assert.equal(replaceSection(body, "A", "new\nlines"), "# T\n\n## A\n\nnew\nlines\n\n## B\n\nb\n");
  assert.equal(replaceSection(body, "B", "new"), "# T\n\n## A\n\nold\n\n## B\n\nnew\n");
  assert.equal(replaceSection(body, "C", "c"), body + "\n## C\n\nc\n");
  assert.equal(replaceSection("", "C", "c"), "## C\n\nc\n");
  assert.equal(replaceSection("## A", "A", "a"), "## A\n\na\n");
  assert.equal(replaceSection("## A\r\n\r\nx\r\n", "A", "a\nb"), "## A\r\n\r\na\r\nb\r\n");
});

Deno.test("links() and tags() look outside code only", () => {
  const body = "[[A]] ![[B|b]] [[C#part|c]] `[[no]]` [[ ]] [[#here]]\n```\n[[no]] #no\n```\n" +
    "#tag (#b/c) a#no `#no` #12 #über\n# Heading\n";
  assert.deepEqual(links(body).map(({ target }) => target), ["A", "B", "C"]);
  assert.equal(body.startsWith("[[B", links(body)[1]?.start), true);
  assert.deepEqual(tags(body), ["tag", "b/c", "über"]);
});

Deno.test("addHistory() puts the newest on top and keeps every other byte", async () => {
  const text = "---\r\nid: a\r\n---\r\n# T\r\n\r\ntext  \r\n";
  const once = addHistory(text, "2026-01-01", "first\nreason");
  assert.ok(once.startsWith(text.trimEnd()));
  const twice = addHistory(once, "2026-02-02", "second");
  assert.ok(twice.endsWith(
    "## History\r\n\r\n- 2026-02-02: second\r\n- 2026-01-01: first reason\r\n",
  ));
  const prose = "# T\n\n## History\n\nMy own words.\n\n## More\n\nx\n";
  assert.equal(
    addHistory(prose, "2026-01-01", "r"),
    "# T\n\n## History\n\n- 2026-01-01: r\n\nMy own words.\n\n## More\n\nx\n",
  );
  assert.equal((await parseNote(twice, "knowledge/a.md")).problem, undefined);
});

Deno.test("replaceRegion() writes between the marks and nowhere else", () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (above, below, region) => {
      const clean = (text: string) => text.replaceAll("sage:", "");
      const head = `---\nid: a\n---\n${clean(above)}\n`;
      const tail = `\n${clean(below)}`;
      const text = `${head}<!-- sage:begin -->\nold\n<!-- sage:end -->${tail}`;
      const next = replaceRegion(text, region);
      assert.ok(next.startsWith(head) && next.endsWith(tail));
      assert.equal(replaceRegion(next, region), next);
      assert.equal(next.match(/<!-- sage:/g)?.length, 2);
    }),
    { numRuns: depth(1000, 30_000) },
  );
});

Deno.test("replaceRegion() adds marks at the end and refuses half of a pair", () => {
  assert.equal(
    replaceRegion("# T\n\nmine\n", "x"),
    "# T\n\nmine\n\n<!-- sage:begin -->\nx\n<!-- sage:end -->\n",
  );
  for (const half of ["a <!-- sage:begin --> b", "a <!-- sage:end --> b"]) {
    assert.throws(
      () => replaceRegion(half, "x"),
      (error) => error instanceof SageError && error.code === "conflict",
    );
  }
});

Deno.test("renderTopic() makes a page whose links and region read back", async () => {
  const header = { id: "testing", created: "2026-01-13T14:30:00Z" };
  const text = renderTopic({
    title: "Testing Strategies",
    introduction: "Mine. <!-- sage:end -->",
    links: [{ target: "note-a", alias: "A | B", summary: "why\nit" }, { target: "x]]y" }],
  }, header);
  const topic = readTopic(await parseNote(text, "topics/Testing Strategies.md"));
  assert.equal(topic.region, "- [[note-a|A B]]: why it\n- [[x y]]");
  assert.deepEqual(topic.targets, ["note-a", "x y"]);
});
