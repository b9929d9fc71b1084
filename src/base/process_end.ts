/** When a process that serves another has to end: it is told to, or its parent is gone. */

/** How often the parent is checked: one that was killed may leave its pipes open. */
const PARENT_POLL_MS = 1000;

/** On Windows closing the window is SIGHUP; elsewhere somebody may have set that to be ignored. */
const SIGNALS = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK", "SIGHUP"] as const
  : ["SIGINT", "SIGTERM"] as const;

/** Settles when the process is told to end, and when the parent is gone. Keeps no process alive. */
export function processEnd(): Promise<"signal" | "orphaned"> {
  const { promise, resolve } = Promise.withResolvers<"signal" | "orphaned">();
  for (const signal of SIGNALS) {
    try {
      Deno.addSignalListener(signal, () => resolve("signal"));
    } catch {
      // Not every system has every signal.
    }
  }
  const parent = Deno.ppid;
  Deno.unrefTimer(setInterval(() => Deno.ppid === parent || resolve("orphaned"), PARENT_POLL_MS));
  return promise;
}

/** While it is held, SIGINT aborts the signal instead of ending the process. */
export function untilInterrupted(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  Deno.addSignalListener("SIGINT", abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => Deno.removeSignalListener("SIGINT", abort),
  };
}
