/**
 * A switch into a vault, or out of it, that dies at any change of the disk: at each moment every text is
 * somewhere, the notes that a next process finds are whole, and the same command ends it, or its opposite
 * takes it back. On the real disk, in this process; the program itself is killed further down.
 */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { readNote } from "../../src/memory/read.ts";
import { dyingAt } from "../support/dying_fs.ts";
import { depth } from "../support/depth.ts";
import { killAfter } from "../support/kill_after.ts";
import { binary, hasBinary } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { bytesOf, fillStore, intoVault, notesOf, outOfVault, vaultOf } from "../support/vault.ts";
import { type World, world } from "../support/world.ts";

type Switch = (on: World, fs?: typeof realFs) => Promise<unknown>;

const into: Switch = (on, fs) => intoVault(on, fs === undefined ? {} : { fs });
const out: Switch = (on, fs) => outOfVault(on, fs);

/** Notes and their like wherever they are: path from either root, and bytes. */
function everything(on: World): Map<string, string> {
  const all = notesOf(on);
  for (const path of filesIn(on.home).filter((path) => path.startsWith("Vault/Sage/"))) {
    if (!/\/(?:_index\.md|\.gitignore)$/.test(path)) all.set(path, bytesOf(`${on.home}/${path}`));
  }
  return all;
}

/** Dated by the clock of the machine, and so another one in each world. */
function comparable(files: ReadonlyMap<string, string>): Map<string, string> {
  // What a dead writer leaves is swept when it is old.
  const kept = [...files].filter(([path]) => !path.endsWith(".tmp"));
  const entries = kept.map(([path, bytes]): [string, string] => [
    path.replace(/\.trash\/[^/]+/, ".trash/x"),
    new TextDecoder().decode(Uint8Array.fromHex(bytes)).replace(
      /project-[0-9a-f]{8}/g,
      "project-x",
    ),
  ]);
  return new Map(entries.sort(([a], [b]) => a < b ? -1 : 1));
}

async function died(on: World, change: Switch, n: number): Promise<void> {
  try {
    await change(on, dyingAt(n).fs);
  } catch {
    // As it has to.
  }
}

const WAYS: readonly (readonly [string, (on: World) => Promise<void>, Switch, Switch])[] = [
  ["into a vault", () => Promise.resolve(), into, out],
  ["out of a vault", async (on) => void await intoVault(on), out, into],
];

for (const [name, before, change, opposite] of WAYS) {
  Deno.test({
    name:
      `a switch ${name} that dies at any change of the disk is ended by the next, or taken back`,
    // What a dead process holds is not closed by the test.
    sanitizeResources: false,
    async fn() {
      const whole = await filled(before);
      const old = comparable(everything(whole));
      const counted = dyingAt(Infinity);
      await change(whole, counted.fs);
      const expected = comparable(everything(whole));
      const changes = counted.changes();
      assert.ok(changes > 60, `${changes} changes`);
      const step = depth(Math.ceil(changes / 6), 1);
      for (let n = 1 + depth(3, 0), run = 0; n <= changes; n += step, run++) {
        using on = await filled(before);
        await died(on, change, n);
        assertAllThere(on, old, `dead at ${n} of ${changes}`);
        const memory = await on.open();
        for (const id of ["git-worktrees", "branching", "mine-alone"]) {
          // Half of them may be on their way; who may wait takes them along first.
          const { settleVault } = await import("../../src/memory/vault/keep.ts");
          assert.equal(await settleVault(memory), undefined);
          assert.equal((await readNote(memory, id)).kind, "one", `${id}, dead at ${n}`);
        }
        const isBack = run % 2 === 1 && isUnderWay(on);
        await (isBack ? opposite : change)(on);
        const end = isBack ? old : expected;
        assert.deepEqual(comparable(everything(on)), end, `dead at ${n} of ${changes}`);
      }
    },
  });
}

async function filled(before: (on: World) => Promise<void>): Promise<World> {
  const on = await world();
  await fillStore(on);
  await before(on);
  return on;
}

/** Taking back needs something to take back: a vault that was left for good is none. */
function isUnderWay(on: World): boolean {
  return realFs.lstat(`${on.home}/.sage/vault.yaml`) !== undefined;
}

/** Every text is there, in the one place or the other; of links the spelling may be the other one. */
function assertAllThere(on: World, old: ReadonlyMap<string, string>, when: string): void {
  const plain = (text: string): string =>
    text.replace(/Git(?: |%20)Worktrees|git-worktrees/g, "x").replace(
      /\[\[[^\]|]*checkpoint[^\]]*\]\]/g,
      "y",
    );
  const there = new Set([...comparable(everything(on)).values()].map(plain));
  for (const [path, text] of old) assert.ok(there.has(plain(text)), `${path}, ${when}`);
}

Deno.test({
  name: "the program is killed again and again on its way into a vault and out of it",
  ignore: !hasBinary,
  async fn() {
    using on = await world();
    await fillStore(on);
    const before = comparable(notesOf(on));
    const where = { home: on.home, cwd: on.cwd };
    for (let round = 0; round < depth(3, 30); round++) {
      for (const args of [["--obsidian", vaultOf(on)], ["--no-obsidian"]]) {
        for (let tries = 0; tries < 4; tries++) await killed(["init", ...args], on);
        const { code, stderr } = await binary(["init", ...args], where);
        // Out of the vault already, by one that was killed behind its last step.
        assert.ok(code === 0 || /No notes lie in a vault/.test(stderr), stderr);
      }
      assert.deepEqual(comparable(notesOf(on)), before, `round ${round}`);
    }
  },
});

const BINARY = new URL("../../dist/sage", import.meta.url).pathname;

async function killed(args: readonly string[], on: World): Promise<void> {
  const child = new Deno.Command(BINARY, {
    args: [...args],
    cwd: on.cwd,
    env: { HOME: on.home },
    clearEnv: true,
    stdin: "null",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const spare = killAfter(child, 20 + Math.random() * 200);
  await child.status;
  spare();
}
