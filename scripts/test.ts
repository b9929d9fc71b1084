/**
 * Runs every test and closes with one plain line that any reader of logs understands. Each file is a process
 * of its own. In threads of one process, as `deno test --parallel` has them, a program that one file starts
 * keeps what the others have open until it is there: a lock that was let go is held for some milliseconds
 * more, and a program that was just written is "busy".
 *
 *   scripts/test.ts [files and folders] [flags of deno test, as --filter=x]
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
const JOBS = Number(Deno.env.get("DENO_JOBS") ?? 2);

Deno.chdir(new URL("..", import.meta.url));
// Whatever a test leaves behind, also one that was killed, goes with this folder.
const scratch = Deno.makeTempDirSync({ prefix: "sage-tests-" });
// Some tests run the program as another user.
Deno.chmodSync(scratch, 0o755);
const sweep = (): void => Deno.removeSync(scratch, { recursive: true });
const running = new Set<Deno.ChildProcess>();
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  Deno.addSignalListener(signal, async () => {
    for (const child of running) child.kill("SIGKILL");
    await Promise.all([...running].map(({ status }) => status));
    sweep();
    Deno.exit(signal === "SIGINT" ? 130 : 143);
  });
}

const flags = Deno.args.filter((arg) => arg.startsWith("-") && arg !== "--no-check");
const paths = Deno.args.filter((arg) => !arg.startsWith("-"));
const files = (paths.length > 0 ? paths : ["tests"]).flatMap(testsIn);
const sum = { passed: 0, failed: 0, ignored: 0 };
const failures: string[] = [];

// The types of all files at once: one by one it would take many times as long.
if (Deno.args.includes("--no-check") || (await deno(["check", "--quiet", ...files])).code === 0) {
  const queue = files.values();
  const work = async (): Promise<void> => {
    for (const file of queue) await test(file);
  };
  await Promise.all(Array.from({ length: JOBS }, work));
} else {
  sum.failed++;
}
sweep();
for (const file of failures) console.log(`FAILED in ${file}`);
const skipped = sum.ignored === 0 ? "" : `, ${sum.ignored} skipped`;
console.log(`\n${sum.passed} passed, ${sum.failed} failed${skipped}`);
Deno.exit(sum.failed === 0 && files.length > 0 ? 0 : 1);

/** The file itself, or the tests of a folder. */
function testsIn(path: string): string[] {
  if (Deno.statSync(path).isFile) return [path];
  const entries = [...Deno.readDirSync(path)].sort((a, b) => a.name < b.name ? -1 : 1);
  return entries.flatMap(({ name, isDirectory }) => {
    const below = `${path.replace(/\/$/, "")}/${name}`;
    return isDirectory ? testsIn(below) : name.endsWith("_test.ts") ? [below] : [];
  });
}

async function test(file: string): Promise<void> {
  const { code, out } = await deno(["test", "--allow-all", "--no-check", ...flags, file]);
  const [counts] = [...out.matchAll(/\| (\d+) passed.*? \| (\d+) failed(?:.*? \| (\d+) ignored)?/g)]
    .slice(-1);
  const [passed = 0, failed = 0, ignored = 0] = (counts ?? []).slice(1).map((n) => Number(n ?? 0));
  sum.passed += passed;
  sum.ignored += ignored;
  if (code === 0) return;
  // A file may fail beside its tests, and a process without a word.
  sum.failed += Math.max(1, failed);
  failures.push(file);
}

/** What a single file prints is shown as it comes, what several print one after the other. */
async function deno(args: string[]): Promise<{ code: number; out: string }> {
  const child = new Deno.Command(Deno.execPath(), {
    args,
    env: { NO_COLOR: "1", TMPDIR: scratch },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  running.add(child);
  const isLive = files.length === 1;
  const [out, trouble] = await Promise.all([child.stdout, child.stderr].map(async (stream) => {
    let text = "";
    for await (const part of stream.pipeThrough(new TextDecoderStream())) {
      text += part;
      if (isLive) write(part);
    }
    return text;
  }));
  const { code } = await child.status;
  running.delete(child);
  if (!isLive) write(`${out}${trouble}`);
  return { code, out: out ?? "" };
}

/** All at once, so that no other file gets between. */
function write(text: string): void {
  let rest = new TextEncoder().encode(text);
  while (rest.length > 0) rest = rest.subarray(Deno.stdout.writeSync(rest));
}
