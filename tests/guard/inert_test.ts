import assert from "node:assert/strict";
import fc from "fast-check";
import { makeInert } from "../../src/guard/inert.ts";
import { depth } from "../support/depth.ts";
import { assertLinear } from "../support/linear.ts";

Deno.test("makeInert() turns what loads or runs into text", () => {
  const cases: [string, string][] = [
    ["![a](https://x.io/p.png)", "\\![a](https://x.io/p.png)"],
    ["word![a](https://x.io)", "word\\![a](https://x.io)"],
    ["[![a](http://x)](http://y)", "[\\![a](http://x)](http://y)"],
    ["![a][r]\n\n[r]: http://x", "\\![a][r]\n\n[r]: http://x"],
    ["![[Note#part]]", "\\![[Note#part]]"],
    ["see![[Note]]", "see\\![[Note]]"],
    ["\\\\![a](http://x)", "\\\\\\![a](http://x)"],
    ['<iframe src="http://x">', '&lt;iframe src="http://x">'],
    ["<SCRIPT>x()</script >", "&lt;SCRIPT>x()&lt;/script >"],
    ["<div style='background:url(//x)'>", "&lt;div style='background:url(//x)'>"],
    ["<b\nonclick=x>", "&lt;b\nonclick=x>"],
    ['<b "a>b" x> <b "a" <i onload=x>', '<b "a>b" x> &lt;b "a" &lt;i onload=x>'],
    ["``` {  .query\n```", "``` {  .text query\n```"],
    ["```dataviewjs\ndv.pages()\n```", "```text dataviewjs\ndv.pages()\n```"],
    ["> ~~~~ {.query}\n> tag:#x", "> ~~~~ {.text query}\n> tag:#x"],
    ["```data&#118;iew", "```text data&#118;iew"],
    ["`= this.file.name` and `$= dv.x`", "`\\= this.file.name` and `\\$= dv.x`"],
    ["`\n$= dv.x` and ` \u00a0= this`", "`\\\n$= dv.x` and `\\ \u00a0= this`"],
    [`\`\`\`${" ".repeat(80)}\u00a0query`, `\`\`\`${" ".repeat(80)}\u00a0text query`],
    ["<% tp.system.prompt() %>", "&lt;% tp.system.prompt() %>"],
  ];
  for (const [markdown, expected] of cases) assert.equal(makeInert(markdown), expected);
});

Deno.test("makeInert() leaves what only shows something", () => {
  const texts = [
    "# Title\n\n- item [link](https://x.io) **bold** `code`\n\n> quote",
    "```rust\nlet v = vec![1, 2];\n```",
    "```ts\nconst m: Map<string, number> = new Map();\n```",
    "a < b && c > d, x<y, <b>bold</b>, <https://x.io/page>",
    "<details>\n<summary>more</summary>\n</details>",
    "a <b\n\nx = 1 > 2",
    "`a == b`, `=> x`, `x = 1`",
    "already \\![escaped](http://x)",
    "<!-- a comment -->",
  ];
  for (const text of texts) assert.equal(makeInert(text), text);
});

Deno.test("makeInert() holds for hostile mixtures, loses no character, and is stable", () => {
  const piece = fc.constantFrom(
    "![",
    "!",
    "[",
    "](http://x)",
    "][r]",
    "[[a]]",
    "\\",
    "<",
    "</",
    "img",
    "iframe ",
    "script",
    "div ",
    "src=",
    "onload=",
    "'",
    '"',
    ">",
    "=",
    " ",
    "\n",
    "\n\n",
    "```",
    "~~~",
    "`",
    "dataview",
    "query\n",
    "$= x",
    "<%",
    "%>",
    "&#100;",
    "vec",
    "{.",
    "<!--",
    "-->",
    "[r]: http://x",
    "- ",
    "> ",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 20 }), (parts) => {
      const markdown = parts.join("");
      const inert = makeInert(markdown);
      const shown = JSON.stringify(inert);
      assert.ok(!/(?<!\\)(?:\\\\)*!\[[^\]]*\](?:\(|\[)/.test(inert), shown);
      assert.ok(!/(?<!\\)(?:\\\\)*!\[\[/.test(inert), shown);
      assert.ok(!/<\/?(?:img|iframe|script)(?=[\s/>]|$)/i.test(inert), shown);
      assert.ok(!/<[a-z/](?:(?!\n\n)[^>=])*=/i.test(inert), shown);
      assert.ok(!/<%/.test(inert), shown);
      assert.ok(!/(?<![`~])(?:`{3,}|~{3,})\s*(?:dataview|query)\b/.test(inert.replace(/\n/g, "¶")));
      assert.equal(makeInert(inert), inert);
      assert.ok(isContained(markdown, inert.replaceAll("&lt;", "<")), shown);
    }),
    { numRuns: depth(2_000, 50_000) },
  );
});

Deno.test("makeInert() costs in proportion to a hostile megabyte", async () => {
  await assertLinear(makeInert);
});

/** Whether all characters of `part` occur in `whole` in their order: a person can still read it. */
function isContained(part: string, whole: string): boolean {
  let at = 0;
  for (const char of whole) if (char === part[at]) at++;
  return at >= part.length;
}
