/** Chunks are ranges of the body: nothing lost, nothing twice, none too long. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { chunkNote, countWords } from "../../src/note/chunk.ts";
import { sections } from "../../src/note/markdown.ts";
import { depth } from "../support/depth.ts";
import { assertQuick } from "../support/quick.ts";

function words(count: number, mark = "word"): string {
  return Array.from({ length: count }, (_, i) => `${mark}${i}`).join(" ");
}

Deno.test("chunkNote() splits at headings and names the path", () => {
  const body = "# Locks\n\nIntro.\n\n## Kinds\n\nTwo.\n\n### Flock\n\nKernel.\n";
  const chunks = chunkNote({ title: "Locks", body });
  assert.deepEqual(chunks.map(({ heading, text }) => [heading, text]), [
    ["Locks", "Intro."],
    ["Locks › Kinds", "Two."],
    ["Locks › Kinds › Flock", "Kernel."],
  ]);
});

Deno.test("chunkNote() gives the title alone when there is no text", () => {
  for (const body of ["", "\n\n", "# Locks\n", "# Locks\n\n## Empty\n"]) {
    assert.deepEqual(chunkNote({ title: "Locks", body }), [
      { heading: "Locks", text: "" },
    ]);
  }
});

Deno.test("chunkNote() cuts long text at paragraphs, then at sentences", () => {
  const body = `${words(120)}\n\n${words(120, "other")}\n`;
  assert.deepEqual(chunkNote({ title: "T", body }).map(({ text }) => text.slice(0, 6)), [
    "word0 ",
    "other0",
  ]);
  const prose = Array.from({ length: 60 }, (_, i) => `Sentence ${i} has six words.`).join(" ");
  const chunks = chunkNote({ title: "T", body: prose });
  assert.ok(chunks.length > 1);
  for (const { text } of chunks) assert.match(text, /^Sentence .*words\.$/s);
});

Deno.test("chunkNote() keeps fences, tables and lists whole where they fit", () => {
  const fence = "```ts\n// one\n\n# two\n\nthree();\n```";
  const table = "| a | b |\n|---|---|\n| 1 | 2 |";
  const list = "- one\n\n- two\n  - three\n\n- four";
  for (const whole of [fence, table, list]) {
    const body = `${words(150)}\n\n${whole}\n\n${words(150, "after")}\n`;
    const chunks = chunkNote({ title: "T", body });
    assert.ok(chunks.some(({ text }) => text.includes(whole)), whole);
  }
  // Where the words before leave room for its first line and no more, and where it touches them.
  for (const [gap, whole] of [["\n\n", fence], ["\n", fence], ["\n\n", table]] as const) {
    const chunks = chunkNote({ title: "T", body: `${words(195)}${gap}${whole}${gap}after` });
    assert.ok(chunks.some(({ text }) => text.startsWith(whole)), whole);
  }
});

Deno.test("chunkNote() cuts text without spaces, and never inside a character", () => {
  for (const unit of ["x", "漢", "😀"]) {
    const body = unit.repeat(9000);
    const chunks = chunkNote({ title: "T", body });
    assert.equal(chunks.map(({ text }) => text).join(""), body);
    for (const { text } of chunks) assert.ok(text.length <= 2000 && text.isWellFormed());
  }
});

Deno.test("chunkNote() loses no word, repeats none, and keeps to its size", () => {
  const line = fc.oneof(
    fc.constantFrom("", "## Head", "# Top", "- item", "  more", "```", "| a | b |", "    code"),
    fc.string({ maxLength: 40 }),
    fc.integer({ min: 1, max: 260 }).map((count) => words(count, "w")),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 30 }), fc.constantFrom("\n", "\r\n"), (lines, eol) => {
      const body = lines.join(eol);
      const chunks = chunkNote({ title: "T", body });
      for (const { text } of chunks) {
        assert.ok(body.includes(text));
        assert.ok(text.length <= 2000 && countWords(text) < 240);
      }
      // What is outside the chunks is white space and headings.
      const inkOf = (parts: readonly { readonly text: string }[]): string =>
        parts.map(({ text }) => text).join("").replace(/\s+/g, "");
      assert.equal(inkOf(chunks), inkOf(sections(body)));
    }),
    { numRuns: depth(500, 20_000) },
  );
});

Deno.test("chunkNote() takes a 256 KiB note of any shape quickly", async () => {
  const size = 256 * 1024;
  for (
    const body of [
      "x".repeat(size),
      "x ".repeat(size / 2),
      "x. ".repeat(size / 3),
      "# \n".repeat(size / 3),
      "```\n".repeat(size / 4),
      "- \n".repeat(size / 3),
      "\n".repeat(size),
      " ".repeat(size),
    ]
  ) {
    await assertQuick(() => chunkNote({ title: "T", body }), 2000, body.slice(0, 4));
  }
});
