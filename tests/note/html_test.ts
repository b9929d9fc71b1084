/** Notes as HTML: what they show, and that nothing of them can load, run or break out. */
import assert from "node:assert/strict";
import { renderHtml } from "../../src/note/html.ts";
import { assertLinear } from "../support/linear.ts";

Deno.test("renderHtml() shows what people write, lists in lists and tables too", () => {
  const shows = (markdown: string, html: string) => assert.equal(renderHtml(markdown), html);
  shows("# A *b* ~~c~~\n\n***\n", "<h1>A <em>b</em> <s>c</s></h1>\n<hr>");
  shows(
    "One `x < y` and **two**, [three](https://example.org/?a=1&b=2).",
    '<p>One <code>x &lt; y</code> and <strong>two</strong>, <a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer">three</a>.</p>',
  );
  shows(
    "- first\n  goes on\n  - below\n- [x] second\n\n3. one",
    "<ul>\n<li>first\ngoes on\n<ul>\n<li>below</li>\n</ul>\n</li>\n<li>☑ second</li>\n</ul>\n" +
      '<ol start="3">\n<li>one</li>\n</ol>',
  );
  shows("> said", "<blockquote>\n<p>said</p>\n</blockquote>");
  shows("```sh\nrm -rf <x>\n```", "<pre><code>rm -rf &lt;x&gt;\n</code></pre>");
  shows("[[Git Worktrees|trees]]", "<p><cite>trees</cite></p>");
  shows(
    "| a | b |\n|---|--:|\n| [[x]] | 1 |",
    '<table>\n<thead>\n<tr>\n<th>a</th>\n<th style="text-align:right">b</th>\n</tr>\n</thead>\n' +
      '<tbody>\n<tr>\n<td><cite>x</cite></td>\n<td style="text-align:right">1</td>\n</tr>\n</tbody>\n</table>',
  );
});

const HOSTILE = [
  "<script>alert(1)</script>",
  "<img src=x onerror=alert(1)>",
  "[x](javascript:alert(1))",
  "[x](data:text/html,<script>1</script>)",
  '[x](https://a"onmouseover="alert(1))',
  "![x](https://tracker.example/pixel.png)",
  'https://a.example/"><script>alert(1)</script>',
  "```\n</code></pre><script>alert(1)</script>\n```",
  "```\nunclosed <b>",
  "# </h1><iframe src=//x>",
  "- <svg/onload=alert(1)>",
  "[[x|<b>y</b>]]",
  "&lt;script&gt; stays what it is",
  "`<b>`` `<i>`",
  "| <b> |\n|:-:|\n| <i onclick=x> |",
  "1. <b>\n\n[x]: javascript:alert(1)\n[x]",
  '<https://a.example/?"><b>',
  '``` "><script>\nx\n```',
];

/** Every tag that the renderer itself makes. */
const OWN =
  /<(?:\/?(?:h[1-6]|p|ul|ol|li|blockquote|pre|code|strong|em|s|cite|table|thead|tbody|tr|th|td)|hr|br|ol start="\d+"|t[hd] style="text-align:\w+"|a href="https?:\/\/[^"<>]*" rel="noopener noreferrer"|\/a)>/g;

Deno.test("renderHtml() lets no element, attribute or address of a note through", () => {
  for (const text of [...HOSTILE, HOSTILE.join("\n"), HOSTILE.join("\n\n")]) {
    const html = renderHtml(text);
    assert.doesNotMatch(html.replace(OWN, ""), /[<>]/, text);
    assert.doesNotMatch(html, /href="(?!https?:)/, text);
  }
});

Deno.test("renderHtml() takes no longer than its text is long", async () => {
  await assertLinear(renderHtml);
  await assertLinear(renderHtml, ["[[a|", "**", "[a](", "- a\n", "- - ", "`a", "> a\n", "\n  a"]);
});
