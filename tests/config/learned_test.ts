/** What use has taught moves a value a little, and only where the table lets it. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { join } from "../../src/base/path.ts";
import { loadConfig } from "../../src/config/cascade.ts";
import { setting } from "../../src/config/keys.ts";
import { readLearned, withinBounds } from "../../src/config/learned.ts";
import { tempDir } from "../support/temp_store.ts";

const KEY = "detection.structural_alone";

function store(learned: string): string {
  const userDir = tempDir();
  Deno.mkdirSync(join(userDir, "state", "feedback"), { recursive: true });
  Deno.writeTextFileSync(join(userDir, "state", "feedback", "learned.json"), learned);
  return userDir;
}

Deno.test("withinBounds() keeps a learned value near the default, to three digits", () => {
  const row = setting(KEY);
  for (
    const [value, kept] of [[0.81, 0.81], [0.2, 0.75], [2, 0.85], [0.80049, 0.8], [0.8006, 0.801]]
  ) assert.equal(withinBounds(row, value ?? 0), kept);
  assert.equal(withinBounds(row, NaN), undefined);
  assert.equal(withinBounds(row, Infinity), undefined);
  assert.equal(withinBounds(setting("retrieval.recall_threshold"), 0.71), undefined);
  assert.equal(withinBounds(setting("detection.mode"), 1), undefined);
});

Deno.test("loadConfig() takes what was learned where nobody set it", async () => {
  const userDir = store(`{"at": 5, "${KEY}": 0.9, "retrieval.max_items": 9}`);
  const source = { userDir, projectTrusted: false, env: () => undefined, fs: realFs };
  const learned = (await loadConfig(source)).explain(KEY);
  assert.deepEqual([learned.value, learned.source, learned.file], [0.85, "learned", undefined]);
  assert.equal((await loadConfig(source)).get("retrieval.max_items"), 3);
  await Deno.writeTextFile(join(userDir, "tuning.yaml"), `${KEY}: 0.6\n`);
  const set = (await loadConfig(source)).explain(KEY);
  assert.deepEqual([set.value, set.source, set.file], [0.6, "user", join(userDir, "tuning.yaml")]);
  assert.deepEqual(set.layers.map(({ source, holds }) => [source, holds]), [
    ["user", true],
    ["learned", false],
    ["default", false],
  ]);
});

Deno.test("readLearned() takes a file that is damaged for none", () => {
  for (const text of ["", "null", "[", `{"${KEY}": "0.9"}`, `{"${KEY}": 0.8`, "0".repeat(9000)]) {
    assert.deepEqual([...readLearned(realFs, store(text)).values], [], text);
  }
  assert.deepEqual([...readLearned(realFs, tempDir()).values], []);
});
