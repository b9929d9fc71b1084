/**
 * Kills a real program, or fails its calls, at each system call in turn: the proof that `CrashFs` does
 * not lie. Needs `strace` on Linux; where it is missing the tests that use it say so and are skipped.
 */
import { depth } from "./depth.ts";
import { run } from "./within.ts";

/** What happens at the n-th call. */
export type Injection = { readonly signal: "SIGKILL" } | { readonly error: string };

export interface Injected {
  readonly n: number;
  /** False when the program made fewer than `n` such calls: it ran to its end undisturbed. */
  readonly isHit: boolean;
  readonly code: number;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The calls of a save; `%s` of their older and newer forms are traced together. */
export const BOUNDARY_CALLS: Readonly<Record<string, string>> = {
  write: "write,pwrite64,writev",
  fsync: "fsync,fdatasync",
  rename: "rename,renameat,renameat2",
  link: "link,linkat",
  openat: "open,openat",
  close: "close",
  unlink: "unlink,unlinkat",
  flock: "flock",
  mkdir: "mkdir,mkdirat",
};

let hasStrace: boolean | undefined;

/** Whether programs can be traced here. */
export function canTrace(): boolean {
  if (hasStrace === undefined) {
    try {
      const args = ["-f", "-o", "/dev/null", "-e", "trace=close", "true"];
      hasStrace = new Deno.Command("strace", { args, stdout: "null", stderr: "null" })
        .outputSync().success;
    } catch {
      hasStrace = false;
    }
  }
  return hasStrace;
}

export interface RunOptions {
  /** The argument of `-e trace=`: the variants of one call. */
  readonly calls: string;
  /** Instead of this process's environment. */
  readonly env?: Record<string, string>;
  readonly cwd?: string;
  /** What the program reads; nothing by default. */
  readonly stdin?: string;
}

/** Runs the command once with the n-th of these calls killed or failed. `when` counts per thread. */
async function runInjected(
  command: readonly string[],
  n: number,
  injection: Injection,
  options: RunOptions,
): Promise<Injected> {
  const what = "signal" in injection ? `signal=${injection.signal}` : `error=${injection.error}`;
  const inject = ["-e", `inject=${options.calls}:${what}:when=${n}`];
  const { trace, ...output } = await runTraced(command, inject, options);
  const isHit = trace.includes("(INJECTED)") || trace.includes("+++ killed by SIGKILL");
  return { n, isHit, ...output };
}

/**
 * Which calls are the program's own: from the first that touches a path under `mark` to the last of
 * that thread. What a runtime does before, to load itself, is not worth killing.
 */
async function surveyCalls(
  command: readonly string[],
  mark: string,
  options: RunOptions,
): Promise<{ readonly first: number; readonly last: number }> {
  const { trace } = await runTraced(command, ["-y"], options);
  const lines = trace.split("\n").filter((line) => /^\d+ +\w+\(/.test(line));
  const touched = lines.find((line) => line.includes(mark));
  if (touched === undefined) return { first: 1, last: 0 };
  const thread = touched.slice(0, touched.indexOf(" ") + 1);
  const own = lines.filter((line) => line.startsWith(thread));
  return { first: own.indexOf(touched) + 1, last: own.length };
}

/** One call of a program's own: the n-th of this name in its main thread. */
export interface Point {
  readonly call: string;
  readonly n: number;
  /** As `strace` wrote it. */
  readonly line: string;
}

/** Every call of the main thread from the first that touches a path under `mark`, in order. */
export async function surveyPoints(
  command: readonly string[],
  mark: string,
  options: RunOptions,
): Promise<Point[]> {
  const { trace } = await runTraced(command, [], options);
  const lines = trace.split("\n").filter((line) => /^\d+ +\w+\(/.test(line));
  const thread = lines[0]?.slice(0, lines[0].indexOf(" ") + 1) ?? "";
  const counts = new Map<string, number>();
  const points: Point[] = [];
  let isOwn = false;
  for (const line of lines.filter((one) => one.startsWith(thread))) {
    const call = /^\d+ +(\w+)\(/.exec(line)?.[1] ?? "";
    const n = (counts.get(call) ?? 0) + 1;
    counts.set(call, n);
    isOwn ||= line.includes(mark);
    if (isOwn) points.push({ call, n, line });
  }
  return points;
}

/**
 * About `count` of them, spread over all; all where there are no more. In depth others at each run:
 * what is run with each change must not fail by chance.
 */
export function samplePoints(points: readonly Point[], count: number): Point[] {
  if (points.length <= count) return [...points];
  const step = points.length / count;
  const offset = depth(0.5, Math.random());
  return Array.from({ length: count }, (_, i) => points[Math.floor((i + offset) * step)])
    .filter((point) => point !== undefined);
}

/** Runs the command under `strace` with these options more; its log comes back with its output. */
export async function runTraced(
  command: readonly string[],
  extra: readonly string[],
  { calls, env, cwd, stdin }: RunOptions,
): Promise<Omit<Injected, "n" | "isHit"> & { readonly trace: string }> {
  const log = await Deno.makeTempFile({ prefix: "strace-" });
  try {
    const args = ["-f", "-qq", "-o", log, "-e", `trace=${calls}`, ...extra, ...command];
    const output = await run("strace", {
      args,
      ...(env === undefined ? {} : { env: { PATH: "/usr/bin:/bin", ...env }, clearEnv: true }),
      ...(cwd === undefined ? {} : { cwd }),
      ...(stdin === undefined ? {} : { input: stdin }),
    });
    return { ...output, trace: await Deno.readTextFile(log) };
  } finally {
    await Deno.remove(log);
  }
}

/**
 * A run for each of the program's own calls, from the first until nothing is hit any more. `prepare`
 * gives each run its command; `step` above 1 takes samples.
 */
export async function* everyBoundary(
  prepare: () => { readonly command: readonly string[]; readonly mark: string },
  injection: Injection,
  options: RunOptions & { readonly step?: number; readonly offset?: number },
): AsyncGenerator<Injected> {
  const { command, mark } = prepare();
  const { first, last } = await surveyCalls(command, mark, options);
  for (let n = first + (options.offset ?? 0); n <= last + MORE_CALLS; n += options.step ?? 1) {
    const run = await runInjected(prepare().command, n, injection, options);
    if (!run.isHit) return;
    yield run;
  }
}

/** A failing call makes a program clean up, which takes calls of its own. */
const MORE_CALLS = 200;
