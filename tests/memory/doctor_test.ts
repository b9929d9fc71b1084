/** Every link from the editor to a saved note, broken one at a time: found, with the way to mend it. */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { diagnose } from "../../src/memory/doctor/doctor.ts";
import type { Finding } from "../../src/memory/doctor/finding.ts";
import { applyFix } from "../../src/memory/doctor/mend.ts";
import { applyEditorInstall, uninstallEditors } from "../../src/memory/editor/install.ts";
import { installHooks } from "../../src/memory/guard/git_hooks.ts";
import { prepareOrientation } from "../../src/memory/session/orientation/prepare.ts";
import { orient } from "../../src/memory/session/orientation/orientation.ts";
import { startPrepared } from "../../src/memory/session/orientation/start_prepared.ts";
import { readStatus } from "../../src/memory/status/status.ts";
import { projectFolder } from "../../src/editor/claude_code/projects.ts";
import { registerDriver } from "../../src/memory/team/share.ts";
import { leaveToolReceipt } from "../../src/memory/tool_receipt.ts";
import {
  begin,
  byHand,
  knowledge,
  MINUTE,
  NOW,
  OTHER,
  put,
  read,
  repository,
  SESSION,
  type World,
  world,
} from "../support/world.ts";
import { run } from "../support/within.ts";

/** A program that an editor could start, registered an hour before this world begins. */
function installed(on: World): string {
  const binary = `${on.home}/bin/sage`;
  put(binary, "");
  Deno.chmodSync(binary, 0o755);
  applyEditorInstall(on.memory, "claude-code", { scope: "user", dryRun: false, binary });
  const receipt = `${on.home}/.sage/state/install/claude-code.json`;
  Deno.utimeSync(receipt, (NOW - 60 * MINUTE) / 1000, (NOW - 60 * MINUTE) / 1000);
  return binary;
}

/** A session file as the editor leaves it, last written `minutes` ago. */
function ran(
  on: World,
  session: string,
  minutes: number,
  { entrypoint = "cli", began = minutes + 5 } = {},
): void {
  const path = `${projectFolder(on.cwd, `${on.home}/.claude`)}/${session}.jsonl`;
  const timestamp = new Date(NOW - began * MINUTE).toISOString();
  put(path, JSON.stringify({ type: "user", timestamp, entrypoint, sessionId: session }) + "\n");
  Deno.utimeSync(path, (NOW - minutes * MINUTE) / 1000, (NOW - minutes * MINUTE) / 1000);
}

/** As somebody does by hand who wants no word after a compaction. */
function narrow(on: World): void {
  const path = `${on.home}/.claude/settings.json`;
  const text = Deno.readTextFileSync(path);
  put(path, text.replace("startup|resume|clear|compact|fork", "startup|resume"));
}

async function wrong(on: World, program?: string, fs?: Fs): Promise<Finding[]> {
  const memory = await on.open(fs === undefined ? {} : { fs });
  return (await diagnose(memory, program)).filter(({ level }) => level !== "ok");
}

Deno.test("diagnose() reports hooks that Codex has but does not run, with what to do about it", async () => {
  using on = await world();
  const binary = installed(on);
  applyEditorInstall(on.memory, "codex", { scope: "project", dryRun: false, binary });
  const hooks = `${on.cwd}/.codex/hooks.json`;
  const told = async (): Promise<Finding | undefined> =>
    (await diagnose(await on.open(), binary)).find(({ what }) => what.startsWith("Codex: hooks"));
  const there = "Codex: hooks and MCP server registered";
  const waits = `${there}, but Codex runs a hook only after you trusted it, and`;
  assert.deepEqual(await told(), {
    level: "warning",
    what: `${waits} 6 of 6 wait`,
    mend: "start codex and trust them when it asks, or type /hooks there",
  });
  const events = ["session_start", "user_prompt_submit", "stop", "subagent_stop", "pre_compact"];
  const trusted = (event: string): string =>
    `[hooks.state."${hooks}:${event}:0:0"]\ntrusted_hash = "sha256:1"\n`;
  put(`${on.home}/.codex/config.toml`, events.map(trusted).join("\n"));
  assert.equal((await told())?.what, `${waits} 1 of 6 wait`);
  const all = [...events, "session_end"].map(trusted).join("\n");
  put(`${on.home}/.codex/config.toml`, all);
  assert.equal((await told())?.what, there);
  put(`${on.home}/.codex/config.toml`, `${all}enabled = false\n`);
  assert.equal((await told())?.what, `${there}, but 1 of 6 are switched off`);
});

Deno.test("diagnose() says where an editor runs each hook twice, installed for the person and in the project", async () => {
  using on = await world();
  const binary = installed(on);
  const twice = async (): Promise<string[]> =>
    (await wrong(on, binary)).map(({ what }) => what).filter((what) => what.includes(" twice"));
  for (const name of ["codex", "gemini", "claude-code"] as const) {
    for (const scope of ["user", "project"] as const) {
      applyEditorInstall(on.memory, name, { scope, dryRun: false, binary });
    }
  }
  const files = `${on.home}/.codex/hooks.json and in ${on.cwd}/.codex/hooks.json`;
  // The others run a hook once that two files name alike.
  assert.deepEqual(await twice(), [`Codex runs each hook twice: it is in ${files}`]);
  const other = `${on.home}/bin/other/sage`;
  put(other, "");
  await Deno.chmod(other, 0o755);
  applyEditorInstall(on.memory, "claude-code", { scope: "project", dryRun: false, binary: other });
  assert.match((await twice()).join("\n"), /^Claude Code runs each hook twice/m);
});

Deno.test("diagnose() finds nothing wrong with a whole chain", async () => {
  using on = await world();
  const binary = installed(on);
  assert.deepEqual(await wrong(on, binary), []);
});

const BROKEN: readonly (readonly [string, (on: World, binary: string) => unknown, RegExp])[] = [
  [
    "hooks that the person's settings switch off",
    (on) => put(`${on.cwd}/.claude/settings.local.json`, '{"disableAllHooks": true}'),
    /calls no hook: disableAllHooks is set in .*settings\.local\.json/,
  ],
  [
    "hooks that are told of too little",
    (on) => narrow(on),
    /Claude Code: .*settings\.json is not as Sage writes it, so some events may not arrive/,
  ],
  ["a program that may not be executed", (_, binary) => Deno.chmodSync(binary, 0o644), /executed/],
  ["a program that is gone", (_, binary) => Deno.removeSync(binary), /does not exist/],
  [
    "private notes that others may read",
    (on) => Deno.chmodSync(`${on.home}/.sage/state`, 0o750),
    /state may be read by other accounts/,
  ],
  [
    "a receipt of the future",
    (on) =>
      put(
        `${on.home}/.sage/state/log/2026-01-14.jsonl`,
        '{"at":"2026-01-14T01:00:00Z","event":"hook"}\n',
      ),
    /the clock says 2026-01-13T14:30:00Z, and a receipt is from 2026-01-14/,
  ],
  [
    "a change that cannot be made",
    (on) => put(`${on.cwd}/.sage/.inbox/2026-01-13T14-30-00-0123456789abcdef.json`, "torn"),
    /a waiting change of a note cannot be applied: Cannot fold in ".inbox\/2026-[^"]*": it is damaged/,
  ],
  [
    "a note that Git LFS has not fetched",
    (on) => {
      const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00ff\nsize 12\n";
      put(`${on.cwd}/.sage/knowledge/herons.md`, pointer);
    },
    /herons\.md is not read: a pointer of Git LFS, not the file itself/,
  ],
  [
    "a note of which only a part is searched",
    (on) => put(`${on.cwd}/.sage/knowledge/herons.md`, "Herons stand. ".repeat(80_000)),
    /only the first 256 KiB of .*\/knowledge\/herons\.md are searched/,
  ],
  [
    "a project.yaml that says nothing",
    (on) => put(`${on.cwd}/.sage/project.yaml`, "id: [\n"),
    /^project\.yaml cannot be read: 1:5 .*; until then its id and name are ignored/,
  ],
  [
    "phrases of one's own that are not read",
    (on) => put(`${on.home}/.sage/patterns.yaml`, "topic_shift: [\n"),
    /^left out of .*\/patterns\.yaml: 1:14 /,
  ],
  [
    "a key that others may read",
    (on) => {
      put(`${on.home}/.sage/config.yaml`, "api_key: made-up\n");
      Deno.chmodSync(`${on.home}/.sage/config.yaml`, 0o644);
    },
    /\/config\.yaml holds keys, and others may read it/,
  ],
  [
    "a note outside the folders of notes",
    (on) => {
      for (const path of ["moved/a.md", "README.md", "._b.md", "redirects/c.md", "_PRIVATE/d.md"]) {
        put(`${on.cwd}/.sage/${path}`, "Said.\n");
      }
      put(`${on.home}/.sage/shared_memory.md`, "Said.\n");
    },
    /\/\.sage\/moved lies outside the folders of notes/,
  ],
  [
    "notes that supersede each other",
    (on) => {
      for (const [id, other] of [["a", "b"], ["b", "a"]] as const) {
        byHand(
          `${on.cwd}/.sage`,
          `knowledge/${id}.md`,
          { id, supersedes: `[${other}]` },
          `# ${id}`,
        );
      }
    },
    /a\.md and \S+b\.md supersede each other/,
  ],
  [
    "three notes that supersede each other in a circle, by links as Obsidian writes them",
    (on) => {
      for (const [id, other] of [["a", "c"], ["b", "a"], ["c", "b"]] as const) {
        byHand(
          `${on.cwd}/.sage`,
          `knowledge/${id}.md`,
          { id, supersedes: `"[[${other}|the old one]]"` },
          `# ${id}`,
        );
      }
    },
    /a\.md, \S+b\.md and \S+c\.md supersede each other/,
  ],
  ["a session without hooks", (on) => ran(on, OTHER, 20), /the last session here ran without/],
  [
    "a server that was never greeted",
    (on) =>
      put(
        `${on.home}/.sage/state/log/2026-01-12.jsonl`,
        ["a", "b", "c"].map((session) =>
          `{"at":"2026-01-12T10:00:00Z","event":"hook","hook":"session-start","outcome":"done","session":"${session}","told":[]}\n`
        ).join(""),
      ),
    /none of the last 3 sessions connected to the MCP server/,
  ],
];

for (const [name, make, expected] of BROKEN) {
  Deno.test(`diagnose() finds ${name}, and says how to mend it`, async () => {
    using on = await world();
    const binary = installed(on);
    make(on, binary);
    const [finding, ...others] = await wrong(on, binary);
    assert.match(finding?.what ?? "", expected);
    assert.notEqual(finding?.mend ?? "", "");
    assert.deepEqual(others, []);
  });
}

Deno.test("diagnose() does not miss hooks that run from where it does not look", async () => {
  using on = await world();
  const told = async () =>
    (await diagnose(await on.open())).filter(({ what }) => what.startsWith("Claude Code"))
      .map(({ level, what }) => `${level}: ${what}`);
  assert.deepEqual(await told(), ["warning: Claude Code does not know Sage"]);
  put(
    `${on.home}/.sage/state/log/2026-01-13.jsonl`,
    '{"at":"2026-01-13T14:00:00Z","event":"hook","hook":"stop","outcome":"done"}\n',
  );
  assert.match((await told()).join(), /^ok: Claude Code: hooks run, registered elsewhere/);
});

Deno.test("diagnose() takes hooks of other editors neither for Claude Code's nor for a server's silence", async () => {
  using on = await world();
  const started = (agent: string): void =>
    put(
      `${on.home}/.sage/state/log/2026-01-13.jsonl`,
      ["a", "b", "c"].map((session) =>
        `{"at":"2026-01-13T10:00:00Z","event":"hook","hook":"session-start","agent":"${agent}","outcome":"done","session":"${session}","told":[]}\n`
      ).join(""),
    );
  started("cursor");
  const of = async (name: string): Promise<string[]> =>
    (await diagnose(await on.open())).filter(({ what }) => what.startsWith(name))
      .map(({ level, what }) => `${level}: ${what}`);
  assert.deepEqual(await of("Claude Code"), ["warning: Claude Code does not know Sage"]);
  const binary = installed(on);
  assert.deepEqual(await wrong(on, binary), []);
  // Whoever works in another editor need not have this one connected.
  applyEditorInstall(await on.open(), "cursor", { scope: "user", binary, dryRun: false });
  uninstallEditors(await on.open(), ["claude-code"], { dryRun: false });
  started("cursor");
  put(`${on.home}/.claude/history.jsonl`, "");
  assert.deepEqual(await of("Claude Code"), ["ok: Claude Code: not connected"]);
});

Deno.test("diagnose() expects one greeting of a server whatever its client goes on to", async () => {
  using on = await world();
  const start = (session: string, source: string): string =>
    `{"at":"2026-01-12T10:00:00Z","event":"hook","hook":"session-start","outcome":"done","session":"${session}","source":"${source}","told":[]}\n`;
  const greeting =
    '{"at":"2026-01-12T10:00:00Z","event":"tool","tool":"instructions","outcome":"done"}\n';
  const later = [
    start("a", "compact"),
    start("b", "clear"),
    start("c", "fork"),
    start("d", "clear"),
  ];
  put(
    `${on.home}/.sage/state/log/2026-01-12.jsonl`,
    start("a", "startup") + greeting + later.join(""),
  );
  const findings = await diagnose(await on.open());
  assert.match(
    findings.map(({ what }) => what).join("\n"),
    /^MCP server: a session last connected 2026-01-12/m,
  );
});

Deno.test("diagnose() does not rebuild an index for a .sageignore that cannot be read", async () => {
  using on = await world();
  const binary = installed(on);
  await Deno.writeFile(`${on.cwd}/.sageignore`, Uint8Array.of(0xff, 0xfe, 0x2a, 0));
  const findings = await wrong(on, binary);
  assert.ok(findings.length > 0);
  for (const finding of findings) {
    assert.match(finding.what, /\.sageignore": it is not UTF-8/);
    assert.match(finding.mend ?? "", /^mend it, or put a text file in its place/);
    assert.ok(!("fix" in finding));
  }
});

Deno.test("diagnose() counts what .sageignore keeps out, and advises nothing about it", async () => {
  using on = await world();
  const binary = installed(on);
  await knowledge(on.memory, "Git worktrees", "They share one hooks folder.");
  put(`${on.home}/.sage/.sageignore`, `${on.cwd}/\n`);
  assert.deepEqual(await wrong(on, binary), []);
  const found = (await diagnose(await on.open(), binary)).filter(({ what }) =>
    what.startsWith(".sageignore keeps 1 path of ")
  );
  assert.deepEqual(found.map(({ mend }) => mend), [undefined]);
});

Deno.test("diagnose() asks for a session in the editor that is connected", async () => {
  using on = await world();
  const mend = async (): Promise<string | undefined> =>
    (await diagnose(await on.open())).find(({ what }) => what.startsWith("capture: "))?.mend;
  assert.equal(await mend(), undefined);
  const binary = `${on.home}/bin/sage`;
  put(binary, "");
  for (const editor of ["zed", "gemini"] as const) {
    applyEditorInstall(on.memory, editor, { scope: "user", dryRun: false, binary });
  }
  assert.equal(await mend(), "begin a session in Gemini CLI");
});

Deno.test("diagnose() finds that the editor runs another program", async () => {
  using on = await world();
  const binary = installed(on);
  const other = `${on.home}/new/sage`;
  put(other, "");
  const [finding] = await wrong(on, other);
  assert.match(finding?.what ?? "", /Claude Code runs .*\/bin\/sage, and this is .*\/new\/sage/);
  await Deno.symlink(binary, `${on.home}/sage`);
  assert.deepEqual(await wrong(on, `${on.home}/sage`), [], "a link to it is it");
});

Deno.test("diagnose() finds a folder that takes nothing, or gives back something else", async () => {
  using on = await world();
  installed(on);
  const full: Fs = {
    ...realFs,
    open(path, options) {
      if (path.includes(".doctor.sage-")) {
        throw Object.assign(new Error("full"), { code: "ENOSPC" });
      }
      return realFs.open(path, options);
    },
  };
  const findings = await wrong(on, undefined, full);
  assert.equal(findings.length, 3, "both stores and the state");
  for (const { what, mend } of findings) {
    assert.match(what, /^cannot write in .* \(ENOSPC\)$/);
    assert.match(mend ?? "", /disk is neither full nor read-only/);
  }
});

Deno.test("diagnose() finds a folder of notes that takes nothing in a store that does", async () => {
  using on = await world();
  installed(on);
  const closed: Fs = {
    ...realFs,
    open(path, options) {
      if (path.includes("/knowledge/.doctor.sage-")) {
        throw Object.assign(new Error("closed"), { code: "EACCES" });
      }
      return realFs.open(path, options);
    },
  };
  await Deno.mkdir(`${on.memory.stores[0]?.root}/knowledge`, { recursive: true });
  const [finding, ...others] = await wrong(on, undefined, closed);
  assert.match(finding?.what ?? "", /^cannot write in .*\/\.sage\/knowledge \(EACCES\)$/);
  assert.deepEqual(others, []);
});

Deno.test("diagnose() says which file of the state cannot be read, and what to do", async () => {
  using on = await world();
  const log = `${on.home}/.sage/state/log/${new Date(NOW).toISOString().slice(0, 10)}.jsonl`;
  put(log, "{}\n");
  const fs: Fs = {
    ...realFs,
    open(path, how) {
      if (path === log) {
        throw new Deno.errors.PermissionDenied(`Denied (os error 13): open '${path}'`);
      }
      return realFs.open(path, how);
    },
  };
  const findings = await diagnose(await on.open({ fs }));
  const told = findings.filter(({ what }) => what.includes("/log/"));
  assert.ok(told.length > 0);
  assert.ok(findings.some(({ what }) => /can be written to and read back$/.test(what)));
  for (const { what, mend } of told) {
    assert.equal(what, `Cannot use "${log}": this account may not (EACCES)`);
    assert.equal(mend, "check owner and mode, also of the folders above");
  }
});

Deno.test({
  name: "diagnose() says once of a folder that it is another account's, and how it comes back",
  ignore: Deno.build.os === "windows",
  async fn() {
    using on = await world();
    const log = `${on.home}/.sage/state/log`;
    await Deno.mkdir(log, { recursive: true });
    const fs: Fs = {
      ...realFs,
      lstat(path) {
        const info = realFs.lstat(path);
        return info && { ...info, uid: path === log ? 0 : 4321 };
      },
      open(path, how) {
        if (!path.startsWith(`${log}/`)) return realFs.open(path, how);
        throw new Deno.errors.PermissionDenied(`Denied (os error 13): open '${path}'`);
      },
    };
    const { uid } = Deno;
    Deno.uid = () => 4321;
    try {
      const findings = await diagnose(await on.open({ fs }));
      const told = findings.filter(({ what }) => what.includes(log));
      assert.deepEqual(told.map((one) => [one.what, one.level !== "ok" && one.mend]), [
        [`${log} belongs to account 0, and this is account 4321`, `sudo chown -R 4321 ${log}`],
      ]);
    } finally {
      Deno.uid = uid;
    }
  },
});

Deno.test("diagnose() sends nobody to rebuild an index whose folder is closed", async () => {
  using on = await world();
  await knowledge(on.memory, "Otters", "Otters sleep hand in hand.");
  const fs: Fs = {
    ...realFs,
    open(path, how) {
      if (path.includes("/state/index/")) {
        throw new Deno.errors.PermissionDenied(`Denied (os error 13): open '${path}'`);
      }
      return realFs.open(path, how);
    },
  };
  const findings = await diagnose(await on.open({ fs }));
  const found = findings.find(({ what }) => what.startsWith("the project index cannot be brought"));
  assert.ok(found?.level === "error");
  assert.equal(found.mend, "check owner and mode, also of the folders above");
  assert.equal(found.fix, undefined);
});

Deno.test("diagnose() names a note in which two versions of one place stand", async () => {
  using on = await world();
  const binary = installed(on);
  await knowledge(
    on.memory,
    "Otters",
    "Otters sleep hand in hand. What is unmerged is told elsewhere.",
  );
  assert.deepEqual(await wrong(on, binary), []);
  const { path } = await knowledge(on.memory, "Herons", "Herons stand on one leg.");
  put(path, `${await Deno.readTextFile(path)}\n## Updates (unmerged 2026-01-12)\n\nOn two legs.\n`);
  const [found, ...others] = await wrong(on, binary);
  assert.equal(found?.what, `two versions of one place stand in ${path}`);
  assert.deepEqual(others, []);
});

Deno.test("diagnose() counts what it does not list", async () => {
  for (
    const [many, rest] of [[10, undefined], [11, "1 more note"], [13, "3 more notes"]] as const
  ) {
    using on = await world();
    const binary = installed(on);
    for (let i = 0; i < many; i++) {
      const text = `# Note ${i}\n\n## Updates (unmerged 2026-01-12)\n\nOn two legs.`;
      byHand(`${on.cwd}/.sage`, `knowledge/note-${i}.md`, { type: "knowledge" }, text);
    }
    const found = (await wrong(on, binary)).map(({ what }) => what);
    const [last] = found.slice(10);
    assert.equal(last, rest === undefined ? undefined : `${rest} of this kind, not listed`);
  }
});

Deno.test("diagnose() names a note in which git's marks of a conflict stand", async () => {
  using on = await world();
  const binary = installed(on);
  await knowledge(on.memory, "Otters", "Otters sleep head by head; <<<<<<< is an arrow.");
  assert.deepEqual(await wrong(on, binary), []);
  const { path } = await knowledge(on.memory, "Herons", "Herons stand on one leg.");
  const sides = "<<<<<<< HEAD\nOn one leg.\n=======\nOn two legs.\n>>>>>>> side\n";
  put(path, `${await Deno.readTextFile(path)}\n${sides}`);
  const [found, ...others] = await wrong(on, binary);
  const what = `two versions of one place stand here, between git's marks`;
  assert.match(found?.what ?? "", /:\d+:1 /);
  assert.ok(found?.what.startsWith(`${path}:`) && found.what.endsWith(` ${what}`), found?.what);
  assert.match(found?.level === "warning" ? found.mend : "", /delete git's conflict markers/);
  assert.deepEqual(others, []);
});

Deno.test("diagnose() names git's marks of a conflict among a note's keys and in project.yaml", async () => {
  using on = await world();
  const binary = installed(on);
  const { path } = await knowledge(on.memory, "Herons", "Herons stand on one leg.");
  const sides = (key: string) =>
    `<<<<<<< HEAD\n${key}: 2026-01-01T00:00:00Z\n=======\n${key}: 2026-01-02T00:00:00Z\n>>>>>>> side\n`;
  const note = await Deno.readTextFile(path);
  put(path, note.replace(/^updated: .*\n/m, sides("updated")));
  const project = `${on.cwd}/.sage/project.yaml`;
  put(project, `id: herons\n${sides("created")}`);
  const found = await wrong(on, binary);
  const mends = found.map((one) => one.level === "warning" ? one.mend : "");
  assert.equal(found.length, 2, JSON.stringify(found));
  assert.ok(found.every(({ what }) => what.includes("between git's marks")), JSON.stringify(found));
  assert.match(mends.join("\n"), /delete git's conflict markers/);
  assert.match(mends.join("\n"), /^mend .*project\.yaml$/m);
});

Deno.test("diagnose() says where git calls a sage for shared notes that was moved since", async () => {
  using on = await world();
  repository(on.cwd);
  put(`${on.cwd}/.sage/.gitattributes`, "*.md merge=sage\n");
  const program = `${on.home}/100% mine/sage`;
  registerDriver(on.memory, program);
  const found = async (): Promise<Finding | undefined> =>
    (await diagnose(on.memory)).find((one) =>
      one.level === "warning" && one.mend === "sage project init --team"
    );
  assert.match((await found())?.what ?? "", /the sage that it calls does not exist/);
  put(program, "");
  assert.equal(await found(), undefined);
});

Deno.test("diagnose() says where git does not know the merge driver of shared notes", async () => {
  using on = await world();
  const binary = installed(on);
  repository(on.cwd);
  put(`${on.cwd}/.sage/.gitattributes`, "*.md merge=sage\n");
  const [found, ...others] = await wrong(on, binary);
  assert.match(found?.what ?? "", /git merges them here like any other text/);
  assert.equal(found?.level === "warning" ? found.mend : "", "sage project init --team");
  assert.deepEqual(others, []);
});

Deno.test("diagnose() says where the guard's hooks are those of another version", async () => {
  using on = await world();
  const binary = installed(on);
  repository(on.cwd);
  installHooks(on.memory, binary);
  assert.deepEqual(await wrong(on, binary), []);
  assert.deepEqual(await wrong(on), [], "they call the program that somebody chose");
  const hooks = `${on.cwd}/.git/hooks`;
  put(`${hooks}/pre-commit`, read(`${hooks}/pre-commit`).replace('git "$@" --text || ', ""));
  const [found, ...others] = await wrong(on, binary);
  assert.match(found?.what ?? "", /are not as Sage writes them/);
  assert.equal(found?.level === "warning" ? found.mend : "", `sage guard install --hooks ${hooks}`);
  assert.deepEqual(others, []);
  installHooks(on.memory, binary, hooks);
  assert.deepEqual(await wrong(on, binary), []);
});

Deno.test("diagnose() says where git would share the trash of a store that nobody made with Sage", async () => {
  using on = await world();
  const binary = installed(on);
  repository(on.cwd);
  assert.deepEqual(await wrong(on, binary), []);
  await Deno.remove(`${on.cwd}/.sage/.gitignore`);
  const [found, ...others] = await wrong(on, binary);
  assert.match(found?.what ?? "", /has no \.gitignore: git would share the trash/);
  assert.deepEqual(others, []);
});

Deno.test("diagnose() leaves nothing behind", async () => {
  using on = await world();
  await wrong(on);
  const left = [`${on.home}/.sage`, `${on.home}/.sage/state`, `${on.cwd}/.sage`]
    .flatMap((folder) => [...Deno.readDirSync(folder)].map(({ name }) => name));
  assert.deepEqual(left.filter((name) => name.includes("doctor")), []);
});

Deno.test("applyFix() mends what may be mended, and then nothing is found", async () => {
  using on = await world();
  const binary = installed(on);
  await Deno.chmod(binary, 0o644);
  await Deno.chmod(`${on.home}/.sage/state`, 0o755);
  narrow(on);
  put(`${on.home}/.claude.json`, "{}");
  for (let round = 0; round < 3; round++) {
    for (const finding of await wrong(on, binary)) {
      const fix = finding.level === "ok" ? undefined : finding.fix;
      assert.ok(fix !== undefined, finding.what);
      await applyFix(on.memory, fix, binary);
    }
  }
  assert.deepEqual(await wrong(on, binary), []);
});

Deno.test("the next session says once that a session ran without hooks, with the reason", async () => {
  using on = await world();
  installed(on);
  put(`${on.cwd}/.claude/settings.json`, '{"disableAllHooks": true}');
  ran(on, OTHER, 20);
  const status = await readStatus(on.memory);
  assert.equal(status.healthy, false);
  assert.match(
    status.line,
    /the last session here ran without Sage's hooks \(20 min ago: disableAllHooks is set in .*settings\.json\)/,
  );
  await knowledge(on.memory, "Oak", "It grows.");
  const told = await orient(on.memory, SESSION, "startup");
  assert.match(told?.text ?? "", /- Capture: the last session here ran without Sage's hooks/);

  ran(on, SESSION, 1);
  begin(on.memory, on);
  assert.equal(
    (await readStatus(on.memory)).capture.ok,
    true,
    "a session with hooks came after it",
  );
});

for (
  const [name, make] of [
    ["was open while Sage was installed", (on: World) => ran(on, OTHER, 20, { began: 90 })],
    ["ended before Sage was installed", (on: World) => ran(on, OTHER, 80)],
    ["was a script's", (on: World) => ran(on, OTHER, 20, { entrypoint: "sdk-cli" })],
    ["is in a project that is kept out", (on: World) => {
      ran(on, OTHER, 20);
      put(`${on.cwd}/.sageignore`, "*\n");
    }],
    ["left a receipt and no state", async (on: World) => {
      ran(on, OTHER, 20);
      const call = { tool: "search_notes", outcome: "done", answer: "", milliseconds: 1 };
      await leaveToolReceipt({ ...on.memory, session: OTHER }, call);
    }],
  ] as const
) {
  Deno.test(`a session without hooks that ${name} is not reported`, async () => {
    using on = await world();
    installed(on);
    await make(on);
    assert.equal((await readStatus(await on.open())).capture.ok, true);
  });
}

for (const hasRun of [false, true]) {
  Deno.test(`a prepared orientation is printed${hasRun ? ", but not after a session without hooks" : ""}`, async () => {
    using on = await world({ tuning: "teaching:\n  enabled: false\n" });
    installed(on);
    ran(on, "33333333-0000-4000-8000-000000000003", 70, { began: 80 });
    await knowledge(on.memory, "Oak", "It grows.");
    await prepareOrientation(on.memory, on.cwd);
    if (hasRun) ran(on, OTHER, 20);
    const [event, source, transcriptPath] = ["session-start", "startup", undefined] as const;
    const input = { event, source, transcriptPath, sessionId: SESSION, cwd: on.cwd };
    const started = startPrepared(input, (name) => on.env[name], on.memory.places.stateDir, NOW);
    assert.equal(started === undefined, hasRun);
  });
}

/** Each link broken by itself; neither the long look nor the short one may call that in order. */
const BREAKS: readonly (readonly [string, (on: World) => void])[] = [
  ...["SessionStart", "UserPromptSubmit", "Stop", "SubagentStop", "PreCompact", "SessionEnd"].map(
    (event) => [`no ${event} hook`, (on: World) => withoutHook(on, event)] as const,
  ),
  ["hooks switched off", (on) => edit(on, (settings) => ({ ...settings, disableAllHooks: true }))],
  ["settings that are torn", (on) => put(`${on.home}/.claude/settings.json`, "{")],
  ["settings that are a folder", (on) => {
    Deno.removeSync(`${on.home}/.claude/settings.json`);
    Deno.mkdirSync(`${on.home}/.claude/settings.json`);
  }],
  ["no server", (on) => put(`${on.home}/.claude.json`, "{}")],
  ["a project's servers that are a folder", (on) => Deno.mkdirSync(`${on.cwd}/.mcp.json`)],
  ["no program", (on) => Deno.removeSync(`${on.home}/bin/sage`)],
];

function edit(on: World, change: (settings: Record<string, unknown>) => unknown): void {
  const path = `${on.home}/.claude/settings.json`;
  put(path, JSON.stringify(change(JSON.parse(Deno.readTextFileSync(path)))));
}

function withoutHook(on: World, event: string): void {
  edit(on, (settings) => {
    const { [event]: _, ...hooks } = settings["hooks"] as Record<string, unknown>;
    return { ...settings, hooks };
  });
}

for (const [name, breakIt] of BREAKS) {
  Deno.test(`diagnose() and readStatus() see ${name}`, async () => {
    using on = await world();
    const binary = installed(on);
    breakIt(on);
    const findings = await wrong(on, binary);
    assert.ok(findings.some(({ level }) => level === "error"), JSON.stringify(findings));
    const { healthy, line, next } = await readStatus(await on.open());
    assert.equal(healthy, false, line);
    assert.match(line, /^needs attention/);
    assert.notEqual(next, "nothing");
  });
}

Deno.test("diagnose() sees a file where the machine's state has a folder", async () => {
  for (const folder of ["log", "index", "locks", "instances", "ended"]) {
    using on = await world();
    const binary = installed(on);
    await knowledge(on.memory, "Oak", "It grows.");
    await Deno.remove(`${on.home}/.sage/state/${folder}`, { recursive: true }).catch(() => {});
    put(`${on.home}/.sage/state/${folder}`, "");
    const findings = await wrong(on, binary);
    assert.ok(
      findings.some(({ what }) => what.endsWith(`/state/${folder} is not a folder`)),
      `${folder}: ${JSON.stringify(findings)}`,
    );
  }
});

Deno.test(
  "diagnose() and readStatus() wait for no pipe that stands where a file should",
  { ignore: Deno.build.os === "windows" },
  async () => {
    for (const name of [".mcp.json", ".claude/settings.json"]) {
      using on = await world();
      const binary = installed(on);
      await Deno.mkdir(`${on.cwd}/.claude`, { recursive: true });
      await run("mkfifo", { args: [`${on.cwd}/${name}`] });
      const findings = await wrong(on, binary);
      assert.ok(findings.some(({ what }) => what.includes(name)), JSON.stringify(findings));
      assert.equal((await readStatus(await on.open())).healthy, false);
    }
  },
);

Deno.test("diagnose() names a disk that stores no file modes, and does not offer to close its folders", async () => {
  using on = await world();
  // As NTFS, exFAT and FAT are mounted: all may do all, whatever was asked.
  const open = (path: string) => {
    const info = realFs.lstat(path);
    return info && path.startsWith(`${on.home}/.sage`)
      ? { ...info, mode: info.mode | 0o777 }
      : info;
  };
  const memory = await on.open({ fs: { ...realFs, lstat: open } });
  const said = (await diagnose(memory, "/sage")).filter(({ what }) =>
    what.includes("other accounts")
  );
  assert.equal(said.length, 2);
  for (const finding of said) {
    assert.match(finding.what, /, because its disk stores no file modes$/);
    assert.equal("fix" in finding, false);
  }
});

Deno.test("diagnose() reports the free space of each disk, as the project may lie on another than the home", async () => {
  using on = await world();
  const lstat: Fs["lstat"] = (path) => {
    const info = realFs.lstat(path);
    return info && path.startsWith(on.home) ? { ...info, device: info.device + 1 } : info;
  };
  const told = async (fs: Fs) =>
    (await diagnose(await on.open({ fs }), "/sage")).filter(({ what }) =>
      what.includes("on the disk of")
    )
      .map(({ what }) => what.slice(what.indexOf("/")));
  assert.deepEqual(await told(realFs), [`${on.cwd}/.sage`]);
  assert.deepEqual(await told({ ...realFs, lstat }), [`${on.cwd}/.sage`, `${on.home}/.sage`]);
});
