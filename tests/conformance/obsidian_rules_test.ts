/** Obsidian's link rules, one by one, asked of the resolver that the vault's links are checked with. */
import assert from "node:assert/strict";
import { linksOf, Vault } from "./obsidian.ts";

const FILES = new Map([
  ["Home.md", "# Home\n"],
  ["Projects/Sage/Plan.md", "# Plan\n\n## First Steps\n\n### Why: (so)?\n\nA line. ^why-1\n"],
  ["Projects/Other/Plan.md", "# Plan\n"],
  ["Projects/Other/Only Here.md", "---\naliases: [The Only One]\n---\n# Only Here\n"],
  ["Areas/Café.md", "# Café\n"],
  ["Areas/Version 1.2.md", "# Version 1.2\n"],
  ["Areas/picture.png", ""],
  ["Home/Deep.md", "# Deep\n"],
  [".trash/Gone.md", "# Gone\n"],
]);

const RULES: readonly (readonly [
  rule: string,
  linktext: string,
  source: string,
  path: string | undefined,
  more?: { readonly isAmbiguous?: boolean; readonly hasSubpath?: boolean },
])[] = [
  [
    "a name leads to the file that has it, wherever it lies",
    "Only Here",
    "Home.md",
    "Projects/Other/Only Here.md",
  ],
  ["case does not matter", "only here", "Home.md", "Projects/Other/Only Here.md"],
  ["nor does the form of an accent", "Cafe\u0301", "Home.md", "Areas/Café.md"],
  [
    "the extension of a note may be written",
    "Only Here.md",
    "Home.md",
    "Projects/Other/Only Here.md",
  ],
  ["a dot is no extension", "Version 1.2", "Home.md", "Areas/Version 1.2.md"],
  ["another file needs its extension", "picture.png", "Home.md", "Areas/picture.png"],
  ["and is not found without", "picture", "Home.md", undefined],
  [
    "a path from the root leads to just that file",
    "Projects/Sage/Plan",
    "Home.md",
    "Projects/Sage/Plan.md",
  ],
  ["the end of a path is enough", "Sage/Plan", "Home.md", "Projects/Sage/Plan.md"],
  ["but not the end of a folder's name", "age/Plan", "Home.md", undefined],
  [
    "of two with one name the one nearby comes first",
    "Plan",
    "Projects/Other/Only Here.md",
    "Projects/Other/Plan.md",
    { isAmbiguous: true },
  ],
  ["else the shorter path", "Plan", "Home.md", "Projects/Sage/Plan.md", { isAmbiguous: true }],
  [
    "a relative path counts from the note",
    "./Plan",
    "Projects/Other/Only Here.md",
    "Projects/Other/Plan.md",
  ],
  ["upwards as well", "../Sage/Plan", "Projects/Other/Only Here.md", "Projects/Sage/Plan.md"],
  ["not out of the vault", "../../../Home", "Projects/Other/Only Here.md", undefined],
  ["an alias is no name of a file", "The Only One", "Home.md", undefined],
  ["nor is a title", "Deep Thoughts", "Home.md", undefined],
  ["nor a folder", "Projects", "Home.md", undefined],
  ["hidden folders are not there", "Gone", "Home.md", undefined],
  ["a heading is found", "Sage/Plan#First Steps", "Home.md", "Projects/Sage/Plan.md"],
  ["below another one", "Sage/Plan#First Steps#Why so", "Home.md", "Projects/Sage/Plan.md"],
  ["not above it", "Sage/Plan#Why so#First Steps", "Home.md", "Projects/Sage/Plan.md", {
    hasSubpath: false,
  }],
  ["one of the note itself", "#Home", "Home.md", "Home.md"],
  ["a block is found", "Sage/Plan#^why-1", "Home.md", "Projects/Sage/Plan.md"],
  ["where it is", "Sage/Plan#^why-2", "Home.md", "Projects/Sage/Plan.md", { hasSubpath: false }],
];

for (const [rule, linktext, source, path, more = {}] of RULES) {
  Deno.test(`Obsidian: ${rule}`, () => {
    const found = new Vault(FILES).resolve(linktext, source);
    assert.equal(found?.path, path);
    if (found === undefined) return;
    assert.equal(found.isAmbiguous, more.isAmbiguous ?? false);
    assert.equal(found.hasSubpath, more.hasSubpath ?? true);
  });
}

Deno.test("Obsidian: links stand in text and properties, not in code and comments", () => {
  const text = [
    '---\nup: "[[Home]]"\nlist:\n  - "[[A|b]]"\n---',
    "[[B#c|d]] ![[E.png]] [f](G%20h.md) [i](<J k.md>) ![](l.png) [m](https://n.example/o.md)",
    "`[[code]]` ``[[`code`]]`` <!-- [[comment]] --> %%[[comment]]%%",
    "```\n[[fence]]\n```",
    "| [[P\\|q]] |",
    "[[broken\n]] [[]] [[a]b]]",
  ].join("\n\n");
  assert.deepEqual(
    linksOf(text).map(({ linktext, shown, isEmbed }) => [linktext, shown, isEmbed]),
    [
      ["Home", undefined, false],
      ["A", "b", false],
      ["B#c", "d", false],
      ["E.png", undefined, true],
      ["P", "q", false],
      ["G h.md", "f", false],
      ["J k.md", "i", false],
      ["l.png", "", true],
    ],
  );
});
