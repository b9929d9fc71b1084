/** What is staged, in repositories that git itself made; how it looks in the program: tests/security. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { listStaged } from "../../src/store/git/staged.ts";
import { tempDir } from "../support/temp_store.ts";
import { run } from "../support/within.ts";

const BYTES_MAX = 64 * 1024;

Deno.test("listStaged() says of what no packing makes smaller whether it is too large", async () => {
  const dir = tempDir();
  await git(dir, "init", "-q");
  const sizes = { "fits.bin": BYTES_MAX - 64, "large.bin": BYTES_MAX + 16, "larger.bin": 300_000 };
  for (const [name, size] of Object.entries(sizes)) {
    await Deno.writeFile(`${dir}/${name}`, noise(size));
  }
  await git(dir, "add", ".");
  const read = await Promise.all(
    listStaged(realFs, dir, { home: dir, env: () => undefined }).map(
      async ({ path, read }) => [path, (await read(BYTES_MAX))?.length] as const,
    ),
  );
  assert.deepEqual(Object.fromEntries(read), {
    "fits.bin": BYTES_MAX - 64,
    "large.bin": undefined,
    "larger.bin": undefined,
  });
});

function noise(length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let at = 0; at < length; at += 65_536) {
    crypto.getRandomValues(bytes.subarray(at, Math.min(length, at + 65_536)));
  }
  return bytes;
}

async function git(cwd: string, ...args: string[]): Promise<void> {
  const env = { GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_NOSYSTEM: "1" };
  const { code, stderr } = await run("git", { args, cwd, env });
  assert.equal(code, 0, `${args.join(" ")}: ${stderr}`);
}
