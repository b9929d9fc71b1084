/**
 * R1 and R2 for a note that goes from one store to another: stopped at every call, then every disk that
 * a power cut may leave. The next process finds one note, never two and never none, with its versions.
 */
import assert from "node:assert/strict";
import { sha256Hex } from "../../src/base/hash.ts";
import { openStore, type Store } from "../../src/store/handle.ts";
import { loadNote } from "../../src/store/load.ts";
import { moveNote, settleMoves } from "../../src/store/move.ts";
import { listRedirects } from "../../src/store/redirects.ts";
import { writeState } from "../../src/store/state.ts";
import { createNote, replaceNote } from "../../src/store/store.ts";
import { listTrash, trashNote } from "../../src/store/trash.ts";
import { listVersions } from "../../src/store/versions.ts";
import { CrashFs, type CrashFsOptions } from "../support/crash_fs.ts";
import { depth } from "../support/depth.ts";
import { noteText } from "../support/temp_store.ts";

const STATE = "/home/p/.sage/state";
const MOVED = noteText("locks", "second").replace("type:", "promoted: true\ntype:");
const REDIRECT = {
  id: "locks",
  to: "locks",
  path: "knowledge/locks.md",
  title: "Locks",
  moved: "2026-01-13T14:30:00Z",
};

function stores(fs: CrashFs): { project: Store; user: Store } {
  const shared = { stateDir: STATE, holder: "test", fs };
  return {
    project: openStore({ ...shared, root: "/home/p/tool/.sage", scope: "project" }),
    user: openStore({ ...shared, root: "/home/p/.sage", scope: "user" }),
  };
}

/** A note with one version, in the project or, promoted, in the person's own store. */
async function made(isBack: boolean): Promise<CrashFs> {
  const disk = new CrashFs();
  for (const folder of ["/home/p/.sage", "/home/p/tool/.sage"]) disk.makeDir(folder, 0o755);
  const { project, user } = stores(disk);
  createNote(project, { kind: "knowledge", stem: "locks", text: noteText("locks", "first") });
  const path = "knowledge/locks.md";
  await replaceNote(project, await loadNote(project, path), noteText("locks", "second"));
  if (isBack) await go(disk, false);
  assert.equal(listVersions(isBack ? user : project, "locks").length, 1);
  return disk;
}

async function go(disk: CrashFs, isBack: boolean): Promise<string> {
  const { project, user } = stores(disk);
  const [from, to] = isBack ? [user, project] : [project, user];
  const loaded = await loadNote(from, "knowledge/locks.md");
  const text = isBack ? noteText("locks", "second") : MOVED;
  const target = { store: to, id: "locks", stem: "locks", folder: "knowledge", text };
  return (await moveNote(from, loaded, target, REDIRECT, { isBack })).kind;
}

async function assertOne(disk: CrashFs, context: string): Promise<void> {
  await settleMoves(disk, STATE, "next");
  const { project, user } = stores(disk);
  const files = disk.files();
  const [here, there] = [`${project.root}/knowledge/locks.md`, `${user.root}/knowledge/locks.md`];
  const live = [here, there].filter((path) => files.has(path));
  assert.equal(live.length, 1, `${context}: ${live.join(" and ") || "none"}`);
  const isPromoted = live[0] === there;
  assert.equal(files.get(live[0] ?? ""), isPromoted ? MOVED : noteText("locks", "second"), context);
  assert.deepEqual(
    listRedirects(project).map(({ to }) => to),
    isPromoted ? ["locks"] : [],
    context,
  );
  const [own, other] = isPromoted ? [user, project] : [project, user];
  assert.equal(listVersions(own, "locks").length, 1, `${context}: versions`);
  assert.equal(listVersions(other, "locks").length, 0, `${context}: versions left`);
  // A power cut may bring back the copy that lay in the trash for a moment: it is no note.
  const trash = [...listTrash(project), ...listTrash(user)];
  if (context === "undisturbed") assert.deepEqual(trash, []);
  assert.deepEqual([...files.keys()].filter((path) => /\/moves\/[^.]/.test(path)), [], context);
}

/** As a person's editor writes in place. */
function put(disk: CrashFs, path: string, text: string): void {
  const file = disk.open(path, { write: true, create: true, truncate: true });
  file.write(new TextEncoder().encode(text));
  file.close();
}

for (const isBack of [false, true]) {
  const way = isBack ? "back" : "there";

  Deno.test(`a note that is moved ${way} is one, wherever the process is stopped or the power cut`, async () => {
    const whole = await made(isBack);
    const counted = whole.restarted();
    assert.equal(await go(counted, isBack), "moved");
    await assertOne(counted, "undisturbed");
    let disks = 0;
    for (let stopAt = 1; stopAt <= counted.calls.length; stopAt++) {
      const options: CrashFsOptions = { stopAt };
      const disk = (await made(isBack)).restarted(options);
      await go(disk, isBack).catch(() => {});
      if (!disk.isStopped) break;
      for (const cut of disk.powerCuts()) {
        if (disks++ % depth(7, 1) === 0) await assertOne(cut, `power cut at ${stopAt}`);
      }
      await assertOne(disk.restarted(), `stopped at ${stopAt}`);
    }
    assert(disks > 500, `only ${disks} disks were looked at`);
  });

  Deno.test(`a note that is moved ${way} stays one where any call fails`, async () => {
    for (const code of ["ENOSPC", "EIO"]) {
      for (let n = 1;; n++) {
        const disk = (await made(isBack)).restarted({ failAt: { n, code } });
        const kind = await go(disk, isBack).catch(() => "failed");
        const path = `${isBack ? "/home/p" : "/home/p/tool"}/.sage/knowledge/locks.md`;
        const isHere = disk.files().has(path);
        assert.equal(isHere, kind !== "moved", `${kind}, ${code} at call ${n}`);
        await assertOne(disk.restarted(), `${code} at call ${n}`);
        if (disk.calls.length < n) break;
      }
    }
  });
}

Deno.test("a note that is moved is one where another case of its name is taken", async () => {
  const begun = async (): Promise<CrashFs> => {
    const disk = await made(false);
    const { user } = stores(disk);
    createNote(user, { kind: "knowledge", stem: "Locks", text: noteText("other", "another") });
    return disk;
  };
  const counted = (await begun()).restarted();
  assert.equal(await go(counted, false), "moved");
  const there = "/home/p/.sage/knowledge/locks-2.md";
  assert.equal(counted.files().get(there), MOVED);
  for (let stopAt = 1; stopAt <= counted.calls.length; stopAt++) {
    const stopped = (await begun()).restarted({ stopAt });
    await go(stopped, false).catch(() => {});
    const disk = stopped.restarted();
    await settleMoves(disk, STATE, "next");
    const live = [there, "/home/p/tool/.sage/knowledge/locks.md"]
      .filter((path) => disk.files().has(path));
    assert.equal(live.length, 1, `stopped at ${stopAt}: ${live.join(" and ") || "none"}`);
  }
});

Deno.test("what was removed before under the name of a note that is moved stays in the trash", async () => {
  const disk = await made(false);
  const { project } = stores(disk);
  const path = "knowledge/locks.md";
  const second = await loadNote(project, path);
  assert.equal((await trashNote(project, second)).kind, "trashed");
  createNote(project, { kind: "knowledge", stem: "locks", text: noteText("locks", "third") });
  assert.equal(await go(disk, false), "moved");
  assert.deepEqual(listTrash(project).map(({ path }) => path), [path]);
});

for (const isThere of [false, true]) {
  const when = isThere ? "once it is there" : "before it is there";
  Deno.test(`what a person writes into the note while it is moved, ${when}, stays where they wrote it`, async () => {
    const disk = await made(false);
    const { project, user } = stores(disk);
    const loaded = await loadNote(project, "knowledge/locks.md");
    const theirs = noteText("locks", "theirs");
    const target = { store: user, id: "locks", stem: "locks", folder: "knowledge", text: MOVED };
    const write = (): void => put(disk, `${project.root}/knowledge/locks.md`, theirs);
    const former = `${user.root}/knowledge/.history/locks/2025-01-13T14-30-00.md`;
    disk.makeDir(former.slice(0, former.lastIndexOf("/")), 0o755);
    put(disk, former, "of a note that is gone");
    if (isThere) {
      const link = disk.link.bind(disk);
      disk.link = (from, to) => {
        link(from, to);
        if (to === `${user.root}/knowledge/locks.md`) write();
      };
    } else write();
    const outcome = await moveNote(project, loaded, target, REDIRECT, { isBack: false });
    assert.equal(outcome.kind, "changed");
    assert.equal(disk.files().get(`${project.root}/knowledge/locks.md`), theirs);
    assert.equal(disk.files().has(`${user.root}/knowledge/locks.md`), false);
    assert.deepEqual([listRedirects(project), listTrash(project)], [[], []]);
    assert.deepEqual(listVersions(user, "locks").map(({ path }) => `${user.root}/${path}`), [
      former,
    ]);
  });
}

Deno.test("what a person writes into both notes of a move that is taken back stays in both", async () => {
  const disk = await made(false);
  const { project, user } = stores(disk);
  const [here, there] = [project, user].map(({ root }) => `${root}/knowledge/locks.md`);
  const link = disk.link.bind(disk);
  disk.link = (from, to) => {
    link(from, to);
    if (to !== there) return;
    for (const path of [here, there]) put(disk, path ?? "", noteText("locks", `theirs ${path}`));
  };
  assert.equal(await go(disk, false), "changed");
  for (const path of [here, there]) assert.match(disk.files().get(path ?? "") ?? "", /theirs/);
});

const [HERE, THERE] = ["/home/p/tool/.sage/knowledge/locks.md", "/home/p/.sage/knowledge/locks.md"];

/** The disks of processes that died while the note was in both stores. */
async function inBoth(): Promise<CrashFs[]> {
  const disks: CrashFs[] = [];
  for (let stopAt = 1; stopAt < 100; stopAt++) {
    const dying = (await made(false)).restarted({ stopAt });
    await go(dying, false).catch(() => {});
    const disk = dying.restarted();
    if (disk.files().has(HERE) && disk.files().has(THERE)) disks.push(disk);
  }
  assert(disks.length > 0, "it was never in both");
  return disks;
}

Deno.test("a note that had arrived when the process died, and was edited since, is the only one", async () => {
  for (const [i, disk] of (await inBoth()).entries()) {
    put(disk, THERE, MOVED.replace("second", "theirs"));
    await settleMoves(disk, STATE, "next");
    assert.equal(disk.files().has(HERE), false, `disk ${i}`);
    assert.match(disk.files().get(THERE) ?? "", /theirs/);
  }
});

Deno.test("a move out of a vault that was cut short leaves its redirect in the project's own folder", async () => {
  const place = { root: "/home/p/Vault", path: "Sage/tool" };
  let met = 0;
  for (let stopAt = 1; stopAt < 100; stopAt++) {
    const whole = new CrashFs();
    for (const folder of ["/home/p/.sage", "/home/p/tool/.sage", `${place.root}/${place.path}`]) {
      whole.makeDir(folder, 0o755);
    }
    const inVault = (fs: CrashFs) => {
      const { project: { home: root }, user } = stores(fs);
      const how = { stateDir: STATE, holder: "test", fs, trust: "own", vault: place } as const;
      return { project: openStore({ ...how, root, scope: "project" }), user };
    };
    const { project } = inVault(whole);
    createNote(project, { kind: "knowledge", stem: "locks", text: noteText("locks", "first") });
    const dying = inVault(whole.restarted({ stopAt }));
    const loaded = await loadNote(project, "knowledge/locks.md");
    const to = { store: dying.user, id: "locks", stem: "locks", folder: "knowledge", text: MOVED };
    await moveNote(dying.project, loaded, to, REDIRECT, { isBack: false }).catch(() => {});
    const disk = whole.restarted();
    if (!disk.files().has(THERE) || disk.lstat(`${STATE}/moves`) === undefined) continue;
    met++;
    await settleMoves(disk, STATE, "next");
    assert.deepEqual(listRedirects(project).map(({ to }) => to), ["locks"], `stopped at ${stopAt}`);
    assert.deepEqual([...disk.files().keys()].filter((path) => path.startsWith(place.root)), []);
  }
  assert(met > 0, "it never arrived");
});

Deno.test("a move out of a project that is gone by now makes nothing there again", async () => {
  const [disk] = await inBoth();
  assert(disk !== undefined);
  const remove = (path: string): void => {
    for (const { name, kind } of disk.list(path)) {
      if (kind === "dir") remove(`${path}/${name}`);
      else disk.unlink(`${path}/${name}`);
    }
    disk.removeDir(path);
  };
  remove("/home/p/tool");
  await settleMoves(disk, STATE, "next");
  assert.equal(disk.lstat("/home/p/tool"), undefined);
  assert.equal(disk.files().get(THERE), MOVED);
  assert.equal(disk.lstat(`${STATE}/moves`), undefined);
});

Deno.test("a move that cannot be settled stays written down, and keeps no other from it", async () => {
  const [disk] = await inBoth();
  assert(disk !== undefined);
  const folder = `${STATE}/moves`;
  const move = disk.files().get(`${folder}/${disk.list(folder)[0]?.name}`) ?? "";
  put(disk, `${folder}/torn.json`, "{");
  put(disk, `${folder}/0.json`, move.replaceAll('"knowledge/locks.md"', '"knowledge"'));
  await settleMoves(disk, STATE, "next");
  assert.deepEqual(disk.list(folder).map(({ name }) => name), ["0.json"]);
  assert.deepEqual([disk.files().has(HERE), disk.files().get(THERE)], [false, MOVED]);
});

Deno.test("a note of somebody else's under the name, whose text speaks of the id, is not taken for the moved one", async () => {
  const disk = await made(false);
  const { project, user } = stores(disk);
  const front = noteText("others", "The front matter says:\n\nid: locks\n");
  createNote(user, { kind: "knowledge", stem: "locks", text: front });
  const { bytes } = await loadNote(project, "knowledge/locks.md");
  const end = ({ root, home, scope }: Store): object => ({ root, home, scope, id: "locks" });
  writeState(disk, STATE, "moves/0123456789abcdef.json", {
    from: { ...end(project), hash: sha256Hex(bytes), path: "knowledge/locks.md" },
    to: { ...end(user), hash: sha256Hex(MOVED), folder: "knowledge", stem: "locks" },
    redirect: REDIRECT,
    isBack: false,
  });
  await settleMoves(disk, STATE, "next");
  assert.equal((await loadNote(project, "knowledge/locks.md")).note.id, "locks");
});
