/** One whole process: wall time by a monotonic clock; peak memory, where GNU time is installed. */
import type { Case } from "./cases.ts";

/** Milliseconds from the start of the process to its end, spawning included, as for the floor. */
export async function wallMs(one: Case): Promise<number> {
  await one.before?.();
  await one.server?.show(one.isServed === true);
  const receipts = one.receipt === undefined ? [] : await receiptsIn(one.env);
  const start = performance.now();
  await run(one, one.command, one.args);
  const wall = performance.now() - start;
  if (one.receipt !== undefined) await leftReceipt(one, receipts.length);
  return wall;
}

/**
 * Waits until the run has left its receipt, which a server does some time after the answer: until then it
 * is at work beside the next run. Fails where the run did something else than it is called after.
 */
async function leftReceipt({ name, env, receipt = "" }: Case, before: number): Promise<void> {
  for (let tries = 0; tries < RECEIPT_TRIES; tries++) {
    const hooks = (await receiptsIn(env)).slice(before).filter((line) => line.includes(HOOK));
    if (hooks.at(-1)?.includes(receipt)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`${name} did something else: no ${receipt} in its receipt`);
}

const RECEIPT_TRIES = 100;
const HOOK = '"event":"hook"';

async function receiptsIn({ HOME = "" }: Case["env"]): Promise<readonly string[]> {
  const folder = `${HOME}/.sage/state/log`;
  const days = (await Array.fromAsync(Deno.readDir(folder))).map(({ name }) => name).sort();
  return (await Deno.readTextFile(`${folder}/${days.at(-1)}`)).trimEnd().split("\n");
}

/** Peak resident memory in MB, or NaN. */
export async function peakMb(one: Case): Promise<number> {
  await one.before?.();
  await one.server?.show(false);
  const report = await Deno.makeTempFile({ prefix: "sage-bench-" });
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
