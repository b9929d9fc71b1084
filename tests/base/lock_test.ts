/** Locks between two descriptors of one process; between processes see tests/store/processes_test.ts. */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { realFs } from "../../src/base/fs.ts";
import { withLock } from "../../src/base/lock.ts";
import { assertInTime } from "../support/quick.ts";
import { tempDir } from "../support/temp_store.ts";

const fs = realFs;

function lockPath(): string {
  return `${tempDir()}/locks/x.lock`;
}

function caught(body: () => unknown): SageError {
  try {
    body();
  } catch (error) {
    if (error instanceof SageError) return error;
  }
  throw new Error("Nothing was thrown");
}

Deno.test("withLock() gives what the body gives, and makes its folder", () => {
  const path = lockPath();
  assert.equal(withLock(fs, path, { deadlineMs: 0, holder: "sage test" }, () => 42), 42);
  assert.equal(fs.lstat(path)?.size, 0);
});

Deno.test("withLock() keeps others out until the body ends, and names the holder", () => {
  const path = lockPath();
  const error = withLock(
    fs,
    path,
    { deadlineMs: 0, holder: "sage one" },
    () => caught(() => withLock(fs, path, { deadlineMs: 0, holder: "sage two" }, () => 1)),
  );
  assert.equal(error.code, "locked");
  assert.match(error.message, new RegExp(`sage one \\(pid ${Deno.pid}\\)`));
  assert.match(error.hint ?? "", new RegExp(String(Deno.pid)));
  assert.equal(withLock(fs, path, { deadlineMs: 0, holder: "sage two" }, () => 1), 1);
});

Deno.test("withLock() frees the lock when the body throws", () => {
  const path = lockPath();
  const how = { deadlineMs: 0, holder: "sage" };
  assert.throws(() =>
    withLock(fs, path, how, () => {
      throw new Error("body");
    }), /body/);
  assert.equal(withLock(fs, path, how, () => 1), 1);
});

Deno.test("withLock() waits as long as it was told", async () => {
  const path = lockPath();
  const start = performance.now();
  withLock(
    fs,
    path,
    { deadlineMs: 0, holder: "a" },
    () => caught(() => withLock(fs, path, { deadlineMs: 120, holder: "b" }, () => 1)),
  );
  const took = performance.now() - start;
  assert(took >= 119, `${took} ms`);
  await assertInTime(took, 400, "withLock()");
});

Deno.test("withLock() shared lets others share, and nobody exclude", () => {
  const path = lockPath();
  const shared = { deadlineMs: 0, holder: "s", exclusive: false };
  const outcome = withLock(fs, path, shared, () => [
    withLock(fs, path, shared, () => "shared"),
    caught(() => withLock(fs, path, { deadlineMs: 0, holder: "x" }, () => 1)).code,
  ]);
  assert.deepEqual(outcome, ["shared", "locked"]);
});

Deno.test("withLock() shows a damaged holder file without its control characters", () => {
  const path = lockPath();
  const error = withLock(fs, path, { deadlineMs: 0, holder: "x" }, () => {
    Deno.writeTextFileSync(`${path}.holder`, "\x1b[31mred\x07");
    return caught(() => withLock(fs, path, { deadlineMs: 0, holder: "y" }, () => 1));
  });
  assert.doesNotMatch(error.message, /\p{Cc}/u);
});

Deno.test("withLock() names the last holder whole, however long the one before was called", () => {
  const path = lockPath();
  withLock(fs, path, { deadlineMs: 0, holder: "sage with a long name" }, () => {});
  const error = withLock(
    fs,
    path,
    { deadlineMs: 0, holder: "sage" },
    () => caught(() => withLock(fs, path, { deadlineMs: 0 }, () => 1)),
  );
  assert.match(error.message, new RegExp(`held by sage \\(pid ${Deno.pid}\\)$`));
});

Deno.test("withLock() holds the lock where its holder cannot be written down", () => {
  const path = lockPath();
  fs.makeDir(`${path}.holder`, 0o700);
  const how = { deadlineMs: 0, holder: "sage" };
  const error = withLock(fs, path, how, () => caught(() => withLock(fs, path, how, () => 1)));
  assert.match(error.message, /held by another process$/);
});
