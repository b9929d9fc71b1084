/** What is done for each note of a large store, counted: looks at the disk and files opened, never time. */
import assert from "node:assert/strict";
import { type FileInfo, type Fs, realFs } from "../../src/base/fs.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";
import { archiveAged, planArchive } from "../../src/memory/freshness/prune.ts";
import { exportBundle } from "../../src/memory/okf/export.ts";
import { forget } from "../../src/memory/removal/forget.ts";
import { planUndo } from "../../src/memory/session/undo.ts";
import { sage } from "../support/sage.ts";
import { addTombstone } from "../../src/store/tombstones.ts";
import {
  byHand,
  checkpoint,
  DAY,
  OTHER,
  PERSON,
  SESSION,
  type World,
  world,
} from "../support/world.ts";

const NOTES = 100;

/** Knowledge of agents, of two sessions. */
function many(on: World): void {
  for (let i = 0; i < NOTES; i++) {
    const generated = `{by: claude-code, at: "2026-01-10T08:00:00Z", session: ${
      i % 2 === 0 ? SESSION : OTHER
    }}`;
    const front = {
      id: `pump-${i}`,
      type: "knowledge",
      created: "2026-01-10T08:00:00Z",
      generated,
    };
    byHand(
      `${on.cwd}/.sage`,
      `knowledge/pump-${i}.md`,
      front,
      `# Pump ${i}\n\nIt takes ${i} litres.`,
    );
  }
}

/**
 * The real file system, and how often it was asked what, by the call and the path. Files seem to have been
 * left alone for long: one that was touched just now is read again at each look.
 */
function counted() {
  const { lstat, open } = realFs;
  const calls: { readonly what: string; readonly path: string }[] = [];
  const left = <I extends FileInfo | undefined>(info: I): I => info && { ...info, ctimeMs: 0 };
  const fs: Fs = {
    ...realFs,
    lstat(path) {
      calls.push({ what: "lstat", path });
      return left(lstat(path));
    },
    open(path, options) {
      calls.push({ what: "open", path });
      const handle = open(path, options);
      return {
        ...handle,
        info() {
          calls.push({ what: "info", path });
          return left(handle.info());
        },
        sync() {
          calls.push({ what: "sync", path });
          handle.sync();
        },
        [Symbol.dispose]: () => handle.close(),
      };
    },
    syncDir(path) {
      calls.push({ what: "sync", path });
      realFs.syncDir(path);
    },
    async syncFiles(paths) {
      for (const path of paths) calls.push({ what: "sync among others", path });
      await realFs.syncFiles(paths);
    },
  };
  const count = (what: string, where: RegExp): number =>
    calls.filter((call) => call.what === what && where.test(call.path)).length;
  return { fs, count };
}

const PUMPS = /\/knowledge\/pump-\d+\.md$/;

Deno.test("an index is built with two looks at each open note, and lists what was forgotten once", async () => {
  for (const isForgetting of [false, true]) {
    using on = await world();
    many(on);
    const { fs, count } = counted();
    const memory = await on.open({ fs });
    const gone = { id: "pump-70", store: memory.project ?? memory.user };
    if (isForgetting) addTombstone(realFs, memory.places.stateDir, gone);
    await refreshAll(memory);
    const { length } = memory.index(gone.store).notes();
    assert.equal(length, isForgetting ? NOTES - 1 : NOTES);
    assert.equal(count("info", PUMPS), 2 * NOTES);
    const looks = count("lstat", /\/tombstones/);
    assert.ok(looks < 2 * NOTES, `${looks} looks for tombstones`);
  }
});

Deno.test("lists read what they show: on a terminal a screenful, in a pipe and as JSON everything", async () => {
  using on = await world();
  many(on);
  for (let i = 0; i < NOTES; i++) {
    const front = { id: `task-${i}`, type: "todo", created: "2026-01-10T08:00:00Z" };
    byHand(`${on.cwd}/.sage`, `todos/task-${i}.md`, front, `# Task ${i}`);
  }
  const { lstat, open } = realFs;
  const { fs, count } = counted();
  Object.assign(realFs, { lstat: fs.lstat, open: fs.open });
  try {
    await sage(["status"], { home: on.home, cwd: on.cwd });
    for (const [kind, files] of [["knowledge", PUMPS], ["todo", /\/task-\d+\.md$/]] as const) {
      const list = async (options: readonly string[], terminal = false) => {
        const before = count("open", files);
        const said = await sage([kind, "list", ...options], {
          home: on.home,
          cwd: on.cwd,
          terminal,
        });
        assert.equal(said.code, 0, said.stderr);
        return { ...said, read: count("open", files) - before };
      };
      const page = await list([], true);
      assert.equal(page.stdout.trimEnd().split("\n").length, 1 + 20);
      assert.match(page.stderr, /80 more (note|todo)s: --limit 100 shows all/);
      assert.equal(page.read, 20);
      assert.equal((await list(["--limit", "30"], true)).read, 30);
      assert.equal((await list([])).stdout.trimEnd().split("\n").length, 1 + NOTES);
      assert.equal(JSON.parse((await list(["--json"], true)).stdout).items.length, NOTES);
    }
  } finally {
    Object.assign(realFs, { lstat, open });
  }
});

Deno.test("forget() opens every other note twice", async () => {
  using on = await world();
  many(on);
  const { fs, count } = counted();
  const memory = await on.open({ fs });
  await refreshAll(memory);
  const others = /\/knowledge\/pump-8\d\.md$/;
  const before = count("open", others);
  assert.equal((await forget(memory, "pump-7")).kind, "forgotten");
  assert.equal(count("open", others) - before, 2 * 10);
});

Deno.test("planUndo() looks for versions where there are some", async () => {
  using on = await world();
  many(on);
  const { fs, count } = counted();
  const plan = await planUndo(await on.open({ fs }), SESSION);
  assert.equal(plan?.session, SESSION);
  assert.ok(count("lstat", /\/\.history/) < NOTES, `${count("lstat", /\/\.history/)} looks`);
});

Deno.test("planUndo() reads no note whose file is older than the session, and of notes from then on all", async () => {
  using on = await world();
  many(on);
  const root = `${on.cwd}/.sage`;
  const old = Date.UTC(2026, 0, 5) / 1000;
  for (let i = 10; i < NOTES; i++) await Deno.utime(`${root}/knowledge/pump-${i}.md`, old, old);
  const created = "2026-01-10T07:00:00Z";
  const front = { id: "session-note", type: "session", created, session: SESSION };
  byHand(root, "sessions/session-note.md", front, "## Summary\n\nPumps.");
  const { fs, count } = counted();
  const memory = await on.open({ fs });
  await refreshAll(memory);
  const before = count("open", PUMPS);
  const plan = await planUndo(memory, SESSION);
  assert.equal(plan && plan.steps.length + plan.left.length, 5 + 1);
  assert.equal(count("open", PUMPS) - before, 10);
});

Deno.test("exportBundle() has the disk keep many notes at a time, and waits for none alone", async () => {
  using on = await world();
  many(on);
  const { fs, count } = counted();
  const bundle = `${on.home}/bundle`;
  const { notes } = await exportBundle(await on.open({ fs }), bundle, { all: false }, () => {});
  assert.equal(notes.length, NOTES);
  assert.equal(count("sync among others", PUMPS), NOTES);
  assert.ok(count("sync", /\/bundle\//) < 10, `${count("sync", /\/bundle\//)} syncs`);
});

Deno.test("sage session compact looks at the other notes once, however many sessions are old", async () => {
  using on = await world();
  many(on);
  for (let i = 0; i < 10; i++) {
    const created = `2025-01-${10 + i}T08:00:00Z`;
    const front = { id: `day-${i}`, type: "session", created, updated: created, session: `s${i}` };
    const said = `We decided to fit valve number ${i} in hall ${
      i * 7
    }, because it is quieter there.`;
    byHand(`${on.cwd}/.sage`, `sessions/day-${i}.md`, front, `## Decisions\n\n- ${said}`);
  }
  const { lstat, open } = realFs;
  const { fs, count } = counted();
  Object.assign(realFs, { lstat: fs.lstat, open: fs.open });
  try {
    await sage(["status"], { home: on.home, cwd: on.cwd });
    const before = count("lstat", PUMPS);
    const { stdout } = await sage(["session", "compact"], { home: on.home, cwd: on.cwd });
    assert.match(stdout, /^Archived \d session notes of 9/);
    // Notes that are compared with a statement are read, and for that looked up by name.
    const looks = count("lstat", PUMPS) - before;
    assert.ok(looks < 4 * NOTES, `${looks} looks at ${NOTES} notes`);
  } finally {
    Object.assign(realFs, { lstat, open });
  }
});

Deno.test("sage admin prune --stale looks at the other notes once, however many it archives", async () => {
  using on = await world();
  many(on);
  const memory = await on.open();
  await refreshAll(memory);
  on.later(1000 * DAY);
  const { fs, count } = counted();
  const later = await on.open({ fs });
  const plan = await planArchive(later);
  assert.equal(plan.length, NOTES);
  const before = count("lstat", /\/knowledge\/pump-8\d\.md$/);
  const { archived } = await archiveAged(later, plan.slice(0, 50), PERSON);
  assert.equal(archived.length, 50);
  const looks = count("lstat", /\/knowledge\/pump-8\d\.md$/) - before;
  assert.ok(looks < 5 * 10, `${looks} looks at 10 notes`);
});

Deno.test("a command that changes one note looks at the others once", async () => {
  using on = await world();
  many(on);
  const front = { id: "task-1", type: "todo", created: "2026-01-10T08:00:00Z" };
  byHand(`${on.cwd}/.sage`, "todos/task-1.md", front, "# Task 1");
  const { lstat, open } = realFs;
  const { fs, count } = counted();
  Object.assign(realFs, { lstat: fs.lstat, open: fs.open });
  try {
    // The first write in ten minutes also looks for what a dead process left.
    await sage(["todo", "start", "task-1"], { home: on.home, cwd: on.cwd });
    for (
      const args of [
        ["todo", "done", "task-1"],
        ["todo", "rm", "task-1", "--yes"],
        ["knowledge", "archive", "pump-1"],
        ["knowledge", "restore", "pump-1"],
        ["knowledge", "rm", "pump-2", "pump-3", "--yes"],
      ]
    ) {
      const before = count("lstat", PUMPS);
      const { code, stderr } = await sage(args, { home: on.home, cwd: on.cwd });
      assert.equal(code, 0, stderr);
      const looks = count("lstat", PUMPS) - before;
      assert.ok(looks < 2 * NOTES, `${args.join(" ")}: ${looks} looks at ${NOTES} notes`);
    }
  } finally {
    Object.assign(realFs, { lstat, open });
  }
});

Deno.test("a command that shows one note looks at the others once", async () => {
  using on = await world();
  many(on);
  const { id } = await checkpoint(on.memory);
  const front = { id: "session-note", type: "session", session: SESSION };
  byHand(`${on.cwd}/.sage`, "sessions/session-note.md", front, "## Summary\n\nPumps.");
  const commands = [
    ["checkpoint", "restore", id],
    ["checkpoint", "show", id],
    ["knowledge", "show", "pump-1"],
    ["load", "--recent", "2"],
    ["knowledge", "history", "pump-1"],
    ["session", "list"],
    ["session", "show"],
    ["session", "handoff"],
    ["doctor"],
  ];
  const { lstat, open } = realFs;
  const { fs, count } = counted();
  Object.assign(realFs, { lstat: fs.lstat, open: fs.open });
  try {
    await sage(["status"], { home: on.home, cwd: on.cwd });
    for (const args of commands) {
      const before = count("lstat", PUMPS);
      assert.equal((await sage(args, { home: on.home, cwd: on.cwd })).code, 0, args.join(" "));
      const looks = count("lstat", PUMPS) - before;
      // The server that a doctor tests looks by itself.
      const most = args[0] === "doctor" ? 3 * NOTES : 2 * NOTES;
      assert.ok(looks < most, `${args.join(" ")}: ${looks} looks at ${NOTES} notes`);
    }
  } finally {
    Object.assign(realFs, { lstat, open });
  }
});
