/** Creating the stores. Everything else creates nothing. */
import assert from "node:assert/strict";
import { diagnose } from "../../src/memory/doctor/doctor.ts";
import { findNote } from "../../src/memory/find.ts";
import { initStores } from "../../src/memory/init.ts";
import { serverInstructions } from "../../src/memory/instructions.ts";
import { recallKnowledge } from "../../src/memory/knowledge/recall.ts";
import { searchMemory } from "../../src/memory/search.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { readStatus } from "../../src/memory/status/status.ts";
import { filesIn } from "../support/temp_store.ts";
import { put, read, repository, SESSION, world } from "../support/world.ts";

Deno.test("initStores() makes both stores once, and changes nothing the second time", async () => {
  using on = await world({ project: "none" });
  const first = await initStores(await on.open());
  assert.deepEqual(first.created.map((path) => path.replace(on.cwd, "")), [
    "/.sage",
    "/.sage/.gitignore",
    "/.sage/project.yaml",
  ]);
  const files = filesIn(on.cwd).map((name) => [name, read(`${on.cwd}/${name}`)]);
  on.later(60_000);
  const again = await initStores(await on.open());
  assert.deepEqual(again.created, []);
  assert.deepEqual(filesIn(on.cwd).map((name) => [name, read(`${on.cwd}/${name}`)]), files);
  assert.equal((await on.open()).project?.trust, "own");
  assert.equal((await Deno.stat(`${on.home}/.sage`)).mode ?? 0 & 0o777, 0o040700);
});

Deno.test("initStores() does not make a clone's store one's own", async () => {
  using on = await world({ project: "foreign" });
  await initStores(on.memory);
  assert.equal((await on.open()).project?.trust, "unknown");
});

Deno.test("initStores() makes no store that it cannot record as the person's own", async () => {
  using on = await world({ project: "none" });
  const trust = `${on.home}/.sage/state/trust.json`;
  put(trust, '{"stores":[{"pa');
  await assert.rejects(initStores(await on.open()), /trust\.json": it is damaged/);
  assert.deepEqual(filesIn(on.cwd), []);
  await Deno.remove(trust);
  await initStores(await on.open());
  assert.equal((await on.open()).project?.trust, "own");
});

Deno.test("a copied store with its original times is trusted, and one from an archive is not", async () => {
  using on = await world({ project: "none" });
  await initStores(await on.open({ now: Date.now }));
  const [store, ignored] = [`${on.cwd}/.sage`, `${on.cwd}/.sage/.gitignore`];
  const age = (await Deno.stat(ignored)).mtime ?? new Date();
  const [, created = ""] = /^created: (.+)$/m.exec(read(`${store}/project.yaml`)) ?? [];
  await Deno.rename(store, `${store}-old`);
  for (const [time, trust] of [[age, "own"], [new Date(created), "unknown"]] as const) {
    await Deno.remove(store, { recursive: true }).catch(() => {});
    for (const name of filesIn(`${store}-old`)) {
      put(`${store}/${name}`, read(`${store}-old/${name}`));
    }
    await Deno.utime(ignored, time, time);
    assert.equal((await on.open()).project?.trust, trust);
  }
});

Deno.test("initStores() in the home folder makes the user's store, and no project of it", async () => {
  using on = await world({ project: "none" });
  const report = await initStores(await on.open({ cwd: on.home }));
  assert.equal(report.projectRoot, undefined);
  assert.deepEqual((await Array.fromAsync(Deno.readDir(on.home))).map(({ name }) => name), [
    ".sage",
  ]);
  assert.deepEqual(
    filesIn(`${on.home}/.sage`).filter((name) => /project\.yaml|gitignore/.test(name)),
    [],
  );
});

Deno.test("initStores() in the person's own store makes no project of it", async () => {
  using on = await world({ project: "none" });
  const folder = `${on.home}/.sage/knowledge`;
  await Deno.mkdir(folder, { recursive: true });
  for (const cwd of [`${on.home}/.sage`, folder]) {
    const report = await initStores(await on.open({ cwd }));
    assert.deepEqual([report.projectRoot, report.created], [undefined, []]);
  }
});

Deno.test("initStores() makes no project of a folder that holds many, and nothing else then", async () => {
  using on = await world({ project: "none" });
  const temporary = `${on.cwd}/tmp`;
  await Deno.mkdir(`${temporary}/here`, { recursive: true });
  on.env["TMPDIR"] = `${temporary}/`;
  const home = `${on.cwd}/another`;
  on.env["HOME"] = home;
  for (const cwd of ["/", "/tmp", "/home", temporary]) {
    const memory = await on.open({ cwd });
    await assert.rejects(initStores(memory), {
      code: "usage",
      message: /^Cannot make a project of "/,
    });
    assert.throws(() => Deno.lstatSync(`${cwd}/.sage`), cwd);
  }
  assert.throws(() => Deno.lstatSync(home));
  await initStores(await on.open({ cwd: temporary }), { project: false });
  assert.ok((await Deno.lstat(`${home}/.sage`)).isDirectory);
  const below = await initStores(await on.open({ cwd: `${temporary}/here` }));
  assert.equal(below.projectRoot, `${temporary}/here/.sage`);
});

Deno.test("diagnose() reports a store on a whole disk, and other projects do not use it", async () => {
  using on = await world({ project: "none" });
  const inner = `${on.cwd}/web/src`;
  await Deno.mkdir(inner, { recursive: true });
  await Deno.mkdir(`${on.cwd}/.sage`);
  on.env["TMPDIR"] = on.cwd;
  const findings = await diagnose(await on.open({ cwd: inner }));
  assert.ok(findings.some(({ what }) => /lies in the folder for temporary files/.test(what)));
  assert.equal((await initStores(await on.open({ cwd: inner }))).projectRoot, `${inner}/.sage`);
});

Deno.test("initStores() makes a repository below another store a project of its own", async () => {
  using on = await world();
  const inner = `${on.cwd}/vendor/inner`;
  repository(inner, "git@example.org:a/inner.git");
  await Deno.mkdir(`${inner}/src`);
  const report = await initStores(await on.open({ cwd: `${inner}/src` }));
  assert.equal(report.projectRoot, `${inner}/.sage`);
  assert.ok(report.created.includes(`${inner}/.sage`));
  const { places, project } = await on.open({ cwd: `${inner}/src` });
  assert.equal(project?.trust, "own");
  assert.match(read(`${inner}/.sage/project.yaml`), /^id: inner-[0-9a-f]{8}\nname: inner\n/);
  assert.notEqual(places.projectId, on.memory.places.projectId);
  assert.match(read(`${on.home}/.sage/projects.yaml`), /root: .*vendor\/inner\n/);
  const again = await initStores(await on.open({ cwd: inner }));
  assert.deepEqual(again.created, []);
});

Deno.test("initStores() below a store and in no repository of its own makes nothing", async () => {
  using on = await world();
  repository(on.cwd);
  await Deno.mkdir(`${on.cwd}/src`);
  const report = await initStores(await on.open({ cwd: `${on.cwd}/src` }));
  assert.deepEqual([report.projectRoot, report.created], [`${on.cwd}/.sage`, []]);
});

Deno.test("initStores() fails if a file is in the place of a store", async () => {
  using on = await world({ project: "none" });
  put(`${on.cwd}/.sage`, "a file");
  await assert.rejects(initStores(await on.open()), { name: "SageError" });
  assert.equal(read(`${on.cwd}/.sage`), "a file");
});

Deno.test("commands that only read create no store", async () => {
  using on = await world({ project: "none" });
  await Deno.remove(`${on.home}/.sage`, { recursive: true });
  const memory = await on.open();
  await searchMemory(memory, "x");
  await findNote(memory, "x");
  await recallKnowledge(memory, "x");
  await readStatus(memory);
  await diagnose(memory);
  await serverInstructions(memory, []);
  await orient(memory, SESSION, "resume");
  assert.deepEqual(filesIn(on.cwd), []);
  assert.deepEqual(filesIn(on.home).filter((name) => !name.startsWith(".sage/state/")), []);
});
