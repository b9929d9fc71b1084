/**
 * Installing into each of the editors and leaving: files as people and other programs write them, with
 * remarks, odd space, marks, line ends and other servers, and others writing in between.
 */
import assert from "node:assert/strict";
import fc from "fast-check";
import { realFs } from "../../src/base/fs.ts";
import {
  assumedReceipt,
  type FileChange,
  isAnything,
  planInstall,
  planUninstall,
  type Receipt,
  receiptOf,
} from "../../src/editor/plan.ts";
import {
  EDITORS,
  type EditorSetup,
  type FileTexts,
  type Place,
  type Scope,
  type SetupFile,
  type Wanted,
} from "../../src/editor/setup.ts";
import { PLUGIN_FORMAT, pluginText } from "../../src/editor/opencode/plugin.ts";
import { SETUPS } from "../../src/editor/setups.ts";
import { depth } from "../support/depth.ts";

const place: Place = {
  fs: realFs,
  os: "linux",
  home: "/nobody/home",
  projectDir: "/nobody/project",
  env: () => undefined,
};
const command = "/usr/local/bin/sage";
const wanted: Wanted = { command, os: "linux" };

/** Key of the servers, by editor, as their documentation says. */
const SERVERS: Readonly<Record<string, string>> = {
  "claude-code": "mcpServers",
  cursor: "mcpServers",
  vscode: "servers",
  zed: "context_servers",
  gemini: "mcpServers",
  opencode: "mcp",
};

function apply(now: FileTexts, plan: readonly FileChange[]): FileTexts {
  const next = new Map(now);
  for (const { path, before, after } of plan) {
    assert.equal(now.get(path), before);
    next.set(path, after);
  }
  return next;
}

interface Installed {
  readonly before: FileTexts;
  readonly now: FileTexts;
  readonly receipt: Receipt;
}

function install(setup: EditorSetup, files: readonly SetupFile[], before: FileTexts): Installed {
  const plan = planInstall(files, before, wanted);
  return { before, now: apply(before, plan), receipt: receiptOf(setup, plan) };
}

function uninstall(setup: EditorSetup, now: FileTexts, receipt: Receipt): FileTexts {
  return apply(now, planUninstall(setup, now, receipt));
}

/** A value as some hand or program wrote it: the gaps are used one after the other. */
function rendered(value: unknown, gaps: readonly string[], trailing: boolean): string {
  let at = 0;
  const gap = (): string => gaps.length === 0 ? "" : gaps[at++ % gaps.length] ?? "";
  const list = (open: string, parts: readonly string[], close: string): string =>
    open + parts.map((part) => gap() + part + gap()).join(",") +
    (trailing && parts.length > 0 ? "," : "") + gap() + close;
  const show = (part: unknown): string => {
    if (Array.isArray(part)) return list("[", part.map(show), "]");
    if (typeof part !== "object" || part === null) return JSON.stringify(part);
    const members = Object.entries(part);
    return list(
      "{",
      members.map(([key, inner]) => `${JSON.stringify(key)}${gap()}:${gap()}${show(inner)}`),
      "}",
    );
  };
  return show(value);
}

const gap = fc.constantFrom(
  ...["", " ", "  ", "\n", "\n    ", "\n\t", "\n\n"],
  ...[' /* "sage": { */ ', " // it's, here }\n", "\n// \u00e9\n"],
);
const eol = fc.constantFrom("\n", "\r\n");
const mark = fc.constantFrom("", "\ufeff");

/** Any settings: other servers, others' hooks in either form, and what else there may be. */
function settings(servers: string): fc.Arbitrary<Record<string, unknown>> {
  const name = fc.constantFrom("other", "github", "sage-not", "a b", "mcp");
  const server = fc.record(
    { command: fc.string(), args: fc.array(fc.string(), { maxLength: 2 }) },
    {
      requiredKeys: [],
    },
  );
  const event = fc.constantFrom("Stop", "SessionStart", "sessionStart", "BeforeAgent", "Else");
  const handler = fc.record({ type: fc.constant("command"), command: fc.string() });
  const group = fc.record({ hooks: fc.array(handler, { maxLength: 2 }) });
  return fc.record({
    model: fc.string(),
    [servers]: fc.dictionary(name, server, { maxKeys: 2 }),
    version: fc.constant(1),
    hooks: fc.dictionary(event, fc.array(fc.oneof(group, handler), { maxLength: 2 }), {
      maxKeys: 2,
    }),
    other: fc.jsonValue({ maxDepth: 1 }),
  }, { requiredKeys: [] });
}

function jsonText(servers: string): fc.Arbitrary<string | undefined> {
  const text = fc.tuple(settings(servers), fc.array(gap, { maxLength: 9 }), fc.boolean(), eol, mark)
    .map(([value, gaps, trailing, end, bom]) =>
      bom + (rendered(value, gaps, trailing) + "\n").replaceAll("\n", end)
    );
  return fc.oneof(
    { weight: 8, arbitrary: text },
    fc.constantFrom(undefined, "", "\n", "{}", "\ufeff{}\r\n", "{\n}\n", "{ /* mine */ }"),
  );
}

/** What other programs and people do to a file without touching what is ours. */
const JSON_WRITES: Readonly<Record<string, (text: string) => string>> = {
  "a key at the beginning": (text) => text.replace("{", '{ "theirs": [1, 2],'),
  "a remark at the end": (text) => `${text}// theirs\n`,
  "an empty line at the end": (text) => `${text}\n`,
};

const TOML_PIECES = [
  "# [mcp_servers.sage]",
  'model = "gpt-5" # mine',
  'notify = [\n  "a", # [x]\n  "]",\n]',
  '[mcp_servers.other]\ncommand = "npx"\nargs = ["-y", "[mcp_servers.sage]"]',
  "[mcp_servers.other.env]\nKEY = 'a # b'",
  '[mcp_servers."a b"]\ncommand = "x"',
  'text = """\n[mcp_servers.sage]\ncommand = \\"\\"\\" "\n"""',
  "raw = '''\n[mcp_servers.sage]\n'''",
  "big = 12345678901234567890",
  "when = 1979-05-27T07:32:00Z",
  '[[profiles]]\nname = "a"\n[[profiles]]\nname = "b"',
  "[tui]\n  notifications = { a = 1, b = [ 2 ] }",
  "",
];

/** Pieces in any order; what names a key twice is no TOML and is left out. */
const tomlText: fc.Arbitrary<string | undefined> = fc.tuple(
  fc.shuffledSubarray([...TOML_PIECES]),
  eol,
  mark,
  fc.boolean(),
).map(([pieces, end, bom, isEnded]) => {
  // Plain keys stand above the first table.
  const ordered = [...pieces].sort((a, b) => Number(a.startsWith("[")) - Number(b.startsWith("[")));
  return bom + (ordered.join("\n") + (isEnded ? "\n" : "")).replaceAll("\n", end);
});

const TOML_WRITES: Readonly<Record<string, (text: string) => string>> = {
  "a remark at the beginning": (text) =>
    text.startsWith("\ufeff") ? `\ufeff# theirs\n${text.slice(1)}` : `# theirs\n${text}`,
  "a table at the end": (text) => {
    const end = text.includes("\r\n") ? "\r\n" : "\n";
    const isOpen = !["", "\ufeff"].includes(text) && !text.endsWith("\n");
    return `${text}${isOpen ? end : ""}[mcp_servers.late]\ncommand = "z"\n`;
  },
};

for (const name of EDITORS) {
  const setup = SETUPS[name];
  for (const scope of ["user", "project"] as const) {
    const files = setup.files(scope, place);
    const texts = fc.tuple(
      ...files.map(({ path }) =>
        setup.format(path).isWhole === true
          ? fc.constant(undefined)
          : path.endsWith(".toml")
          ? fc.oneof({ weight: 9, arbitrary: tomlText }, fc.constantFrom(undefined, ""))
          : jsonText(SERVERS[name] ?? "mcpServers")
      ),
    ).map((all): FileTexts => new Map(files.map(({ path }, i) => [path, all[i]])));

    Deno.test(`${name} (${scope}): what is installed is found, once, and taken out to the byte`, () => {
      fc.assert(
        fc.property(texts, (before) => {
          const { now, receipt } = install(setup, files, before);
          assert.deepEqual(planInstall(files, now, wanted), [], "twice changes nothing");
          const own = files.map(({ path }) => setup.format(path).own(now.get(path) ?? "", path));
          assert.deepEqual(
            own.flatMap(({ server }) => server ?? []),
            Array(
              files.filter(({ path }) => isServerFile(path)).length,
            ).fill(command),
          );
          assert.deepEqual(
            own.flatMap(({ hooks }) => [...hooks.keys()]).sort(),
            [...setup.hookEvents(wanted)].sort(),
          );
          for (const [path, text] of now) keeps(setup, path, before.get(path), text);
          assert.deepEqual(uninstall(setup, now, receipt), before);
        }),
        { numRuns: depth(60, 2000) },
      );
    });

    Deno.test(`${name} (${scope}): what others wrote in between stays, to the byte`, () => {
      for (const [path, writes] of files.map(({ path }) => [path, writesOf(path)] as const)) {
        for (const [what, write] of Object.entries(writes)) {
          fc.assert(
            fc.property(texts, (before) => {
              if (!before.get(path)?.includes("{") && !path.endsWith(".toml")) return;
              if (before.get(path) === undefined) return;
              const { now, receipt } = install(setup, files, before);
              const written = new Map(now).set(path, write(now.get(path) ?? ""));
              const expected = new Map(before).set(path, write(before.get(path) ?? ""));
              const after = uninstall(setup, written, receipt);
              assert.deepEqual(after, expected, what);
            }),
            { numRuns: depth(30, 1000) },
          );
        }
      }
    });

    Deno.test(`${name} (${scope}): what another program wrote anew means the same without us`, () => {
      fc.assert(
        fc.property(
          texts,
          fc.array(gap, { maxLength: 9 }),
          fc.boolean(),
          (before, gaps, trailing) => {
            const { now, receipt } = install(setup, files, before);
            const anew = new Map(
              [...now].map(([path, text]): [string, string | undefined] => [
                path,
                path.endsWith(".toml") || text === undefined || setup.format(path).isWhole === true
                  ? text
                  : rendered(setup.format(path).parse(text, path), gaps, trailing),
              ]),
            );
            const after = uninstall(setup, anew, receipt);
            const lost = uninstall(setup, anew, assumedReceipt(files));
            for (const { path } of files) {
              const meaning = (text: string | undefined): string =>
                show(setup.format(path).parse(text ?? "", path));
              assert.equal(meaning(after.get(path)), meaning(before.get(path)));
              assert.ok(!isAnything(setup.format(path).own(lost.get(path) ?? "", path)));
            }
          },
        ),
        { numRuns: depth(30, 1000) },
      );
    });
  }

  Deno.test(`${name}: another program of the same name is refused, and so is what cannot be read`, () => {
    const [file] = setup.files("user", place).filter(({ path }) => isServerFile(path));
    assert.ok(file !== undefined);
    const key = SERVERS[name] ?? "mcp_servers";
    const isToml = file.path.endsWith(".toml");
    const other = isToml
      ? '[mcp_servers.sage]\ncommand = "npx"\n'
      : `{"${key}": {"sage": {"command": "npx"}}}`;
    const plan = (text: string) => () => planInstall([file], new Map([[file.path, text]]), wanted);
    assert.throws(plan(other), { code: "conflict" });
    for (
      const broken of isToml ? ["a =", "[x\n", "mcp_servers = 3"] : ['{"a": }', "[]", "{", "x"]
    ) {
      assert.throws(plan(broken), { code: "invalid_config" }, broken);
    }
  });

  Deno.test(`${name}: another program moves all entries in place`, () => {
    const files = setup.files("user", place);
    const { now, before, receipt } = install(setup, files, new Map());
    const plan = planInstall(files, now, { ...wanted, command: "/opt/my tools/sage" });
    const moved = apply(now, plan);
    for (const { path } of files) {
      const { hooks, server } = setup.format(path).own(moved.get(path) ?? "", path);
      assert.deepEqual(
        [...new Set([...hooks.values(), ...(server === undefined ? [] : [server])])],
        ["/opt/my tools/sage"],
      );
    }
    const after = uninstall(setup, moved, receiptOf(setup, plan, receipt));
    assert.deepEqual([...after.values()].filter((text) => text !== undefined), [
      ...before.values(),
    ]);
  });
}

function isServerFile(path: string): boolean {
  return !/hooks|plugins|\.claude\/settings/.test(path);
}

function writesOf(path: string): Readonly<Record<string, (text: string) => string>> {
  return path.endsWith(".toml") ? TOML_WRITES : JSON_WRITES;
}

/** Every line of the text before is there after, but for a comma at its end. */
function keeps(
  setup: EditorSetup,
  path: string,
  before: string | undefined,
  after: string | undefined,
): void {
  for (const remark of ["// it's, here }", '/* "sage": { */', "// \u00e9", "# mine", "# [x]"]) {
    const times = (text: string | undefined): number => (text ?? "").split(remark).length;
    assert.equal(times(after), times(before), remark);
  }
  const old = setup.format(path).parse(before ?? "", path) as Record<string, unknown>;
  const now = setup.format(path).parse(after ?? "", path) as Record<string, unknown>;
  for (const key of Object.keys(old)) assert.ok(key in now, key);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, part) => typeof part === "bigint" ? `${part}n` : part);
}

Deno.test("what a person added behind the program stays where it moves, in a list too", () => {
  const [file] = SETUPS.opencode.files("user", place);
  assert.ok(file !== undefined);
  for (const at of [command, "/old/sage"]) {
    const text = `{"mcp": {"sage": {"command": ["${at}", "mcp", "--all-tools"] /* mine */}}}`;
    const [change] = planInstall([file], new Map([[file.path, text]]), wanted);
    assert.equal(change?.after ?? text, text.replace("/old/sage", command));
  }
});

Deno.test("opencode's plugin is Sage's until somebody changes it, whichever version wrote it", () => {
  const file = SETUPS.opencode.files("user", place)[1];
  assert.ok(file !== undefined);
  const { path } = file;
  const program = (text: string) => PLUGIN_FORMAT.own(text, path).hooks.get("session.idle");
  const first = pluginText('/my tools/sage "1"');
  assert.equal(program(first), undefined, "no program of Sage's is called that");
  const old = pluginText("/old/sage");
  assert.equal(program(old), "/old/sage");
  const [change] = planInstall([file], new Map([[path, old]]), wanted);
  assert.equal(program(change?.after ?? ""), command);
  for (const changed of [`${old}// mine\n`, old.replace("5000", "9000"), "export {};\n"]) {
    assert.equal(program(changed), undefined);
    assert.throws(() => planInstall([file], new Map([[path, changed]]), wanted), /changed by hand/);
    const receipt = receiptOf(SETUPS.opencode, [{
      path,
      before: undefined,
      after: old,
      undo: null,
    }]);
    assert.deepEqual(planUninstall(SETUPS.opencode, new Map([[path, changed]]), receipt), []);
  }
  const lost = assumedReceipt([file]);
  const [gone] = planUninstall(SETUPS.opencode, new Map([[path, old]]), lost);
  assert.deepEqual(gone, { path, before: old, after: undefined });
});

Deno.test("an editor's files lie where its documentation says, on each system", () => {
  const at = (name: typeof EDITORS[number], os: string, env: Record<string, string> = {}) =>
    SETUPS[name].files("user", { ...place, home: "/h", os, env: (key) => env[key] })
      .map(({ path }) => path);
  const roaming = { APPDATA: "C:/Users/me/AppData/Roaming" };
  assert.deepEqual(at("vscode", "linux"), [
    "/h/.config/Code/User/mcp.json",
    "/h/.copilot/hooks/sage.json",
  ]);
  assert.equal(at("vscode", "linux", { XDG_CONFIG_HOME: "/x" })[0], "/x/Code/User/mcp.json");
  assert.equal(at("vscode", "darwin")[0], "/h/Library/Application Support/Code/User/mcp.json");
  assert.equal(at("vscode", "windows", roaming)[0], `${roaming.APPDATA}/Code/User/mcp.json`);
  assert.deepEqual(at("zed", "linux"), ["/h/.config/zed/settings.json"]);
  assert.deepEqual(at("zed", "darwin"), ["/h/.config/zed/settings.json"]);
  assert.deepEqual(at("zed", "windows", roaming), [`${roaming.APPDATA}/Zed/settings.json`]);
  assert.deepEqual(at("cursor", "darwin"), ["/h/.cursor/mcp.json", "/h/.cursor/hooks.json"]);
  assert.deepEqual(at("codex", "linux", { CODEX_HOME: "/c" }), ["/c/config.toml", "/c/hooks.json"]);
  assert.deepEqual(at("gemini", "windows"), ["/h/.gemini/settings.json"]);
  assert.deepEqual(at("gemini", "linux", { GEMINI_CLI_HOME: "/g" }), ["/g/.gemini/settings.json"]);
  assert.deepEqual(at("opencode", "linux"), [
    "/h/.config/opencode/opencode.json",
    "/h/.config/opencode/plugins/sage.js",
  ]);
  // Each folder that sage install is typed in would have another one.
  for (const variable of ["CODEX_HOME", "GEMINI_CLI_HOME", "XDG_CONFIG_HOME", "COPILOT_HOME"]) {
    for (const name of EDITORS) {
      assert.deepEqual(at(name, "linux", { [variable]: "elsewhere" }), at(name, "linux"));
    }
  }
  const project = (name: typeof EDITORS[number], scope: Scope = "project") =>
    SETUPS[name].files(scope, { ...place, projectDir: "/p" }).map(({ path }) => path);
  assert.deepEqual(EDITORS.flatMap((name) => project(name)), [
    ...["/p/.claude/settings.json", "/p/.mcp.json", "/p/.cursor/mcp.json", "/p/.cursor/hooks.json"],
    ...["/p/.vscode/mcp.json", "/p/.github/hooks/sage.json", "/p/.zed/settings.json"],
    ...["/p/.codex/config.toml", "/p/.codex/hooks.json", "/p/.gemini/settings.json"],
    ...["/p/opencode.json", "/p/.opencode/plugins/sage.js"],
  ]);
});

Deno.test("a hook's line names the program for the shell that gets it, and is known again", () => {
  const firstLine = (os: string, name: typeof EDITORS[number], command: string) => {
    const files = SETUPS[name].files("user", place);
    const plan = planInstall(files, new Map(), { command, os });
    return plan.flatMap(({ path, after = "" }) => {
      assert.ok(isAnything(SETUPS[name].format(path).own(after, path)));
      return [...after.matchAll(/"command": ("(?:.* hook .*)")/g)].map(([, line = ""]) =>
        JSON.parse(line)
      );
    })[0];
  };
  assert.equal(
    firstLine("linux", "codex", "/my 'x/sage"),
    "'/my '\\''x/sage' hook session-start codex",
  );
  // Neither shell of Windows needs quotes there, and each breaks on those of the other.
  for (const editor of ["codex", "cursor", "gemini", "vscode"] as const) {
    assert.equal(
      firstLine("windows", editor, "C:/Users/Jürgen/sage.exe"),
      `C:\\Users\\Jürgen\\sage.exe hook session-start ${editor}`,
    );
  }
  for (const editor of ["codex", "cursor"] as const) {
    assert.equal(
      firstLine("windows", editor, "C:\\My Tools\\sage.exe"),
      `cmd /c "C:\\My Tools\\sage.exe" hook session-start ${editor}`,
    );
  }
  assert.equal(
    firstLine("windows", "gemini", "C:\\My 'Tools\\sage.exe"),
    "& 'C:\\My ''Tools\\sage.exe' hook session-start gemini",
  );
});

Deno.test("planUninstall() says where Sage stands in a form that it cannot take out", () => {
  const setup = SETUPS.codex;
  const files = setup.files("user", place);
  const path = files.find((file) => file.path.endsWith("config.toml"))?.path ?? "";
  const inline = `mcp_servers = { sage = { command = "${command}", args = ["mcp"] } }\n`;
  const now = new Map([[path, inline]]);
  assert.throws(() => planUninstall(setup, now, assumedReceipt(files)), {
    code: "invalid_config",
    hint: /by hand/,
  });
});

Deno.test("planUninstall() leaves a file of hooks its version where others have hooks in it by now", () => {
  const setup = SETUPS.cursor;
  const plan = planInstall(setup.files("user", place), new Map(), wanted);
  const hooks = plan.find(({ path }) => path.endsWith("hooks.json"));
  const made = JSON.parse(hooks?.after ?? "{}");
  made.hooks.afterFileEdit = [{ command: "notify-send done" }];
  const now = new Map([[hooks?.path ?? "", JSON.stringify(made)]]);
  const [change] = planUninstall(setup, now, receiptOf(setup, plan));
  assert.deepEqual(JSON.parse(change?.after ?? "{}"), {
    version: 1,
    hooks: { afterFileEdit: [{ command: "notify-send done" }] },
  });
});

Deno.test("planInstall() takes out hooks of ours at events that are no longer asked for, in flat lists too", () => {
  const files = SETUPS.cursor.files("user", place);
  const path = files.find((file) => file.path.endsWith("hooks.json"))?.path ?? "";
  const hooks = { formerEvent: [{ command: `${command} hook former cursor` }] };
  const plan = planInstall(files, new Map([[path, JSON.stringify({ version: 1, hooks })]]), wanted);
  const after = JSON.parse(plan.find((change) => change.path === path)?.after ?? "{}");
  assert.deepEqual(after.hooks.formerEvent ?? [], []);
});
