/** What everyone but its owner's editor may see of a note. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { withoutPrivate } from "../../src/memory/write/public_part.ts";
import { parseNote } from "../../src/note/parse.ts";

const HIDDEN = "zanzibar";

async function shown(front: readonly string[], body: string): Promise<string> {
  const note = await parseNote(`---\nid: x\n${front.join("\n")}\n---\n${body}`, "knowledge/x.md");
  const { title, aliases, body: open, front: keys } = withoutPrivate(note);
  const plain = (value: unknown): unknown =>
    value instanceof Map ? [...value].map(([key, one]) => [key, plain(one)]) : value;
  return JSON.stringify([title, aliases, open, plain(keys)]);
}

Deno.test("withoutPrivate() takes a private key's value along, and leaves the rest of a key", async () => {
  const text = await shown([
    `"<private>${HIDDEN}</private>": heptagon`,
    `"deal <private>${HIDDEN}</private>": pentagon`,
    `list: ["<private>${HIDDEN}</private>", "", open]`,
    `nested: {"<private>${HIDDEN}</private>": heptagon, other: hexagon}`,
  ], "# A <private>note</private>\n\nText.\n");
  assert.equal(
    text,
    JSON.stringify([
      "A",
      [],
      "# A \n\nText.\n",
      [["id", "x"], ["deal ", "pentagon"], ["list", ["", "open"]], ["nested", [[
        "other",
        "hexagon",
      ]]]],
    ]),
  );
});

Deno.test("withoutPrivate() lets nothing through that is opened in one place and closed in another", async () => {
  const places = ["key", "value", "first", "second", "title", "body"];
  const place = fc.nat({ max: places.length - 1 });
  await fc.assert(
    fc.asyncProperty(place, place, async (one, other) => {
      const [from, to] = [Math.min(one, other), Math.max(one, other)];
      const part = (at: number): string => {
        const word = at >= from && at <= to ? HIDDEN : "open";
        return `${at === from ? "<private>" : ""}${word}${at === to ? "</private>" : ""}`;
      };
      const [key, value, first, second, title, body] = places.map((_, at) => part(at));
      const text = await shown(
        [`"${key}": "${value}"`, `list: ["${first}", "${second}"]`],
        `# ${title}\n\n${body} ended\n`,
      );
      assert.ok(!text.includes(HIDDEN), text);
      assert.match(text, / ended/);
    }),
  );
});
