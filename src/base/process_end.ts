/** Tells when a server process has to end: by a signal, or because its parent is gone. */

/** How often the parent is checked: a killed parent may leave its pipes open. */
const PARENT_POLL_MS = 1000;

/** On Windows SIGHUP means that the window is closed; elsewhere it may be ignored on purpose (nohup). */
const SIGNALS = Deno.build.os === "windows"
  ? ["SIGINT", "SIGBREAK", "SIGHUP"] as const
  : ["SIGINT", "SIGTERM"] as const;

/** Resolves when the process is told to end, or its parent is gone. Does not keep the process alive. */
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

/** Until it is disposed of, SIGINT aborts `signal` instead of ending the process. */
export function untilInterrupted(): Disposable & { readonly signal: AbortSignal } {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  Deno.addSignalListener("SIGINT", abort);
  return {
    signal: controller.signal,
    [Symbol.dispose]: () => Deno.removeSignalListener("SIGINT", abort),
  };
}
