/** Files of Sage that are damaged, not closed: what status, the doctor and the rest make of them. */
import assert from "node:assert/strict";
import { projectFolder } from "../../src/editor/claude_code/projects.ts";
import { openIgnores } from "../../src/store/ignore.ts";
import { diagnose } from "../../src/memory/doctor/doctor.ts";
import { unseenSessions } from "../../src/memory/status/unseen.ts";
import { readStatus } from "../../src/memory/status/status.ts";
import { captureHealth } from "../../src/memory/status/health.ts";
import { askPerson, decline } from "../../src/memory/question/question.ts";
import { readUses, recordUse, useCounts } from "../../src/memory/use.ts";
import { readLog, writeLog } from "../../src/base/log.ts";
import { DAY_MS } from "../../src/base/clock.ts";
import { closedFile, filesIn } from "../support/temp_store.ts";
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
  put(path, '{"stores":5}\n');
  assert.equal((await readStatus(await on.open())).next, "sage doctor");
});

Deno.test("a broken projects.yaml is named by status and doctor", async () => {
  using on = await world();
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

Deno.test("a no that cannot be read is not asked over", async () => {
  using on = await world();
  const wish = {
    why: "user scope",
    question: "Should I remember it?",
    title: "It",
    text: "It is so.",
    diff: "",
    act: { kind: "save", input: { title: "It", content: "It is so." } },
  } as unknown as Parameters<typeof askPerson>[1];
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
