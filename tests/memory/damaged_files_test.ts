/** Files of Sage that are damaged, not closed: what status, the doctor and the rest make of them. */
import assert from "node:assert/strict";
import { projectFolder } from "../../src/editor/claude_code/projects.ts";
import { openIgnores } from "../../src/store/ignore.ts";
import { diagnose } from "../../src/memory/doctor/doctor.ts";
import { unseenSessions } from "../../src/memory/status/unseen.ts";
import { readStatus } from "../../src/memory/status/status.ts";
import { captureHealth } from "../../src/memory/status/health.ts";
import { uninstallEditors } from "../../src/memory/editor/install.ts";
import { installedFolders } from "../../src/memory/guard/git_hooks.ts";
import { ledgerName, markTriaged, triagedQuestions } from "../../src/memory/session/handoff.ts";
import { askPerson, decline } from "../../src/memory/question/question.ts";
import { trustProject } from "../../src/memory/trust.ts";
import { readUses, recordUse, useCounts } from "../../src/memory/use.ts";
import { readLog, writeLog } from "../../src/base/log.ts";
import { DAY_MS } from "../../src/base/clock.ts";
import { closedFile, filesIn } from "../support/temp_store.ts";
import { sage } from "../support/sage.ts";
import { AGENT, NOW, put, read, world } from "../support/world.ts";

Deno.test("a damaged list of trusted stores is named, and no store is called a stranger's", async () => {
  using on = await world();
  const path = `${on.home}/.sage/state/trust.json`;
  put(path, read(path).slice(0, 40));
  const memory = await on.open();
  const { healthy, line, next } = await readStatus(memory);
  assert.equal(healthy, false);
  assert.ok(line.includes(`${path} cannot be read; run sage doctor`), line);
  assert.equal(next, "sage doctor");
  const told = (await diagnose(memory)).filter(({ what }) => what.includes(path));
  assert.equal(told.length, 1, JSON.stringify(told));
  assert.equal(told[0]?.mend, "move it away, then sage trust");
  for (const text of ['{"stores":5}\n', '{"stores":[null]}\n', "", "\0\0\0", "null\n"]) {
    put(path, text);
    const memory = await on.open();
    assert.equal((await readStatus(memory)).next, "sage doctor", JSON.stringify(text));
    // Written over, it would forget what was trusted elsewhere.
    assert.throws(() => trustProject(memory), /trust\.json": it is damaged/);
    assert.equal(read(path), text);
  }
});

Deno.test("a broken projects.yaml is named by status and doctor", async () => {
  using on = await world();
  put(`${on.home}/.sage/projects.yaml`, "- of another shape\n");
  assert.equal((await readStatus(on.memory)).healthy, false);
  put(`${on.home}/.sage/projects.yaml`, "");
  assert.equal((await readStatus(on.memory)).unread, undefined);
  put(`${on.home}/.sage/projects.yaml`, "projects: [a\n");
  const { healthy, line } = await readStatus(on.memory);
  assert.equal(healthy, false);
  assert.match(line, /projects\.yaml/);
  const told = (await diagnose(on.memory)).filter(({ what }) => what.includes("projects.yaml"));
  assert.deepEqual(told.map(({ level }) => level), ["error"]);
});

Deno.test("a file that cannot be read hides no finding about the next one", async () => {
  using on = await world({ tuning: "no.such.setting: 1\n" });
  const path = `${on.home}/.sage/patterns.yaml`;
  put(path, "x: 1\n");
  const findings = await diagnose(await on.open({ fs: closedFile(path) }));
  const said = findings.map(({ what }) => what).join("\n");
  assert.match(said, /there is no setting "no\.such\.setting"/);
});

Deno.test("days of receipts that cannot be read cost their lines, and no claim is made without them", async () => {
  using on = await world();
  const { fs, places } = on.memory;
  writeLog(fs, places.stateDir, NOW - DAY_MS, "hook", { hook: "stop", outcome: "done" });
  writeLog(fs, places.stateDir, NOW, "hook", { hook: "stop", outcome: "done" });
  const [, today] = filesIn(`${places.stateDir}/log`);
  const closed = closedFile(`${places.stateDir}/log/${today}`);
  assert.equal(readLog(closed, places.stateDir, NOW, 2).length, 1);
  const memory = await on.open({ fs: closed });
  const health = await captureHealth(memory);
  assert.equal(health.ok, true);
  assert.match(health.detail, /^not known: Cannot /);
  // Which sessions left no receipt cannot be told then.
  const installed = `${places.stateDir}/install/claude-code.json`;
  put(installed, "{}\n");
  await Deno.utime(installed, NOW / 1000 - 60, NOW / 1000 - 60);
  const line = { type: "user", timestamp: new Date(NOW).toISOString(), entrypoint: "cli" };
  const path = `${
    projectFolder(on.cwd, `${on.home}/.claude`)
  }/33333333-0000-4000-8000-000000000003`;
  put(`${path}.jsonl`, JSON.stringify(line) + "\n");
  await Deno.utime(`${path}.jsonl`, NOW / 1000, NOW / 1000);
  await assert.rejects(unseenSessions(memory), /denied/);
});

Deno.test("a journal of uses that cannot be read counts nothing, and stops no recall", async () => {
  using on = await world();
  recordUse(on.memory, "read", "importer");
  const path = `${on.home}/.sage/state/recalls/uses.jsonl`;
  const memory = await on.open({ fs: closedFile(path) });
  assert.deepEqual(readUses(memory), []);
  assert.equal(useCounts(memory, ["importer"]).size, 0);
  assert.equal(readUses(on.memory).length, 1);
});

const wish = {
  why: "user scope",
  question: "Should I remember it?",
  title: "It",
  text: "It is so.",
  diff: "",
  act: { kind: "save", input: { title: "It", content: "It is so." } },
} as unknown as Parameters<typeof askPerson>[1];

Deno.test("a no that cannot be read is not asked over", async () => {
  using on = await world();
  const asked = askPerson(on.memory, wish, AGENT);
  assert.ok(asked.kind === "proposed");
  decline(on.memory, asked.question);
  const path = `${on.home}/.sage/state/questions/${asked.question.id}.json`;
  const no = read(path);
  const memory = await on.open({ fs: closedFile(path) });
  assert.throws(() => askPerson(memory, wish, AGENT), /Cannot read/);
  assert.equal(read(path), no);
  assert.equal((await readStatus(memory)).capture.ok, true);
});

Deno.test("a .sageignore that is a circle of links is refused like one that leads nowhere", async () => {
  using on = await world();
  await Deno.symlink(`${on.home}/.sage/.sageignore`, `${on.home}/.sage/.sageignore`);
  await assert.rejects(
    async () => await openIgnores(on.memory.fs, on.memory.places),
    { code: "invalid_config", message: /it is a link to nowhere/ },
  );
});

Deno.test("a question or a no that is damaged is told, and neither forgotten nor asked over", async () => {
  using on = await world();
  const asked = askPerson(on.memory, wish, AGENT);
  assert.ok(asked.kind === "proposed");
  decline(on.memory, asked.question);
  const path = `${on.home}/.sage/state/questions/${asked.question.id}.json`;
  const no = read(path);
  for (const text of [no.slice(0, 20), "\0".repeat(no.length), "", '{"id":5}\n', "[null]\n"]) {
    put(path, text);
    assert.throws(() => askPerson(on.memory, wish, AGENT), /it is damaged/, JSON.stringify(text));
    assert.equal(read(path), text);
    const { healthy, line, unread } = await readStatus(on.memory);
    assert.equal(healthy, false);
    assert.ok(line.includes(`${path} is damaged`), line);
    assert.equal(unread?.length, 1);
    const told = (await diagnose(on.memory)).filter(({ what }) => what.includes(path));
    assert.deepEqual(told.map(({ mend }) => mend), ["delete it; then it may be asked again"]);
    const { stderr } = await sage(["inbox", "list"], { home: on.home, cwd: on.cwd });
    assert.match(stderr, /left out: .* is damaged/);
  }
  put(path, no);
  assert.equal((await readStatus(on.memory)).unread, undefined);
});

Deno.test("a damaged receipt of an installation is told, and is no bug of uninstall", async () => {
  using on = await world();
  for (const name of ["claude-code.json", "guard.json"]) {
    const path = `${on.home}/.sage/state/install/${name}`;
    for (const text of ['{"files":[{"pa', "\0\0", "", '{"files":3}\n', '"x"\n', "{}\n"]) {
      put(path, text);
      const memory = await on.open();
      assert.throws(
        () =>
          name === "guard.json"
            ? installedFolders(memory)
            : uninstallEditors(memory, ["claude-code"], { dryRun: true }),
        /it is damaged/,
        JSON.stringify([name, text]),
      );
      const told = (await diagnose(memory)).filter(({ what }) => what.includes(path));
      assert.equal(told.length, 1, JSON.stringify(told));
      assert.match(told[0]?.what ?? "", /is damaged: where Sage wrote is not known$/);
      assert.equal((await readStatus(memory)).healthy, false);
    }
    await Deno.remove(path);
  }
});

Deno.test("sage status warns of each file written by hand that does not count", async () => {
  using on = await world();
  const cases = [
    [`${on.home}/.sage/tuning.yaml`, "a: [\n"],
    [`${on.home}/.sage/patterns.yaml`, "a: [\n"],
    [`${on.home}/.sage/config.yaml`, "api_key: [\n"],
    [`${on.cwd}/.sage/project.yaml`, "id: [\n"],
  ] as const;
  for (const [path, text] of cases) put(path, text);
  await Deno.chmod(`${on.home}/.sage/config.yaml`, 0o600);
  const { stderr, stdout } = await sage(["status"], { home: on.home, cwd: on.cwd });
  for (const [path] of cases) {
    const name = path.slice(path.lastIndexOf("/") + 1);
    assert.equal(stderr.split("\n").filter((line) => line.includes(name)).length, 1, stderr);
  }
  assert.doesNotMatch(stdout + stderr, /undefined|bug in Sage/);
  const told = (await diagnose(await on.open())).filter(({ what }) => what.includes("config.yaml"));
  assert.equal(told.length, 1);
});

Deno.test("a ledger of handoffs of another shape counts as missing, and is no bug of triage", async () => {
  using on = await world();
  markTriaged(on.memory, ["00000000"]);
  const path = `${on.home}/.sage/state/${ledgerName(on.memory)}`;
  for (const text of ['{"triaged":5}\n', '{"taken":[1]}\n', '{"taken":{"a":null}}\n', "[]\n"]) {
    put(path, text);
    const { code, stdout } = await sage(["todo", "triage"], { home: on.home, cwd: on.cwd });
    assert.deepEqual([code, stdout], [0, "No session left a question open.\n"], text);
    markTriaged(on.memory, ["11111111"]);
    assert.deepEqual([...triagedQuestions(on.memory)], ["11111111"], text);
  }
});
