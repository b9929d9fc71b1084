/** Data that stays current: fetched again when any note changes. */
import { useEffect, useState } from "preact/hooks";
import { type Answered, get, Refused } from "./api.ts";

export type Live<T> =
  | { readonly kind: "waiting" }
  | { readonly kind: "there"; readonly data: T; readonly etag: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Changes within this time are one reason to fetch again. */
const SETTLE_MS = 100;
/** The first and the longest pause before reconnecting; each is twice the one before. */
const AGAIN_MS = 3000;
const AGAIN_MS_MAX = 300_000;
/** Input by the person reconnects at once, but not more often than this. */
const ACT_MS = 1000;
const listeners = new Set<() => void>();

type Said = "changed" | "on" | "off";

/** Whether some tab is connected to the server, as last reported. */
let isOn = true;

/**
 * Called once, when the page loads. One of its tabs, the leader, listens to the server and tells the others:
 * a browser has six connections to a server, and six streams would block everything else. The leader is the
 * tab that was visible last, since a hidden one may be frozen. Only a visible leader reconnects by itself;
 * any other tab does when the person uses it.
 */
export function listenForChanges(onState: (isConnected: boolean) => void): void {
  const tabs = new BroadcastChannel("sage");
  let timer: number | undefined;
  const take = (said: Said): void => {
    if (said === "changed") {
      clearTimeout(timer);
      timer = setTimeout(askAgain, SETTLE_MS);
      return;
    }
    isOn = said === "on";
    onState(isOn);
    // Without locks every tab listens for itself, so each has to try again.
    if (isOn && !isSecureContext) begin();
  };
  tabs.addEventListener("message", ({ data }) => take(data));
  const tell = (said: Said): void => {
    take(said);
    tabs.postMessage(said);
  };
  /** Whether changes may have been missed, as before the first connection. */
  let isBehind = true;
  let isLeading = false;
  let source: EventSource | undefined;
  let again: number | undefined;
  let againMs = AGAIN_MS;
  let triedAt = -Infinity;
  const stop = (): void => {
    clearTimeout(again);
    source?.close();
    source = undefined;
  };
  const listen = (): void => {
    stop();
    triedAt = performance.now();
    const own = source = new EventSource("/api/v1/events");
    for (const event of ["note", "inbox", "reload"]) {
      own.addEventListener(event, () => tell("changed"));
    }
    own.addEventListener("open", () => {
      againMs = AGAIN_MS;
      tell("on");
      if (isBehind) tell("changed");
      isBehind = false;
    });
    own.addEventListener("error", () => {
      isBehind = true;
      // Reconnects itself: a browser would try for ever, or after a refusal never.
      stop();
      tell("off");
      // A hidden tab does not reconnect, which would keep an idle server from ending.
      if (document.visibilityState === "hidden") return;
      again = setTimeout(begin, againMs);
      againMs = Math.min(2 * againMs, AGAIN_MS_MAX);
    });
  };
  /** Aborts this tab's earlier request for the lock. */
  let turn = new AbortController();
  const lead = async (how: LockOptions): Promise<void> => {
    isBehind = true;
    turn.abort();
    const { signal } = turn = new AbortController();
    try {
      // A request that steals does not wait, so it takes no signal.
      await navigator.locks.request("sage", how.steal ? how : { signal }, () => {
        isLeading = true;
        listen();
        return new Promise(() => {});
      });
    } catch {
      if (signal.aborted) return;
      // Another tab took the lock and listens now. This one may have missed what it reported meanwhile.
      isLeading = false;
      stop();
      if (isOn) take("changed");
      void lead({});
    }
  };
  const begin = (): void => {
    if (source !== undefined) return;
    // Without HTTPS or localhost the browser has no locks.
    if (isLeading || !isSecureContext) listen();
    else void lead({ steal: true });
  };
  const beginAnew = (): void => {
    againMs = AGAIN_MS;
    begin();
  };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") beginAnew();
    // An open stream stays; a pending reconnect waits until the tab is visible.
    else clearTimeout(again);
  });
  for (const act of ["focus", "keydown", "pointerdown"]) {
    addEventListener(act, () => {
      if (!isOn && performance.now() - triedAt > ACT_MS) beginAnew();
    }, { capture: true });
  }
  if (isSecureContext && document.visibilityState === "hidden") void lead({});
  else begin();
}

/**
 * The answer to a GET of the API; the old one stays until the next arrives. `everyMs`: how often to fetch
 * again what no event reports, while the page is visible.
 */
export function useLive<T>(path: string | undefined, everyMs?: number): Live<T> {
  return useAsked(path, get<T>, { everyMs });
}

interface Paged {
  readonly items: readonly unknown[];
  readonly next?: string;
}

/** A list, and a function that fetches its next page. */
export function useList<T extends Paged>(path: string | undefined): readonly [Live<T>, () => void] {
  const [pages, setPages] = useState(1);
  const ask = (path: string, signal: AbortSignal) => getPages<T>(path, pages, signal);
  return [useAsked(path, ask, { pages }), () => setPages((old) => old + 1)];
}

async function getPages<T extends Paged>(
  path: string,
  pages: number,
  signal: AbortSignal,
): Promise<Answered<T>> {
  let { data, etag } = await get<T>(path, signal);
  for (let page = 1; page < pages && data.next !== undefined; page++) {
    const cursor = encodeURIComponent(data.next);
    const { data: more } = await get<T>(`${path}&cursor=${cursor}`, signal);
    data = { ...more, items: [...data.items, ...more.items] };
  }
  return { data, etag };
}

function useAsked<T>(
  path: string | undefined,
  ask: (path: string, signal: AbortSignal) => Promise<Answered<T>>,
  { everyMs, pages }: { readonly everyMs?: number | undefined; readonly pages?: number },
): Live<T> {
  const [state, setState] = useState<Live<T>>({ kind: "waiting" });
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const again = (): void => setTurn((old) => old + 1);
    listeners.add(again);
    const timer = everyMs === undefined
      ? undefined
      : setInterval(() => isOn && document.visibilityState === "visible" && again(), everyMs);
    return () => {
      listeners.delete(again);
      clearInterval(timer);
    };
  }, []);
  useEffect(() => {
    if (path === undefined) return;
    const stop = new AbortController();
    ask(path, stop.signal)
      .then(({ data, etag }) => setState({ kind: "there", data, etag }))
      .catch((error) => {
        if (!stop.signal.aborted) setState({ kind: "failed", reason: reasonOf(error) });
      });
    return () => stop.abort();
  }, [path, pages, turn]);
  return state;
}

/** Fetches everything again, after a change that the page itself made. */
export function askAgain(): void {
  listeners.forEach((listener) => listener());
}

export function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return "The server does not answer. Is sage serve still running?";
}
