/** R1 and R2 in memory: stop at every call, then every disk that a power cut may leave. */
import assert from "node:assert/strict";
import { eraseNote } from "../../src/store/erase.ts";
import { isForgotten } from "../../src/store/tombstones.ts";
import { CrashFs, type CrashFsOptions } from "../support/crash_fs.ts";
import { depth } from "../support/depth.ts";
import {
  assertKept,
  assertTidy,
  assertUsable,
  freshDisk,
  live,
  liveOn,
  openOn,
  World,
} from "./scenario.ts";

async function callsOfALife(options: CrashFsOptions = {}): Promise<number> {
  const disk = freshDisk(options);
  const world = new World();
  assert.deepEqual(await live(disk, world), []);
  assertKept(disk, world, "undisturbed");
  assert.deepEqual(assertTidy(disk, "undisturbed"), []);
  return disk.calls.length;
}

Deno.test("a killed process loses nothing that was acknowledged, and the next one succeeds", async () => {
  const calls = await callsOfALife();
  for (let stopAt = 1; stopAt <= calls; stopAt++) {
    const disk = freshDisk({ stopAt });
    const world = new World();
    await live(disk, world);
    const next = disk.restarted();
    assertKept(next, world, `stop at ${stopAt}`);
    assertTidy(next, `stop at ${stopAt}`);
    await assertUsable(next, world, `stop at ${stopAt}`);
  }
});

Deno.test("a power cut loses nothing that was acknowledged, whatever of the rest reached the disk", async () => {
  const calls = await callsOfALife();
  let disks = 0;
  for (let stopAt = 1; stopAt <= calls; stopAt++) {
    const disk = freshDisk({ stopAt });
    const world = new World();
    await live(disk, world);
    for (const cut of disk.powerCuts()) {
      assertKept(cut, world, `power cut at ${stopAt}`);
      if (disks++ % depth(29, 1) === 0) await assertUsable(cut, world, `power cut at ${stopAt}`);
    }
  }
  assert(disks > 1000, `only ${disks} disks were looked at`);
});

Deno.test("a disk without hard links loses nothing either, killed or cut off", async () => {
  const calls = await callsOfALife({ withoutLinks: true });
  for (let stopAt = 1; stopAt <= calls; stopAt++) {
    const disk = freshDisk({ stopAt, withoutLinks: true });
    const world = new World();
    await live(disk, world);
    if (stopAt % depth(7, 1) === 0) {
      for (const cut of disk.powerCuts()) assertKept(cut, world, `power cut at ${stopAt}`);
    }
    const next = disk.restarted();
    assertKept(next, world, `stop at ${stopAt}`);
    assertTidy(next, `stop at ${stopAt}`);
    await assertUsable(next, world, `stop at ${stopAt}`);
  }
});

Deno.test("no power cut brings a note back that was forgotten, nor the name of it", async () => {
  const forgotten = async (disk: CrashFs): Promise<void> => {
    await live(disk, new World());
    await eraseNote(openOn(disk), "worktrees").catch((error) => {
      if (!disk.isStopped) throw error;
    });
  };
  const left = (disk: CrashFs): string[] =>
    [...disk.files()].flatMap(([path, text]) => `${path}${text}`.includes("worktrees") ? path : []);
  const whole = freshDisk();
  await forgotten(whole);
  for (const cut of whole.powerCuts()) {
    assert.deepEqual(left(cut), []);
    assert.equal(cut.lstat("/home/p/.sage/knowledge/.history/worktrees"), undefined);
    const store = openOn(cut);
    assert(isForgotten(cut, store.stateDir, { id: "worktrees", store }));
  }
  for (let stopAt = await callsOfALife(); stopAt <= whole.calls.length; stopAt++) {
    const disk = freshDisk({ stopAt });
    await forgotten(disk);
    const next = disk.restarted();
    await eraseNote(openOn(next), "worktrees");
    assert.deepEqual(left(next), [], `stop at ${stopAt}`);
  }
});

Deno.test("what the next process acknowledges does not rest on what a killed one left unsynced", async () => {
  for (let stopAt = 1; stopAt <= 40; stopAt++) {
    const disk = freshDisk({ stopAt });
    await live(disk, new World());
    const next = disk.restarted();
    if (next.files().has("/home/p/.sage/checkpoints/2026-01-13T14-30-00_plan.md")) break;
    const world = new World();
    await liveOn(next, world, "create checkpoint");
    for (const cut of next.powerCuts()) assertKept(cut, world, `killed at ${stopAt}`);
  }
});

Deno.test("CrashFs loses what was not synced, so the tests above can fail", () => {
  const disk = new CrashFs();
  const file = disk.open("/x", { write: true, createNew: true });
  file.write(new TextEncoder().encode("text"));
  file.close();
  const states = [...disk.powerCuts()].map((cut) => cut.files().get("/x"));
  assert.deepEqual(new Set(states), new Set([undefined, "", "text"]));
});
