/**
 * The events that the server of a session does: one after the other, because they change the same
 * session, and after each what its reply did not wait for.
 */
import type { HookReply } from "../editor/editor.ts";
import type { Opened } from "../memory/memory.ts";

/** What a server brings to an event. */
export interface Served {
  /** Stays open from one event to the next. */
  readonly opened: Opened;
  /** Does this once the reply is out, before the next event. What fails in it, it tells by itself. */
  later(rest: () => Promise<void>): void;
}

export interface EventQueue {
  run(work: (served: Served) => Promise<HookReply>): Promise<HookReply>;
  /** Settles when all that came by now is done. */
  settled(): Promise<unknown>;
}

export function queueEvents(opened: Opened): EventQueue {
  let last: Promise<void> = Promise.resolve();
  return {
    run(work) {
      const { promise, resolve, reject } = Promise.withResolvers<HookReply>();
      const done = last.then(async () => {
        const rests: (() => Promise<void>)[] = [];
        await work({ opened, later: (rest) => void rests.push(rest) }).then(resolve, reject);
        // The reply is on its way before this thread is at something else.
        if (rests.length > 0) await new Promise((done) => setTimeout(done));
        for (const rest of rests) await rest();
      });
      last = done.catch(() => {});
      return promise;
    },
    settled: () => last,
  };
}
