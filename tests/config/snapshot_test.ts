/** The snapshot spares a hook the YAML and never outlives the file it was made from. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { join } from "../../src/base/path.ts";
import { versionName } from "../../src/base/build_info.ts";
import { loadConfig } from "../../src/config/cascade.ts";
import { tempDir } from "../support/temp_store.ts";

const OLD = new Date("2026-01-02T03:04:05Z");

function store(text: string): { userDir: string; tuning: string; snapshot: string } {
  const userDir = tempDir();
  Deno.mkdirSync(join(userDir, "state"));
  const tuning = join(userDir, "tuning.yaml");
  Deno.writeTextFileSync(tuning, text);
  Deno.utimeSync(tuning, OLD, OLD);
  return { userDir, tuning, snapshot: join(userDir, "state", "config.json") };
}

async function maxItems(userDir: string): Promise<number> {
  const source = { userDir, projectTrusted: false, env: () => undefined, fs: realFs };
  return (await loadConfig(source)).get("retrieval.max_items");
}

Deno.test("loadConfig() reads the snapshot instead of a file that did not change", async () => {
  const { userDir, tuning, snapshot } = store("retrieval.max_items: 7\n");
  assert.equal(await maxItems(userDir), 7);
  assert.ok((await Deno.readTextFile(snapshot)).includes('"7"'));
  // Same size, same time: only the snapshot can still say 7.
  await Deno.writeTextFile(tuning, "retrieval.max_items: 8\n");
  await Deno.utime(tuning, OLD, OLD);
  assert.equal(await maxItems(userDir), 7);
});

Deno.test("loadConfig() drops the snapshot of a file that changed", async () => {
  const { userDir, tuning } = store("retrieval.max_items: 7\n");
  await maxItems(userDir);
  await Deno.writeTextFile(tuning, "retrieval.max_items: 8\n");
  assert.equal(await maxItems(userDir), 8);
  await Deno.remove(tuning);
  assert.equal(await maxItems(userDir), 3);
});

Deno.test("loadConfig() remembers no file that changed just now", async () => {
  const { userDir, tuning, snapshot } = store("retrieval.max_items: 7\n");
  await Deno.writeTextFile(tuning, "retrieval.max_items: 8\n");
  assert.equal(await maxItems(userDir), 8);
  assert.equal(realFs.lstat(snapshot), undefined);
});

Deno.test("loadConfig() survives every kind of bad snapshot and mends it", async () => {
  const { userDir, tuning, snapshot } = store("retrieval.max_items: 7\n");
  const unchanged = { size: 23, mtime_ms: OLD.getTime() };
  const ofThisVersion = (files: unknown): string =>
    JSON.stringify({ version: versionName(), files });
  for (
    const bad of [
      "",
      "{",
      "null",
      "[]",
      '{"version":1}',
      '{"version":99,"files":{}}',
      ...[null, 7, { tuning: null }, { [tuning]: 7 }].map(ofThisVersion),
      ...[null, { "retrieval.max_items": 3 }].map((values) =>
        ofThisVersion({ [tuning]: { ...unchanged, values, problems: [] } })
      ),
      ofThisVersion({ [tuning]: { ...unchanged, values: {}, problems: "none" } }),
    ]
  ) {
    await Deno.writeTextFile(snapshot, bad);
    assert.equal(await maxItems(userDir), 7, bad);
    assert.ok((await Deno.readTextFile(snapshot)).includes('"7"'), bad);
  }
});

Deno.test("the snapshot keeps some files, and not one for every project ever", async () => {
  const { userDir, snapshot } = store("retrieval.max_items: 7\n");
  const projects = Array.from({ length: 40 }, () => store("retrieval.max_items: 5\n"));
  for (const { userDir: projectDir } of projects) {
    const source = { userDir, projectTrusted: true, env: () => undefined, fs: realFs };
    await loadConfig({ ...source, projectDir });
  }
  const files = Object.keys(JSON.parse(await Deno.readTextFile(snapshot)).files);
  assert.equal(files.length, 32);
  assert.equal(files.at(-1), projects.at(-1)?.tuning);
});

Deno.test("loadConfig() drops the snapshot of another version, which knew other settings", async () => {
  const { userDir, tuning, snapshot } = store("retrieval.max_items: 7\n");
  const problems = ['there is no setting "retrieval.max_items" (sage config list)'];
  const entry = { size: 23, mtime_ms: OLD.getTime(), values: {}, problems };
  for (const version of [1, "0.0.1 (0123456789ab)"]) {
    await Deno.writeTextFile(snapshot, JSON.stringify({ version, files: { [tuning]: entry } }));
    assert.equal(await maxItems(userDir), 7);
  }
});

Deno.test("loadConfig() creates no folder for its snapshot and leaves no litter", async () => {
  const { userDir, snapshot } = store("retrieval.max_items: 7\n");
  await Deno.remove(join(userDir, "state"), { recursive: true });
  assert.equal(await maxItems(userDir), 7);
  assert.equal(realFs.lstat(join(userDir, "state")), undefined);
  await Deno.mkdir(join(userDir, "state"));
  await Deno.mkdir(snapshot);
  assert.equal(await maxItems(userDir), 7);
  assert.deepEqual(realFs.list(join(userDir, "state")).map(({ name }) => name), [
    "config.json",
  ]);
});
