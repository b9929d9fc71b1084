/** What Codex notes of trusted hooks, as 0.169.0 wrote it: gone with ours, and right for everybody else's. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { codex } from "../../src/editor/codex/setup.ts";
import { planInstall, planUninstall, receiptOf } from "../../src/editor/plan.ts";
import type { FileTexts } from "../../src/editor/setup.ts";

const place = {
  fs: realFs,
  os: "linux",
  home: "/home/me",
  projectDir: "/home/me/project",
  env: () => undefined,
};
const files = codex.files("user", place);
const [config, hooks] = files.map(({ path }) => path) as [string, string];
const wanted = { command: "/usr/local/bin/sage", os: "linux" };
const OURS = [
  "pre_compact",
  "session_start",
  "session_end",
  "user_prompt_submit",
  "subagent_stop",
  "stop",
].map((event) => `${event}:0:0`);

const MINE = 'model = "gpt-5" # mine\n\n[projects."/x"]\ntrust_level = "trusted"\n';

/** As Codex adds it: a hash that says which hook it was. */
function trusted(keys: readonly string[], file = hooks): string {
  return "\n[hooks.state]\n" +
    keys.map((key) => `\n[hooks.state."${file}:${key}"]\ntrusted_hash = "sha256:${key}"\n`).join(
      "",
    );
}

function installed(before: FileTexts) {
  const plan = planInstall(files, before, wanted);
  const now = new Map([...before, ...plan.map(({ path, after }) => [path, after] as const)]);
  return { now, receipt: receiptOf(codex, plan) };
}

function uninstalled(now: FileTexts, receipt: ReturnType<typeof receiptOf>): FileTexts {
  const plan = planUninstall(codex, now, receipt);
  return new Map([...now, ...plan.map(({ path, after }) => [path, after] as const)]);
}

Deno.test("planUninstall() takes out what Codex notes of our hooks, to the byte", () => {
  for (const before of [undefined, "", MINE, MINE.replaceAll("\n", "\r\n")]) {
    const texts = new Map([[config, before], [hooks, undefined]]);
    const { now, receipt } = installed(texts);
    const end = before?.includes("\r\n") ? "\r\n" : "\n";
    const noted = now.get(config) + trusted(OURS).replaceAll("\n", end);
    assert.deepEqual(uninstalled(new Map(now).set(config, noted), receipt), texts);
  }
});

Deno.test("planUninstall() leaves what Codex notes of others' hooks, at the places that they then have", () => {
  const { now, receipt } = installed(new Map([[config, MINE], [hooks, undefined]]));
  const value = JSON.parse(now.get(hooks) ?? "");
  const theirs = { type: "command", command: "/bin/theirs" };
  value.hooks.Stop[0].hooks.push(theirs);
  value.hooks.Stop.push({ hooks: [theirs] });
  value.hooks.SessionEnd.push({ hooks: [theirs] }, { hooks: [theirs] });
  value.hooks.PreToolUse = [{ matcher: "^Bash$", hooks: [theirs] }];
  const notes = [
    ...["pre_tool_use:0:0", "stop:0:0", "stop:0:1", "stop:1:0"],
    ...["session_end:0:0", "session_end:1:0", "session_end:2:0"],
  ];
  const elsewhere = trusted(["stop:0:0", "stop:1:0"], "/home/me/other/.codex/hooks.json")
    .replace("\n[hooks.state]\n", "");
  const after = uninstalled(
    new Map([
      [config, now.get(config) + trusted(notes) + elsewhere],
      [hooks, JSON.stringify(value, null, 2)],
    ]),
    receipt,
  );
  const moved = trusted([
    "pre_tool_use:0:0",
    "stop:0:1",
    "stop:1:0",
    "session_end:1:0",
    "session_end:2:0",
  ])
    .replace(`${hooks}:stop:0:1"`, `${hooks}:stop:0:0"`)
    .replace(`${hooks}:session_end:1:0"`, `${hooks}:session_end:0:0"`)
    .replace(`${hooks}:session_end:2:0"`, `${hooks}:session_end:1:0"`);
  assert.equal(after.get(config), MINE + moved + elsewhere);
});

Deno.test("planUninstall() finds what Codex notes of a hook in each way of writing it", () => {
  const key = `${hooks}:stop:0:0`;
  const { now, receipt } = installed(new Map([[config, MINE], [hooks, undefined]]));
  for (
    const note of [
      `[hooks.state]\n"${key}" = { enabled = false }\n`,
      `[hooks.state.'${key}']\ntrusted_hash = "x"\nenabled = false\n`,
      `[hooks]\nstate."${key}".trusted_hash = "x"\n`,
    ]
  ) {
    const after = uninstalled(new Map(now).set(config, now.get(config) + note), receipt).get(
      config,
    );
    assert.equal(after?.includes("hooks.json"), false, note);
  }
  // No line of it is ours alone.
  const inline = `[hooks]\nstate = { "${key}" = { trusted_hash = "x" } }\n`;
  const after = uninstalled(new Map(now).set(config, now.get(config) + inline), receipt).get(
    config,
  );
  assert.equal(after, MINE + inline);
});
