import assert from "node:assert/strict";
import { binary, hasBinary, sage, scratch } from "../support/sage.ts";
import { orKilled } from "../support/within.ts";

const TEXT = "The API allows 10 requests a second.\n";
const DONE = "The token refresh races with logout; a lock per session fixes it.\n";

Deno.test("knowledge add keeps what is piped in, with a title and without", async () => {
  const place = scratch();
  const titled = await sage(["knowledge", "add", "API limits"], { ...place, stdin: TEXT });
  assert.match(titled.stdout, /API limits/, titled.stderr);
  const bare = await sage(["knowledge", "add"], { ...place, stdin: "Hooks run in order.\n" });
  assert.match(bare.stdout, /Hooks run in order/, bare.stderr);
  const shown = await sage(["knowledge", "show", "API limits"], place);
  assert.match(shown.stdout, /10 requests a second/);
});

Deno.test("knowledge add takes no title for the name of a file that is not there", async () => {
  const place = scratch();
  for (const name of ["worktrees.md", "notes/worktrees"]) {
    const missing = await sage(["knowledge", "add", name], { ...place, stdin: TEXT });
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /there is no such file/);
  }
});

Deno.test("what takes a text takes what is piped in", async () => {
  const place = scratch();
  assert.equal((await sage(["checkpoint"], { ...place, stdin: DONE })).code, 0);
  assert.equal((await sage(["todo", "add"], { ...place, stdin: "Test it under load\n" })).code, 0);
  assert.equal((await sage(["todo", "add", "-"], { ...place, stdin: "And slowly\n" })).code, 0);
  const todos = await sage(["todo", "list"], place);
  assert.match(todos.stdout, /Test it under load/);
  assert.match(todos.stdout, /And slowly/);
  await sage(["knowledge", "add", "API limits"], { ...place, stdin: TEXT });
  const more = { ...place, stdin: "Twenty at night.\n" };
  assert.equal((await sage(["knowledge", "edit", "API limits", "--append"], more)).code, 0);
  assert.match((await sage(["knowledge", "show", "API limits"], place)).stdout, /Twenty at night/);
  const anew = { ...place, stdin: "The API allows anything.\n" };
  assert.equal((await sage(["knowledge", "update", "API limits"], anew)).code, 0);
  assert.match((await sage(["knowledge", "show", "API limits"], place)).stdout, /allows anything/);
});

const SILENT = [
  ["knowledge", "add"],
  ["knowledge", "add", "title"],
  ["knowledge", "update", "abc"],
  ["checkpoint"],
  ["todo", "add"],
  ["admin", "patterns", "import"],
];

Deno.test("an empty stdin is no text", async () => {
  const place = scratch();
  for (const args of SILENT) {
    const { code, stdout, stderr } = await sage(args, place);
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, /^sage: /);
  }
});

Deno.test("knowledge edit prints its path, whatever stdin holds", async () => {
  const place = scratch();
  await sage(["knowledge", "add", "API limits"], { ...place, stdin: TEXT });
  const path = await sage(["knowledge", "edit", "API limits"], { ...place, stdin: "more\n" });
  assert.match(path.stdout, /\.md\n$/);
});

Deno.test({
  name: "a pipe that nobody closes is not waited for, and nothing of it is kept",
  ignore: !hasBinary,
  async fn() {
    const { home, cwd } = scratch();
    const child = new Deno.Command(new URL("../../dist/sage", import.meta.url).pathname, {
      args: ["checkpoint"],
      cwd,
      env: { HOME: home },
      clearEnv: true,
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const writer = child.stdin.getWriter();
    await writer.write(new TextEncoder().encode(DONE));
    const { code, stderr } = await orKilled("the end without that of stdin", child, child.output());
    assert.equal(code, 2);
    assert.match(new TextDecoder().decode(stderr), /stdin did not end within 3 s/);
    await writer.close().catch(() => {});
    const listed = await binary(["checkpoint", "list", "--json"], { home, cwd });
    assert.match(listed.stdout, /"total": 0/);
  },
});

Deno.test({
  name: "guard scan reads a change whose lines are longer than it holds at once",
  ignore: !hasBinary,
  async fn() {
    const place = scratch();
    const secret = ["AKIA", "Q3EGRT5XWY7ZBNMP"].join("");
    const fill = "x, ".repeat(1_000_000);
    const stdin = ["diff --git a/a b/a", "+++ b/a", "@@ -1,2 +1,5 @@", `-${fill}`, `+${fill}`]
      .concat(`+${fill}"${secret}"`, "+x", " y", `+"${secret}" ${fill}`).join("\n");
    const args = ["guard", "scan", "-", "--json"];
    for (const end of ["", "\n"]) {
      const { stdout } = await binary(args, { ...place, stdin: stdin + end });
      const { items } = JSON.parse(stdout) as { items: { line: number; column: number }[] };
      const places = items.map(({ line, column }) => [line, column]);
      assert.deepEqual(places, [[2, fill.length + 2], [5, 2]]);
    }
  },
});
