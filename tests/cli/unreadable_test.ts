/**
 * Files and folders of Sage that cannot be read, on the built program: `sage status` and `sage doctor` are
 * what people run then, so they answer and name the path, hooks go on with what is left, and
 * `sage doctor --fix` gives back what a mode took away.
 */
import assert from "node:assert/strict";
import { binary, hasBinary, scratch } from "../support/sage.ts";
import { filesIn } from "../support/temp_store.ts";
import { run } from "../support/within.ts";
import { conversation, put, SESSION } from "../support/world.ts";

/** Modes keep nothing from root, so the program runs as another account. */
const uid = 65534;
const isRoot = Deno.uid() === 0 && Deno.build.os === "linux";
const ignore = !hasBinary || !isRoot;
const skipped = ignore ? " (skipped: needs root on Linux, and the program)" : "";
const NEXT = "22222222-0000-4000-8000-000000000002";

class Place {
  readonly home: string;
  readonly cwd: string;

  constructor() {
    const { home, cwd } = scratch();
    this.home = home;
    this.cwd = cwd;
  }

  run(args: readonly string[], stdin = "") {
    return binary(args, { home: this.home, cwd: this.cwd, uid, stdin });
  }

  hook(event: string, session_id: string, more: Record<string, unknown> = {}) {
    const transcript_path = `${this.home}/.claude/projects/-p/${session_id}.jsonl`;
    const payload = { session_id, transcript_path, cwd: this.cwd, ...more };
    return this.run(["hook", event], JSON.stringify(payload));
  }

  start(session: string) {
    const more = { hook_event_name: "SessionStart", source: "startup" };
    return this.hook("session-start", session, more);
  }

  async firstLine(...args: readonly string[]): Promise<string> {
    const { code, stdout } = await this.run(args);
    assert.equal(code, 0, `sage ${args.join(" ")}: ${stdout}`);
    return stdout.split("\n", 1)[0] ?? "";
  }
}

/** A home after a session, with one file of each kind. */
async function lived(): Promise<Place> {
  const on = new Place();
  put(`${on.home}/.claude/projects/-p/${SESSION}.jsonl`, conversation("It stalls.").text());
  own(on.home);
  await on.run(["init"]);
  const text = "The importer stalls on large files, because it collects all rows.\n";
  await on.run(["knowledge", "add", "-", "--title", "Importer"], text);
  await on.start(SESSION);
  await on.hook("stop", SESSION, { hook_event_name: "Stop", stop_hook_active: false });
  const end = { hook_event_name: "SessionEnd", reason: "other" };
  await on.hook("session-end", SESSION, end);
  await on.run(["search", "importer"]);
  put(`${on.home}/.sage/tuning.yaml`, "retrieval.max_items: 5\n");
  put(`${on.home}/.sage/.sageignore`, "~/private/\n");
  put(`${on.home}/.sage/state/questions/1a2b3c4d.json`, '{"declined":"2026-01-13T10:00:00Z"}\n');
  put(`${on.home}/.sage/state/recalls/uses.jsonl`, '{"use":"read","id":"x"}\n');
  own(on.home);
  return on;
}

function own(folder: string): void {
  Deno.chownSync(folder, uid, uid);
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    if (isDirectory) own(`${folder}/${name}`);
    else Deno.chownSync(`${folder}/${name}`, uid, uid);
  }
}

/** A path of each kind, below the home folder. */
function paths(on: Place): string[] {
  const state = filesIn(`${on.home}/.sage/state`);
  const one = (folder: string): string => {
    const found = state.find((path) => path.startsWith(`${folder}/`));
    assert.ok(found !== undefined, `nothing in ${folder}`);
    return `.sage/state/${found}`;
  };
  return [
    ".sage/tuning.yaml",
    ".sage/projects.yaml",
    ...["log", "ended", "questions", "recalls", "locks"].flatMap((folder) => [
      one(folder),
      `.sage/state/${folder}`,
    ]),
  ];
}

Deno.test({
  name: `sage status names whatever cannot be read, and never fails for it${skipped}`,
  ignore,
  async fn() {
    const on = await lived();
    assert.match(await on.firstLine("status"), /^healthy /);
    for (
      const path of [...paths(on), ".sage/.sageignore", "project/.sage", ".sage/state", ".sage"]
    ) {
      const whole = `${on.home}/${path}`;
      const mode = Deno.lstatSync(whole).mode ?? 0;
      Deno.chmodSync(whole, 0);
      const line = await on.firstLine("status");
      assert.ok(line.startsWith("needs attention · ") && line.includes(whole), `${path}: ${line}`);
      assert.equal((await on.run([])).code, 0, path);
      Deno.chmodSync(whole, mode & 0o777);
    }
    assert.match(await on.firstLine("status"), /^healthy /);
  },
});

Deno.test({
  name:
    `sage doctor names each file that cannot be read once, and mends what a mode mends${skipped}`,
  ignore,
  async fn() {
    const on = await lived();
    const closed = paths(on).filter((path) => /\.\w+$/.test(path)).map((path) =>
      `${on.home}/${path}`
    );
    for (const path of closed) Deno.chmodSync(path, 0);
    const before = filesIn(`${on.home}/.sage`);
    const begun = await on.start(NEXT);
    assert.match(begun.stdout, /"additionalContext":".*- Last session /);
    assert.doesNotMatch(begun.stdout, /could not keep/);
    const { code, stdout } = await on.run(["doctor"]);
    assert.equal(code, 1);
    for (const path of closed) {
      const said = stdout.split("\n").filter((line) =>
        /^(error|warning)/.test(line) && line.includes(path)
      );
      assert.equal(said.length, 1, `${path}:\n${stdout}`);
      assert.ok(stdout.includes(`chmod u+rw ${path}\n`), path);
      assert.equal((Deno.lstatSync(path).mode ?? 0) & 0o777, 0, `${path} was replaced`);
    }
    assert.deepEqual(before.filter((path) => !filesIn(`${on.home}/.sage`).includes(path)), []);
    assert.equal((await on.run(["doctor", "--fix", "--yes"])).code, 0);
    assert.match(await on.firstLine("status"), /^healthy /);
  },
});

Deno.test({
  name: `sage doctor mends a store that cannot be opened, down to what is in it${skipped}`,
  ignore,
  async fn() {
    const on = await lived();
    const store = `${on.home}/.sage`;
    const closed = [`${store}/projects.yaml`, `${store}/state`, store];
    for (const path of closed) Deno.chmodSync(path, 0);
    const { code, stdout } = await on.run(["doctor"]);
    assert.equal(code, 1);
    assert.ok(stdout.includes(`error   ${store} cannot be read\n`), stdout);
    const fixed = await on.run(["doctor", "--fix", "--yes"]);
    for (const path of closed) {
      assert.match(fixed.stdout, new RegExp(`mended  .*${RegExp.escape(path)} `), path);
    }
    assert.equal(fixed.code, 0, fixed.stdout);
    assert.match(await on.firstLine("status"), /^healthy /);
  },
});

Deno.test({
  name:
    `what stands in the place of a file is named, and neither waited for nor followed${skipped}`,
  ignore,
  async fn() {
    const on = await lived();
    const [state, log] = [`${on.home}/.sage/state`, `${on.home}/.sage/state/log`];
    const [day] = filesIn(log);
    Deno.removeSync(`${log}/${day}`);
    await run("mkfifo", { args: [`${log}/${day}`] });
    Deno.removeSync(`${state}/recalls/uses.jsonl`);
    Deno.symlinkSync("/nowhere/at/all", `${state}/recalls/uses.jsonl`);
    Deno.removeSync(`${on.home}/.sage/projects.yaml`);
    Deno.mkdirSync(`${on.home}/.sage/projects.yaml`);
    Deno.removeSync(`${state}/ended`, { recursive: true });
    put(`${state}/ended`, "");
    own(`${on.home}/.sage/projects.yaml`);
    const line = await on.firstLine("status");
    assert.ok(line.startsWith("needs attention · "), line);
    const { stdout } = await on.run(["doctor"]);
    for (
      const said of [
        `${log}/${day} is no regular file`,
        `${state}/recalls/uses.jsonl is a link to nowhere`,
        `${on.home}/.sage/projects.yaml is a folder, and a file belongs there`,
        `${state}/ended is not a folder`,
      ]
    ) assert.ok(stdout.includes(said), `${said}:\n${stdout}`);
  },
});
