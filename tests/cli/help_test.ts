/**
 * The whole help as it was reviewed: help.txt. A change shows as a difference; when it is meant,
 * `SAGE_TEST_UPDATE=1` writes the file anew, to be read before it is committed.
 */
import assert from "node:assert/strict";
import { reference } from "../../scripts/docs.ts";
import { isGroup } from "../../src/cli/command.ts";
import { COMMANDS } from "../../src/cli/commands.ts";
import { parseInput } from "../../src/cli/args.ts";
import { resolve } from "../../src/cli/resolve.ts";
import { sage } from "../support/sage.ts";

const path = new URL("help.txt", import.meta.url).pathname;

Deno.test("help says what it said when it was reviewed", async () => {
  const pages: string[][] = [["help"], ["help", "--all"]];
  for (const { name, load } of COMMANDS) {
    pages.push(["help", name]);
    const { command } = await load();
    const verbs = isGroup(command) ? Object.keys(command.verbs) : [];
    pages.push(...verbs.map((verb) => ["help", name, verb]));
  }
  let text = "";
  for (const args of pages) {
    const { code, stdout, stderr } = await sage(args, { home: "/nowhere" });
    assert.deepEqual([code, stderr], [0, ""]);
    text += `$ sage ${args.join(" ")}`.trimEnd() + "\n" + stdout + "\n";
  }
  if (Deno.env.get("SAGE_TEST_UPDATE") === "1") await Deno.writeTextFile(path, text);
  assert.equal(text, await Deno.readTextFile(path));
});

Deno.test("what help shows as an example is taken, as a shell hands it over", async () => {
  for (const { name, load } of COMMANDS) {
    const { command } = await load();
    const all = isGroup(command) ? Object.values(command.verbs) : [command];
    for (const example of all.flatMap(({ examples = [] }) => examples)) {
      // Words, each quoted or not; a pipe or a redirection that is meant stands alone.
      const [, typed] = /^(?:.*?[|] )?sage (.*?)(?: [<>|] .*| *\(.*)?$/.exec(example) ?? [];
      if (typed === undefined || /^completions/.test(typed)) continue;
      const words = typed.match(/"[^"]*"|'[^']*'|[^\s"']+/g) ?? [];
      const odd = words.find((word) => /^[^"'].*[<>&;*()]/.test(word));
      assert.equal(odd, undefined, `${name}: ${example}`);
      const argv = words.map((word) => word.replace(/^(["'])(.*)\1$/, "$2"));
      const resolved = await resolve(argv, { fallback: true });
      assert.ok(resolved.kind === "command", example);
      assert.doesNotThrow(() => parseInput(resolved.named, resolved.args), example);
    }
  }
});

Deno.test("help fits a terminal of 80 columns without losing a word", async () => {
  for (const { name } of COMMANDS) {
    const { stdout } = await sage(["help", name], {
      home: "/nowhere",
      terminal: true,
      columns: 80,
    });
    const long = stdout.split("\n").filter((line) => line.length > 80 && !/^ {2}\S/.test(line));
    assert.deepEqual(long, [], name);
    assert.doesNotMatch(stdout, /…$/m);
  }
});

Deno.test("docs/reference and the client say what the source says", async () => {
  for (const [name, text] of await reference()) {
    const there = await Deno.readTextFile(
      new URL(`../../${name}`, import.meta.url).pathname,
    ).catch(() => "");
    assert.equal(there, text, `${name} is stale: deno task docs`);
  }
});
