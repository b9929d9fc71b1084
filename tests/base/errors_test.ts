/** Failures as they are said: what, where, and what now. */
import assert from "node:assert/strict";
import {
  bracketed,
  codeOf,
  isSystemError,
  SageError,
  systemError,
  systemErrorCode,
} from "../../src/base/errors.ts";

Deno.test("bracketed() says the hint, and nothing where there is none", () => {
  assert.equal(bracketed(new SageError("io", "Cannot", { hint: "again" })), " (again)");
  assert.equal(bracketed(new SageError("io", "Cannot")), "");
});

Deno.test("systemError() names the action, the cause and what to do, and keeps one of ours", () => {
  const full = systemError(Object.assign(new Error("x"), { code: "ENOSPC" }), "write a.md");
  assert.equal(full.message, "Cannot write a.md: no room is left on the disk (ENOSPC)");
  assert.deepEqual([full.code, full.hint], ["disk_full", "free some space, then repeat"]);
  for (const code of ["EISDIR", "ELOOP"]) {
    const inTheWay = systemError(Object.assign(new Error("x"), { code }), "write a.md");
    assert.match(inTheWay.message, /^Cannot write a\.md: a (?:folder|link) is in the way/);
    assert.match(inTheWay.hint ?? "", /^move away/);
  }
  const long = systemError(Object.assign(new Error("x"), { code: "ENAMETOOLONG" }), "write a.md");
  assert.equal(long.message, "Cannot write a.md: its name is too long (ENAMETOOLONG)");
  const odd = systemError(Object.assign(new Error("x"), { code: "EXYZ" }), "read a.md");
  assert.deepEqual([odd.code, odd.message], ["io", "Cannot read a.md: EXYZ"]);
  const ours = new SageError("locked", "held");
  assert.equal(systemError(ours, "read"), ours);
});

Deno.test("codeOf() names what the system lacked, where we only say that it failed", () => {
  const system = (code: string): Error => Object.assign(new Error("x"), { code });
  const crowded = systemError(system("EMFILE"), "read a.md");
  assert.equal(crowded.code, "io");
  assert.equal(codeOf(crowded), "EMFILE");
  assert.equal(codeOf(new SageError("io", "no free name")), "io");
  assert.equal(codeOf(systemError(system("ENOSPC"), "write a.md")), "disk_full");
  assert.deepEqual([codeOf(system("EMFILE")), codeOf(new Error("x"))], ["EMFILE", "internal"]);
});

Deno.test("systemError() tells macOS' privacy from the owner of a file", () => {
  const [kept, owned] = ["EPERM", "EACCES"].map((code) =>
    systemError(Object.assign(new Error("x"), { code }), 'list "/Users/a/Documents"', "darwin")
  );
  assert.match(kept?.message ?? "", /: macOS keeps this folder from .* \(EPERM\)$/);
  assert.match(kept?.hint ?? "", /^allow it in System Settings/);
  assert.deepEqual([owned?.code, owned?.hint], [
    "permission",
    "check owner and mode, also of the folders above",
  ]);
});

Deno.test("systemError() says of a closed file on Windows that a program may have it open", () => {
  const [there, here] = ["windows", "linux"].map((os) =>
    systemError(Object.assign(new Error("x"), { code: "EACCES" }), "move a.md", os)
  );
  assert.match(
    there?.message ?? "",
    /: this account may not, or a program has it open \(EACCES\)$/,
  );
  assert.match(here?.message ?? "", /: this account may not \(EACCES\)$/);
});

Deno.test({
  name:
    "what the runtime has no name for is told by its number: a quota, a share that is gone, no locks",
  ignore: Deno.build.os !== "linux",
  fn() {
    const said = (text: string, number: number): SageError => {
      const cause = new Error(`${text} (os error ${number}): open '/x/a.md'`);
      assert.equal(isSystemError(cause), true);
      return systemError(cause, "write a.md");
    };
    const quota = said("Disk quota exceeded", 122);
    assert.equal(quota.message, "Cannot write a.md: no room is left on the disk (EDQUOT)");
    assert.equal(quota.code, "disk_full");
    assert.equal(said("File too large", 27).code, "disk_full");
    assert.match(said("Stale file handle", 116).hint ?? "", /^mount it anew/);
    assert.match(said("No locks available", 37).message, /its disk gives no locks \(ENOLCK\)$/);
    const other = said("Remote I/O error", 121);
    assert.equal(other.message, "Cannot write a.md: Remote I/O error (os error 121)");
  },
});

Deno.test("a number that a failed request tells of is no name of what failed", async () => {
  const cause = await fetch("http://127.0.0.1:9/x").catch((error) => error);
  assert.equal(cause.name, "TypeError");
  assert.equal(systemErrorCode(cause), undefined);
  assert.equal(isSystemError(cause), false);
});
