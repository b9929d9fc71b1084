/** A scan that could not look says so: nothing found is an answer about what was read. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { allow } from "../../src/memory/guard/allowed.ts";
import { allowLine, scanChange, scanFiles } from "../../src/memory/guard/scan.ts";
import { put, read, world } from "../support/world.ts";

const denied = (): never => {
  throw Object.assign(new Error("denied"), { code: "EACCES" });
};

Deno.test("scanFiles() fails at a file that it may not read", async () => {
  using on = await world();
  const file = { absolute: `${on.cwd}/locked.env`, shown: "locked.env" };
  put(file.absolute, "A=b\n");
  const memory = await on.open({
    fs: {
      ...realFs,
      open: (path, how) => path === file.absolute ? denied() : realFs.open(path, how),
    },
  });
  await assert.rejects(scanFiles(memory, [file], { personal: false }), {
    code: "permission",
    message: /"locked\.env"/,
  });
});

Deno.test("scanFiles() reports a note that is not text, as scanChange() does", async () => {
  using on = await world();
  put(`${on.cwd}/.sage/knowledge/a.md`, "# A\n\0\n");
  put(`${on.cwd}/.sage/knowledge/a.png`, "\0\n");
  const folder = { absolute: `${on.cwd}/.sage`, shown: ".sage" };
  const { leaks, skipped } = await scanFiles(on.memory, [folder], { personal: false });
  assert.deepEqual(leaks.map(({ path, rule }) => `${path} ${rule}`), [
    ".sage/knowledge/a.md binary-note",
  ]);
  assert.deepEqual(skipped, [{ path: ".sage/knowledge/a.png", reason: "binary" }]);
});

Deno.test("scanChange() reads a long file in UTF-16 to its end, and of one that is no text nothing", async () => {
  using on = await world();
  const secret = ["AKIA", "Q3EGRT5XWY7ZBNMP"].join("");
  const text = `\ufeff${"上x\n".repeat(400_000)}${secret}\n`;
  const wide = new Uint8Array(Uint16Array.from(text, (char) => char.charCodeAt(0)).buffer);
  const bytes = new TextEncoder().encode(
    `${"\0".repeat(9_000)}${"x\n".repeat(600_000)}${secret}\n`,
  );
  for (const [path, file] of [["a.txt", wide], ["a.png", bytes]] as const) {
    const lines = newLines(path, file).values();
    const { leaks, skipped } = await scanChange(
      on.memory,
      (bytesMax) => Promise.resolve(pieces(lines, bytesMax)),
      { personal: false },
    );
    assert.deepEqual(leaks.map(({ rule }) => rule), path === "a.txt" ? ["aws-access-key-id"] : []);
    assert.deepEqual(skipped, path === "a.txt" ? [] : [{ path, reason: "binary" }]);
  }
});

Deno.test("a scan reads text with a NUL in it, and text in another encoding after UTF-16", async () => {
  using on = await world();
  const secret = ["AKIA", "Q3EGRT5XWY7ZBNMP"].join("");
  const encoder = new TextEncoder();
  const cut = encoder.encode(`${"a line of a log\n".repeat(20)}\0\0\0\nKEY=${secret}\n`);
  const wide = new Uint8Array(
    Uint16Array.from("\ufeffA=1\r\n", (char) => char.charCodeAt(0)).buffer,
  );
  const mixed = new Uint8Array([...wide, ...encoder.encode(`KEY=${secret}\n`)]);
  const marked = new Uint8Array([0xff, 0xfe, ...encoder.encode(`KEY=${secret}\n`)]);
  for (const [file, line] of [[cut, 22], [mixed, 2], [marked, 1]] as const) {
    const lines = newLines("a.env", file).values();
    const change = await scanChange(
      on.memory,
      (bytesMax) => Promise.resolve(pieces(lines, bytesMax)),
      { personal: false },
    );
    await Deno.writeFile(`${on.cwd}/a.env`, file);
    const files = [{ absolute: `${on.cwd}/a.env`, shown: "a.env" }];
    for (const { leaks } of [change, await scanFiles(on.memory, files, { personal: false })]) {
      assert.deepEqual(leaks.map((leak) => [leak.rule, leak.line]), [["aws-access-key-id", line]]);
    }
  }
});

Deno.test("scanChange() finds each secret of a line that is longer than is read at once, once", async () => {
  using on = await world();
  const secret = ["AKIA", "Q3EGRT5XWY7ZBNMP"].join("");
  // In the first piece, across where it ends, in what is looked at twice, and at the end of the third.
  const columns = [100, 1_048_565, 1_040_000, 2_500_000];
  const text = new Uint8Array(2_500_100).fill(0x20);
  for (const at of columns) text.set(new TextEncoder().encode(`="${secret}"`), at);
  for (const encoding of ["utf-8", "utf-16"]) {
    const isWide = encoding === "utf-16";
    const wide = new Uint8Array(Uint16Array.from([0xfeff, ...text]).buffer);
    const lines = newLines("a.env", isWide ? wide : text).values();
    const { leaks } = await scanChange(
      on.memory,
      (bytesMax) => Promise.resolve(pieces(lines, bytesMax)),
      { personal: false },
    );
    assert.deepEqual(
      leaks.map(({ line, column }) => [line, column]),
      columns.toSorted((a, b) => a - b).map((at) => [1, at + 3]),
      encoding,
    );
  }
});

Deno.test("scanChange() counts the columns of a long line in characters, wherever it is cut", async () => {
  using on = await world();
  const secret = `="${["AKIA", "Q3EGRT5XWY7ZBNMP"].join("")}"`;
  for (const letter of ["ü", "→", "🔑"]) {
    for (const shift of ["", ".", "..", "..."]) {
      const before = shift + letter.repeat(1_500_000 / new TextEncoder().encode(letter).length);
      const text = `${before}${secret}${before}${secret}`;
      const lines = newLines("a.env", new TextEncoder().encode(text)).values();
      const { leaks } = await scanChange(
        on.memory,
        (bytesMax) => Promise.resolve(pieces(lines, bytesMax)),
        { personal: false },
      );
      const [first, second] = [before.length + 3, 2 * before.length + secret.length + 3];
      assert.deepEqual(leaks.map(({ column }) => column), [first, second], letter + shift);
    }
  }
});

Deno.test("scanChange() finds what stands at the same place of two long lines in both files", async () => {
  using on = await world();
  const text = new Uint8Array(2_000_000).fill(0x20);
  const secret = ["AKIA", "Q3EGRT5XWY7ZBNMP"].join("");
  text.set(new TextEncoder().encode(`="${secret}"`), 1_500_000);
  const lines = [...newLines("a.env", text), ...newLines("b.env", text)].values();
  const { leaks } = await scanChange(
    on.memory,
    (bytesMax) => Promise.resolve(pieces(lines, bytesMax)),
    { personal: false },
  );
  assert.deepEqual(leaks.map(({ path }) => path), ["a.env", "b.env"]);
});

Deno.test("scanChange() counts what was accepted in a long line once, wherever it is read twice", async () => {
  using on = await world();
  const text = new Uint8Array(1_500_000).fill(0x20);
  const secret = ["AKIA", "Q3EGRT5XWY7ZBNMP"].join("");
  text.set(new TextEncoder().encode(`="${secret}"`), 1_040_000);
  const scan = () => {
    const lines = newLines("a.env", text).values();
    const next = (bytesMax: number) => Promise.resolve(pieces(lines, bytesMax));
    return scanChange(on.memory, next, { personal: false });
  };
  const [leak] = (await scan()).leaks;
  assert.ok(leak !== undefined);
  allow(on.memory, { rule: leak.rule, place: "a.env:1", reason: "sample", value: secret });
  const { leaks, allowed } = await scan();
  assert.deepEqual([leaks, allowed], [[], 1]);
});

let rest: Uint8Array = new Uint8Array();

/** As `Io.readRawLine()` hands lines out. */
function pieces(lines: Iterator<Uint8Array>, bytesMax: number) {
  const line = rest.length > 0 ? rest : lines.next().value as Uint8Array | undefined;
  if (line === undefined) return undefined;
  rest = line.subarray(bytesMax);
  return { bytes: line.slice(0, bytesMax), goesOn: rest.length > 0 };
}

/** What `git diff --text` says of a file that is new. */
function newLines(path: string, file: Uint8Array): Uint8Array[] {
  const content: Uint8Array[] = [];
  for (let at = 0; at < file.length;) {
    const end = file.indexOf(10, at) < 0 ? file.length : file.indexOf(10, at);
    content.push(Uint8Array.from([0x2b, ...file.subarray(at, end)]));
    at = end + 1;
  }
  const head = [
    `diff --git a/${path} b/${path}`,
    `+++ b/${path}`,
    `@@ -0,0 +1,${content.length} @@`,
  ];
  return [...head.map((line) => new TextEncoder().encode(line)), ...content];
}

const TOKEN = ["ghp", "_q7RtX2mVb9KsLw4ZcN8yHd3FgJ6pTa1UeQ5o"].join("");

Deno.test("a scan finds a secret in a file's name, and does not print it", async () => {
  using on = await world();
  const path = `notes/${TOKEN}/a.txt`;
  put(`${on.cwd}/${path}`, "nothing\n");
  put(`${on.cwd}/notes/${TOKEN}.png`, "\0\n");
  const { leaks, skipped, files } = await scanFiles(
    on.memory,
    [{ absolute: `${on.cwd}/notes`, shown: "notes" }],
    { personal: false },
  );
  const [rule = ""] = leaks.map(({ rule }) => rule);
  assert.match(rule, /github/);
  const at = { line: 1, column: 1, rule, in: "name" };
  assert.deepEqual(leaks.toSorted((a, b) => a.path < b.path ? -1 : 1), [
    { path: `notes/[redacted:${rule}].png`, ...at },
    { path: `notes/[redacted:${rule}]/a.txt`, ...at },
  ]);
  assert.deepEqual([skipped.map(({ path }) => path), files], [[`notes/[redacted:${rule}].png`], 1]);
  assert.deepEqual(
    await allowLine(on.memory, { absolute: `${on.cwd}/${path}`, shown: path }, 1, "made up"),
    { allowed: 1, refused: [] },
  );
  const again = await scanFiles(on.memory, [{ absolute: on.cwd, shown: "" }], { personal: false });
  assert.deepEqual([again.leaks, again.allowed], [[], 2]);
  assert.equal(read(`${on.home}/.sage/allowed.jsonl`).includes(TOKEN), false);
});

Deno.test("scanChange() finds a secret in the names of files, branches and tags", async () => {
  using on = await world();
  const lines = [
    `ref refs/heads/fix-${TOKEN}`,
    "ref refs/tags/v1",
    `diff --git a/${TOKEN}.bin b/${TOKEN}.bin`,
    "new file mode 100644",
    "index 0000000..1111111",
    `Binary files /dev/null and b/${TOKEN}.bin differ`,
  ].map((line) => ({ bytes: new TextEncoder().encode(line), goesOn: false }));
  const report = await scanChange(on.memory, () => Promise.resolve(lines.shift()), {
    personal: false,
  });
  const shown = report.leaks.map(({ path }) =>
    path.replace(/\[redacted:[^\]]*github[^\]]*\]/, "…")
  );
  assert.deepEqual(shown.toSorted(), ["refs/heads/fix-…", "….bin"].toSorted());
  assert.equal(report.files, 1);
  assert.equal(JSON.stringify(report).includes(TOKEN), false);
});
