/** Paths of every system, told apart by how they look and, where that is not enough, by the system. */
import assert from "node:assert/strict";
import {
  isAbsolute,
  join,
  native,
  resolveFrom,
  slashed,
  slashedAsWritten,
} from "../../src/base/path.ts";
import { findHome } from "../../src/base/home.ts";

Deno.test("slashed() turns what Windows answers, and no name of another system", () => {
  assert.equal(slashed("C:\\Users\\a b\\x", "windows"), "C:/Users/a b/x");
  assert.equal(slashed("\\\\server\\share\\x", "windows"), "//server/share/x");
  assert.equal(slashed("c:\\x", "windows"), "C:/x", "the drive as the system writes it");
  assert.equal(slashed("\\\\?\\c:\\x", "windows"), "C:/x", "as it writes a path of any length");
  assert.equal(slashed("\\\\?\\UNC\\server\\share\\x", "windows"), "//server/share/x");
  assert.equal(slashed("/tmp/back\\slash", "linux"), "/tmp/back\\slash");
});

Deno.test("slashedAsWritten() goes by the form, for nobody says where it was written", () => {
  assert.equal(slashedAsWritten("c:\\Users\\x"), "C:/Users/x");
  assert.equal(slashedAsWritten("c:/Users"), "C:/Users");
  assert.equal(slashedAsWritten("\\\\server\\share"), "//server/share");
  assert.equal(slashedAsWritten("\\\\?\\C:\\Users\\x"), "C:/Users/x");
  assert.equal(slashedAsWritten("/tmp/back\\slash"), "/tmp/back\\slash");
  assert.equal(slashedAsWritten("src\\a"), "src\\a");
});

Deno.test("native() gives back what Windows writes", () => {
  assert.equal(native("C:/a b/x", "windows"), "C:\\a b\\x");
  assert.equal(native("/a/b\\c", "linux"), "/a/b\\c");
});

Deno.test("join() leaves a drive and a share what they are", () => {
  assert.equal(join("C:/", ".sage"), "C:/.sage");
  assert.equal(join("//server/share", "x"), "//server/share/x");
});

Deno.test("isAbsolute() knows a drive and a share", () => {
  const whole = ["/a", "C:/a", "c:\\a", "\\\\server\\share"];
  assert.deepEqual([...whole, "a/b", "C:", "./a", "~/a", "a:b/c"].filter(isAbsolute), whole);
});

Deno.test("resolveFrom() stays on the drive or the share", () => {
  const resolve = (base: string, path: string) => resolveFrom(base, path, "windows");
  assert.equal(resolve("C:/a/b", "..\\c\\.\\d"), "C:/a/c/d");
  assert.equal(resolve("C:/a", "d:\\x\\..\\y"), "D:/y");
  assert.equal(resolve("C:/a", ".."), "C:/");
  assert.equal(resolve("C:/a", "\\\\server\\share\\x"), "//server/share/x");
  assert.equal(resolveFrom("/a", "//b/../c", "linux"), "/c");
  assert.equal(resolveFrom("/a", "..", "linux"), "/");
  assert.equal(resolveFrom("/x", "/a/b\\c", "linux"), "/a/b\\c", "a sign of a name");
});

Deno.test("findHome() goes by USERPROFILE on Windows, whatever a shell set", () => {
  const set = (env: Record<string, string>) => (name: string) => env[name];
  const both = set({ HOME: "H:\\", USERPROFILE: "C:\\Users\\a" });
  assert.equal(findHome(both, "windows"), "C:/Users/a");
  assert.equal(findHome(both, "linux"), "H:\\");
  assert.equal(findHome(set({ HOME: "", USERPROFILE: "/u" }), "linux"), "/u");
  assert.equal(findHome(set({}), "windows"), "");
});
