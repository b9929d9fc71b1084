/** A program that is killed after a while, unless it ends before: then it may be gone when the time is up. */

import { kill } from "./within.ts";

/** Returns what calls the killing off. */
export function killAfter(child: Deno.ChildProcess, milliseconds: number): () => void {
  const timer = setTimeout(() => kill(child), milliseconds);
  return () => clearTimeout(timer);
}

/** The built program, killed after a while: whether it was still at work then. */
export async function runKilled(
  args: readonly string[],
  { home, cwd }: { readonly home: string; readonly cwd: string },
  milliseconds: number,
): Promise<boolean> {
  const child = new Deno.Command(new URL("../../dist/sage", import.meta.url).pathname, {
    args: [...args],
    cwd,
    env: { HOME: home },
    clearEnv: true,
    stdout: "null",
    stderr: "null",
  }).spawn();
  const spare = killAfter(child, milliseconds);
  const { signal } = await child.status;
  spare();
  return signal === "SIGKILL";
}
