/** A program that is killed after a while, unless it ends before: then it may be gone when the time is up. */

/** Returns what calls the killing off. */
export function killAfter(child: Deno.ChildProcess, milliseconds: number): () => void {
  const timer = setTimeout(() => {
    try {
      child.kill("SIGKILL");
    } catch {
      // It was done already.
    }
  }, milliseconds);
  return () => clearTimeout(timer);
}
