/** Installing into somebody's settings and leaving no trace: captured, made-up and broken files. */
import assert from "node:assert/strict";
import fc from "fast-check";
import { SageError } from "../../src/base/errors.ts";
import { claudeCode, settingsPaths, statusLineOf } from "../../src/editor/claude_code/setup.ts";
import * as plans from "../../src/editor/plan.ts";
import type { FileChange, Receipt } from "../../src/editor/plan.ts";
import type { FileTexts, Place, Wanted } from "../../src/editor/setup.ts";
import { realFs } from "../../src/base/fs.ts";
import { depth } from "../support/depth.ts";

const place: Place = {
  fs: realFs,
  os: "linux",
  home: "/home/user",
  projectDir: "/home/user/project",
  env: () => undefined,
};
const paths = settingsPaths("user", place);
const files = claudeCode.files("user", place);
const planInstall = (now: FileTexts, wanted: Omit<Wanted, "os">): FileChange[] =>
  plans.planInstall(files, now, { os: "linux", ...wanted });
const planUninstall = (now: FileTexts, receipt: Receipt): FileChange[] =>
  plans.planUninstall(claudeCode, now, receipt);
const receiptOf = (plan: readonly FileChange[], earlier?: Receipt): Receipt =>
  plans.receiptOf(claudeCode, plan, earlier);
const assumedReceipt = (): Receipt => plans.assumedReceipt(files);
const registered = (now: FileTexts) => {
  const own = [...now].map(([path, text]) => claudeCode.format(path).own(text ?? "", path));
  return {
    hooks: new Map(own.flatMap(({ hooks }) => [...hooks])),
    server: own.find(({ server }) => server !== undefined)?.server,
  };
};
const command = "/usr/local/bin/sage";
const FIXTURES = new URL("../fixture/claude-code/config/", import.meta.url).pathname;

const texts = (settings?: string, mcp?: string): FileTexts =>
  new Map([[paths.settings, settings], [paths.mcp, mcp]]);
const install = (now: FileTexts, binary = command): FileChange[] =>
  planInstall(now, { command: binary });
function apply(now: FileTexts, plan: readonly FileChange[]): FileTexts {
  const next = new Map(now);
  for (const { path, before, after } of plan) {
    assert.equal(now.get(path), before);
    next.set(path, after);
  }
  return next;
}
const settingsOf = (now: FileTexts) => JSON.parse(now.get(paths.settings) ?? "null");
const mcpOf = (now: FileTexts) => JSON.parse(now.get(paths.mcp) ?? "null");

const FOREIGN = `{
    // my own settings
    "model": "opus",
    "hooks": {
        "Stop": [
            { "hooks": [{ "type": "command", "command": "notify-send done" }] }
        ],
        "PostToolUse": [] /* none yet */
    }
}
`;

Deno.test("planInstall() registers every hook in exec form, and the server", () => {
  const now = apply(texts(), install(texts()));
  const { hooks } = settingsOf(now);
  assert.deepEqual(Object.keys(hooks), [
    "SessionStart",
    "UserPromptSubmit",
    "Stop",
    "SubagentStop",
    "PreCompact",
    "SessionEnd",
  ]);
  assert.deepEqual(hooks.SessionStart, [{
    matcher: "startup|resume|clear|compact|fork",
    hooks: [{ type: "command", command, args: ["hook", "session-start"], timeout: 10 }],
  }]);
  assert.equal(hooks.SessionEnd[0].hooks[0].timeout, 5);
  assert.deepEqual(mcpOf(now).mcpServers.sage, { type: "stdio", command, args: ["mcp"], env: {} });
  assert.ok(now.get(paths.settings)?.endsWith("}\n") || now.get(paths.settings)?.endsWith("}"));
});

Deno.test("planInstall() registers the hook before edits for whoever asked for it, and takes it out", () => {
  const chosen = { command, beforeEdits: true };
  const before = texts();
  const plan = planInstall(before, chosen);
  const now = apply(before, plan);
  assert.deepEqual(settingsOf(now).hooks.PreToolUse, [{
    matcher: "Edit|Write|MultiEdit|NotebookEdit",
    hooks: [{ type: "command", command, args: ["hook", "pre-tool-use"], timeout: 5 }],
  }]);
  assert.deepEqual(planInstall(now, chosen), []);
  assert.deepEqual(apply(now, planUninstall(now, receiptOf(plan))), before);
  const off = planInstall(now, { command });
  const without = apply(now, off);
  assert.deepEqual(settingsOf(without).hooks.PreToolUse, []);
  const receipt = receiptOf(off, receiptOf(plan));
  assert.deepEqual(apply(without, planUninstall(without, receipt)), before);
});

Deno.test("a program is installed under a name by which it is found again, or not at all", () => {
  for (const name of ["sage-linux-x64", "sage_0.2", "Sage.exe", "sage.new"]) {
    const now = apply(texts(), install(texts(), `/opt/${name}`));
    assert.equal(registered(now).server, `/opt/${name}`);
    const gone = apply(now, planUninstall(now, assumedReceipt()));
    assert.equal(registered(gone).server, undefined);
  }
  for (const name of ["memory", "sagemath", "mysage"]) {
    assert.throws(() => install(texts(), `/opt/${name}`), /is not called sage/);
  }
});

Deno.test("planInstall() changes nothing the second time", () => {
  for (const before of [texts(), texts(FOREIGN, "{}"), texts("", "\n")]) {
    assert.deepEqual(install(apply(before, install(before))), []);
  }
});

Deno.test("planInstall() leaves what others wrote, comments and indentation included", () => {
  const after = apply(texts(FOREIGN), install(texts(FOREIGN))).get(paths.settings) ?? "";
  for (
    const line of FOREIGN.split("\n").filter((line) => /\/\/|notify-send|model/.test(line))
  ) {
    assert.ok(after.includes(line.replace(/,$/, "").trimEnd()), line);
  }
  assert.ok(after.includes("/* none yet */"));
  assert.match(after, /\n {8}"SessionStart": \[/);
  const crlf = FOREIGN.replaceAll("\n", "\r\n");
  const windows = apply(texts(crlf), install(texts(crlf))).get(paths.settings) ?? "";
  assert.doesNotMatch(windows, /[^\r]\n/);
  const tabs = '{\n\t"a": 1\n}';
  assert.match(
    apply(texts(tabs), install(texts(tabs))).get(paths.settings) ?? "",
    /\n\t"hooks": \{\n\t\t"SessionStart"/,
  );
});

Deno.test("planInstall() moves to another binary in place", () => {
  const first = apply(texts(FOREIGN), install(texts(FOREIGN)));
  const second = apply(first, install(first, "/opt/sage"));
  assert.equal(
    second.get(paths.settings),
    first.get(paths.settings)?.replaceAll(command, "/opt/sage"),
  );
  assert.equal(mcpOf(second).mcpServers.sage.command, "/opt/sage");
  assert.deepEqual([...registered(second).hooks.values()], Array(6).fill("/opt/sage"));
});

Deno.test("planInstall() keeps what a person changed in our entries, and drops doubles", () => {
  const first = apply(texts(), install(texts()));
  const mine = (first.get(paths.settings) ?? "").replace('"timeout": 5', '"timeout": 30');
  const edited = new Map(first).set(paths.settings, mine);
  assert.deepEqual(install(edited), []);
  const doubled = settingsOf(first);
  doubled.hooks.Stop.push({
    hooks: [
      { type: "command", command: "/old/sage", args: ["hook", "stop"] },
      { type: "command", command: "/older/sage", args: ["hook", "stop"] },
    ],
  });
  doubled.hooks.PostToolUse = [{
    hooks: [{ type: "command", command: "sage", args: ["hook", "post-tool-use"] }],
  }];
  const now = new Map(first).set(paths.settings, JSON.stringify(doubled, null, 2));
  const { hooks } = settingsOf(apply(now, install(now)));
  assert.equal(hooks.Stop.length, 1);
  assert.deepEqual(hooks.PostToolUse, []);
});

Deno.test("planInstall() is told again of what a narrowed matcher keeps away, and leaves others under it", () => {
  const first = apply(texts(), install(texts()));
  const matched = (matcher: string | undefined, ...beside: unknown[]) => {
    const settings = settingsOf(first);
    const [group] = settings.hooks.SessionStart;
    settings.hooks.SessionStart = [{ matcher, hooks: [...group.hooks, ...beside] }];
    return new Map(first).set(paths.settings, JSON.stringify(settings, null, 2));
  };
  for (const matcher of [undefined, "", "*", ".*", "clear|compact,fork, resume|startup|later"]) {
    assert.deepEqual(install(matched(matcher)), [], matcher);
  }
  const [whole] = settingsOf(first).hooks.SessionStart;
  for (const matcher of ["startup", "startup|resume|clear|comp", "^start", "(", "none"]) {
    const now = matched(matcher);
    assert.deepEqual(settingsOf(apply(now, install(now))).hooks.SessionStart, [whole], matcher);
  }
  const other = { type: "command", command: "/bin/true" };
  const now = matched("startup", other);
  assert.deepEqual(settingsOf(apply(now, install(now))).hooks.SessionStart, [
    { matcher: "startup", hooks: [other] },
    whole,
  ]);
});

Deno.test("a key that stands twice is edited where it counts, and keeps nobody waiting", () => {
  const settings = `{
  "hooks": { "PostToolUse": [] },
  "model": "opus",
  "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "mine" }] }] },
  "statusLine": { "type": "command", "command": "first" },
  "statusLine": { "type": "command", "command": "second" }
}
`;
  const before = texts(settings, '{ "mcpServers": {}, "mcpServers": { "other": {} } }\n');
  const plan = install(before);
  const after = apply(before, plan);
  assert.equal(registered(after).hooks.size, 6);
  assert.equal(settingsOf(after).hooks.Stop.length, 2);
  assert.equal(mcpOf(after).mcpServers.sage.command, command);
  assert.deepEqual(apply(after, planUninstall(after, receiptOf(plan))), before);
  const lost = apply(after, planUninstall(after, assumedReceipt()));
  assert.equal(registered(lost).hooks.size, 0);
  assert.equal(settingsOf(lost).hooks.Stop[0].hooks[0].command, "mine");
});

Deno.test("planUninstall() takes out a server that stands twice", () => {
  const ours = `"sage": {"command": "${command}", "args": ["mcp"]}`;
  const twice = texts("{}", `{"mcpServers": {${ours}, "other": {}, ${ours}}}`);
  const after = apply(twice, planUninstall(twice, assumedReceipt()));
  assert.deepEqual(mcpOf(after), { mcpServers: { other: {} } });
});

Deno.test("planUninstall() restores untouched files byte for byte", () => {
  const captured = Deno.readTextFileSync(FIXTURES + "user-settings-after-plugin-install.json");
  for (
    const before of [
      texts(),
      texts(FOREIGN, "{}"),
      texts("", "\n"),
      texts(captured),
      texts("\ufeff{}\r\n", '{"a":1}'),
    ]
  ) {
    const plan = install(before);
    const now = apply(before, plan);
    assert.deepEqual(apply(now, planUninstall(now, receiptOf(plan))), before);
  }
});

Deno.test("planUninstall() restores the first state after an update of the binary", () => {
  const before = texts(FOREIGN);
  const plan = install(before);
  const first = apply(before, plan);
  const update = install(first, "/opt/sage");
  const second = apply(first, update);
  const receipt = receiptOf(update, receiptOf(plan));
  assert.deepEqual(apply(second, planUninstall(second, receipt)), before);
});

Deno.test("what another program called sage does is neither replaced nor taken out", () => {
  // SageMath is one; and a person may call ours at an event of their own.
  const theirs = `{"mcpServers": {"sage": {"command": "sage", "args": ["-python", "serve.py"]}}}`;
  assert.throws(() => install(texts("{}", theirs)), { code: "conflict" });
  const own = { type: "command", command: "/usr/bin/sage", args: ["checkpoint", "save"] };
  const before = texts(JSON.stringify({ hooks: { Stop: [{ hooks: [own] }] } }));
  const now = apply(before, install(before));
  const after = apply(now, planUninstall(now, assumedReceipt()));
  assert.deepEqual(settingsOf(after).hooks.Stop, [{ hooks: [own] }]);
});

Deno.test("planInstall() takes out hooks of ours at events that are no longer asked for", () => {
  const old = { type: "command", command: `${command} hook notification` };
  const before = texts(JSON.stringify({ hooks: { Notification: [{ hooks: [old] }] } }));
  const now = apply(before, install(before));
  assert.doesNotMatch(now.get(paths.settings) ?? "", /hook notification/);
});

Deno.test("planUninstall() takes all of us out where the receipt of the first installation is lost", () => {
  const before = texts(FOREIGN, '{"numStartups": 4}');
  const first = apply(before, install(before));
  const update = install(first, "/opt/sage");
  const second = apply(first, update);
  const after = apply(second, planUninstall(second, receiptOf(update)));
  assert.doesNotMatch([...after.values()].join(), /sage/);
  assert.deepEqual(mcpOf(after).numStartups, 4);
});

Deno.test("planUninstall() removes no file for a receipt that is damaged", () => {
  const before = texts(FOREIGN, '{"numStartups": 4}');
  const plan = install(before);
  const now = apply(before, plan);
  const undo = [{ at: 1_000_000, length: 1, text: "" }];
  const damaged = { files: receiptOf(plan).files.map((file) => ({ ...file, undo })) };
  const after = apply(now, planUninstall(now, damaged));
  assert.deepEqual(mcpOf(after).numStartups, 4);
  assert.equal(plainSettings(after).model, "opus");
  assert.doesNotMatch([...after.values()].join(), /sage/);
});

Deno.test("planUninstall() takes out exactly our entries when others wrote in between", () => {
  const before = texts(FOREIGN, '{"numStartups": 4}');
  const plan = install(before);
  const settings = settingsWithout(plan);
  const now = new Map([
    // The client rewrites its own file whole, and somebody added a hook beside ours.
    [paths.settings, JSON.stringify(settings, null, 2)],
    [paths.mcp, JSON.stringify({ ...mcpOf(apply(before, plan)), numStartups: 5 })],
  ]);
  const after = apply(now, planUninstall(now, receiptOf(plan)));
  assert.deepEqual(settingsOf(after), {
    model: "opus",
    hooks: {
      Stop: [{ hooks: [{ type: "command", command: "notify-send done" }] }, {
        hooks: [{ type: "command", command: "theirs" }],
      }],
      PostToolUse: [],
    },
  });
  assert.deepEqual(mcpOf(after), { numStartups: 5 });

  function settingsWithout(installed: readonly FileChange[]) {
    const text = (installed[0]?.after ?? "").replace(/\/\/.*|\/\*.*?\*\//g, "");
    const value = JSON.parse(text);
    value.hooks.Stop[1].hooks.unshift({ type: "command", command: "theirs" });
    return value;
  }
});

const withLine = (now: FileTexts, binary = command): FileChange[] =>
  planInstall(now, { command: binary, statusLine: true });

Deno.test("planInstall() adds a status line where there is none, and takes exactly it out again", () => {
  for (const before of [texts(), texts(FOREIGN, "{}"), texts('{"model":"opus"}')]) {
    const plan = withLine(before);
    const now = apply(before, plan);
    assert.equal(plainSettings(now).statusLine.command, `${command} statusline`);
    assert.deepEqual(withLine(now), []);
    assert.deepEqual(install(now), [], "without being asked for it stays");
    assert.deepEqual(apply(now, planUninstall(now, receiptOf(plan))), before);
    const rewritten = new Map(now).set(paths.settings, JSON.stringify(plainSettings(now)));
    const after = apply(rewritten, planUninstall(rewritten, receiptOf(plan)));
    assert.equal(plainSettings(after)?.statusLine, undefined);
  }
});

Deno.test("planInstall() names a program of Windows as both shells take it in a status line", () => {
  const lineOf = (binary: string): unknown => {
    const plan = withLine(texts(), binary);
    const now = apply(texts(), plan);
    assert.deepEqual(apply(now, planUninstall(now, receiptOf(plan))), texts());
    return plainSettings(now).statusLine.command;
  };
  assert.equal(lineOf("C:\\Users\\a\\sage.exe"), "C:/Users/a/sage.exe statusline");
  assert.equal(lineOf("C:\\my tools\\sage.exe"), "'C:/my tools/sage.exe' statusline");
});

Deno.test("planInstall() adds a status line later, and moves it with the program", () => {
  const before = texts(FOREIGN);
  const plan = install(before);
  const first = apply(before, plan);
  const added = withLine(first);
  const second = apply(first, added);
  const moved = install(second, "/opt/my tools/o'sage/sage");
  const third = apply(second, moved);
  assert.equal(
    plainSettings(third).statusLine.command,
    "'/opt/my tools/o'\\''sage/sage' statusline",
  );
  const receipt = receiptOf(moved, receiptOf(added, receiptOf(plan)));
  assert.deepEqual(apply(third, planUninstall(third, receipt)), before);
});

Deno.test("planInstall() leaves a person's status line alone, whatever it is", () => {
  const piped = '{"type":"command","command":"tee /tmp/bar | /usr/bin/sage statusline"}';
  for (const own of [piped, "null", '"x"']) {
    const before = texts(`{"statusLine": ${own}}`);
    const plan = withLine(before);
    const now = apply(before, plan);
    assert.deepEqual(settingsOf(now).statusLine, JSON.parse(own));
    assert.equal(statusLineOf(now.get(paths.settings), paths.settings), "other");
    assert.deepEqual(
      apply(now, planUninstall(now, assumedReceipt())).get(paths.settings)
        ?.includes(own),
      true,
    );
  }
});

/** Comments and all. */
function plainSettings(now: FileTexts) {
  const text = (now.get(paths.settings) ?? "null").replace(/\/\/.*|\/\*.*?\*\//g, "");
  return JSON.parse(text);
}

Deno.test("planUninstall() deletes a file that was made for us only when it is empty again", () => {
  const plan = install(texts());
  const now = apply(texts(), plan);
  const reformatted = new Map(
    [...now].map(([path, text]) => [path, JSON.stringify(JSON.parse(text ?? ""))]),
  );
  for (const change of planUninstall(reformatted, receiptOf(plan))) {
    assert.equal(change.after, undefined);
  }
  const used = new Map(reformatted).set(
    paths.mcp,
    JSON.stringify({ ...mcpOf(now), theme: "dark" }),
  );
  const left = planUninstall(used, receiptOf(plan)).find(({ path }) => path === paths.mcp);
  assert.deepEqual(JSON.parse(left?.after ?? ""), { theme: "dark" });
});

Deno.test("planUninstall() deletes a file that was made for us, changed by hand and put right", () => {
  const plan = install(texts());
  const narrowed = (more: string) =>
    new Map(apply(texts(), plan)).set(
      paths.settings,
      plan.find(({ path }) => path === paths.settings)?.after
        ?.replace("startup|resume|clear|compact|fork", "startup")
        .replace("{", `{${more}`),
    );
  for (const [more, left] of [["", undefined], ['"model": "opus",', { model: "opus" }]] as const) {
    const before = narrowed(more);
    const again = install(before);
    const receipt = receiptOf(again, receiptOf(plan));
    const [gone] = planUninstall(apply(before, again), receipt)
      .filter(({ path }) => path === paths.settings);
    assert.deepEqual(gone?.after && JSON.parse(gone.after), left);
  }
});

Deno.test("planUninstall() works without a receipt, and twice", () => {
  const now = apply(texts(FOREIGN), install(texts(FOREIGN)));
  const after = apply(now, planUninstall(now, assumedReceipt()));
  assert.deepEqual(registered(after), { hooks: new Map(), server: undefined });
  assert.deepEqual(planUninstall(after, assumedReceipt()), []);
});

Deno.test("planInstall() refuses broken files and says where", () => {
  const broken = (settings?: string, mcp?: string): SageError => {
    try {
      install(texts(settings, mcp));
    } catch (error) {
      assert.ok(error instanceof SageError);
      return error;
    }
    return assert.fail("nothing was thrown");
  };
  assert.match(broken('{\n  "a": 1\n  "b": 2\n}').message, /settings\.json": [a-z }\]]+ at 3:3/);
  assert.equal(broken("[]").code, "invalid_config");
  assert.match(broken('{"hooks": []}').message, /"hooks" is not an object/);
  assert.match(broken('{"hooks": {"Stop": {}}}').message, /"hooks\.Stop" is not a list/);
  assert.match(broken("{}", "{").message, /\.claude\.json/);
  assert.equal(broken("{}", '{"mcpServers":{"sage":{"command":"npx"}}}').code, "conflict");
});

Deno.test("planInstall() and planUninstall() keep any settings as they were", () => {
  const event = fc.constantFrom("Stop", "SessionStart", "PreToolUse");
  const handler = fc.record({ type: fc.constant("command"), command: fc.string() });
  const settings = fc.record({
    model: fc.string(),
    hooks: fc.dictionary(
      event,
      fc.array(fc.record({ hooks: fc.array(handler, { maxLength: 2 }) }), { maxLength: 2 }),
    ),
    other: fc.jsonValue(),
  }, { requiredKeys: [] });
  fc.assert(
    fc.property(settings, fc.constantFrom(undefined, 1, 2, 4, "\t"), (value, indent) => {
      const before = texts(JSON.stringify(value, null, indent), undefined);
      const plan = install(before);
      const now = apply(before, plan);
      assert.deepEqual(install(now), []);
      assert.deepEqual(apply(now, planUninstall(now, receiptOf(plan))), before);
      // As if somebody had touched the file: the meaning comes back, whatever the layout.
      const touched = new Map(now).set(paths.settings, now.get(paths.settings) + "\n");
      const after = apply(touched, planUninstall(touched, receiptOf(plan)));
      assert.deepEqual(settingsOf(after), JSON.parse(JSON.stringify(value)));
    }),
    { numRuns: depth(100, 2000) },
  );
});

Deno.test("settingsPaths() follows scope and CLAUDE_CONFIG_DIR", () => {
  assert.deepEqual(paths, {
    settings: "/home/user/.claude/settings.json",
    mcp: "/home/user/.claude.json",
  });
  const env = (name: string) => name === "CLAUDE_CONFIG_DIR" ? "/data/claude" : undefined;
  const where = { home: "/home/user", projectDir: "/p", env };
  assert.deepEqual(settingsPaths("user", where), {
    settings: "/data/claude/settings.json",
    mcp: "/data/claude/.claude.json",
  });
  const unset: Record<string, string> = { CLAUDE_CONFIG_DIR: "", HOME: "/home/user" };
  const empty = { ...where, env: (name: string) => unset[name] };
  assert.deepEqual(settingsPaths("user", empty), paths);
  assert.deepEqual(settingsPaths("project", where), {
    settings: "/p/.claude/settings.json",
    mcp: "/p/.mcp.json",
  });
});

Deno.test("settings that nest without end are refused with the place, whatever is in a string", () => {
  for (const [open, close] of [["[", "]"], ['{"a":', "}"]] as const) {
    const deep = `{\n  "hooks": ${open.repeat(200_000)}1${close.repeat(200_000)}\n}\n`;
    assert.throws(() => install(texts(deep)), {
      code: "invalid_config",
      message: new RegExp(`settings\\.json": nested deeper than 256 at 2:\\d+$`),
    });
  }
  const brackets = "[{".repeat(1000);
  const odd = `{ // ${brackets}\n  "a\\"${brackets}": "${brackets}" /* ${brackets} */ }\n`;
  assert.ok(apply(texts(odd), install(texts(odd))).get(paths.settings)?.includes(brackets));
});
