/** What tells other programs of a running `sage serve`, where processes can be seen and where not. */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { processName } from "../../src/base/host.ts";
import { writeServerFile } from "../../src/memory/server_file.ts";
import { filesIn } from "../support/temp_store.ts";
import { world } from "../support/world.ts";

/** The disk of a system that does not tell of processes. */
const unseen: Fs = {
  ...realFs,
  lstat: (path) => path.startsWith("/proc") ? undefined : realFs.lstat(path),
};

const fileOf = (pid: number): string => `${processName({ pid })}.json`;

for (const [where, fs] of [["can be seen", realFs], ["cannot be seen", unseen]] as const) {
  Deno.test(`files of a killed server are removed at the next start, where processes ${where}`, async () => {
    using on = await world();
    const memory = await on.open({ fs });
    const facts = { url: "http://127.0.0.1:1", token: "t", project: on.cwd };
    const served = (): string[] => filesIn(`${memory.places.stateDir}/serve`);
    const first = writeServerFile(memory, { ...facts, pid: Deno.pid });
    assert.equal(first.path, `${memory.places.stateDir}/serve/${fileOf(Deno.pid)}`);
    const killed = writeServerFile(memory, { ...facts, pid: 2 ** 22 + 1 });
    assert.deepEqual(served(), [Deno.pid, 2 ** 22 + 1].map(fileOf).sort());
    killed.release();
    const third = writeServerFile(memory, { ...facts, pid: Deno.ppid });
    assert.deepEqual(served(), [Deno.pid, Deno.ppid].map(fileOf).sort());
    first.release();
    third.release();
  });
}
