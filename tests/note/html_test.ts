/** Notes as HTML: what they show, and that nothing of them can load, run or break out. */
import assert from "node:assert/strict";
import { renderHtml } from "../../src/note/html.ts";

Deno.test("renderHtml() shows headings, lists, code, quotes, links and emphasis", () => {
  const html = renderHtml(
    "# A *b*\n\nOne `x < y` and **two**, [three](https://example.org/?a=1&b=2).\n\n- first\n  goes on\n- second\n\n1. one\n2. two\n\n> said\n\n```sh\nrm -rf <x>\n```\n\n[[Git Worktrees|trees]]",
  );
  assert.equal(
    html,
    `<h1>A *b*</h1>
<p>One <code>x &lt; y</code> and <strong>two</strong>, <a href="https://example.org/?a=1&amp;b=2" rel="noopener noreferrer">three</a>.</p>
<ul>
<li>first goes on</li>
<li>second</li>
</ul>
<ol>
<li>one</li>
<li>two</li>
</ol>
<blockquote>said</blockquote>
<pre><code>rm -rf &lt;x&gt;</code></pre>
<p><cite>trees</cite></p>`,
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
];

/** Every tag that the renderer itself makes. */
const OWN =
  /<(?:\/?(?:h[1-6]|p|ul|ol|li|blockquote|pre|code|strong|cite)|hr|a href="https?:\/\/[^"<>]*" rel="noopener noreferrer"|\/a)>/g;

Deno.test("renderHtml() lets no element, attribute or address of a note through", () => {
  for (const text of [...HOSTILE, HOSTILE.join("\n"), HOSTILE.join("\n\n")]) {
    const html = renderHtml(text);
    assert.doesNotMatch(html.replace(OWN, ""), /[<>]/, text);
    assert.doesNotMatch(html, /href="(?!https?:)/, text);
  }
});

Deno.test("renderHtml() takes no longer than its text is long", () => {
  const texts = [
    "`".repeat(200_000),
    "[".repeat(200_000),
    "**".repeat(100_000),
    "[[a|".repeat(50_000),
  ];
  for (const text of texts) {
    const start = performance.now();
    renderHtml(text);
    assert.ok(performance.now() - start < 2000, text.slice(0, 8));
  }
});
