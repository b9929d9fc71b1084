/**
 * R1 and R7 on the real disk: a real process is killed, or its calls fail, at each system call of
 * creating and replacing notes. Proves that `CrashFs` does not lie. About 0.2 s a run.
 */
import assert from "node:assert/strict";
import { TEMP_NAME } from "../../src/base/atomic.ts";
import { realFs } from "../../src/base/fs.ts";
import { openStore } from "../../src/store/handle.ts";
import { loadNote } from "../../src/store/load.ts";
import { updateNote } from "../../src/store/store.ts";
import { depth } from "../support/depth.ts";
import { BOUNDARY_CALLS, canTrace, everyBoundary, type Injected } from "../support/strace.ts";
import { tempDir } from "../support/temp_store.ts";

const WRITER = new URL("./writer.ts", import.meta.url).pathname;
const FRONT = "---\nid: life\ntype: knowledge\ncreated: 2026-01-13T14:30:00Z\n" +
  "updated: 2026-01-13T14:30:00Z\n---\n# Life\n\n";
const STAGES = ["born", "born\ngrown", "born\ngrown\nold"].map((words) => `${FRONT}${words}\n`);

const home = tempDir();

/** The others are failed in memory only, unless there is time. */
const FAILING = depth(0, 1) === 1
  ? ["write", "fsync", "openat", "rename", "link", "unlink", "flock", "mkdir"]
  : ["write", "fsync"];

let runs = 0;
let root = "";

function prepare(): { command: string[]; mark: string } {
  root = `${home}/${++runs}/.sage`;
  Deno.mkdirSync(`${home}/${runs}`);
  const command = [
    Deno.execPath(),
    "run",
    "-A",
    "--no-check",
    "--no-code-cache",
    WRITER,
    "life",
    root,
  ];
  return { command, mark: home };
}

for (const [call, calls] of Object.entries(BOUNDARY_CALLS)) {
  const ignore = !canTrace();
  const name = ignore ? " (skipped: no strace here)" : "";
  const sample = { step: depth(31, 1), offset: depth(7, 0) };

  Deno.test({
    name: `a process killed at any ${call} loses nothing it acknowledged${name}`,
    ignore,
    async fn() {
      for await (const run of everyBoundary(prepare, { signal: "SIGKILL" }, { calls, ...sample })) {
        await assertKept(run, `${call} ${run.n}, killed`);
      }
    },
  });

  Deno.test({
    name: `a ${call} that fails leaves the old text${name}`,
    ignore: ignore || !FAILING.includes(call),
    async fn() {
      for await (const run of everyBoundary(prepare, { error: "ENOSPC" }, { calls, ...sample })) {
        await assertKept(run, `${call} ${run.n}, ENOSPC`);
      }
    },
  });
}

/** The last acknowledged stage stands there, or the one that was being written. */
async function assertKept(run: Injected, context: string): Promise<void> {
  const lines = run.stdout.split("\n");
  const stage = STAGES.findLastIndex((_, i) =>
    lines.includes(`knowledge/life.md ${["born", "grown", "old"][i]}`)
  );
  const there = textOf(`${root}/knowledge/life.md`);
  const allowed = [stage < 0 ? undefined : STAGES[stage], STAGES[stage + 1]];
  // A failure is told; it must not have half happened. Where the telling failed, all is well.
  const isTold = run.signal === null && !run.stderr.includes("Stdout.writeSync");
  if (isTold && run.code !== 0) allowed.length = 1;
  assert(
    allowed.includes(there),
    `${context}: ${JSON.stringify(there)}\n${run.stdout}${run.stderr}`,
  );
  if (lines.includes("checkpoints/last words.md Bye")) {
    assert.equal(textOf(`${root}/checkpoints/last words.md`), "# Bye\n", context);
  }
  for (const name of namesUnder(root)) {
    if (name.startsWith(".") && name.endsWith(".tmp")) assert.match(name, TEMP_NAME, context);
  }
  if (there === undefined) return;
  const store = openStore({
    root,
    scope: "user",
    stateDir: `${root}/state`,
    holder: "t",
    fs: realFs,
  });
  const path = "knowledge/life.md";
  assert.equal((await loadNote(store, path)).readOnly, undefined, context);
  const result = await updateNote(store, path, ({ text }) => text + "after\n");
  assert.equal(result.kind, "written", context);
}

function textOf(path: string): string | undefined {
  try {
    return Deno.readTextFileSync(path);
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return undefined;
    throw error;
  }
}

function namesUnder(folder: string): string[] {
  try {
    return [...Deno.readDirSync(folder)].flatMap(({ name, isDirectory }) =>
      isDirectory ? namesUnder(`${folder}/${name}`) : [name]
    );
  } catch {
    return [];
  }
}
