/** The guard's hooks: put in beside what is there, taken out without a trace. */
import assert from "node:assert/strict";
import { diagnose } from "../../src/memory/doctor/doctor.ts";
import {
  installedFolders,
  installHooks,
  uninstallAllHooks,
  uninstallHooks,
} from "../../src/memory/guard/git_hooks.ts";
import { registerDriver, unregisterDrivers } from "../../src/memory/team/share.ts";
import { put, read, repository, type World, world } from "../support/world.ts";

const SAGE = "/opt/it's here/sage";

async function withGit(config = ""): Promise<World & { hooks: string }> {
  const on = await world();
  repository(on.cwd);
  put(`${on.cwd}/.git/config`, config);
  const hooks = `${on.cwd}/.git/hooks`;
  await Deno.mkdir(hooks);
  return { ...on, hooks };
}

/** Everything that could differ of a file. */
function looks(path: string): readonly unknown[] {
  const { ino, mode, mtime, isSymlink } = Deno.lstatSync(path);
  return [ino, mode, mtime?.getTime(), isSymlink, isSymlink ? Deno.readLinkSync(path) : read(path)];
}

function names(folder: string): string[] {
  return [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
}

Deno.test("installHooks() is idempotent, and uninstallHooks() leaves nothing", async () => {
  using on = await withGit();
  assert.equal(installHooks(on.memory, SAGE).kind, "installed");
  assert.deepEqual(names(on.hooks), ["pre-commit", "pre-push"]);
  assert.match(read(`${on.hooks}/pre-push`), /^sage='\/opt\/it'\\''s here\/sage'$/m);
  const before = looks(`${on.hooks}/pre-commit`);
  assert.equal(installHooks(on.memory, SAGE).kind, "unchanged");
  assert.deepEqual(looks(`${on.hooks}/pre-commit`), before);
  assert.equal(installHooks(on.memory, "/elsewhere/sage").kind, "installed", "it moved");
  assert.match(read(`${on.hooks}/pre-commit`), /^sage='\/elsewhere\/sage'$/m);
  assert.equal(uninstallHooks(on.memory).kind, "uninstalled");
  assert.deepEqual(names(on.hooks), []);
  assert.equal(uninstallHooks(on.memory).kind, "unchanged");
});

for (const form of ["file", "link", "dangling link", "not executable", "binary"]) {
  Deno.test(`uninstallHooks() gives a hook that was a ${form} back as it was`, async () => {
    using on = await withGit();
    const hook = `${on.hooks}/pre-commit`;
    put(`${on.cwd}/theirs.sh`, "#!/bin/sh\r\necho\n");
    if (form === "link") await Deno.symlink("../../theirs.sh", hook);
    else if (form === "dangling link") await Deno.symlink("../nowhere", hook);
    else if (form === "binary") await Deno.writeFile(hook, Uint8Array.of(0x7f, 0x45, 0, 0xff));
    else put(hook, "#!/bin/sh\nexit 3\n");
    if (form === "file") await Deno.chmod(hook, 0o755);
    const before = looks(hook);
    const installed = installHooks(on.memory, SAGE);
    assert.deepEqual(installed.kept, ["pre-commit"]);
    assert.deepEqual(looks(`${hook}.before-sage`), before);
    assert.equal(installHooks(on.memory, SAGE).kind, "unchanged");
    installHooks(on.memory, "/elsewhere/sage");
    assert.deepEqual(uninstallHooks(on.memory).kept, ["pre-commit"]);
    assert.deepEqual(looks(hook), before);
    assert.deepEqual(names(on.hooks), ["pre-commit"]);
  });
}

Deno.test("installHooks() continues after it was killed between renaming a hook and writing its own", async () => {
  using on = await withGit();
  const hook = `${on.hooks}/pre-push`;
  put(hook, "#!/bin/sh\n");
  const before = looks(hook);
  await Deno.link(hook, `${hook}.before-sage`);
  assert.equal(installHooks(on.memory, SAGE).kind, "installed");
  uninstallHooks(on.memory);
  assert.deepEqual(looks(hook), before);
  await Deno.rename(hook, `${hook}.before-sage`);
  installHooks(on.memory, SAGE);
  uninstallHooks(on.memory);
  assert.deepEqual(looks(hook), before);
});

Deno.test("installHooks() overwrites nothing that was kept by somebody else", async () => {
  using on = await withGit();
  put(`${on.hooks}/pre-push`, "#!/bin/sh\n");
  put(`${on.hooks}/pre-push.before-sage`, "mine");
  assert.throws(() => installHooks(on.memory, SAGE), /before-sage exists already/);
  assert.deepEqual(names(on.hooks), ["pre-push", "pre-push.before-sage"]);
});

Deno.test("uninstallHooks() leaves a hook that somebody put in our place", async () => {
  using on = await withGit();
  installHooks(on.memory, SAGE);
  put(`${on.hooks}/pre-commit`, "#!/bin/sh\nexit 0\n");
  uninstallHooks(on.memory);
  assert.deepEqual(names(on.hooks), ["pre-commit"]);
});

Deno.test("uninstalling the hooks removes a folder that was made for them", async () => {
  using on = await withGit();
  await Deno.remove(on.hooks);
  installHooks(on.memory, SAGE);
  installHooks(on.memory, "/elsewhere/sage");
  uninstallHooks(on.memory);
  assert.throws(() => Deno.lstatSync(on.hooks), Deno.errors.NotFound);
});

const CONFIGS: readonly (readonly [config: string, folder: string])[] = [
  ["[core]\n\thooksPath = .husky/_\n", "CWD/.husky/_"],
  ['[Core]\n\tHooksPath = "my hooks" ; why\n', "CWD/my hooks"],
  ["[core] hooksPath = ~/hooks\n", "HOME/hooks"],
  ["[core]\n\thooksPath = a\n[core]\n\thooksPath = b # last\n", "CWD/b"],
  ['[core "x"]\n\thooksPath = a\n', "CWD/.git/hooks"],
  ["[core]\n\thooksPath =\n", "CWD/.git/hooks"],
  ["[include]\n\tpath = ../shared.ini\n", "CWD/shared"],
];

for (const [config, folder] of CONFIGS) {
  Deno.test(`hooks are installed where git looks for them: ${JSON.stringify(config)}`, async () => {
    using on = await withGit(config);
    put(`${on.cwd}/shared.ini`, "[core]\n\thooksPath = shared\n");
    const wanted = folder.replace("CWD", on.cwd).replace("HOME", on.home);
    assert.equal(installHooks(on.memory, SAGE).folder, wanted);
    assert.deepEqual(names(wanted), ["pre-commit", "pre-push"]);
    uninstallHooks(on.memory);
  });
}

Deno.test("hooks that other repositories use as well are not changed without asking", async () => {
  using on = await withGit();
  put(`${on.home}/.gitconfig`, "[core]\n\thooksPath = ~/hooks\n");
  assert.throws(() => installHooks(on.memory, SAGE), /sets for other repositories too/);
  assert.equal(installHooks(on.memory, SAGE, `${on.home}/hooks`).kind, "installed");
  put(`${on.cwd}/.git/config`, "[core]\n\thooksPath = own\n");
  assert.equal(installHooks(on.memory, SAGE).folder, `${on.cwd}/own`, "its own wins");
  put(`${on.cwd}/.git/config`, '[includeIf "onbranch:x"]\n\tpath = x.ini\n');
  put(`${on.cwd}/.git/x.ini`, "[core]\n\thooksPath = x\n");
  assert.throws(
    () => installHooks(on.memory, SAGE),
    /sets for other repositories|under a condition/,
  );
});

Deno.test("diagnose() names hooks that git no longer runs because other ones are configured", async () => {
  using on = await withGit();
  installHooks(on.memory, SAGE);
  const told = async (): Promise<string[]> =>
    (await diagnose(await on.open())).filter(({ what }) => what.includes("guard's"))
      .map(({ what }) => what);
  assert.deepEqual(await told(), []);
  for (const [file, folder] of [["cwd/.git/config", ".husky"], ["home/.gitconfig", "~/hooks"]]) {
    const path = (file ?? "").replace("cwd", on.cwd).replace("home", on.home);
    put(path, `[core]\n\thooksPath = ${folder}\n`);
    const place = folder?.startsWith("~") ? `${on.home}/hooks` : `${on.cwd}/${folder}`;
    const what = `git runs the hooks in ${place} here, not the guard's in ${on.hooks}`;
    assert.deepEqual(await told(), [what]);
    installHooks(on.memory, SAGE, place);
    assert.deepEqual(await told(), []);
    uninstallHooks(on.memory, place);
    put(path, "");
  }
});

Deno.test("uninstallAllHooks() finds every repository", async () => {
  using on = await withGit();
  put(`${on.hooks}/pre-commit`, "#!/bin/sh\n");
  installHooks(on.memory, SAGE);
  installHooks(on.memory, SAGE, `${on.home}/hooks`);
  assert.deepEqual(uninstallAllHooks(on.memory).sort(), [`${on.home}/hooks`, on.hooks].sort());
  assert.deepEqual(names(on.hooks), ["pre-commit"]);
  assert.deepEqual(uninstallAllHooks(on.memory), []);
});

Deno.test("uninstall finds what it wrote to git in a project that was moved since, and reports no other", async () => {
  using on = await withGit();
  installHooks(on.memory, SAGE);
  registerDriver(on.memory, SAGE);
  const moved = `${on.home}/moved`;
  await Deno.rename(on.cwd, moved);
  const memory = await on.open({ cwd: moved });
  assert.deepEqual(installedFolders(memory), [`${moved}/.git/hooks`]);
  assert.deepEqual(uninstallAllHooks(memory), [`${moved}/.git/hooks`]);
  assert.deepEqual(names(`${moved}/.git/hooks`), []);
  assert.deepEqual(unregisterDrivers(memory, { dryRun: false }), [`${moved}/.git/config`]);
  assert.doesNotMatch(read(`${moved}/.git/config`), /merge-driver/);
});
