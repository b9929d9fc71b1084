/** Data that stays true: asked again when a note changes, whoever changes it. */
import { useEffect, useState } from "preact/hooks";
import { type Answered, get, Refused } from "./api.ts";

export type Live<T> =
  | { readonly kind: "waiting" }
  | { readonly kind: "there"; readonly data: T; readonly etag: string }
  | { readonly kind: "failed"; readonly reason: string };

/** Several changes at once are one reason to ask again. */
const SETTLE_MS = 100;
/** A server that is gone, or knows this browser no more, is asked again so late, then twice as late, up to the last. */
const AGAIN_MS = 3000;
const AGAIN_MS_MAX = 300_000;
/** Each key that a person presses is a sign that they are there; not each is worth a question. */
const ACT_MS = 1000;
const listeners = new Set<() => void>();

type Said = "changed" | "on" | "off";

/** Whether the last word was that somebody listens. */
let isOn = true;

/**
 * Once, when the page begins. Of all its tabs one listens and tells the others: a browser has six
 * connections to a server, and with six streams nothing else of the page would be answered. That is the one
 * that somebody looked at last: one that nobody looks at may be frozen, and tells nothing. It alone tries
 * again where nobody answers, while it is looked at; another one as soon as a person does something there.
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
    // Where each listens for itself, each has to hear that it is worth another try.
    if (isOn && !isSecureContext) begin();
  };
  tabs.addEventListener("message", ({ data }) => take(data));
  const tell = (said: Said): void => {
    take(said);
    tabs.postMessage(said);
  };
  /** Whether something may have happened that nobody was told of, as before it listens. */
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
      // By itself a browser tries for ever, or where it was refused never.
      stop();
      tell("off");
      // A tab that nobody looks at keeps no server from its end, and asks none that is gone.
      if (document.visibilityState === "hidden") return;
      again = setTimeout(begin, againMs);
      againMs = Math.min(2 * againMs, AGAIN_MS_MAX);
    });
  };
  /** The last try of this tab: the one before is given up. */
  let turn = new AbortController();
  const lead = async (how: LockOptions): Promise<void> => {
    isBehind = true;
    turn.abort();
    const { signal } = turn = new AbortController();
    try {
      // Who takes it does not wait, and has nothing to be called off from.
      await navigator.locks.request("sage", how.steal ? how : { signal }, () => {
        isLeading = true;
        listen();
        return new Promise(() => {});
      });
    } catch {
      if (signal.aborted) return;
      // Another tab took it, and listens now; of what it heard before this one notices nobody told it.
      isLeading = false;
      stop();
      if (isOn) take("changed");
      void lead({});
    }
  };
  const begin = (): void => {
    if (source !== undefined) return;
    // Where other machines may ask, the browser has no locks for the page.
    if (isLeading || !isSecureContext) listen();
    else void lead({ steal: true });
  };
  const beginAnew = (): void => {
    againMs = AGAIN_MS;
    begin();
  };
  document.addEventListener("visibilitychange", () => {
    if (document.visibilityState === "visible") beginAnew();
    // What was listened to goes on; what was waited for is waited for when somebody looks.
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
 * The answer to a GET below the API; what was there stays until the next answer comes. `everyMs`: what no
 * event tells of is asked for so often, while somebody looks.
 */
export function useLive<T>(path: string | undefined, everyMs?: number): Live<T> {
  return useAsked(path, get<T>, { everyMs });
}

interface Paged {
  readonly items: readonly unknown[];
  readonly next?: string;
}

/** A list, and how to have the page after what is there. */
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

/** For changes that the page itself made: not everything waits for the next event. */
export function askAgain(): void {
  listeners.forEach((listener) => listener());
}

export function reasonOf(error: unknown): string {
  if (error instanceof Refused) return error.message;
  return "The server does not answer. Is sage serve still running?";
}
