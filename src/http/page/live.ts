/** Data that stays true: asked again when a note changes, whoever changes it. */
import { useEffect, useState } from "preact/hooks";
import { get, Refused } from "./api.ts";

export type Live<T> =
  | { readonly kind: "waiting" }
  | { readonly kind: "there"; readonly data: T; readonly etag: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Several changes at once are one reason to ask again. */
const SETTLE_MS = 100;
const listeners = new Set<() => void>();

/** Once, when the page begins. */
export function listenForChanges(onState: (isConnected: boolean) => void): void {
  const source = new EventSource("/api/v1/events");
  let timer: number | undefined;
  const tell = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => listeners.forEach((listener) => listener()), SETTLE_MS);
  };
  for (const event of ["note", "inbox", "reload"]) source.addEventListener(event, tell);
  source.addEventListener("open", () => onState(true));
  source.addEventListener("error", () => onState(false));
}

/**
 * The answer to a GET below the API; what was there stays until the next answer comes. `everyMs`: what no
 * event tells of is asked for so often, while somebody looks.
 */
export function useLive<T>(path: string | undefined, everyMs?: number): Live<T> {
  const [state, setState] = useState<Live<T>>({ kind: "waiting" });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const again = (): void => setTurn((old) => old + 1);
    listeners.add(again);
    const timer = everyMs === undefined
      ? undefined
      : setInterval(() => document.visibilityState === "visible" && again(), everyMs);
    return () => {
      listeners.delete(again);
      clearInterval(timer);
    };
  }, []);
  useEffect(() => {
    if (path === undefined) return;
    const stop = new AbortController();
    get<T>(path, stop.signal)
      .then(({ data, etag }) => setState({ kind: "there", data, etag }))
      .catch((error) => {
        if (!stop.signal.aborted) setState({ kind: "failed", reason: reasonOf(error) });
      });
    return () => stop.abort();
  }, [path, turn]);
  return state;
}

/** For changes that the page itself made: not everything waits for the next event. */
export function askAgain(): void {
  listeners.forEach((listener) => listener());
}

export function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return "The server does not answer. Is sage serve still running?";
}
