/** Which value holds, and what is said about the ones that do not. */
import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { realFs } from "../../src/base/fs.ts";
import { join } from "../../src/base/path.ts";
import { type ConfigSource, loadConfig } from "../../src/config/cascade.ts";
import { KEYS, SETTINGS } from "../../src/config/keys.ts";
import { tempDir } from "../support/temp_store.ts";

interface Given {
  readonly user?: string;
  readonly project?: string;
  readonly env?: Record<string, string>;
  readonly flags?: Record<string, string>;
  readonly trusted?: boolean;
}

function given({ user, project, env = {}, flags, trusted = true }: Given): ConfigSource {
  const root = tempDir();
  const userDir = join(root, "home");
  const projectDir = join(root, "project");
  for (const dir of [userDir, join(userDir, "state"), projectDir]) Deno.mkdirSync(dir);
  if (user !== undefined) Deno.writeTextFileSync(join(userDir, "tuning.yaml"), user);
  if (project !== undefined) Deno.writeTextFileSync(join(projectDir, "tuning.yaml"), project);
  const source = { userDir, projectDir, projectTrusted: trusted, fs: realFs, flags };
  return { ...source, env: (name) => env[name] };
}

Deno.test("loadConfig() gives the defaults when nothing is set", async () => {
  const config = await loadConfig(given({}));
  for (const key of KEYS) {
    assert.equal(config.get(key), SETTINGS[key].default);
    assert.equal(config.explain(key).source, "default");
  }
  assert.deepEqual(config.warnings, []);
});

Deno.test("loadConfig() follows flag, environment, project, user, default", async () => {
  const all: Given = {
    user: "retrieval:\n  max_items: 4\n",
    project: "retrieval:\n  max_items: 5\n",
    env: { SAGE_RETRIEVAL_MAX_ITEMS: "6" },
    flags: { "retrieval.max_items": "7" },
  };
  const value = async (given_: Given) => {
    const config = await loadConfig(given(given_));
    return [config.get("retrieval.max_items"), config.explain("retrieval.max_items").source];
  };
  assert.deepEqual(await value(all), [7, "flag"]);
  assert.deepEqual(await value({ ...all, flags: {} }), [6, "environment"]);
  assert.deepEqual(await value({ ...all, flags: {}, env: {} }), [5, "project"]);
  assert.deepEqual(await value({ ...all, flags: {}, env: {}, trusted: false }), [4, "user"]);
  assert.deepEqual(await value({}), [3, "default"]);
});

Deno.test("loadConfig() follows the person's link to their own file, and no link of a project", async () => {
  const source = given({});
  const elsewhere = join(source.userDir, "dotfiles.yaml");
  await Deno.writeTextFile(elsewhere, "retrieval.max_items: 4\n");
  await Deno.symlink(elsewhere, join(source.userDir, "tuning.yaml"));
  await Deno.symlink(elsewhere, join(source.projectDir ?? "", "tuning.yaml"));
  const config = await loadConfig(source);
  const { value, source: from } = config.explain("retrieval.max_items");
  assert.deepEqual([value, from], [4, "user"]);
  assert.match(config.warnings.join("\n"), /not a regular file/);
});

Deno.test("loadConfig() ignores a project that is not trusted, and explain() says so", async () => {
  const config = await loadConfig(
    given({ project: "retrieval.max_items: 5\nno_such: 1\n", trusted: false }),
  );
  assert.equal(config.get("retrieval.max_items"), 3);
  assert.deepEqual(config.warnings, []);
  const layer = config.explain("retrieval.max_items").layers.find(({ source }) =>
    source === "project"
  );
  assert.equal(layer?.value, 5);
  assert.match(layer?.note ?? "", /not trusted/);
});

Deno.test("loadConfig() keeps modes and tools from a project", async () => {
  const config = await loadConfig(given({
    project: "detection:\n  mode: silent\nmcp.tools: full\nprivacy.redact: false\n",
  }));
  assert.equal(config.get("detection.mode"), "ask");
  assert.equal(config.get("mcp.tools"), "standard");
  assert.equal(config.get("privacy.redact"), true);
  assert.equal(config.warnings.length, 3);
});

Deno.test("loadConfig() asks nobody to put right what a project may not set anyway", async () => {
  const { warnings } = await loadConfig(given({ project: "embedding.model: /etc\n" }));
  assert.equal(warnings.length, 1);
  assert.match(warnings[0] ?? "", /: embedding\.model is ignored: only you may set this/);
  const project = "embedding.model: /etc\nretrieval.max_items: many\n";
  assert.deepEqual((await loadConfig(given({ project, trusted: false }))).warnings, []);
  const said = (await loadConfig(given({ project }))).warnings;
  assert.equal(said.length, 2);
  assert.match(said.join("\n"), /project\/tuning\.yaml: retrieval\.max_items is "many"/);
});

Deno.test("loadConfig() lets a project lower a budget but not raise it", async () => {
  const lowered = await loadConfig(given({ project: "budget.surfacing_tokens: 100" }));
  assert.equal(lowered.get("budget.surfacing_tokens"), 100);
  const raised = await loadConfig(given({
    user: "budget:\n  surfacing_tokens: 300\n",
    project: "budget:\n  surfacing_tokens: 4000\n",
  }));
  assert.equal(raised.get("budget.surfacing_tokens"), 300);
  assert.match(raised.explain("budget.surfacing_tokens").layers[0]?.note ?? "", /only lower/);
  const { get, explain } = await loadConfig(given({ project: "budget.surfacing_tokens: 4000" }));
  assert.equal(get("budget.surfacing_tokens"), SETTINGS["budget.surfacing_tokens"].default);
  assert.match(explain("budget.surfacing_tokens").layers[0]?.note ?? "", /only lower/);
});

Deno.test("loadConfig() passes over bad values and names file, range and nearest key", async () => {
  const source = given({
    user: "retrieval:\n  recall_treshold: 0.5\n  max_items: 0\n  dedup_threshold: high\n" +
      "rank.recall_frequency: [0.1]\n",
    env: { SAGE_RANK_RECENCY: "2" },
  });
  const { warnings, get } = await loadConfig(source);
  assert.equal(get("retrieval.max_items"), 3);
  assert.equal(get("rank.recency"), 0.25);
  assert.equal(warnings.length, 5);
  assert.match(warnings.join("\n"), /"rank\.recall_frequency" is a list and is ignored/);
  assert.match(warnings.join("\n"), /did you mean retrieval\.recall_threshold\?/);
  assert.match(warnings.join("\n"), /max_items is "0", a whole number from 1 to 50 is wanted/);
  assert.match(warnings.join("\n"), /SAGE_RANK_RECENCY/);
  assert.ok(warnings.join("\n").includes(join(source.userDir, "tuning.yaml")));
});

Deno.test("loadConfig() refuses a bad flag with usage", async () => {
  for (const flags of [{ "retrieval.max_items": "many" }, { "retrieval.max_item": "3" }]) {
    await assert.rejects(
      loadConfig(given({ flags })),
      (error) => error instanceof SageError && error.code === "usage" && error.hint !== undefined,
    );
  }
});

Deno.test("loadConfig() warns of secrets in project files and names the file", async () => {
  for (const trusted of [true, false]) {
    const source = given({ project: "api_key: hidden1\nopenai:\n  api_key: hidden2\n", trusted });
    await Deno.writeTextFile(
      join(source.projectDir ?? "", "project.yaml"),
      "name: Shop\nopenai_api_key: hidden3\n",
    );
    const { warnings } = await loadConfig(source);
    assert.match(warnings.join("\n"), /project\/tuning\.yaml: "api_key" is a secret/);
    assert.match(warnings.join("\n"), /project\/project\.yaml: "openai_api_key" is a secret/);
    assert.doesNotMatch(warnings.join("\n"), /"name"/);
    assert.ok(!warnings.join("\n").includes("hidden"));
  }
});

Deno.test("loadConfig() warns of a secret whatever stands above it, and of little by its whole name", async () => {
  const names = Array.from({ length: 30 }, (_, i) => `n${i}${"long".repeat(200)}: 1\n`);
  const project = `${names.join("")}my_api_key: hidden\n`;
  const { warnings } = await loadConfig(given({ project }));
  assert.equal(warnings.length, 20);
  assert.match(warnings[0] ?? "", /"my_api_key" is a secret/);
  for (const warning of warnings) assert.ok(warning.length < 300, warning);
});

Deno.test("loadConfig() takes no keys from a project's config.yaml, and names the file", async () => {
  for (const trusted of [true, false]) {
    const source = given({ trusted });
    assert.deepEqual((await loadConfig(source)).warnings, []);
    const path = join(source.projectDir ?? "", "config.yaml");
    await Deno.writeTextFile(path, "api_key: hidden\n");
    const { warnings } = await loadConfig(source);
    assert.match(warnings.join("\n"), /^\S+project\/config\.yaml: ignored: keys .* your own/);
    assert.ok(!warnings.join("\n").includes("hidden"));
  }
});

Deno.test("loadConfig() says where a broken file is broken and goes on", async () => {
  const { warnings, get } = await loadConfig(given({ user: "retrieval:\n  max_items: [1\n" }));
  assert.equal(get("retrieval.max_items"), 3);
  assert.match(warnings[0] ?? "", /tuning\.yaml: \d+:\d+ .*nothing of this file counts$/);
});

Deno.test("loadConfig() reads no part of a file that is too large, or no text", async () => {
  const filler = `# ${"x".repeat(70_000)}\n`;
  const source = given({ user: `retrieval.max_items: 9\n${filler}` });
  const { warnings, get } = await loadConfig(source);
  assert.equal(get("retrieval.max_items"), 3);
  assert.match(warnings.join("\n"), /tuning\.yaml: ignored: it is too large/);
  const path = join(source.userDir, "tuning.yaml");
  for (const bad of ["\0\0\0", "- a\n- b\n", "a: &x {b: *x}\n"]) {
    await Deno.writeTextFile(path, bad);
    const { warnings } = await loadConfig(source);
    assert.equal(warnings.length, 1, `${JSON.stringify(bad)} ${warnings}`);
  }
});

Deno.test("loadConfig() reads the cooldown from its old variable, the new one first", async () => {
  const old = await loadConfig(given({ env: { SAGE_SEMANTIC_COOLDOWN: "60" } }));
  assert.equal(old.get("detection.cooldown_seconds"), 60);
  const both = await loadConfig(given({
    env: { SAGE_SEMANTIC_COOLDOWN: "60", SAGE_DETECTION_COOLDOWN_SECONDS: "5" },
  }));
  assert.equal(both.get("detection.cooldown_seconds"), 5);
});

Deno.test("loadConfig() accepts short names, nested sections and dotted keys", async () => {
  const { get } = await loadConfig(given({
    user: "recall_threshold: 0.6\nretrieval:\n  max_items: 9\nrank.recency: 0.1\n",
  }));
  assert.equal(get("retrieval.recall_threshold"), 0.6);
  assert.equal(get("retrieval.max_items"), 9);
  assert.equal(get("rank.recency"), 0.1);
});

Deno.test("every setting is read by something: none is a promise", async () => {
  const root = new URL("../../src", import.meta.url).pathname;
  const texts: string[] = [];
  const read = async (folder: string): Promise<void> => {
    for await (const { name, isDirectory } of Deno.readDir(folder)) {
      const path = join(folder, name);
      if (isDirectory) await read(path);
      else if (!path.endsWith("config/keys.ts")) texts.push(await Deno.readTextFile(path));
    }
  };
  await read(root);
  const idle = KEYS.filter((key) => !texts.some((text) => text.includes(`"${key}"`)));
  assert.deepEqual(idle, []);
});
