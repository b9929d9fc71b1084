/** R9: whatever state the machine is in, the hook ends well. */
import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { recordTrust } from "../../src/store/trust.ts";
import { sage } from "../support/sage.ts";
import { depth } from "../support/depth.ts";
import { filesIn, tempDir } from "../support/temp_store.ts";
import { conversation, put } from "../support/world.ts";
import {
  contextOf,
  type Event,
  EVENTS,
  type HookOptions,
  inPairs,
  payload,
  type Place,
  place,
  runHook,
  testHook,
} from "./process.ts";
import { shell } from "../crash/lived.ts";

const NOBODY = 65534;
const isRoot = Deno.uid() === 0 && Deno.build.os === "linux";

/** A person's home after some days of use: a store, a note, a session under way. */
async function lived(): Promise<Place> {
  const on = place();
  const options = { home: on.home, cwd: on.cwd };
  await sage(["init"], options);
  const args = ["knowledge", "add", "-", "--title", "The importer stalls"];
  const stdin = "The importer stalls on large files, because it collects all rows.";
  const added = await sage(args, { ...options, stdin });
  assert.equal(added.code, 0, added.stderr);
  await Deno.writeTextFile(on.transcript, conversation("It stalls.").text());
  await runHook("session-start", JSON.stringify(payload(on, "session-start")), options);
  await runHook("stop", JSON.stringify(payload(on, "stop")), options);
  return on;
}

function copy(from: string, to: string): void {
  Deno.mkdirSync(to, { recursive: true });
  for (const { name, isDirectory, isFile } of Deno.readDirSync(from)) {
    if (isDirectory) copy(`${from}/${name}`, `${to}/${name}`);
    else if (isFile) Deno.copyFileSync(`${from}/${name}`, `${to}/${name}`);
  }
}

/** A place that can be put back to what it was: trust and index go by path, so the paths stay. */
class Used {
  readonly on: Place;
  readonly #backup = tempDir();

  constructor(on: Place) {
    this.on = on;
    copy(on.home, `${this.#backup}/home`);
    copy(on.cwd, `${this.#backup}/project`);
  }

  restore(): void {
    const { home, cwd } = this.on;
    for (const path of [home, cwd]) Deno.removeSync(path, { recursive: true });
    copy(`${this.#backup}/home`, home);
    copy(`${this.#backup}/project`, cwd);
    recordTrust(realFs, `${home}/.sage/state`, `${cwd}/.sage`, "own");
  }
}

/** Every file below a folder becomes these bytes. */
function overwrite(folder: string, bytes: string | Uint8Array): void {
  const names = filesIn(folder);
  assert.ok(names.length > 0, `nothing to damage in ${folder}`);
  for (const name of names) put(`${folder}/${name}`, bytes);
}

/** The value of a state file. */
function lastLine(path: string): string {
  return Deno.readTextFileSync(path).trimEnd().split("\n").at(-1) ?? "";
}

function replace(path: string, bytes: string): void {
  Deno.removeSync(path, { recursive: true });
  put(path, bytes);
}

const NOISE = Uint8Array.from({ length: 3000 }, (_, n) => (n * 7919) % 251);

interface Fault {
  readonly name: string;
  readonly make: (on: Place) => Partial<HookOptions> | void;
}

const FAULTS: readonly Fault[] = [
  { name: "no HOME", make: () => ({ bareEnv: {} }) },
  { name: "an empty HOME", make: () => ({ bareEnv: { HOME: "" } }) },
  { name: "a relative HOME", make: () => ({ bareEnv: { HOME: "here" } }) },
  { name: "a HOME that is not there", make: () => ({ bareEnv: { HOME: "/nowhere/at/all" } }) },
  { name: "a HOME that is a file", make: (on) => replace(on.home, "file") },
  { name: "a HOME that is a device", make: () => ({ bareEnv: { HOME: "/dev/full" } }) },
  { name: ".sage is a file", make: (on) => replace(`${on.home}/.sage`, "file") },
  { name: ".sage of the project is a file", make: (on) => replace(`${on.cwd}/.sage`, "file") },
  { name: "state is a file", make: (on) => replace(`${on.home}/.sage/state`, "file") },
  {
    name: "each folder of the state is a file",
    make(on) {
      const state = `${on.home}/.sage/state`;
      for (const { name, isDirectory } of Deno.readDirSync(state)) {
        if (isDirectory) replace(`${state}/${name}`, "file");
      }
    },
  },
  {
    name: ".sage is a link to itself",
    make(on) {
      Deno.removeSync(`${on.home}/.sage`, { recursive: true });
      Deno.symlinkSync(`${on.home}/.sage`, `${on.home}/.sage`);
    },
  },
  {
    name: ".sage is a link to nothing",
    make(on) {
      Deno.removeSync(`${on.home}/.sage`, { recursive: true });
      Deno.symlinkSync(`${on.home}/gone`, `${on.home}/.sage`);
    },
  },
  ...["", "{", "null", "[]", "7", '{"session":1}', "\0\0\0", '{"version":1,"stamps":7}'].map((
    text,
  ) => ({
    name: `state files that hold ${JSON.stringify(text)}`,
    make: (on: Place) => overwrite(`${on.home}/.sage/state/instances`, text),
  })),
  {
    name: "session states of the wrong shape",
    make(on) {
      const folder = `${on.home}/.sage/state/instances`;
      for (const name of filesIn(folder)) {
        const state = JSON.parse(lastLine(`${folder}/${name}`));
        for (const key of Object.keys(state)) {
          if (!["session", "seen", "project"].includes(key)) state[key] = { odd: [1, "x"] };
        }
        put(`${folder}/${name}`, JSON.stringify({ ...state, shown: 7, asks: "x", hashes: 1 }));
      }
    },
  },
  {
    name: "strangers among the state files",
    make(on) {
      const state = `${on.home}/.sage/state`;
      for (const folder of ["instances", "ended", "prepared", "log"]) {
        put(`${state}/${folder}/a b (conflicted copy).json`, "{}");
        put(`${state}/${folder}/.hidden.json`, "{}");
        Deno.mkdirSync(`${state}/${folder}/folder.json`);
      }
    },
  },
  { name: "a noisy state", make: (on) => overwrite(`${on.home}/.sage/state`, NOISE) },
  { name: "a noisy index", make: (on) => overwrite(`${on.home}/.sage/state/index`, NOISE) },
  {
    name: "a cut index",
    make(on) {
      const folder = `${on.home}/.sage/state/index`;
      for (const name of filesIn(folder)) {
        Deno.truncateSync(`${folder}/${name}`, Deno.statSync(`${folder}/${name}`).size >> 1);
      }
    },
  },
  {
    name: "an index of folders",
    make(on) {
      const folder = `${on.home}/.sage/state/index`;
      for (const name of filesIn(folder)) {
        Deno.removeSync(`${folder}/${name}`);
        Deno.mkdirSync(`${folder}/${name}`);
      }
    },
  },
  {
    name: "settings that cannot be read",
    make(on) {
      for (const root of [on.home, on.cwd]) put(`${root}/.sage/tuning.yaml`, NOISE);
      put(`${on.home}/.sage/state/config.json`, '{"version":1,"files":{"x":7}}');
    },
  },
  {
    name: "settings that are hostile",
    make(on) {
      const deep = "a: [".repeat(5000);
      for (const root of [on.home, on.cwd]) {
        put(`${root}/.sage/tuning.yaml`, `x: &x [1]\ny: *x\n${deep}`);
      }
    },
  },
  {
    name: "a project full of what is no note",
    make(on) {
      const folder = `${on.cwd}/.sage/knowledge`;
      put(`${folder}/binary.md`, NOISE);
      put(`${folder}/empty.md`, "");
      put(`${folder}/deep.md`, `---\n${"a:\n  - ".repeat(2000)}\n---\n`);
      Deno.mkdirSync(`${folder}/folder.md`);
      Deno.symlinkSync("/dev/zero", `${folder}/zero.md`);
      Deno.symlinkSync(folder, `${folder}/loop`);
      new Deno.Command("mkfifo", { args: [`${folder}/pipe.md`] }).outputSync();
      put(`${folder}/huge.md`, "");
      Deno.truncateSync(`${folder}/huge.md`, 700 * 1024 * 1024);
    },
  },
  {
    name: "a transcript that is a pipe",
    make(on) {
      Deno.removeSync(on.transcript);
      new Deno.Command("mkfifo", { args: [on.transcript] }).outputSync();
    },
  },
  {
    name: "a transcript that is noise",
    make: (on) => put(on.transcript, new TextDecoder("latin1").decode(NOISE).repeat(2000)),
  },
  {
    name: "a transcript that is a folder",
    make(on) {
      Deno.removeSync(on.transcript);
      Deno.mkdirSync(on.transcript);
    },
  },
  { name: "a pipe that stays open", make: () => ({ keepsStdin: true }) },
  { name: "nobody who reads the answer", make: () => ({ closesStdout: true }) },
  {
    name: "a clock of the wrong zone and odd variables",
    make: (on) => ({
      bareEnv: {
        HOME: on.home,
        CLAUDE_PID: "-7",
        CLAUDE_PROJECT_DIR: "\u{1F600}",
        CLAUDE_CONFIG_DIR: "relative",
        CLAUDE_CODE_AUTO_COMPACT_WINDOW: "many",
        SAGE_RETRIEVAL_MAX_ITEMS: "many",
        SAGE_HOME: "\n",
        COLUMNS: "-1",
      },
    }),
  },
];

/** Every event in depth; else three of them, others for each fault. */
const EVENTS_A_FAULT = depth(3, EVENTS.length);

testHook("sage hook bears every fault of its surroundings", async () => {
  const runs = [0, 1].map((half) => async () => {
    const used = new Used(await lived());
    for (const [n, fault] of FAULTS.entries()) {
      if (n % 2 !== half) continue;
      const events = EVENTS.map((_, i) => EVENTS[(i + n) % EVENTS.length] ?? "stop");
      await bear(used, fault, events.slice(0, EVENTS_A_FAULT));
    }
  });
  await inPairs(runs);
});

async function bear(used: Used, { name, make }: Fault, events: readonly Event[]): Promise<void> {
  used.restore();
  const { on } = used;
  const options = { home: on.home, cwd: on.cwd, ...make(on) ?? {} };
  for (const event of events) {
    try {
      await runHook(event, JSON.stringify(payload(on, event, PROMPT)), options);
    } catch (cause) {
      throw new Error(`${event} with ${name}`, { cause });
    }
  }
}

const PROMPT = { prompt: "Why does the importer stall on large files in the nightly job?" };

testHook("a damaged index or state costs a hint at most, never the memory", async () => {
  const used = new Used(await lived());
  const { on } = used;
  for (const part of ["nothing", "index", "instances", "log", "config.json"]) {
    used.restore();
    const state = `${on.home}/.sage/state`;
    if (part === "config.json") put(`${state}/${part}`, NOISE);
    else if (part !== "nothing") overwrite(`${state}/${part}`, NOISE);
    // Another session: the same start a few seconds later would count as that of a second hook.
    const session = { session_id: "22222222-0000-4000-8000-000000000002" };
    await runHook("session-start", JSON.stringify(payload(on, "session-start", session)), on);
    const prompted = payload(on, "user-prompt-submit", { ...PROMPT, ...session });
    const answer = await runHook("user-prompt-submit", JSON.stringify(prompted), on);
    assert.match(contextOf(answer), /collects all rows/, part);
  }
});

/** Mounts a small disk there for the time of the body. */
async function onDisk(path: string, how: string, body: () => Promise<void>): Promise<void> {
  await shell("mount", "-t", "tmpfs", "-o", how, "tmpfs", path);
  try {
    await body();
  } finally {
    await shell("umount", path);
  }
}

testHook("sage hook bears a full disk", async () => {
  const on = await lived();
  await onDisk(`${on.home}/.sage`, "size=64k", async () => {
    try {
      put(`${on.home}/.sage/ballast`, new Uint8Array(65536));
    } catch {
      // Full is what it is to be.
    }
    for (const event of EVENTS) {
      await runHook(event, JSON.stringify(payload(on, event, PROMPT)), on);
    }
  });
}, isRoot);

testHook("sage hook writes nothing where nobody says whose home this is", async () => {
  const cwd = tempDir();
  const homes: Record<string, string>[] = [
    {},
    { HOME: "" },
    { HOME: "here" },
    { HOME: cwd, SAGE_HOME: "there" },
    { SAGE_HOME: "~/elsewhere" },
  ];
  for (const bareEnv of homes) {
    for (const event of EVENTS) {
      const text = JSON.stringify(
        payload({ home: cwd, cwd, transcript: `${cwd}/none.jsonl` }, event, PROMPT),
      );
      await runHook(event, text, { home: cwd, cwd, bareEnv });
    }
    assert.deepEqual(await Array.fromAsync(Deno.readDir(cwd)), [], JSON.stringify(bareEnv));
  }
});

testHook("sage hook bears a home that cannot be written", async () => {
  const on = await lived();
  await onDisk(on.home, "ro", async () => {
    for (const event of EVENTS) {
      await runHook(event, JSON.stringify(payload(on, event, PROMPT)), on);
    }
  });
}, isRoot);

testHook("sage hook bears a home that it may not read", async () => {
  const on = await lived();
  await Deno.chmod(on.home.replace(/\/home$/, ""), 0o755);
  for (const mode of [0o555, 0o111, 0o000]) {
    await Deno.chmod(`${on.home}/.sage`, mode);
    for (const event of EVENTS) {
      const { reply } = await runHook(event, JSON.stringify(payload(on, event, PROMPT)), {
        home: on.home,
        cwd: on.cwd,
        uid: NOBODY,
      });
      if (event === "session-start") {
        const nothing =
          /^Sage captures and recalls nothing here: Cannot read .*: this account may not \(EACCES\); check owner/;
        const unsaved = /nothing can be saved in .*\.sage\/state; run sage doctor/;
        assert.match(String(reply?.systemMessage), mode === 0o000 ? nothing : unsaved);
        continue;
      }
      assert.equal(
        reply === undefined ? undefined : Object.keys(reply).join(),
        reply && "hookSpecificOutput",
      );
    }
  }
}, isRoot);
