/** What README.md shows of `deno task try` is what that shows, but for the hour and the ids. */
import assert from "node:assert/strict";
import { hasBinary } from "../support/sage.ts";
import { run } from "../support/within.ts";

const root = new URL("../../", import.meta.url).pathname;

Deno.test({
  name: "scripts/try.ts shows a session's start as README.md has it",
  // What it plays was captured on Linux, with its paths.
  ignore: !hasBinary || Deno.build.os !== "linux",
  async fn() {
    const shown = /```\n(Sage memory of [^`]*?)\n```/.exec(
      await Deno.readTextFile(`${root}README.md`),
    )?.[1];
    const { code, stdout, stderr } = await run(Deno.execPath(), {
      args: ["run", "-A", `${root}scripts/try.ts`],
      cwd: root,
    });
    assert.equal(code, 0, stderr);
    const [, rest = ""] = stdout.split("The editor is killed (kill -9)");
    const told = / → (Sage memory of [^]*?)\n\n/.exec(rest)?.[1];
    assert.equal(masked(told), masked(shown));
    const [, asked = ""] = rest.split("asks in other words");
    assert.match(asked, /^\n.*Knowledge recalled \(1\)[^$]*Settled on SQLite/);
  },
});

/** Without what changes, and on one line: README.md wraps what would run out of the page. */
function masked(text = ""): string {
  return text.replace(/\s+/g, " ").replace(/\d{4}-\d\d-\d\d( \d\d:\d\d)?/g, "<when>").replace(
    /"[0-9a-f]{8}"/g,
    '"<id>"',
  );
}
