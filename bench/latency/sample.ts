/** One whole process: wall time by a monotonic clock; peak memory, where GNU time is installed. */
import type { Case } from "./cases.ts";

/** Milliseconds from the start of the process to its end, spawning included, as for the floor. */
export async function wallMs(one: Case): Promise<number> {
  await one.before?.();
  await one.server?.show(one.isServed === true);
  const start = performance.now();
  await run(one, one.command, one.args);
  return performance.now() - start;
}

/** Fails where the receipts do not say that the run did what it is called after. */
export async function assertDone({ name, env, receipt }: Case): Promise<void> {
  if (receipt === undefined) return;
  const folder = `${env.HOME}/.sage/state/log`;
  for (let tries = 0; tries < RECEIPT_TRIES; tries++) {
    const days = [...Deno.readDirSync(folder)].map((entry) => entry.name).sort();
    const lines = Deno.readTextFileSync(`${folder}/${days.at(-1)}`).trimEnd().split("\n");
    if (lines.findLast((line) => line.includes('"event":"hook"'))?.includes(receipt)) return;
    // A server has answered before it is done.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${name} did something else: no ${receipt} in its receipt`);
}

const RECEIPT_TRIES = 100;

/** Peak resident memory in MB, or NaN. */
export async function peakMb(one: Case): Promise<number> {
  await one.before?.();
  const report = await Deno.makeTempFile();
  try {
    // The shell becomes GNU time, which starts the program: what finds its parent finds this.
    const steps = `${
      one.isServed === true ? one.server?.showInShell : ":"
    }; exec /usr/bin/time -f %M -o "$0" "$@"`;
    await run(one, "/bin/sh", ["-c", steps, report, one.command, ...one.args]);
    return Number((await Deno.readTextFile(report)).trim().split("\n").at(-1)) / 1024;
  } catch {
    return NaN;
  } finally {
    await Deno.remove(report);
  }
}

async function run(
  { stdin, cwd, env, name }: Case,
  command: string,
  args: readonly string[],
): Promise<void> {
  const child = new Deno.Command(command, {
    args: [...args],
    cwd,
    env,
    clearEnv: true,
    stdin: "piped",
    stdout: "null",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  // A program that ends before it reads is no failure.
  await writer.write(new TextEncoder().encode(stdin)).catch(() => {});
  await writer.close().catch(() => {});
  const { code } = await child.status;
  if (code !== 0) throw new Error(`${name} ended with ${code}`);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? NaN) + upper) / 2;
}
