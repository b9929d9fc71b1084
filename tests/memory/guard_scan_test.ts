/** A scan that could not look says so: nothing found is an answer about what was read. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { scanFiles } from "../../src/memory/guard/scan.ts";
import { put, world } from "../support/world.ts";

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

Deno.test("scanFiles() finds a note that is no text, as a scan of a change does", async () => {
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
