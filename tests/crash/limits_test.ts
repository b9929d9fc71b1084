/**
 * R7 with real limits: a small disk that is full, a bound on the size of files and on descriptors. The
 * old content stays, the reason is said in one line, and once there is room everything works again.
 */
import assert from "node:assert/strict";
import { hasBinary } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import { type Lived, lived, notesOf, shell } from "./lived.ts";
import { assertKept, type Mutation, MUTATIONS } from "./mutations.ts";

const isRoot = Deno.uid() === 0 && Deno.build.os === "linux";
const noMount = isRoot ? "" : " (skipped: mounting needs root)";

/** What may follow a command that a limit stopped. */
async function assertStopped(
  mutation: Mutation,
  on: Lived,
  through: readonly string[],
  context: string,
): Promise<"old" | "new"> {
  const before = notesOf(on);
  const stdin = mutation.stdin?.(on) ?? "";
  const { code, signal, stdout, stderr } = await on.run(mutation.args, { stdin, through });
  const state = assertKept(mutation, on, before, stdout);
  const said = `${context}, ${mutation.name}: ${code} ${signal} ${stderr}`;
  if (mutation.args[0] === "hook") assert.equal(code, 0, said);
  else if (signal === null && code !== 0) {
    assert.match(stderr, /^sage: Cannot [^\n]+\n( {2}[^\n]+\n)?$/, said);
    assert.equal(code, 1, said);
    assert.equal(state, "old", said);
  } else if (signal === null) assert.equal(state, "new", said);
  return state;
}

Deno.test({
  name: `a full disk of 64 KB changes nothing, and is told${noMount}`,
  ignore: !isRoot || !hasBinary,
  async fn() {
    const on = await lived();
    for (const mutation of MUTATIONS) {
      await on.restore();
      // The project's store on a disk of its own, full to the last byte.
      const root = on.store("project");
      await shell("mv", root, `${root}.aside`);
      await Deno.mkdir(root);
      await shell("mount", "-t", "tmpfs", "-o", "size=64k,mode=755", "tmpfs", root);
      try {
        await shell("cp", "-a", `${root}.aside/.`, root);
        on.trust();
        await fill(`${root}/ballast`);
        const state = await assertStopped(mutation, on, [], "full");
        // What only moves, as a restoring does, needs no room.
        const needsRoom = mutation.args[0] !== "hook" && mutation.args[1] !== "restore";
        if (mutation.adds !== undefined && needsRoom) assert.equal(state, "old");
        await Deno.remove(`${root}/ballast`);
        const before = notesOf(on);
        const stdin = mutation.stdin?.(on) ?? "";
        const { code, stdout, stderr } = await on.run(mutation.args, { stdin });
        assert.ok(mutation.again.includes(code), `${mutation.name} with room: ${stderr}`);
        if (state === "old") assert.equal(assertKept(mutation, on, before, stdout), "new");
      } finally {
        await shell("umount", root);
      }
    }
  },
});

async function fill(path: string): Promise<void> {
  const file = await Deno.open(path, { write: true, create: true });
  try {
    for (;;) await file.write(new Uint8Array(4096));
  } catch (error) {
    assert.match(String(error), /os error 28/);
  } finally {
    file.close();
  }
}

/** Every limit for every command in depth, else one each. */
const SHARE = depth(5, 1);
/** As a shell sets them; in blocks of 512 bytes, in descriptors. */
const LIMITS = ["ulimit -f 0", "ulimit -f 1", "ulimit -f 8", "ulimit -n 16", "ulimit -n 22"];

Deno.test({
  name: "bounds on files and descriptors lose nothing, and are told where the system lets them be",
  ignore: !hasBinary || Deno.build.os === "windows",
  async fn() {
    const on = await lived();
    for (const [n, mutation] of MUTATIONS.entries()) {
      for (const limit of LIMITS.filter((_, at) => at % SHARE === n % SHARE)) {
        await on.restore();
        const through = ["/bin/sh", "-c", `${limit}; exec "$0" "$@"`];
        const before = notesOf(on);
        const stdin = mutation.stdin?.(on) ?? "";
        const run = await on.run(mutation.args, { stdin, through });
        // The runtime itself may not start with so little; then nothing may have happened.
        const state = assertKept(mutation, on, before, run.stdout);
        const isOurs = /^sage: /.test(run.stderr);
        if (isOurs) {
          // With so few descriptors the runtime may fail to load a part of the program.
          assert.match(run.stderr, /^sage: [^\n]+\n( {2}[^\n]+\n)*$/, `${limit}: ${run.stderr}`);
          assert.equal(state, "old", `${limit}: ${run.stderr}`);
        }
        const next = await on.run(mutation.args, { stdin });
        assert.ok(mutation.again.includes(next.code), `${limit}: ${next.stderr}`);
        assert.equal(assertKept(mutation, on, before, next.stdout), "new");
        await mutation.after?.(on);
      }
    }
  },
});
