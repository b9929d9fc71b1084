/** A section of git's configuration: put in, changed, taken out, and every other byte as it was. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { readGitSection, writeGitSection } from "../../src/store/git/section.ts";
import { tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

const HEAD = 'merge "sage"';

Deno.test("a section goes as it came, whatever the file's last line ends in", () => {
  for (
    const text of ["", "[core]\n\tbare = false\n", "[core]\n\tbare = false", "[core]\n\n\n", "\n"]
  ) {
    const dir = tempDir();
    const path = `${dir}/config`;
    Deno.writeTextFileSync(path, text);
    assert.ok(writeGitSection(realFs, dir, HEAD, ["driver = a", "name = b"]));
    assert.deepEqual(readGitSection(realFs, dir, HEAD), ["driver = a", "name = b"]);
    assert.equal(writeGitSection(realFs, dir, HEAD, ["driver = a", "name = b"]), false);
    assert.ok(writeGitSection(realFs, dir, HEAD, ["driver = c"]));
    assert.deepEqual(readGitSection(realFs, dir, HEAD), ["driver = c"]);
    assert.ok(writeGitSection(realFs, dir, HEAD, undefined));
    assert.equal(Deno.readTextFileSync(path), text);
  }
});

Deno.test("what git writes behind the section stays", async () => {
  const dir = tempDir();
  const path = `${dir}/config`;
  await Deno.writeTextFile(path, "[core]\n\tbare = false");
  writeGitSection(realFs, dir, HEAD, ["driver = a"]);
  const { code } = await run("git", { args: ["config", "--file", path, "user.name", "Ada"] });
  assert.equal(code, 0);
  writeGitSection(realFs, dir, HEAD, undefined);
  assert.equal(await Deno.readTextFile(path), "[core]\n\tbare = false\n[user]\n\tname = Ada\n");
});
