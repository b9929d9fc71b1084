/** The folder of a project's sessions, as the client encodes it. */
import assert from "node:assert/strict";
import {
  isFolderName,
  listTranscripts,
  projectFolder,
} from "../../src/editor/claude_code/projects.ts";
import { realFs } from "../../src/base/fs.ts";
import { tempDir } from "../support/temp_store.ts";

for (
  const [cwd, folder] of [
    ["/tmp/a/dot.name_under-dash", "-tmp-a-dot-name-under-dash"],
    ["/tmp/a/ünïcode-日本", "-tmp-a--n-code---"],
    ["/tmp/a/a+b@c,d(e)", "-tmp-a-a-b-c-d-e-"],
    ["/home/user/😀", "-home-user---"],
  ] as const
) {
  Deno.test(`projectFolder() encodes ${cwd}`, () => {
    assert.equal(projectFolder(cwd, "/c"), `/c/projects/${folder}`);
  });
}

Deno.test("projectFolder() cuts at 200 characters and adds the path's hash", () => {
  const exact = "/" + "a".repeat(199);
  assert.equal(projectFolder(exact, "/c"), `/c/projects/-${"a".repeat(199)}`);
  // Worked out apart from the code: h = h·31 + unit over 201 units, modulo 2^32, as a signed number.
  let hash = 0n;
  for (const unit of exact + "b") hash = (hash * 31n + BigInt(unit.charCodeAt(0))) % (1n << 32n);
  const signed = BigInt.asIntN(32, hash);
  const base36 = (signed < 0n ? -signed : signed).toString(36);
  const named = projectFolder(exact + "b", "/c", "linux");
  assert.equal(named, `/c/projects/-${"a".repeat(199)}-${base36}`);
});

Deno.test("a project of Windows is called by its path as Windows writes it, whatever its drive", () => {
  assert.equal(projectFolder("C:/work/a.b", "/c", "windows"), "/c/projects/C--work-a-b");
  const long = `C:\\${"a".repeat(250)}`;
  const name = projectFolder(long.replace("\\", "/"), "/c", "windows");
  assert.equal(
    name,
    projectFolder(long, "/c", "linux"),
    "the hash is of the path with its backslash",
  );
  assert.ok(isFolderName("c--work-a-b", "C--work-a-b"));
  assert.ok(isFolderName("C--work-a-b-below", "C--work-a-b"));
  assert.ok(isFolderName("c--Work-A-b", "C--work-a-b"));
  assert.ok(!isFolderName("D--work-a-b", "C--work-a-b"));
  assert.ok(!isFolderName("-home-A", "-home-a"));
});

Deno.test("listTranscripts() names session files of all folders, newest first, and nothing else", () => {
  const [dir, other] = [tempDir(), tempDir()];
  for (const name of ["a.jsonl", "b.jsonl", "notes.md"]) {
    Deno.writeTextFileSync(`${dir}/${name}`, "{}");
  }
  Deno.writeTextFileSync(`${other}/c.jsonl`, "{}");
  Deno.utimeSync(`${dir}/a.jsonl`, 1000, 1000);
  Deno.utimeSync(`${other}/c.jsonl`, 2000, 2000);
  Deno.mkdirSync(`${dir}/folder.jsonl`);
  if (Deno.build.os !== "windows") Deno.symlinkSync("/etc/hosts", `${dir}/link.jsonl`);
  const listed = listTranscripts([dir, `${dir}/missing`, other], realFs);
  assert.deepEqual(listed.map((file) => file.sessionId), ["b", "c", "a"]);
});
