import assert from "node:assert/strict";
import { SageError } from "../../src/base/errors.ts";
import { realFs } from "../../src/base/fs.ts";
import { holdLock } from "../../src/base/lock.ts";
import { BrokenPipe } from "../../src/cli/io.ts";
import { main } from "../../src/cli/main.ts";
import { binary, fakeIo, hasBinary, sage, sageJson, scratch } from "../support/sage.ts";
import { orKilled, run } from "../support/within.ts";

const { home } = scratch();

Deno.test("sage help says what it is for", async () => {
  const { code, stdout, stderr } = await sage(["help"], { home });
  assert.deepEqual([code, stderr], [0, ""]);
  assert.match(stdout, /^sage: don't lose your thinking\./);
  assert.match(stdout, /\n {2}load {8}go on from a checkpoint\n/);
  assert.doesNotMatch(stdout, /doctor/);
});

Deno.test("sage names the command that was meant", async () => {
  assert.deepEqual(await sage(["serch", "x"], { home }), {
    code: 2,
    stdout: "",
    stderr: 'sage: Unknown command "serch"\n  did you mean sage search?\n',
  });
  assert.match((await sage(["todo", "lst"], { home })).stderr, /did you mean sage todo list\?/);
  assert.match((await sage(["help", "zzzzzz"], { home })).stderr, /sage help --all/);
  const verb = async (word: string) => (await sage([word], { home })).stderr.split("\n")[1]?.trim();
  assert.equal(await verb("save"), "did you mean sage checkpoint save?");
  assert.equal(await verb("add"), "did you mean sage knowledge add or sage todo add?");
  assert.match(
    await verb("list") ?? "",
    /^say of what, as in sage checkpoint list: checkpoint, knowledge, todo, .*, config/,
  );
  assert.match(await verb("costs") ?? "", /^sage impact /);
  assert.match(await verb("remember") ?? "", /^sage checkpoint -m /);
  assert.match(await verb("delete") ?? "", /^sage knowledge rm .*, sage forget /);
  assert.equal(await verb("bash"), "did you mean sage completions bash?");
  assert.equal(await verb("title"), "sage help --all lists the commands");
  assert.match((await sage(["todo", "buy", "milk"], { home })).stderr, /: sage todo add "…"\n/);
  assert.match((await sage(["version"], { home })).stderr, /did you mean sage --version\?/);
  assert.match((await sage(["__proto__"], { home })).stderr, /Unknown command "__proto__"/);
  assert.match((await sage(["todo", "constructor"], { home })).stderr, /Unknown command/);
  assert.match((await sage(["xyz"], { home })).stderr, /sage help --all lists the commands/);
});

Deno.test("sage help all is sage help --all", async () => {
  assert.deepEqual(await sage(["help", "all"], { home }), await sage(["help", "--all"], { home }));
});

Deno.test("a sentence in place of a verb, and an option that a group has not, get an answer", async () => {
  const typed = async (...args: string[]) => (await sage(args, { home })).stderr;
  assert.match(
    await typed("checkpoint", "we chose WAL"),
    /\n {2}to save a .*: sage checkpoint -m "/,
  );
  assert.match(await typed("todo", "count the zebras"), /\n {2}to save a .*: sage todo add "…"\n/);
  assert.match(await typed("knowledge", "WAL it is"), /\n {2}sage knowledge knows add, /);
  assert.match(
    await typed("knowledge", "--limit", "3"),
    /^sage: Unknown option --limit of sage kno/,
  );
  assert.equal((await sage(["knowledge"], { home })).code, 0);
  assert.equal((await sage(["knowledge", "--json", "--project", home], { home })).code, 0);
});

Deno.test("no command takes an empty argument for a word, a name or this folder", async () => {
  const { home, cwd } = scratch();
  for (
    const args of [
      ...[["search", ""], ["load", ""], ["knowledge", "show", " "], ["knowledge", "debug", ""]],
      ...[["graph", "query", ""], ["trust", ""], ["guard", "scan", ""], ["todo", "add", ""]],
    ]
  ) {
    const { code, stdout, stderr } = await sage(args, { home, cwd });
    assert.deepEqual([code, stdout], [2, ""], args.join(" "));
    assert.match(stderr, /^sage: The first argument is empty: sage /);
  }
});

Deno.test("sage refuses an option before the command that is none of its own", async () => {
  const { code, stderr } = await sage(["--jsn", "status"], { home });
  assert.equal(code, 2);
  assert.match(stderr, /^sage: Unknown option --jsn of sage\n/);
});

Deno.test("sage help refuses an option that it does not know", async () => {
  for (const args of [["help", "--al"], ["help", "search", "--foo"]]) {
    const { code, stdout, stderr } = await sage(args, { home });
    assert.deepEqual([code, stdout], [2, ""]);
    assert.match(stderr, /^sage: Unknown option --(?:al|foo) of sage help\n/);
  }
});

Deno.test("sage says an error in a line that can be read, however long what was typed", async () => {
  const { code, stderr } = await sage(["config", "get", "x".repeat(100_000)], { home });
  assert.equal(code, 2);
  assert.match(stderr, /^sage: There is no setting "x{700,}…x{199}"\n {2}sage config list\n$/);
  assert.ok(stderr.length < 1100);
});

Deno.test("sage answers errors as one JSON document with --json, wherever it stands", async () => {
  for (const args of [["--json", "serch"], ["serch", "--json"]]) {
    const { code, stdout, stderr } = await sage(args, { home });
    assert.deepEqual([code, stderr], [2, ""]);
    assert.deepEqual(JSON.parse(stdout), {
      error: {
        code: "usage",
        message: 'Unknown command "serch"',
        hint: "did you mean sage search?",
      },
    });
  }
});

Deno.test("sage answers with JSON where --json stands behind --project", async () => {
  const place = scratch();
  await sage(["init"], place);
  const set = ["config", "set", "recall_threshold", "0.65", "--project", "--json"];
  assert.equal(JSON.parse((await sage(set, place)).stdout).setting.value, 0.65);
  const missing = await sage(["status", "--project", "--json"], place);
  assert.equal(missing.code, 2);
  assert.match(JSON.parse(missing.stdout).error.message, /^Option --project needs a value/);
});

Deno.test("sage --help explains a command without running it, wherever it stands", async () => {
  for (const args of [["forget", "--help"], ["-h", "forget"], ["help", "forget"]]) {
    const { code, stdout } = await sage(args, { home });
    assert.equal(code, 0);
    assert.match(stdout, /^sage forget: erase a note everywhere, for good\n\nusage /);
  }
  assert.match((await sage(["todo", "-h"], { home })).stdout, /^sage todo: .*\n\n {2}add /);
});

Deno.test("sage help help is help", async () => {
  const help = await sage(["help"], { home });
  assert.deepEqual(await sage(["help", "help"], { home }), help);
});

Deno.test("sage --version says what the program is", async () => {
  assert.deepEqual(await sage(["--version"], { home }), {
    code: 0,
    stdout: "sage 0.1.0-dev (from the sources)\n",
    stderr: "",
  });
  assert.deepEqual((await sageJson(["--version"], { home })).json, { version: "0.1.0-dev" });
  for (const short of ["-V", "-v"]) {
    assert.match((await sage([short], { home })).stdout, /^sage 0\.1\.0-dev /);
  }
});

Deno.test("sage takes the folder of --project in front of a command with such a flag", async () => {
  const place = scratch();
  await sage(["init"], place);
  for (
    const [n, args] of [
      ["--project", place.cwd, "config", "set"],
      ["config", "--project", place.cwd, "set"],
      ["config", `--project=${place.cwd}`, "set"],
    ].entries()
  ) {
    const { code, stdout, stderr } = await sage(
      [...args, "recall_threshold", `0.6${n}`],
      { home: place.home },
    );
    assert.equal(code, 0, stderr);
    assert.ok(stdout.includes(`${place.cwd}/.sage/tuning.yaml`), stdout);
  }
});

Deno.test("sage says what --project took for its folder, where that is what was meant to be done", async () => {
  for (
    const [args, taken, where] of [
      [["config", "--project", "set", "recall_threshold", "0.6"], "set", "sage config set …"],
      [["todo", "--project", "add", "Rotate the token"], "add", "sage todo add …"],
      [["knowledge", "--project", "list"], "list", "sage knowledge list …"],
      [["--project", "search", "zebra"], "search", "sage search …"],
    ] as const
  ) {
    const { code, stderr } = await sage(args, { home });
    assert.equal(code, 2);
    assert.equal(
      stderr,
      `sage: Option --project took "${taken}" for its folder\n` +
        `  name the folder, or put --project behind: ${where} --project\n`,
    );
  }
  for (const args of [["search"], ["todo", "add"], ["checkpoint", "save"]]) {
    const { stderr } = await sage([...args, "--project", "zebra"], { home });
    assert.match(stderr, /^sage: Cannot use "zebra" as a project: there is no such folder/);
  }
});

Deno.test("sage refuses a project that is no folder, and says what it is", async () => {
  await Deno.writeTextFile(`${home}/a-file`, "");
  await Deno.symlink("a-loop", `${home}/a-loop`);
  for (
    const [name, exit, why] of [
      ["nowhere", 2, "there is no such folder\n  name an existing folder\n"],
      [`${home}/a-file`, 2, "it is not a folder"],
      [`${home}/a-file/below`, 1, "a file is in the way (ENOTDIR)"],
      [`${home}/a-loop`, 1, "a link is in the way (ELOOP)"],
    ] as const
  ) {
    const { code, stderr } = await sage(["status", "--project", name], { home });
    assert.ok(stderr.includes(`Cannot use "${name}" as a project: ${why}`), stderr);
    assert.equal(code, exit);
  }
  assert.equal((await sage(["status", "--project", ""], { home })).code, 2);
});

Deno.test("main() takes a reader that left for the end of the work", async () => {
  const { io } = fakeIo({ home });
  const gone = (): never => {
    throw new BrokenPipe();
  };
  assert.equal(await main(["help"], { ...io, out: gone }), 0);
});

Deno.test("main() says that stdout failed, and exits with it", async () => {
  const { io, written } = fakeIo({ home });
  const full = (): never => {
    throw new SageError("disk_full", "Cannot write the answer: ENOSPC");
  };
  assert.equal(await main(["help"], { ...io, out: full }), 1);
  assert.equal(written().stderr, "sage: Cannot write the answer: ENOSPC\n");
});

Deno.test("main() shows a bug as one line, and its stack only when asked", async () => {
  const broken = (env: Record<string, string>) => {
    const fake = fakeIo({ home, env });
    const cwd = (): never => {
      throw new TypeError("x is not a function");
    };
    return { ...fake, io: { ...fake.io, cwd } };
  };
  const quiet = broken({});
  assert.equal(await main(["status"], quiet.io), 1);
  assert.equal(
    quiet.written().stderr,
    "sage: This is a bug in Sage: TypeError: x is not a function\n" +
      "  repeat with SAGE_DEBUG=1 to see where\n",
  );
  const loud = broken({ SAGE_DEBUG: "1" });
  await main(["status"], loud.io);
  assert.match(loud.written().stderr, /main_test\.ts/);
});

const hasShm = hasBinary && Deno.build.os === "linux";

Deno.test("what the runtime itself keeps closed is no bug", { ignore: !hasShm }, async () => {
  const cwd = await Deno.makeTempDir({ dir: "/dev/shm" });
  try {
    await Deno.mkdir(`${cwd}/.git`);
    for (const args of [["init"], ["knowledge", "add", "Port", "-m", "It is 8443."]]) {
      const { code, stderr } = await binary(args, { home, cwd });
      assert.equal(code, 1);
      assert.match(
        stderr,
        /^sage: Cannot \w+ "\/dev\/shm\/.+": the runtime lets no program work below \/dev, .+\n {2}go elsewhere\n$/,
      );
    }
  } finally {
    await Deno.remove(cwd, { recursive: true });
  }
});

Deno.test("what is not UTF-8 around the program is named, and no bug", {
  ignore: !hasBinary || Deno.build.os !== "linux",
}, async () => {
  const { home, cwd } = scratch();
  const program = new URL("../../dist/sage", import.meta.url).pathname;
  /** `before` is done by a shell, in which `$odd` is no text. */
  const told = async (before: string, args = "search x"): Promise<readonly [number, string]> => {
    const line = `odd=$(printf '\\377'); ${before}; exec "$0" ${args}`;
    const env = { HOME: home, PATH: "/usr/bin:/bin" };
    const { code, stderr } = await run("sh", {
      args: ["-c", line, program],
      cwd,
      env,
      clearEnv: true,
    });
    return [code, stderr];
  };
  for (const name of ["HOME", "SAGE_HOME", "SAGE_DEBUG", "COLUMNS"]) {
    assert.deepEqual(await told(`export ${name}="$odd"`), [
      2,
      `sage: Cannot read ${name}: what it is set to is not UTF-8\n  set it anew, or unset it\n`,
    ]);
  }
  const [code] = await told('export TERM="$odd" NO_COLOR="$odd"');
  assert.equal(code, 3, "what no terminal asks for");
  assert.deepEqual(await told('export SAGE_DEBUG="$odd"', "hook stop"), [0, ""], "to no editor");
  assert.deepEqual(await told('mkdir "$odd"; cd "$odd"'), [
    1,
    "sage: Cannot find the working folder: its name is not UTF-8\n" +
    "  change to another folder, then repeat\n",
  ]);
});

Deno.test("the program exits 130 when it is interrupted", { ignore: !hasBinary }, async () => {
  const child = new Deno.Command(new URL("../../dist/sage", import.meta.url).pathname, {
    args: ["checkpoint", "save", "-"],
    env: { HOME: home },
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  await new Promise((resolve) => setTimeout(resolve, 400));
  child.kill("SIGINT");
  const { code } = await orKilled("the end of who is interrupted", child, child.status);
  await child.stdin.close().catch(() => {});
  assert.equal(code, 130);
});

Deno.test("the program names the place that it may not use", { ignore: !hasBinary }, async () => {
  const { home } = scratch();
  const store = `${home}/.sage`;
  await Deno.writeTextFile(store, "a file where a folder belongs");
  const { code, stderr } = await binary(["init"], { home, cwd: home });
  assert.equal(code, 1);
  assert.ok(stderr.includes(store), stderr);
});

Deno.test({
  name: "the program says that nothing can be saved, and the whole path of what it may not write",
  ignore: !hasBinary || Deno.uid() !== 0 || Deno.build.os !== "linux",
  async fn() {
    const { home, cwd } = scratch();
    const uid = 65534;
    const run = (...args: string[]) => binary(args, { home, cwd, uid });
    for (const folder of [home, cwd]) await Deno.chown(folder, uid, uid);
    assert.equal((await run("init")).code, 0);
    assert.match((await run("status")).stdout, /^healthy /);
    await Deno.chmod(`${home}/.sage`, 0o500);
    const { stdout } = await run("status");
    assert.ok(stdout.includes(`nothing can be saved in ${home}/.sage; run sage doctor\n`), stdout);
    assert.match(stdout, /^needs attention [^]*\nnext: sage doctor\n$/);
    await Deno.chmod(`${home}/.sage`, 0o700);
    await Deno.chmod(`${cwd}/.sage`, 0o500);
    const start = { session_id: "s-1", cwd, hook_event_name: "SessionStart", source: "startup" };
    const stdin = JSON.stringify(start);
    const begun = await binary(["hook", "session-start"], { home, cwd, uid, stdin });
    assert.ok(begun.stdout.includes(`nothing can be saved in ${cwd}/.sage; run sage doctor`));
    await Deno.chmod(`${home}/.sage`, 0o500);
    const refused = await run("todo", "add", "count zebras");
    assert.equal(refused.code, 1);
    assert.ok(refused.stderr.includes(`Cannot create "${cwd}/.sage/todos/`), refused.stderr);
  },
});

Deno.test({
  name:
    "an unreadable list of trusted stores costs trust, not the program, and the doctor mends it",
  ignore: !hasBinary || Deno.uid() !== 0 || Deno.build.os !== "linux",
  async fn() {
    const { home, cwd } = scratch();
    const uid = 65534;
    const run = (...args: string[]) => binary(args, { home, cwd, uid });
    for (const folder of [home, cwd]) await Deno.chown(folder, uid, uid);
    assert.equal((await run("init")).code, 0);
    assert.equal((await run("todo", "add", "count zebras")).code, 0);
    const file = `${home}/.sage/state/trust.json`;
    await Deno.chmod(file, 0o000);
    const { code, stdout } = await run("doctor");
    assert.equal(code, 1);
    assert.ok(stdout.includes(`error   cannot read ${file}: nothing of ${cwd}/.sage is`), stdout);
    assert.match(stdout, /ok +MCP server: starts/, "the other checks are made");
    assert.doesNotMatch(stdout, /came from elsewhere/);
    assert.match((await run("status")).stdout, /^needs attention [^]*\nnext: sage doctor\n$/);
    const start = { session_id: "s-1", cwd, hook_event_name: "SessionStart", source: "startup" };
    const stdin = JSON.stringify(start);
    const begun = await binary(["hook", "session-start"], { home, cwd, uid, stdin });
    assert.ok(begun.stdout.includes(`${file} cannot be read. Run sage doctor.`), begun.stdout);
    assert.equal((await run("doctor", "--fix", "--yes")).code, 0);
    assert.match((await run("status")).stdout, /^healthy /);
  },
});

Deno.test(
  "sage init waits for another that notes its project",
  { ignore: !hasBinary },
  async () => {
    const place = scratch();
    const lock = `${place.home}/.sage/state/locks/projects.lock`;
    const held = holdLock(realFs, lock, { deadlineMs: 0, holder: "sage init" });
    const running = binary(["init"], place);
    await new Promise((resolve) => setTimeout(resolve, 1200));
    held.release();
    const { code, stderr } = await running;
    assert.deepEqual([code, stderr], [0, ""]);
  },
);

Deno.test("the program says its version", { ignore: !hasBinary }, async () => {
  const { code, stdout } = await binary(["--version"], { home });
  assert.equal(code, 0);
  assert.match(stdout, /^sage \d+\.\d+\.\d+\ncommit [0-9a-f]{12}\ntarget \S+\nflags --no-prompt /);
});

Deno.test("sage checkpoint save refuses a sentence before it waits for stdin", async () => {
  const place = { ...scratch(), stdin: "What somebody would have typed." };
  const { code, stderr } = await sage(["checkpoint", "save", "we", "use", "SQLite"], place);
  assert.equal(code, 2);
  assert.match(stderr, /\n {2}to save a sentence: sage checkpoint -m "we use SQLite"\n$/);
});

Deno.test("sage guard makes no folder for hooks of one that was mistyped", async () => {
  const place = scratch();
  await Deno.mkdir(`${place.cwd}/.githooks`);
  for (const verb of ["install", "uninstall"]) {
    const { code, stderr } = await sage(["guard", verb, "--hooks", ".githoks"], place);
    assert.equal(code, 2);
    assert.equal(
      stderr,
      'sage: Cannot use ".githoks" for hooks: there is no such folder\n' +
        "  name an existing folder\n",
    );
  }
  await assert.rejects(Deno.stat(`${place.cwd}/.githoks`), Deno.errors.NotFound);
  const args = ["guard", "install", "--hooks", ".githooks", "--binary", Deno.execPath()];
  assert.equal((await sage(args, place)).stdout, `Installed: ${place.cwd}/.githooks\n`);
});

Deno.test("sage guard allow takes no reason without the line that it is for", async () => {
  const { code, stdout, stderr } = await sage(["guard", "allow", "--reason", "made up"], scratch());
  assert.deepEqual([code, stdout], [2, ""]);
  assert.match(stderr, /sage guard allow <file>:<line> --reason <why>/);
});

const UNCLEAR: readonly (readonly [why: string, args: string, stderr: RegExp, stdin?: string])[] = [
  ["a file that is missing is not called another", "admin patterns import no.yaml", /no such file/],
  ["JSON that is torn", "checkpoint", /stdin as JSON: .*\n {2}what begins with \{/, "{torn"],
  ["the model in the program", "model rm static", /Cannot delete "static".*\n {2}sage model list/],
  ["no repository", "guard scan --staged", /no git repository in .*\n {2}.*git init/],
  ["an order by nothing", "graph query sort:", /has no value after "sort:"/],
];

for (const [why, args, stderr, stdin] of UNCLEAR) {
  Deno.test(`sage ${args} says what failed and what to do: ${why}`, async () => {
    const place = { ...scratch(), ...(stdin === undefined ? {} : { stdin }) };
    const failed = await sage(args.split(" "), place);
    assert.notEqual(failed.code, 0);
    assert.match(failed.stderr, stderr);
    assert.match(failed.stderr, /^sage: .+\n {2}.+\n$/);
  });
}

Deno.test("a command that opens memory twice warns once", async () => {
  const place = scratch();
  await Deno.mkdir(`${place.home}/.sage`, { recursive: true });
  await Deno.writeTextFile(`${place.home}/.sage/tuning.yaml`, "no_such_setting: 1\n");
  const { stderr } = await sage(["knowledge", "restore", "nobody"], place);
  assert.equal(stderr.match(/no_such_setting/g)?.length, 1, stderr);
});
