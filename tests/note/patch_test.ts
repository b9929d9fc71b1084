/** Patches change what they name and nothing else, and know when somebody was faster. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { editFrontMatter, splitFrontMatter } from "../../src/note/front_matter.ts";
import { addHistory, historyText, withoutHistory } from "../../src/note/knowledge.ts";
import { sectionRange } from "../../src/note/markdown.ts";
import { applyPatch, type Patch, rebasePatch } from "../../src/note/patch.ts";
import { depth } from "../support/depth.ts";

const ENTITY = `---
id: git-worktrees
subject: entity # mine
---
# Git Worktrees

What they are.

## Gotchas

- hooks come from the main checkout

### Submodules

They do not work.

## Recent Changes

## History

- 2026-01-01: made
`;

Deno.test("applyPatch() inserts at the end of what stands right below a heading", async () => {
  const text = await applyPatch(ENTITY, { kind: "insert", heading: "gotchas", text: "- locks\\n" });
  assert.equal(
    text,
    ENTITY.replace("main checkout\n", "main checkout\n- locks\\n\n"),
  );
  assert.equal(
    await applyPatch(ENTITY, { kind: "insert", heading: "Recent Changes", text: "- moved" }),
    ENTITY.replace("## Recent Changes\n", "## Recent Changes\n\n- moved\n"),
  );
  assert.equal(
    await applyPatch(ENTITY, { kind: "insert", heading: "Submodules", text: "Since 2.5 they do." }),
    ENTITY.replace("not work.\n", "not work.\n\nSince 2.5 they do.\n"),
  );
});

Deno.test("applyPatch() goes on with a list and a table, and puts anything else apart from them", async () => {
  const [item, row] = ["- one", "| a |\n|---|\n| 1 |"];
  for (
    const [above, text, gap] of [
      [item, "- two", "\n"],
      [`${item}\n  more of it`, "- two", "\n"],
      [item, "A paragraph.", "\n\n"],
      [row, "| 2 |", "\n"],
      [row, "A paragraph.", "\n\n"],
      ["A paragraph.", "- two", "\n\n"],
      ["A paragraph.", "| 2 |", "\n\n"],
    ] as const
  ) {
    assert.equal(
      await applyPatch(`# A\n\n## B\n\n${above}\n`, { kind: "insert", heading: "B", text }),
      `# A\n\n## B\n\n${above}${gap}${text}\n`,
    );
  }
});

Deno.test("applyPatch() appends above what two sides left unmerged, which somebody will take out", async () => {
  const unmerged = "## Updates (unmerged 2026-11-22)\n\nOn Friday.\n";
  const more = "## Updates (unmerged 2026-11-23)\n\nOn Sunday.\n";
  const history = "## History\n\n- 2026-11-20: added\n";
  for (
    const top of [
      "# Release\n\nOn Monday.\n",
      "# Release\n\nOn Monday.\n\n## Why\n\nIt is quiet.\n",
    ]
  ) {
    const patch = { kind: "append", text: "At nine." } as const;
    const below = `${unmerged}\n${more}\n${history}`;
    assert.equal(await applyPatch(`${top}\n${below}`, patch), `${top}\nAt nine.\n\n${below}`);
  }
});

Deno.test("applyPatch() makes a missing heading, and appends, above the history", async () => {
  assert.equal(
    await applyPatch(ENTITY, { kind: "insert", heading: "Related", text: "[[Hooks]]" }),
    ENTITY.replace("## Recent Changes\n", "## Recent Changes\n\n## Related\n\n[[Hooks]]\n"),
  );
  const appended = await applyPatch(ENTITY, { kind: "append", text: "## History\n\nnot that one" });
  assert.match(
    appended ?? "",
    /## Recent Changes\n\n\\## History\n\nnot that one\n\n## History\n\n- 2026/,
  );
});

Deno.test("applyPatch() replaces a section with what is deeper, or says that there is none", async () => {
  assert.equal(
    await applyPatch(ENTITY, {
      kind: "replace",
      heading: "Gotchas",
      text: "none\n## Any\n### More",
    }),
    ENTITY.replace(/- hooks[^]*not work\./, "none\n\\## Any\n### More"),
  );
  assert.equal(
    await applyPatch(ENTITY, { kind: "replace", heading: "Nope", text: "x" }),
    undefined,
  );
  assert.equal(
    await applyPatch(ENTITY, { kind: "replace", heading: "Recent Changes", text: "Moved." }),
    ENTITY.replace("## Recent Changes\n", "## Recent Changes\n\nMoved.\n"),
  );
  assert.equal(
    await applyPatch(ENTITY, { kind: "rewrite", text: "All new." }),
    ENTITY.replace(/What they are\.[^]*## Recent Changes/, "All new."),
  );
});

Deno.test("applyPatch() replaces what stands below a title, and no line of the history", async () => {
  const replaced = async (heading: string, text: string) =>
    await applyPatch(text, { kind: "replace", heading, text: "Other." }) ?? "";
  const history = "\n## History\n\n- 2026-01-01: made\n";
  assert.equal(
    await replaced("Git Worktrees", ENTITY),
    ENTITY.slice(0, ENTITY.indexOf("What they are")) + "Other.\n" + history,
  );
  const second = ENTITY.replace("## Gotchas", "# Gotchas");
  assert.ok((await replaced("Gotchas", second)).endsWith(`# Gotchas\n\nOther.\n${history}`));
  const below = `${ENTITY}\n## Tail\n\nMine.\n`;
  assert.ok((await replaced("Tail", below)).endsWith(`${history}\n## Tail\n\nOther.\n`));
});

Deno.test("applyPatch() sets a title on one line, and keeps every alias beside the old one", async () => {
  const set = (text: string) =>
    applyPatch(text, { kind: "set", key: "title", value: "New\n name" });
  const aliases = "aliases:\n  # mine\n  - One\n  - Git: worktrees\n";
  assert.equal(
    await set(`---\nid: a\n${aliases}---\n# Old\n\nText.\n`),
    `---\nid: a\n${aliases}  - Old\n---\n# New name\n\nText.\n`,
  );
  assert.equal(
    await set("---\r\nid: a\r\naliases: One # mine\r\n---\r\n# Old #\r\n\r\nText.\r\n"),
    '---\r\nid: a\r\naliases: [One, "Old #"] # mine\r\n---\r\n# New name\r\n\r\nText.\r\n',
  );
  assert.equal(
    await set("---\nid: a\naliases: {a: b}\n---\n# Old\n"),
    "---\nid: a\naliases: [{a: b}, Old]\n---\n# New name\n",
  );
  assert.equal(await set("---\nid: a\n---\nText.\n"), "---\nid: a\ntitle: New name\n---\nText.\n");
  const signs = await applyPatch("# Old\n", { kind: "set", key: "title", value: "Costs $& or $1" });
  assert.match(signs ?? "", /^# Costs \$& or \$1$/m);
});

Deno.test("applyPatch() sets one key, and keeps line ends, marks and missing last lines", async () => {
  assert.equal(
    await applyPatch(ENTITY, { kind: "set", key: "tags", value: ["git"] }),
    ENTITY.replace("# mine\n", "# mine\ntags: [git]\n"),
  );
  const crlf = "\uFEFF---\r\nid: a\r\n---\r\n# A\r\n\r\nOld.\r\n\r\n## H\r\n\r\n- one";
  assert.equal(
    await applyPatch(crlf, { kind: "insert", heading: "H", text: "- two\n- three" }),
    `${crlf}\r\n- two\r\n- three\r\n`,
  );
  assert.equal(
    await applyPatch(crlf, { kind: "replace", heading: "H", text: "- two\n- three" }),
    crlf.replace("- one", "- two\r\n- three"),
  );
  assert.equal(await applyPatch("", { kind: "append", text: "x" }), "x\n");
  assert.equal(
    await applyPatch("---\nid: a\n---", { kind: "append", text: "x" }),
    "---\nid: a\n---\nx\n",
  );
});

Deno.test("rebasePatch() merges what does not touch, and leaves the rest to a person", async () => {
  const section = { kind: "replace", heading: "Gotchas", text: "a\nB\nc" } as const;
  const base = ENTITY.replace(/- hooks[^]*not work\./, "a\nb\nc\n\nd\ne");
  const theirs = base.replace("d\ne", "d\nE").replace("What they are", "What those are");
  const merged = await rebasePatch(base, theirs, { ...section, text: "a\nB\nc\n\nd\ne" });
  assert.deepEqual(merged, { ...section, text: "a\nB\nc\n\nd\nE\n" });
  assert.equal(await rebasePatch(base, base.replace("\nb\n", "\nX\n"), section), undefined);
  assert.equal(await rebasePatch(base, base.replace("## Gotchas", "## Traps"), section), undefined);
  const key = { kind: "set", key: "subject", value: "fact" } as const;
  assert.deepEqual(await rebasePatch(base, theirs, key), key);
  assert.equal(
    await rebasePatch(base, base.replace("subject: entity", "subject: pattern"), key),
    undefined,
  );
  // Both set the same.
  assert.deepEqual(
    await rebasePatch(base, base.replace("subject: entity", "subject: fact"), key),
    key,
  );
  const title = { kind: "set", key: "title", value: "Worktrees" } as const;
  assert.deepEqual(await rebasePatch(base, theirs, title), title);
  const retitled = base.replace("# Git Worktrees", "# Checkouts");
  assert.equal(await rebasePatch(base, retitled, title), undefined);
  const insert = { kind: "insert", heading: "Gotchas", text: "- x" } as const;
  assert.deepEqual(await rebasePatch(base, theirs, insert), insert);
  assert.equal(await rebasePatch(base, base.replace("## Gotchas", "## Traps"), insert), undefined);
  const other = { ...insert, heading: "Related" };
  assert.deepEqual(await rebasePatch(base, theirs, other), other);
});

/** Bodies as people leave them: blank lines, trailing spaces, odd headings, fences, both line ends. */
const LINES = fc.constantFrom(
  ...["", "", "  ", "text", "text  ", "- item", "  more", "# Title", "## Notes", "## notes ##"],
  ...["### Deep", "## History", "```", "```ts", "| a | b |", "---", "- 2026-01-01: made", "\t"],
);
const TEXTS = fc.tuple(
  fc.array(LINES, { maxLength: 24 }),
  fc.constantFrom("\n", "\r\n"),
  fc.constantFrom("", "---\nid: a # kept\n---\n", "\uFEFF---\r\nid: a\r\n---\r\n"),
).map(([lines, eol, front]) => front + lines.join(eol));
const ADDED = fc.array(
  fc.constantFrom("- new", "fresh", "## Bold", "# Loud", "```", "| c |", "### low"),
  { minLength: 1, maxLength: 4 },
).map((lines) => lines.join("\n"));

Deno.test("what is added takes no byte away: the text before is there in order, whole", async () => {
  await fc.assert(
    fc.asyncProperty(
      TEXTS,
      ADDED,
      fc.constantFrom("Notes", "Deep", "Other"),
      async (text, added, heading) => {
        for (
          const patch of [{ kind: "append", text: added }, {
            kind: "insert",
            heading,
            text: added,
          }] as Patch[]
        ) {
          const next = await applyPatch(text, patch) ?? "";
          let head = 0;
          while (head < text.length && next[head] === text[head]) head++;
          const tail = text.slice(head);
          assert.ok(
            next.endsWith(tail) && next.length >= text.length,
            JSON.stringify({ text, next, patch }),
          );
          for (const line of added.split("\n")) assert.ok(next.includes(line));
        }
      },
    ),
    { numRuns: depth(400, 100_000) },
  );
});

Deno.test("a replaced section leaves every line outside it as it was", async () => {
  await fc.assert(
    fc.asyncProperty(TEXTS, ADDED, async (text, added) => {
      const { body, bodyStart } = splitFrontMatter(text);
      const range = sectionRange(body, "Notes");
      const next = await applyPatch(text, { kind: "replace", heading: "Notes", text: added });
      if (range === undefined) return assert.equal(next, undefined);
      assert.ok(next?.startsWith(text.slice(0, bodyStart + range.textStart).trimEnd()), next);
      assert.ok(next?.endsWith(text.slice(bodyStart + range.end)), next);
    }),
    { numRuns: depth(400, 100_000) },
  );
});

Deno.test("with its date and its line of history, every line that said something stays, in order", async () => {
  await fc.assert(
    fc.asyncProperty(
      TEXTS,
      ADDED,
      fc.constantFrom("Notes", "Other"),
      async (text, added, heading) => {
        const patched = await applyPatch(text, { kind: "insert", heading, text: added }) ?? "";
        const keys = new Map([["updated", "2026-01-13"]]);
        // What looks like front matter and is none is refused, and the note left alone.
        const dated = await editFrontMatter(patched, keys).catch(() => undefined);
        if (dated === undefined) return;
        const next = spoken(addHistory(dated, "2026-01-13", "added"));
        let at = 0;
        for (const line of spoken(text)) {
          at = next.indexOf(line, at) + 1;
          assert.ok(at > 0, JSON.stringify({ text, line, next }));
        }
      },
    ),
    { numRuns: depth(300, 100_000) },
  );
});

function spoken(text: string): string[] {
  return text.replace(/^\uFEFF/, "").split("\n").map((line) => line.trimEnd()).filter((line) =>
    line !== ""
  );
}

Deno.test("of several histories the last is one, and ends where another section begins", () => {
  const body =
    "# T\n\n## History\n\nOf Rome.\n\n## History\n\n- 2026-01-02: made\n\n## More\n\nText.\n";
  assert.equal(historyText(body), "- 2026-01-02: made");
  assert.equal(withoutHistory(body), "# T\n\n## History\n\nOf Rome.\n\n## More\n\nText.\n");
  assert.match(
    addHistory(body, "2026-01-03", "said\nanew"),
    /Of Rome\.\n\n## History\n\n- 2026-01-03: said anew\n- 2026-01-02: made\n/,
  );
});
