/** Finding stores and projects; what git says, from its files; whom a store comes from. */
import assert from "node:assert/strict";
import { type FileInfo, realFs } from "../../src/base/fs.ts";
import { canonicalRemote, readGit } from "../../src/store/git/git.ts";
import { openStore } from "../../src/store/handle.ts";
import { locateStores, type Places } from "../../src/store/locate.ts";
import {
  formerRemote,
  readTrust,
  recordTrust,
  renewTrust,
  trustedRoots,
} from "../../src/store/trust.ts";
import { isCaptureExcluded, openIgnores } from "../../src/store/ignore.ts";
import { foldingFs } from "../support/folding_fs.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { assertQuick } from "../support/quick.ts";

const fs = realFs;
const isPosix = Deno.build.os !== "windows";
const hasGit = isPosix &&
  new Deno.Command("sh", { args: ["-c", "git --version"], stdout: "null", stderr: "null" })
    .outputSync().success;

function locate(cwd: string, home: string, env: Record<string, string> = {}): Places {
  return locateStores({ cwd, home, env: (name) => env[name], fs });
}

function git(cwd: string, ...args: string[]): string {
  const settings = [
    "-c",
    "user.name=T",
    "-c",
    "user.email=t@example.org",
    "-c",
    "init.defaultBranch=main",
  ];
  const { success, stdout, stderr } = new Deno.Command("git", { args: [...settings, ...args], cwd })
    .outputSync();
  assert(success, new TextDecoder().decode(stderr));
  return new TextDecoder().decode(stdout).trim();
}

function makeDir(path: string): string {
  Deno.mkdirSync(path, { recursive: true });
  return path;
}

Deno.test("locateStores() finds nothing and makes nothing in an empty world", () => {
  const home = tempDir();
  const cwd = makeDir(`${home}/work/My Thing`);
  const places = locate(cwd, home);
  assert.equal(places.userRoot, `${home}/.sage`);
  assert.equal(places.stateDir, `${home}/.sage/state`);
  assert.equal(places.project, undefined);
  assert.equal(places.projectDir, cwd);
  assert.equal(places.projectName, "My Thing");
  assert.match(places.projectId, /^my-thing-[0-9a-f]{8}$/);
  assert.deepEqual(filesIn(home), []);
});

Deno.test("locateStores() says where the person's own store is a link to nowhere", {
  ignore: !isPosix,
}, () => {
  const home = tempDir();
  Deno.symlinkSync(`${home}/disk/notes`, `${home}/.sage`);
  const expected = {
    code: "invalid_config",
    message: `Cannot find the user store: "${home}/.sage" leads by a link to nowhere`,
  };
  assert.throws(() => locate(home, home), expected);
  makeDir(`${home}/disk/notes`);
  assert.equal(locate(home, home).userRoot, `${home}/disk/notes`);
});

Deno.test("locateStores() takes no whole disk for a store", { ignore: !isPosix }, () => {
  const home = tempDir();
  const expected = {
    code: "invalid_config",
    message: '"/" is a whole disk, and no store of notes',
  };
  assert.throws(() => locate(home, home, { SAGE_HOME: "/" }), expected);
  assert.throws(() => locate(home, home, { SAGE_HOME: "//" }), expected);
});

Deno.test("locateStores() takes the first .sage upwards, but never the user's", () => {
  const home = tempDir();
  makeDir(`${home}/.sage`);
  const cwd = makeDir(`${home}/work/src/deep`);
  assert.equal(locate(cwd, home).project, undefined);
  makeDir(`${home}/work/.sage`);
  const { project } = locate(cwd, home);
  assert.deepEqual([project?.root, project?.dir], [`${home}/work/.sage`, `${home}/work`]);
  assert.equal(locate(cwd, home).projectDir, `${home}/work`);
  const moved = locate(cwd, home, { SAGE_HOME: `${home}/work/.sage` });
  assert.equal(moved.userRoot, `${home}/work/.sage`);
  assert.equal(moved.project, undefined);
});

Deno.test("a store is called as the disk calls it, where any case finds it", () => {
  const home = tempDir();
  const folding = foldingFs();
  makeDir(`${home}/.SAGE`);
  const cwd = makeDir(`${home}/Work/src`);
  makeDir(`${home}/Work/.Sage`);
  const at = (folder: string): Places =>
    locateStores({ cwd: folder, home, env: () => undefined, fs: folding });
  assert.equal(at(home).project, undefined);
  for (const typed of [cwd, `${home}/work/SRC`]) {
    const { project } = at(typed);
    assert.deepEqual([project?.root, project?.dir], [`${home}/Work/.Sage`, `${home}/Work`]);
  }
  recordTrust(folding, `${home}/state`, `${home}/Work/.Sage`, "own");
  assert.equal(readTrust(folding, `${home}/state`, at(cwd).project?.root ?? ""), "own");
});

Deno.test("locateStores() does not follow a .sage that is a link", { ignore: !isPosix }, () => {
  const home = tempDir();
  makeDir(`${home}/private`);
  const cwd = makeDir(`${home}/work`);
  Deno.symlinkSync(`${home}/private`, `${cwd}/.sage`);
  assert.equal(locate(cwd, home).project, undefined);
});

Deno.test("locateStores() says what to do without a home", () => {
  assert.throws(() => locate(tempDir(), ""), {
    code: "invalid_config",
    hint: "set HOME or SAGE_HOME",
  });
});

Deno.test("locateStores() names the file that is where the home should be", () => {
  const home = tempDir();
  Deno.writeTextFileSync(`${home}/file`, "");
  const file = `${fs.realPath(home)}/file`;
  for (
    const [name, at, env] of [
      ["HOME", `${home}/file`, {}],
      ["SAGE_HOME", home, { SAGE_HOME: `${home}/file/sage` }],
    ] as const
  ) {
    assert.throws(() => locate(home, at, env), {
      message: `Cannot find the user store: "${file}" is a file`,
      hint: `set ${name} to a folder`,
    });
  }
});

Deno.test("a project keeps its id in every clone, however the remote is written", {
  ignore: !hasGit,
}, () => {
  const home = tempDir();
  const ids = [
    "git@GitHub.com:ann/Tool.git",
    "https://github.com/ann/Tool",
    "ssh://git@github.com/ann/Tool.git/",
  ]
    .map((url, i) => {
      const dir = makeDir(`${home}/clone-${i}`);
      git(dir, "init", "-q");
      git(dir, "remote", "add", "origin", url);
      return locate(makeDir(`${dir}/src`), home).projectId;
    });
  assert.equal(new Set(ids).size, 1);
  assert.match(ids[0] ?? "", /^tool-[0-9a-f]{8}$/);
});

Deno.test(
  "notes of a fork's origin are the fork's too, and not those of a project in a folder of it",
  {
    ignore: !hasGit,
  },
  () => {
    const home = tempDir();
    const origin = makeDir(`${home}/origin`);
    const fork = makeDir(`${home}/fork`);
    const [theirs, ours] = ["https://h.org/them/tool", "https://h.org/ann/tool"];
    for (const [dir, url] of [[origin, theirs], [fork, ours]] as const) {
      git(dir, "init", "-q");
      git(dir, "remote", "add", "origin", url);
    }
    git(fork, "remote", "add", "upstream", theirs);
    const { projectId } = locate(origin, home);
    assert.ok(locate(fork, home).projectIds.includes(projectId));
    makeDir(`${fork}/apps/web/.sage`);
    assert.ok(!locate(`${fork}/apps/web`, home).projectIds.includes(projectId));
  },
);

Deno.test("of a project that was recorded in a folder without a mark only what a person claimed counts", () => {
  const home = tempDir();
  const cwd = makeDir(`${home}/work`);
  const entry =
    `  - id: old-1\n    name: old\n    root: ${cwd}\n    last_seen: 2026-01-01T00:00:00Z\n`;
  makeDir(`${home}/.sage`);
  const file = `projects:\n${entry}    former: [claimed-1]\n`;
  Deno.writeTextFileSync(`${home}/.sage/projects.yaml`, file);
  const { projectIds } = locate(cwd, home);
  assert.deepEqual(["claimed-1", "old-1"].map((id) => projectIds.includes(id)), [true, false]);
});

Deno.test("project.yaml names the project once its store is trusted", () => {
  const home = tempDir();
  const cwd = makeDir(`${home}/work`);
  makeDir(`${cwd}/.sage`);
  Deno.writeTextFileSync(`${cwd}/.sage/project.yaml`, 'id: stated-1\nname: "The \\"Thing\\"" \n');
  assert.match(locate(cwd, home).projectId, /^work-/);
  recordTrust(fs, `${home}/.sage/state`, `${cwd}/.sage`, "own");
  assert.equal(locate(cwd, home).projectId, "stated-1");
  assert.equal(locate(cwd, home).projectName, 'The "Thing"');
  // As some editors of Windows save it.
  Deno.writeTextFileSync(`${cwd}/.sage/project.yaml`, "\uFEFFid: stated-2\r\nname: Bees\r\n");
  assert.equal(locate(cwd, home).projectId, "stated-2");
  assert.equal(locate(cwd, home).projectName, "Bees");
});

Deno.test("a project's name is one line, whatever its folder is called or its file writes", () => {
  const home = tempDir();
  const cwd = makeDir(`${home}/two\n lines\tof it `);
  assert.equal(locate(cwd, home).projectName, "two lines of it");
  const root = makeDir(`${cwd}/.sage`);
  recordTrust(fs, `${home}/.sage/state`, root, "own");
  for (
    const [written, name] of [
      ['"two\\n lines\\tof it "', "two lines of it"],
      ["'Ann''s \"Thing\"'", 'Ann\'s "Thing"'],
      ['"Thing # 2" # what we call it', "Thing # 2"],
      ["Thing # what we call it", "Thing"],
    ] as const
  ) {
    Deno.writeTextFileSync(`${root}/project.yaml`, `id: stated-1\nname: ${written}\n`);
    assert.deepEqual(
      [locate(cwd, home).projectId, locate(cwd, home).projectName],
      ["stated-1", name],
    );
  }
});

Deno.test(
  "a worktree without a store of its own uses the main checkout's",
  { ignore: !hasGit },
  () => {
    const home = tempDir();
    const main = makeDir(`${home}/main`);
    git(main, "init", "-q");
    git(main, "commit", "-q", "--allow-empty", "-m", "one");
    git(main, "worktree", "add", "-q", `${home}/feature`, "-b", "feature");
    assert.equal(locate(`${home}/feature`, home).projectId, locate(main, home).projectId);
    makeDir(`${main}/.sage`);
    const places = locate(makeDir(`${home}/feature/src`), home);
    assert.equal(places.project?.root, `${main}/.sage`);
    assert.equal(places.projectDir, main);
    makeDir(`${home}/feature/.sage`);
    assert.equal(locate(`${home}/feature/src`, home).project?.root, `${home}/feature/.sage`);
  },
);

Deno.test("the store that a worktree has checked out is of the same project, and as much trusted", {
  ignore: !hasGit,
}, () => {
  const home = tempDir();
  const main = makeDir(`${home}/main`);
  const stateDir = `${home}/.sage/state`;
  git(main, "init", "-q");
  Deno.writeTextFileSync(`${makeDir(`${main}/.sage`)}/project.yaml`, "name: The Shop\n");
  Deno.writeTextFileSync(`${makeDir(`${main}/apps/web/.sage`)}/project.yaml`, "name: Web\n");
  git(main, "add", "-A");
  git(main, "commit", "-q", "-m", "one");
  git(main, "worktree", "add", "-q", `${home}/feature`, "-b", "feature");
  const root = `${home}/feature/.sage`;
  assert.equal(readTrust(fs, stateDir, root), "unknown");
  recordTrust(fs, stateDir, `${main}/.sage`, "own");
  assert.equal(readTrust(fs, stateDir, root), "own");
  assert.equal(readTrust(fs, stateDir, `${home}/feature/apps/web/.sage`), "unknown");
  const places = locate(`${home}/feature/src`, home);
  assert.equal(places.project?.root, root);
  assert.equal(places.projectName, "The Shop");
  assert.equal(places.projectId, locate(main, home).projectId);
  // The main checkout has a branch without one just now.
  git(main, "rm", "-rqf", ".");
  assert.equal(fs.lstat(`${main}/.sage`), undefined);
  assert.equal(readTrust(fs, stateDir, root), "own");
  git(main, "checkout", "-q", "HEAD", ".");
  // Unpacked elsewhere, nothing names it back.
  const hostile = makeDir(`${home}/unpacked`);
  Deno.copyFileSync(`${home}/feature/.git`, `${hostile}/.git`);
  makeDir(`${hostile}/.sage`);
  assert.equal(readTrust(fs, stateDir, `${hostile}/.sage`), "unknown");
  assert.ok(trustedRoots(fs, stateDir).includes(`${main}/.sage`));
  recordTrust(fs, stateDir, `${main}/.sage`, "unknown");
  assert.equal(readTrust(fs, stateDir, root), "unknown");
  assert.ok(!trustedRoots(fs, stateDir).includes(`${main}/.sage`));
});

Deno.test("folders below a home that is kept in git are projects of their own", {
  ignore: !hasGit,
}, () => {
  const home = tempDir();
  git(home, "init", "-q");
  git(home, "remote", "add", "origin", "https://h.org/me/dotfiles");
  const shop = locate(makeDir(`${home}/src/shop`), home);
  const site = locate(makeDir(`${home}/src/site`), home);
  assert.deepEqual([shop.projectName, shop.projectDir], ["shop", `${home}/src/shop`]);
  assert.equal(shop.repository, undefined);
  assert(!site.projectIds.some((id) => shop.projectIds.includes(id)));
  assert.equal(locate(home, home).projectName, "dotfiles");
  git(makeDir(`${home}/src/lib`), "init", "-q");
  assert.equal(locate(makeDir(`${home}/src/lib/deep`), home).projectDir, `${home}/src/lib`);
});

Deno.test("a .git file that no repository names back borrows no store", { ignore: !hasGit }, () => {
  const home = tempDir();
  const main = makeDir(`${home}/main`);
  git(main, "init", "-q");
  git(main, "commit", "-q", "--allow-empty", "-m", "one");
  git(main, "worktree", "add", "-q", `${home}/feature`, "-b", "feature");
  makeDir(`${main}/.sage`);
  const hostile = makeDir(`${home}/unpacked`);
  Deno.writeTextFileSync(`${hostile}/.git`, `gitdir: ${main}/.git/worktrees/feature\n`);
  assert.equal(locate(hostile, home).project, undefined);
});

Deno.test("a repository out of an archive is no worktree of a project that it links to", () => {
  const home = tempDir();
  const stateDir = `${home}/.sage/state`;
  const trusted = makeDir(`${home}/work/.sage`);
  recordTrust(fs, stateDir, trusted, "own");
  const hostile = makeDir(`${home}/unpacked`);
  const own = makeDir(`${hostile}/.sage`);
  const worktree = makeDir(`${hostile}/git/worktrees/w`);
  Deno.writeTextFileSync(`${hostile}/.git`, "gitdir: git/worktrees/w\n");
  Deno.writeTextFileSync(`${worktree}/HEAD`, "ref: refs/heads/main\n");
  Deno.writeTextFileSync(`${worktree}/gitdir`, `${hostile}/.git\n`);
  // Its main checkout is a folder of its own, whose store is a link to somebody else's.
  const main = makeDir(`${hostile}/main`);
  Deno.symlinkSync("../git", `${main}/.git`);
  Deno.symlinkSync("../../work/.sage", `${main}/.sage`);
  Deno.writeTextFileSync(`${worktree}/commondir`, "../../../main/.git\n");
  assert.equal(readTrust(fs, stateDir, own), "unknown");
  // The same with a repository that is where it says.
  Deno.removeSync(`${main}/.git`);
  makeDir(`${main}/.git/worktrees`);
  Deno.renameSync(worktree, `${main}/.git/worktrees/w`);
  Deno.writeTextFileSync(`${hostile}/.git`, "gitdir: main/.git/worktrees/w\n");
  Deno.writeTextFileSync(`${main}/.git/worktrees/w/commondir`, "../..\n");
  assert.equal(readTrust(fs, stateDir, own), "unknown");
  // And with one that leads back to itself.
  Deno.removeSync(`${main}/.sage`);
  Deno.symlinkSync("../.sage", `${main}/.sage`);
  assert.equal(readTrust(fs, stateDir, own), "unknown");
});

Deno.test("readGit() reads branch, commit and remote as git does", { ignore: !hasGit }, () => {
  const dir = tempDir();
  assert.equal(readGit(fs, dir), undefined);
  git(dir, "init", "-q");
  assert.deepEqual(readGit(fs, dir), {
    top: dir,
    gitDir: `${dir}/.git`,
    commonDir: `${dir}/.git`,
    branch: "main",
  });
  git(dir, "commit", "-q", "--allow-empty", "-m", "one");
  git(dir, "remote", "add", "other", "https://example.org/o.git");
  git(dir, "remote", "add", "origin", "https://ann:token@example.org/a.git");
  git(dir, "checkout", "-q", "-b", "feature/x");
  const commit = git(dir, "rev-parse", "HEAD");
  const state = readGit(fs, makeDir(`${dir}/src`));
  assert.deepEqual(
    { branch: state?.branch, commit: state?.commit, remote: state?.remote },
    { branch: "feature/x", commit, remote: "https://example.org/a.git" },
  );
  git(dir, "remote", "set-url", "origin", "");
  const config = Deno.readTextFileSync(`${dir}/.git/config`)
    .replace(/url = $/m, 'URL = "https://example.org/b.git" ; mine');
  Deno.writeTextFileSync(`${dir}/.git/config`, config);
  assert.equal(readGit(fs, dir)?.remote, git(dir, "config", "remote.origin.url"));
  git(dir, "pack-refs", "--all");
  assert.equal(readGit(fs, dir)?.commit, commit);
  git(dir, "checkout", "-q", "--detach");
  assert.equal(readGit(fs, dir)?.branch, undefined);
  assert.equal(readGit(fs, dir)?.commit, commit);
});

Deno.test("readGit() goes through links, as git does", { ignore: !hasGit }, () => {
  const [dir, kept, shared] = [tempDir(), tempDir(), tempDir()];
  git(kept, "init", "-q");
  git(kept, "commit", "-q", "--allow-empty", "-m", "one");
  git(kept, "remote", "add", "origin", "https://example.org/a.git");
  git(kept, "pack-refs", "--all");
  const { branch, commit, remote } = readGit(fs, kept) ?? {};
  Deno.symlinkSync(`${kept}/.git`, `${dir}/.git`);
  assert.deepEqual(readGit(fs, dir), {
    top: dir,
    gitDir: `${kept}/.git`,
    commonDir: `${kept}/.git`,
    ...{ branch, commit, remote },
  });
  makeDir(`${shared}/.git`);
  for (const name of ["config", "refs", "objects", "packed-refs"]) {
    Deno.symlinkSync(`${kept}/.git/${name}`, `${shared}/.git/${name}`);
  }
  Deno.copyFileSync(`${kept}/.git/HEAD`, `${shared}/.git/HEAD`);
  assert.equal(git(shared, "rev-parse", "HEAD"), commit);
  const ofShared = readGit(fs, shared);
  assert.deepEqual([ofShared?.commit, ofShared?.remote], [commit, remote]);
  Deno.removeSync(`${dir}/.git`);
  Deno.symlinkSync(`${dir}/none`, `${dir}/.git`);
  assert.equal(readGit(fs, dir), undefined);
});

Deno.test("readGit() is not led astray by what a .git folder may hold", () => {
  const dir = tempDir();
  makeDir(`${dir}/.git`);
  for (
    const head of ["", "ref: ../../etc/passwd", "ref: refs/../../x", "\0\0", "x".repeat(10_000)]
  ) {
    Deno.writeTextFileSync(`${dir}/.git/HEAD`, head);
    assert.equal(readGit(fs, dir)?.commit, undefined, head.slice(0, 20));
  }
  Deno.writeTextFileSync(`${dir}/.git/HEAD`, "ref: refs/heads/loop\n");
  makeDir(`${dir}/.git/refs/heads`);
  Deno.writeTextFileSync(`${dir}/.git/refs/heads/loop`, "ref: refs/heads/loop\n");
  Deno.writeTextFileSync(`${dir}/.git/config`, `[remote "o"]\n\turl = ${" ".repeat(200_000)}x\n`);
  assert.deepEqual(readGit(fs, dir), {
    top: dir,
    gitDir: `${dir}/.git`,
    commonDir: `${dir}/.git`,
    branch: "loop",
  });
  return assertQuick(() => readGit(fs, dir), 1000);
});

Deno.test("canonicalRemote() has one form for one place", () => {
  for (
    const url of [
      "git@h.org:a/b.git",
      "https://h.org/a/b",
      "https://u:p@H.org:443/a/b.git",
      "ssh://git@h.org/a/b/",
    ]
  ) {
    assert.equal(canonicalRemote(url), "h.org/a/b", url);
  }
  assert.equal(canonicalRemote("/srv/git/x.git"), "/srv/git/x");
  assert.equal(canonicalRemote("/srv/git/x/."), "/srv/git/x", "git clone . keeps the dot");
});

Deno.test("a project store is unknown until somebody says otherwise, and again when it is another", () => {
  const home = tempDir();
  const root = makeDir(`${home}/work/.sage`);
  const stateDir = `${home}/.sage/state`;
  assert.equal(readTrust(fs, stateDir, root), "unknown");
  for (const trust of ["own", "trusted", "unknown"] as const) {
    recordTrust(fs, stateDir, root, trust);
    assert.equal(readTrust(fs, stateDir, root), trust);
  }
  recordTrust(fs, stateDir, root, "own");
  const store = { root, stateDir, holder: "t" };
  assert.equal(openStore({ ...store, scope: "project" }).trust, "own");
  // Two new disks count their files alike.
  const lstat = (path: string) => {
    const info = fs.lstat(path);
    return info && { ...info, device: info.device + 1 };
  };
  assert.equal(readTrust({ ...fs, lstat }, stateDir, root), "unknown");
  Deno.renameSync(root, `${root}-old`);
  makeDir(root);
  assert.equal(readTrust(fs, stateDir, root), "unknown");
  renewTrust(fs, stateDir, root);
  assert.equal(readTrust(fs, stateDir, root), "unknown", "nobody has vouched for this one");
  assert.equal(openStore({ ...store, scope: "user" }).trust, "own");
});

Deno.test("a store that is put back from a copy is trusted as it was, another in its place is not", () => {
  const home = tempDir();
  const root = makeDir(`${home}/work/.sage`);
  const stateDir = `${home}/.sage/state`;
  const file = `${root}/.gitignore`;
  const put = (atMs: number): void => {
    Deno.renameSync(root, `${root}-${atMs}`);
    makeDir(root);
    Deno.writeTextFileSync(file, "local/\n");
    Deno.utimeSync(file, atMs / 1000, atMs / 1000);
  };
  const made = Date.UTC(2026, 0, 13, 14, 30, 7, 250);
  put(made);
  recordTrust(fs, stateDir, root, "own");
  put(made - 250);
  assert.equal(readTrust(fs, stateDir, root), "own");
  put(made + 1000);
  assert.equal(readTrust(fs, stateDir, root), "unknown");
  Deno.removeSync(file);
  assert.equal(readTrust(fs, stateDir, root), "unknown");
});

Deno.test("a store is trusted as it was where its home came under another name, and nowhere else", () => {
  const base = tempDir();
  const made = Date.UTC(2026, 0, 13, 14, 30, 7);
  const [before, after] = [`${base}/before`, `${base}/after`];
  const put = (root: string): string => {
    const file = `${makeDir(root)}/.gitignore`;
    Deno.writeTextFileSync(file, "local/\n");
    Deno.utimeSync(file, made / 1000, made / 1000);
    return root;
  };
  const state = (home: string): string => makeDir(`${home}/.sage/state`);
  const outside = put(`${base}/elsewhere/.sage`);
  recordTrust(fs, state(before), put(`${before}/work/.sage`), "own");
  recordTrust(fs, state(before), outside, "trusted");
  Deno.copyFileSync(`${state(before)}/trust.json`, `${state(after)}/trust.json`);
  const moved = put(`${after}/work/.sage`);
  assert.equal(readTrust(fs, state(after), moved), "own");
  assert.equal(readTrust(fs, state(after), outside), "trusted");
  assert.equal(readTrust(fs, state(after), put(`${after}/other/.sage`)), "unknown");
  assert.equal(readTrust(fs, state(after), `${before}/work/.sage`), "unknown");
  recordTrust(fs, state(after), moved, "own");
  assert.deepEqual(trustedRoots(fs, state(after)), [outside, moved]);
  const out = `${base}/out/.sage`;
  Deno.mkdirSync(`${base}/out`);
  Deno.renameSync(moved, out);
  renewTrust(fs, state(after), out);
  assert.equal(readTrust(fs, state(after), out), "own");
});

Deno.test("a store whose file is as old as the trust is known by nothing that its files do not tell", () => {
  const home = tempDir();
  const root = makeDir(`${home}/work/.sage`);
  const stateDir = `${home}/.sage/state`;
  Deno.writeTextFileSync(`${root}/.gitignore`, "local/\n");
  recordTrust(fs, stateDir, root, "own");
  const made = Deno.statSync(`${root}/.gitignore`).mtime ?? new Date();
  Deno.renameSync(root, `${root}-old`);
  makeDir(root);
  Deno.writeTextFileSync(`${root}/.gitignore`, "local/\n");
  Deno.utimeSync(`${root}/.gitignore`, made, made);
  assert.equal(readTrust(fs, stateDir, root), "unknown");
});

Deno.test(
  "a store that git took away and brought back is trusted as it was, one of another clone is not",
  {
    ignore: !hasGit,
  },
  () => {
    const home = tempDir();
    const dir = makeDir(`${home}/work`);
    const stateDir = `${home}/.sage/state`;
    const [root, below] = [`${dir}/.sage`, `${dir}/apps/web/.sage`];
    git(dir, "init", "-q");
    git(dir, "commit", "-q", "--allow-empty", "-m", "before");
    for (const store of [root, below]) {
      Deno.writeTextFileSync(`${makeDir(store)}/.gitignore`, "local/\n");
      recordTrust(fs, stateDir, store, "own");
    }
    git(dir, "add", "-A");
    git(dir, "commit", "-q", "-m", "notes");
    git(dir, "checkout", "-q", "HEAD~");
    assert.equal(readTrust(fs, stateDir, root), "unknown");
    // What has its inodes is not them.
    for (const name of ["a", "b", "c", "d"]) makeDir(`${home}/${name}`);
    git(dir, "checkout", "-q", "main");
    assert.equal(readTrust(fs, stateDir, root), "own");
    // There a project of somebody else's may have been unpacked.
    assert.equal(readTrust(fs, stateDir, below), "unknown");
    Deno.renameSync(dir, `${dir}-old`);
    git(home, "clone", "-q", `${dir}-old`, "work");
    assert.equal(readTrust(fs, stateDir, root), "unknown");
  },
);

Deno.test("renewTrust() knows a store again after the next change, though it had another before", {
  ignore: !hasGit,
}, () => {
  const home = tempDir();
  const stateDir = `${home}/.sage/state`;
  let dir = makeDir(`${home}/work`);
  const root = (): string => `${dir}/.sage`;
  /** Folders come back with other inodes. */
  const checkOutAndBack = (): void => {
    git(dir, "checkout", "-q", "HEAD~");
    for (const name of ["a", "b", "c", "d"]) makeDir(`${dir}-${name}`);
    git(dir, "checkout", "-q", "main");
  };
  Deno.writeTextFileSync(`${makeDir(root())}/.gitignore`, "local/\n");
  recordTrust(fs, stateDir, root(), "own");

  git(dir, "init", "-q");
  git(dir, "commit", "-q", "--allow-empty", "-m", "before");
  git(dir, "add", "-A");
  git(dir, "commit", "-q", "-m", "notes");
  renewTrust(fs, stateDir, root());
  checkOutAndBack();
  assert.equal(readTrust(fs, stateDir, root()), "own", "made before its repository");

  renewTrust(fs, stateDir, root());
  Deno.renameSync(dir, dir = `${home}/moved`);
  assert.equal(readTrust(fs, stateDir, root()), "own", "moved after a checkout");

  renewTrust(fs, stateDir, root());
  checkOutAndBack();
  assert.equal(readTrust(fs, stateDir, root()), "own", "checked out after a move");

  // No renewal in between: all is another now.
  Deno.renameSync(dir, dir = `${home}/again`);
  assert.equal(readTrust(fs, stateDir, root()), "unknown");
  renewTrust(fs, stateDir, root());
  assert.equal(readTrust(fs, stateDir, root()), "unknown", "it vouches for nothing by itself");
});

Deno.test("renewTrust() leaves when a store was trusted, and with which remote", {
  ignore: !hasGit,
}, () => {
  const home = tempDir();
  const dir = makeDir(`${home}/work`);
  const root = makeDir(`${dir}/.sage`);
  const stateDir = `${home}/.sage/state`;
  recordTrust(fs, stateDir, root, "trusted");
  const record = (): { remote?: string; repository?: string; at: string } =>
    JSON.parse(Deno.readTextFileSync(`${stateDir}/trust.json`)).stores[0];
  const { at } = record();
  git(dir, "init", "-q");
  git(dir, "remote", "add", "origin", "https://h.org/a");
  renewTrust(fs, stateDir, root);
  assert.deepEqual([record().at, record().remote], [at, undefined]);
  assert.ok(record().repository);
  assert.equal(readTrust(fs, stateDir, root), "trusted");
});

Deno.test("trust ends when the remote becomes another, not when the first is added", {
  ignore: !hasGit,
}, () => {
  const home = tempDir();
  const dir = makeDir(`${home}/work`);
  const root = makeDir(`${dir}/.sage`);
  const stateDir = `${home}/.sage/state`;
  git(dir, "init", "-q");
  recordTrust(fs, stateDir, root, "own");
  git(dir, "remote", "add", "origin", "https://h.org/a");
  assert.equal(readTrust(fs, stateDir, root), "own");
  recordTrust(fs, stateDir, root, "own");
  assert.equal(formerRemote(fs, stateDir, root), undefined);
  git(dir, "remote", "set-url", "origin", "https://h.org/stranger");
  assert.equal(readTrust(fs, stateDir, root), "unknown");
  assert.equal(formerRemote(fs, stateDir, root), "h.org/a");
  Deno.renameSync(dir, `${dir}-old`);
  makeDir(root);
  assert.equal(formerRemote(fs, stateDir, root), undefined);
});

Deno.test("a store that nobody vouches for is let into no vault, and is of no project", () => {
  const base = tempDir();
  const vault = { root: makeDir(`${base}/Vault`), path: "Projects/shop" };
  const open = (trust: "own" | "unknown") =>
    openStore({
      root: makeDir(`${base}/clone/.sage`),
      ...{ vault, trust, scope: "project", projectId: "shop" },
      ...{ stateDir: `${base}/state`, holder: "test", fs },
    });
  const own = open("own");
  assert.deepEqual([own.root, own.projectId], [`${vault.root}/${vault.path}`, "shop"]);
  const unknown = open("unknown");
  assert.deepEqual([unknown.root, unknown.vault, unknown.projectId], [
    `${base}/clone/.sage`,
    undefined,
    undefined,
  ]);
});

Deno.test("a damaged trust file trusts nobody", () => {
  const home = tempDir();
  const root = makeDir(`${home}/work/.sage`);
  const stateDir = makeDir(`${home}/state`);
  recordTrust(fs, stateDir, root, "own");
  Deno.writeTextFileSync(`${stateDir}/trust.json`, '{"stores":[');
  assert.equal(readTrust(fs, stateDir, root), "unknown");
});

Deno.test("isCaptureExcluded() by the person's file or the project's own", async () => {
  const home = tempDir();
  const [one, two, three] = ["one", "two", "three"].map((name) => makeDir(`${home}/work/${name}`));
  makeDir(`${home}/.sage`);
  await Deno.writeTextFile(`${home}/.sage/.sageignore`, `~/work/one/\n`);
  await Deno.writeTextFile(`${two}/.sageignore`, "*\n");
  await Deno.writeTextFile(`${three}/.sageignore`, "secret/\n");
  const outcome = [];
  for (const dir of [one, two, three]) {
    outcome.push(await isCaptureExcluded(fs, locate(dir ?? "", home)));
  }
  assert.deepEqual(outcome, [true, true, false]);
  // As some editors of Windows save it.
  await Deno.writeTextFile(`${home}/.sage/.sageignore`, "\uFEFF~/work/three/\r\n");
  assert.equal(await isCaptureExcluded(fs, locate(three ?? "", home)), true);
});

Deno.test("isCaptureExcluded() knows a folder through a link, whichever way it is named", {
  ignore: !isPosix,
}, async () => {
  const base = tempDir();
  const home = makeDir(`${base}/home`);
  const dir = makeDir(`${base}/disk/client (old)`);
  makeDir(`${home}/.sage`);
  await Deno.symlink(`${base}/disk`, `${home}/work`);
  const lines = [
    "~/work/client\\ (old)/",
    "~/work/client*",
    `${home}/work/client (old)`,
    `${base}/disk/client (old)/`,
    "client (old)",
  ];
  for (const line of [...lines, "~/work/other/"]) {
    await Deno.writeTextFile(`${home}/.sage/.sageignore`, `\uFEFF${line}\n`);
    for (const cwd of [dir, `${home}/work/client (old)`]) {
      assert.equal(await isCaptureExcluded(fs, locate(cwd, home)), lines.includes(line), line);
    }
  }
  await Deno.writeTextFile(`${home}/.sage/.sageignore`, "~/work/*\n!~/work/client (old)/\n");
  assert.equal(await isCaptureExcluded(fs, locate(dir, home)), false);
});

Deno.test("isCaptureExcluded() by a folder of Windows, however its line is spelled", async () => {
  const userRoot = makeDir(`${tempDir()}/.sage`);
  // A disk of which only the names are known, and that is no drive of who runs this.
  const onDisk = <T>(look: (path: string) => T, missing: (path: string) => T) => (path: string) =>
    path.startsWith("Q:/") ? missing(path) : look(path);
  const windows = {
    ...fs,
    lstat: onDisk<FileInfo | undefined>(fs.lstat, () => undefined),
    realPath: onDisk(fs.realPath, (path) => path),
  };
  const places = { userRoot, home: "Q:/Users/a", projectDir: "Q:/Users/a/work/one" };
  for (
    const line of ["Q:\\Users\\a\\work\\one", "q:/Users/a/work/", "~\\work\\one\\", "~/work/*"]
  ) {
    await Deno.writeTextFile(`${userRoot}/.sageignore`, `${line}\n`);
    assert.equal(await isCaptureExcluded(windows, places), true, line);
  }
  await Deno.writeTextFile(`${userRoot}/.sageignore`, "Q:/Users/a/work/two\nR:/Users/a/work/one\n");
  assert.equal(await isCaptureExcluded(windows, places), false);
});

Deno.test("isCaptureExcluded() where the session stands in an excluded folder of its project", async () => {
  const base = tempDir();
  const home = makeDir(`${base}/home`);
  const client = makeDir(`${base}/mono/client`);
  makeDir(`${base}/mono/.sage`);
  makeDir(`${home}/.sage`);
  await Deno.writeTextFile(`${home}/.sage/.sageignore`, `${client}/\n`);
  assert.equal(await isCaptureExcluded(fs, locate(client, home)), true);
  assert.equal(await isCaptureExcluded(fs, locate(`${base}/mono`, home)), false);
  await Deno.remove(`${home}/.sage/.sageignore`);
  await Deno.writeTextFile(`${base}/mono/.sageignore`, "client/\n");
  assert.equal(await isCaptureExcluded(fs, locate(client, home)), true);
});

Deno.test("a .sageignore that is a link counts, and one that cannot be used is said", {
  ignore: !isPosix,
}, async () => {
  const base = tempDir();
  const home = makeDir(`${base}/home`);
  const dir = makeDir(`${base}/one`);
  makeDir(`${home}/.sage`);
  await Deno.writeTextFile(`${base}/dotfile`, `${dir}\n`);
  await Deno.symlink(`${base}/dotfile`, `${home}/.sage/.sageignore`);
  assert.equal(await isCaptureExcluded(fs, locate(dir, home)), true);
  await Deno.remove(`${base}/dotfile`);
  await assert.rejects(isCaptureExcluded(fs, locate(dir, home)), {
    code: "invalid_config",
    message: `Cannot use "${home}/.sage/.sageignore": it is a link to nowhere`,
  });
  await Deno.remove(`${home}/.sage/.sageignore`);

  await Deno.writeTextFile(`${dir}/rules`, "*\n");
  await Deno.symlink("rules", `${dir}/.sageignore`);
  assert.equal(await isCaptureExcluded(fs, locate(dir, home)), true);
  await Deno.remove(`${dir}/.sageignore`);
  await Deno.symlink("/etc/passwd", `${dir}/.sageignore`);
  await assert.rejects(isCaptureExcluded(fs, locate(dir, home)), /a link out of the project/);
});

Deno.test("openIgnores() refuses a cloned .sageignore that a path could be held against for hours", async () => {
  const home = tempDir();
  const dir = makeDir(`${home}/one`);
  makeDir(`${home}/.sage`);
  const cases: [string, RegExp][] = [
    ["a\nx/**/**/b\n", /line 2 says "\/\*\*\/" more than once/],
    ["**/a/**/a/**/b\n", /line 1 says/],
    ["a/**/b\n".repeat(17), /it says "\/\*\*\/" more than 16 times/],
    ["a\n".repeat(1001), /it has more than 1000 lines/],
  ];
  for (const [text, reason] of cases) {
    await Deno.writeTextFile(`${dir}/.sageignore`, text);
    await assert.rejects(isCaptureExcluded(fs, locate(dir, home)), reason);
  }
  await Deno.remove(`${dir}/.sageignore`);
  // Of the person's own each line is wanted.
  await Deno.writeTextFile(`${home}/.sage/.sageignore`, cases.map(([text]) => text).join(""));
  assert.ok((await openIgnores(fs, locate(dir, home))).isIgnored(`${dir}/a/c/a/b`));
});

Deno.test("openIgnores() has any path that is named in a project soon", async () => {
  const home = tempDir();
  const dir = makeDir(`${home}/one`);
  const hostile = "*a*b*a*/**/*b*a*c*\n".repeat(16) + "**/*a*b*c\n".repeat(900);
  await Deno.writeTextFile(`${dir}/.sageignore`, hostile);
  const { isIgnored } = await openIgnores(fs, locate(dir, home));
  for (const folder of ["a", "ab", "abcabcabcaabcabcaabcaabcaabcabc", "ab".repeat(120)]) {
    for (const depth of [3, 31, 32, 1000]) {
      const path = `${dir}/${`${folder}/`.repeat(depth)}q`;
      await assertQuick(() => isIgnored(path), 1000, `${depth} folders`);
      assert.equal(isIgnored(path), folder.includes("abcabc") || depth > 31, `${folder}, ${depth}`);
    }
  }
});

Deno.test("openIgnores() refuses a .sageignore of which it cannot read every line", async () => {
  const home = tempDir();
  const dir = makeDir(`${home}/one`);
  makeDir(`${home}/.sage`);
  const utf16 = [0xff, 0xfe, ...[..."*\n"].flatMap((sign) => [sign.charCodeAt(0), 0])];
  const cases: [Uint8Array, RegExp][] = [
    [Uint8Array.from(utf16), /it is not UTF-8/],
    [Uint8Array.from(utf16.slice(2)), /it is not UTF-8/],
    [new TextEncoder().encode(`${"# long\n".repeat(10_000)}*\n`), /it is larger than 64 KiB/],
  ];
  for (const file of [`${home}/.sage/.sageignore`, `${dir}/.sageignore`]) {
    for (const [bytes, reason] of cases) {
      await Deno.writeFile(file, bytes);
      await assert.rejects(isCaptureExcluded(fs, locate(dir, home)), reason);
    }
    await Deno.remove(file);
  }
});
