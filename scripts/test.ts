/**
 * Runs the tests, each file in a process of its own, and ends with one line of totals. With threads, as in
 * `deno test --parallel`, a process that one file spawns briefly inherits the open files of the others:
 * a released lock stays held for some milliseconds, and a program just written is "busy". After a run of
 * several files, a few failed ones are run once more.
 *
 *   scripts/test.ts [files and folders] [flags of deno test, such as --filter=x]
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
const JOBS = Number(Deno.env.get("DENO_JOBS") ?? 2);
/** The slowest file takes two minutes on two busy cores: one that takes this long hangs. */
const FILE_MS_MAX = Number(Deno.env.get("SAGE_TEST_FILE_MS") ?? 600_000) *
  (Deno.env.get("SAGE_TEST_DEPTH") === "deep" ? 12 : 1);
/**
 * Up to this many failed files may be chance: thousands of tests kill processes, race editors and drive a
 * browser on a shared machine. Each is run once more, alone, and reported as flaky if it passes then.
 */
const AGAIN_MAX = 2;
/** How long processes that a file left behind may keep its output open. */
const PIPES_MS_MAX = 5_000;

Deno.chdir(new URL("..", import.meta.url));
// Removed at the end with whatever tests leave behind, including killed ones.
const scratch = Deno.makeTempDirSync({ prefix: "sage-tests-" });
// Some tests run the program as another user.
Deno.chmodSync(scratch, 0o755);
const sweep = (): void => Deno.removeSync(scratch, { recursive: true });
const running = new Set<Deno.ChildProcess>();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, async () => {
    for (const child of running) kill(child);
    await Promise.all([...running].map(({ status }) => status));
    sweep();
    Deno.exit(signal === "SIGINT" ? 130 : 143);
  });
}

const flags = Deno.args.filter((arg) => arg.startsWith("-") && arg !== "--no-check");
const paths = Deno.args.filter((arg) => !arg.startsWith("-"));
const files = (paths.length > 0 ? paths : ["tests"]).flatMap(testsIn);
const results = new Map<string, Counts>();
const flaky: string[] = [];

// Types are checked for all files at once: one by one it would take many times as long.
if (Deno.args.includes("--no-check") || (await deno(["check", "--quiet", ...files])).code === 0) {
  const queue = files.values();
  const work = async (): Promise<void> => {
    for (const file of queue) results.set(file, await test(file));
  };
  await Promise.all(Array.from({ length: JOBS }, work));
  if (files.length > 1 && failures().length <= AGAIN_MAX) await runAgain(failures());
} else {
  results.set("types", { passed: 0, failed: 1, ignored: 0 });
}
sweep();
for (const file of flaky) console.log(`FLAKY: failed, then passed alone: ${file}`);
for (const file of failures()) console.log(`FAILED in ${file}`);
const [passed, failed, ignored] = [sum("passed"), sum("failed"), sum("ignored")];
console.log(`\n${passed} passed, ${failed} failed${ignored === 0 ? "" : `, ${ignored} skipped`}`);
Deno.exit(failed === 0 && files.length > 0 ? 0 : 1);

type Counts = { readonly passed: number; readonly failed: number; readonly ignored: number };

function failures(): string[] {
  return [...results].filter(([, { failed }]) => failed > 0).map(([file]) => file);
}

function sum(what: keyof Counts): number {
  return [...results.values()].reduce((all, counts) => all + counts[what], 0);
}

async function runAgain(files: readonly string[]): Promise<void> {
  for (const file of files) {
    console.log(`\nonce more, alone: ${file}`);
    const counts = await test(file);
    results.set(file, counts);
    if (counts.failed === 0) flaky.push(file);
  }
}

/** The file itself, or the tests of a folder. */
function testsIn(path: string): string[] {
  if (Deno.statSync(path).isFile) return [path];
  const entries = [...Deno.readDirSync(path)].sort((a, b) => a.name < b.name ? -1 : 1);
  return entries.flatMap(({ name, isDirectory }) => {
    const below = `${path.replace(/\/$/, "")}/${name}`;
    return isDirectory ? testsIn(below) : name.endsWith("_test.ts") ? [below] : [];
  });
}

async function test(file: string): Promise<Counts> {
  const { code, out } = await deno(["test", "--allow-all", "--no-check", ...flags, file]);
  const [counts] = [...out.matchAll(/\| (\d+) passed.*? \| (\d+) failed(?:.*? \| (\d+) ignored)?/g)]
    .slice(-1);
  const [passed = 0, failed = 0, ignored = 0] = (counts ?? []).slice(1).map((n) => Number(n ?? 0));
  // A file may fail outside of its tests, and a process without any output.
  return { passed, failed: code === 0 ? 0 : Math.max(1, failed), ignored };
}

/**
 * Runs deno and shows its output: at once for a single file, else at the end of each. A file that does not
 * end is killed with everything it started, and reported with its output and the running processes, which
 * are all that a reader of the log has to go by.
 */
async function deno(args: string[]): Promise<{ code: number; out: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args,
    env: { NO_COLOR: "1", TMPDIR: scratch },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    // The leader of a process group, so that all of it can be killed.
    detached: true,
  }).spawn();
  running.add(child);
  const isLive = files.length === 1;
  const texts = ["", ""];
  const pipes = Promise.all([child.stdout, child.stderr].map(async (stream, i) => {
    for await (const part of stream.pipeThrough(new TextDecoderStream())) {
      texts[i] += part;
      if (isLive) write(part);
    }
  }));
  let { code } = await within(FILE_MS_MAX, child.status) ?? { code: undefined };
  let trouble = "";
  if (code === undefined) {
    trouble = `\ndid not end within ${FILE_MS_MAX / 1000} s: ${args.at(-1)}\n${processes()}`;
  } else if (await within(PIPES_MS_MAX, pipes) === undefined) {
    trouble = `\nleft a process that holds its output: ${args.at(-1)}\n${processes()}`;
  }
  if (trouble !== "") {
    kill(child);
    await child.status;
    code ||= 1;
  }
  running.delete(child);
  write(isLive ? trouble : texts.join("") + trouble);
  return { code: code ?? 1, out: texts[0] ?? "" };
}

/** The promise's value, or undefined if it takes longer. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer;
  const late = new Promise<undefined>((resolve) => timer = setTimeout(resolve, ms));
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

function kill({ pid }: Deno.ChildProcess): void {
  try {
    Deno.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}

/** The processes of this machine, for the log. */
function processes(): string {
  try {
    // Without kernel threads, whose parent is 2.
    const args = ["--ppid", "2", "-p", "2", "-N", "-o", "pid,ppid,pgid,stat,etime,args"];
    const { stdout } = new Deno.Command("ps", { args }).outputSync();
    return new TextDecoder().decode(stdout).replace(/(?<=.{160}).*/g, "");
  } catch {
    return "";
  }
}

/** Written synchronously, so that the output of another file does not get in between. */
function write(text: string): void {
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
