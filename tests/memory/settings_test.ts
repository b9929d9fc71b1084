/** Settings: what people write in their files stays, and what a project may not say is not heard. */
import assert from "node:assert/strict";
import {
  explainSetting,
  listSettings,
  resetSetting,
  setSetting,
} from "../../src/memory/settings.ts";
import { trustProject } from "../../src/memory/trust.ts";
import { KEYS } from "../../src/config/keys.ts";
import { put, read, world } from "../support/world.ts";

Deno.test("setSetting() changes one value and keeps every other byte", async () => {
  using on = await world({
    tuning: "# mine\nretrieval:\n  max_items: 5 # five\n  other: kept\n\n# the end\n",
  });
  const change = await setSetting(on.memory, "retrieval.max_items", "7");
  assert.deepEqual([change.key, change.value, change.changed], ["retrieval.max_items", 7, true]);
  assert.equal(
    read(`${on.home}/.sage/tuning.yaml`),
    "# mine\nretrieval:\n  max_items: 7 # five\n  other: kept\n\n# the end\n",
  );
  assert.equal((await on.open()).config.get("retrieval.max_items"), 7);
  assert.equal((await setSetting(on.memory, "retrieval.max_items", "7")).changed, false);
});

Deno.test("setSetting() refuses what is out of range or unknown, and writes nothing", async () => {
  using on = await world();
  for (const [key, value] of [["recall_threshold", "1.1"], ["max_items", "x"], ["nonsense", "1"]]) {
    await assert.rejects(setSetting(on.memory, key ?? "", value ?? ""), { name: "SageError" });
  }
  await assert.rejects(Deno.lstat(`${on.home}/.sage/tuning.yaml`), { code: "ENOENT" });
});

Deno.test("a project's settings count only if it is trusted, and only those that a project may set", async () => {
  using on = await world();
  await setSetting(on.memory, "retrieval.max_items", "9", { project: true });
  assert.match(read(`${on.cwd}/.sage/tuning.yaml`), /max_items: 9/);
  assert.equal((await on.open()).config.get("retrieval.max_items"), 9);
  await assert.rejects(
    setSetting(on.memory, "detection.mode", "off", { project: true }),
    /cannot be set for a project/,
  );
  put(`${on.cwd}/.sage/tuning.yaml`, "detection:\n  mode: off\nprivacy:\n  redact: false\n");
  const told = await on.open();
  assert.deepEqual([told.config.get("detection.mode"), told.config.get("privacy.redact")], [
    "ask",
    true,
  ]);
  assert.ok(told.warnings.some((warning) => /detection\.mode/.test(warning)), told.warnings.join());
});

Deno.test("settings of an untrusted store are ignored until it is trusted", async () => {
  using on = await world({ project: "foreign" });
  put(`${on.cwd}/.sage/tuning.yaml`, "retrieval:\n  max_items: 50\n");
  assert.equal((await on.open()).config.get("retrieval.max_items"), 3);
  assert.equal(trustProject(on.memory).trust, "trusted");
  const after = await on.open();
  assert.deepEqual([after.project?.trust, after.config.get("retrieval.max_items")], [
    "trusted",
    50,
  ]);
});

Deno.test("trustProject() keeps one's own, and needs a store", async () => {
  using on = await world();
  assert.equal(trustProject(on.memory).trust, "own");
  using bare = await world({ project: "none" });
  assert.throws(() => trustProject(bare.memory), /No \.sage store/);
});

Deno.test("resetSetting() lets the layer below decide again", async () => {
  using on = await world({
    tuning: "# mine\nretrieval:\n  max_items: 5\n  recall_threshold: 0.6\n",
  });
  const [one] = await resetSetting(on.memory, "retrieval.max_items");
  assert.deepEqual([one?.value, one?.changed], [3, true]);
  assert.equal((await on.open()).config.get("retrieval.max_items"), 3);
  assert.equal((await on.open()).config.get("retrieval.recall_threshold"), 0.6);
  assert.equal((await resetSetting(on.memory, undefined)).length, 1);
  assert.match(read(`${on.home}/.sage/tuning.yaml`), /^# mine\n/);
});

Deno.test("resetSetting() of everything in a project's file asks for nothing that is the user's", async () => {
  using on = await world();
  const file = `${on.cwd}/.sage/tuning.yaml`;
  put(file, "# ours\nretrieval:\n  max_items: 9\n  recall_threshold: 0.8\n");
  const changes = await resetSetting(on.memory, undefined, { project: true });
  assert.deepEqual(changes.map(({ key }) => key).toSorted(), [
    "retrieval.max_items",
    "retrieval.recall_threshold",
  ]);
  assert.equal(read(file).trim(), "# ours");
  put(file, "retrieval: [\n");
  await assert.rejects(setSetting(on.memory, "retrieval.max_items", "9", { project: true }), {
    message: new RegExp(`^Cannot change retrieval.max_items in ${file}: `),
  });
  await assert.rejects(
    resetSetting(on.memory, "detection.mode", { project: true }),
    /cannot be set for a project/,
  );
});

Deno.test("listSettings() and explainSetting() say where each value comes from", async () => {
  using on = await world({ tuning: "retrieval:\n  max_items: 5\n" });
  on.env["SAGE_RETRIEVAL_RECALL_THRESHOLD"] = "0.6";
  const memory = await on.open();
  const settings = listSettings(memory);
  assert.deepEqual(settings.map(({ key }) => key), [...KEYS]);
  const sources = Object.fromEntries(settings.map(({ key, source }) => [key, source]));
  assert.equal(sources["retrieval.max_items"], "user");
  assert.equal(sources["retrieval.recall_threshold"], "environment");
  assert.equal(sources["detection.mode"], "default");
  assert.equal(explainSetting(memory, "recall_threshold").value, 0.6);
});

Deno.test("setSetting() writes through a link into somebody's dotfiles", async () => {
  using on = await world();
  put(`${on.home}/dotfiles/tuning.yaml`, "# mine\nretrieval:\n  max_items: 5\n");
  await Deno.symlink(`${on.home}/dotfiles/tuning.yaml`, `${on.home}/.sage/tuning.yaml`);
  await setSetting(await on.open(), "recall_threshold", "0.6");
  assert.match(
    read(`${on.home}/dotfiles/tuning.yaml`),
    /^# mine\nretrieval:\n {2}max_items: 5\n {2}recall_threshold: 0\.6\n$/,
  );
  assert.ok((await Deno.lstat(`${on.home}/.sage/tuning.yaml`)).isSymlink);
});

Deno.test("setSetting() leaves a link in a project's store as it is, and says so", async () => {
  using on = await world();
  const [link, target] = [`${on.cwd}/.sage/tuning.yaml`, `${on.cwd}/shared.yaml`];
  put(target, "retrieval:\n  max_items: 4\n");
  await Deno.symlink(target, link);
  const change = setSetting(on.memory, "retrieval.max_items", "9", { project: true });
  await assert.rejects(change, { code: "unsafe_path" });
  assert.ok((await Deno.lstat(link)).isSymlink);
  assert.match(read(target), /max_items: 4/);
});

Deno.test("setSetting() rewrites no file that it cannot read whole", async () => {
  using on = await world();
  const path = `${on.home}/.sage/tuning.yaml`;
  for (const text of [new Uint8Array([0x61, 0xff, 0x0a]), `# ${"x".repeat(70_000)}\n`]) {
    put(path, text);
    const before = await Deno.readFile(path);
    await assert.rejects(setSetting(await on.open(), "recall_threshold", "0.6"));
    assert.deepEqual(await Deno.readFile(path), before);
  }
});

Deno.test("setSetting() of two at once keeps both", async () => {
  using on = await world();
  const values = [["retrieval.max_items", "7"], ["retrieval.recall_threshold", "0.6"]] as const;
  const processes = await Promise.all(
    values.map(async ([key, value]) => ({ memory: await on.open(), key, value })),
  );
  await Promise.all(processes.map(({ memory, key, value }) => setSetting(memory, key, value)));
  const changed = listSettings(await on.open()).filter(({ source }) => source !== "default");
  assert.deepEqual(changed.map(({ key }) => key).sort(), values.map(([key]) => key));
});

Deno.test("a settings file that is too large to be read is not written", async () => {
  using on = await world();
  const text = `# ${"x".repeat(70_000)}\nretrieval:\n  max_items: 5\n`;
  put(`${on.home}/.sage/tuning.yaml`, text);
  await assert.rejects(setSetting(on.memory, "retrieval.max_items", "7"), { code: "too_large" });
  assert.equal(read(`${on.home}/.sage/tuning.yaml`), text);
});
