/** The manual page: every command is in it, and what formats manual pages has nothing to say against it. */
import assert from "node:assert/strict";
import { isGroup } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { isOnThisMachine } from "../support/on_this_machine.ts";
import { run } from "../support/within.ts";

const path = new URL("../../man/sage.1", import.meta.url).pathname;

Deno.test("sage(1) explains every command and every verb", async () => {
  const page = (await Deno.readTextFile(path)).replaceAll("\\-", "-")
    .replaceAll("...", "…").replaceAll("\\(dq", '"');
  for (const { name, usage, load } of COMMANDS) {
    const { command } = await load();
    const verbs = isGroup(command) ? Object.values(command.verbs) : [];
    assert.ok(page.includes(verbs.length === 0 ? usage : `.SS "sage ${name}"`), name);
    for (const verb of verbs) assert.ok(page.includes(`\n.B ${verb.usage}\n`), verb.usage);
  }
});

/** Each with what it may say all the same: a page that is made anew has no date of its own. */
const JUDGES: readonly (readonly [program: string, args: readonly string[], allowed: RegExp])[] = [
  ["mandoc", ["-T", "lint", "-W", "warning"], /missing date/],
  ["groff", ["-man", "-ww", "-Tutf8", "-z"], /^$/],
];

for (const [program, args, allowed] of JUDGES) {
  const isHere = isOnThisMachine(program);
  Deno.test({
    name: `${program} has nothing against sage(1)${isHere ? "" : ": it is not on this machine"}`,
    ignore: !isHere,
    async fn() {
      const { stdout, stderr } = await run(program, { args: [...args, path] });
      assert.deepEqual(
        (stdout + stderr).split("\n").filter((line) => line !== "" && !allowed.test(line)),
        [],
      );
    },
  });
}
