/** One table in somebody's TOML: found whatever stands around it, and every other byte kept. */
import assert from "node:assert/strict";
import { tomlFormat, withTomlServer } from "../../src/editor/codex/config.ts";
import { codex } from "../../src/editor/codex/setup.ts";
import { assumedReceipt, planUninstall } from "../../src/editor/plan.ts";
import { realFs } from "../../src/base/fs.ts";
import { appendTable, parseTomlObject, removeTable, setInTable } from "../../src/editor/toml.ts";

const KEYS = ["mcp_servers", "sage"];
const FILE = "config.toml";
const values = { command: "/bin/sage", args: ["mcp"] };

/** Each holds what looks like our table and is none. */
const DISGUISES = [
  '"""\n[mcp_servers.sage]\n"""',
  "'''\n[mcp_servers.sage]\n'''",
  '"""\\"""\n[mcp_servers.sage]\n"""',
  '"""a""""',
  '[\n  "x", # ]\n  "[mcp_servers.sage]",\n  [1, 2],\n]',
  '{ a = "}", "b c" = [1], d = { e = 2 } } # [x]',
  '"\\\\" # "',
  "'\\'",
];

Deno.test("a table is taken out again whatever stands above it", () => {
  for (const value of DISGUISES) {
    for (const eol of ["\n", "\r\n"]) {
      const before = `x = ${value}\n[other]\ny = ${value}\n`.replaceAll("\n", eol);
      const text = appendTable(before, KEYS, values, "ours");
      const { sage } = parseTomlObject(text, FILE).mcp_servers as { sage: object };
      assert.deepEqual({ ...sage }, values);
      assert.equal(removeTable(text, KEYS, "ours"), before);
      const more = `[later]${eol}z = 1${eol}`;
      assert.equal(removeTable(text + more, KEYS, "ours"), before + more);
    }
  }
});

Deno.test("a table is found in every way in which it may be written", () => {
  const ways = [
    '[mcp_servers.sage]\ncommand = "sage"\nargs = ["mcp"]\n',
    '[ mcp_servers . "sage" ] # x\ncommand = "sage"\nargs = ["mcp"]\n',
    '[mcp_servers]\nsage = { command = "sage", args = ["mcp"] }\n',
    '[mcp_servers]\nsage.command = "sage"\nsage.args = [\n  "mcp",\n]\n',
    'mcp_servers.sage.command = "sage"\nmcp_servers.sage.args = ["mcp"]\n',
    '[mcp_servers.sage]\ncommand = "sage"\nargs = ["mcp"]\n[mcp_servers.sage.tools.x]\ny = 1\n',
  ];
  for (const way of ways) {
    assert.equal(tomlFormat.own(way, FILE).server, "sage", way);
    const after = tomlFormat.remove(way, FILE, []);
    assert.equal(tomlFormat.own(after, FILE).server, undefined, way);
    assert.equal(withTomlServer(way, FILE, "sage"), way);
  }
});

Deno.test("a table is found where the last line ends with a remark and no break", () => {
  for (const remark of ["#", "# mine #", '# "', "# ["]) {
    const text = `[mcp_servers.sage]\ncommand = "/a/sage"\nargs = ["mcp"] ${remark}`;
    assert.equal(withTomlServer(text, FILE, "/b/sage"), text.replace("/a/", "/b/"));
    assert.equal(tomlFormat.remove(text, FILE, []), "");
  }
});

Deno.test("a program that stands in a list is not written over", () => {
  const text = '[mcp_servers.sage]\ncommand = ["/a/sage", "mcp"] # so\nx = 1\n';
  assert.equal(withTomlServer(text, FILE, "/b/sage"), text);
});

Deno.test("a table in which nothing can be changed by lines is refused, and the file stays", () => {
  const inline = 'mcp_servers = { other = { command = "x" } }\n';
  assert.throws(() => withTomlServer(inline, FILE, "/bin/sage"), { code: "invalid_config" });
  const ours = 'mcp_servers = { sage = { command = "/bin/sage", args = ["mcp"] } }\n';
  const [file] = codex.files("user", {
    fs: realFs,
    os: "linux",
    home: "/h",
    projectDir: "/p",
    env: () => undefined,
  });
  assert.ok(file !== undefined);
  assert.throws(
    () => planUninstall(codex, new Map([[file.path, ours]]), assumedReceipt([file])),
    { message: 'Cannot remove Sage from "/h/.codex/config.toml"' },
  );
});

Deno.test("another program is put into its place, and a remark behind it stays", () => {
  const text = '[mcp_servers.sage]\r\n  command  =  "/old sage" # mine\r\nargs = ["mcp"]';
  const set = (way: string) => setInTable(way, [...KEYS, "command"], "C:\\sage.exe");
  assert.equal(set(text), text.replace("/old sage", "C:\\\\sage.exe"));
  assert.equal(
    set('[mcp_servers.sage]\ncommand = "x"'),
    '[mcp_servers.sage]\ncommand = "C:\\\\sage.exe"',
  );
  assert.equal(set("a = 1\n"), "a = 1\n");
});

Deno.test("what is no TOML is an error that names the place", () => {
  for (
    const [text, place] of [["a = 1\nb = = 2\n", "2:"], ["[a]\n[a]\n", "2:"], ['x = "\n', "1:"]]
  ) {
    assert.throws(() => parseTomlObject(text ?? "", FILE), (error: Error) => {
      assert.ok(error.message.startsWith('Cannot read "config.toml": '), error.message);
      assert.ok(error.message.includes(` at ${place}`), error.message);
      assert.ok(!error.message.includes("\n"));
      return true;
    });
  }
  assert.equal(typeof parseTomlObject("big = 12345678901234567890\n", FILE).big, "bigint");
});
