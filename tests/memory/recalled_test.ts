/** How words of a note are quoted inside a sentence of ours. */
import assert from "node:assert/strict";
import { isQuoted, quote, quotedIn, quoteSummary } from "../../src/memory/recalled.ts";

Deno.test("quoteSummary() cuts what was asked before what came out", () => {
  const asked = "lets write the postmortem for last night, the template is in docs";
  const then = "both of them, flushing per partition is the real fix and I own it, due in December";
  const outcome = "The revert applies, but the worker does not build.";
  const quoted = JSON.parse(quoteSummary(`${asked} — then: ${then} → ${outcome}`, 120));
  assert.ok(quoted.endsWith(`… → ${outcome}`), quoted);
  assert.ok(quoted.startsWith("both of them"), quoted);
  assert.ok(quoted.length <= 120);
});

Deno.test("quote() gives characters that are words half the room", () => {
  assert.equal(quote("登录状态改存到外部缓存里", 12), '"登录状态改…"');
  assert.equal(quote("改用 RabbitMQ 了", 12), '"改用 RabbitM…"');
  const summary = "登录状态放在哪里比较好 → 会话改存到外部缓存里，客服可以随时让用户下线。";
  const quoted = JSON.parse(quoteSummary(summary, 60));
  assert.equal(quoted, "登录状态放在哪里比较好 → 会话改存到外部缓存里，客服可以随时让用…");
});

Deno.test("quoteSummary() tells what fits as it is, and cuts what came out last", () => {
  assert.equal(quoteSummary("asked → came out", 40), '"asked → came out"');
  assert.equal(quoteSummary("no outcome in it", 40), '"no outcome in it"');
  const long = JSON.parse(quoteSummary(`short question → ${"word ".repeat(60)}`, 100));
  assert.match(long, /^short question → word .*…$/);
  assert.ok(long.length <= 100);
});

Deno.test("quoteSummary() keeps what was made of it since, and what a question was answered with", () => {
  const summary = `asked → ${"what came out first ".repeat(12)}Then: it runs on the other one now.`;
  const quoted = JSON.parse(quoteSummary(summary, 160));
  assert.match(quoted, /^asked → what came out .*… Then: it runs on the other one now\.$/);
  assert.ok(quoted.length <= 160, quoted);
});

Deno.test("quotedIn() passes over a path that stands in quotation marks as it is", () => {
  const line = String.raw`- Capture: "D:\Users\notes" in the vault is missing`;
  assert.equal(quotedIn(line).length, 0);
  const told = new Set(quotedIn(`- Next: ${quote('write the "codec" test', 40)}`));
  assert.ok(isQuoted('write the "codec" test', told));
});

Deno.test("quote() changes both brackets of a name, and leaves no tag", () => {
  assert.equal(quote("`<sku> <name>`, Map<K, Vec<u8>>", 99), '"`‹sku› ‹name›`, Map‹K, Vec‹u8›>"');
  assert.equal(
    quote("</recalled x> a < b && c > d -> e", 99),
    '"‹/recalled x› a ‹ b && c > d -> e"',
  );
});
