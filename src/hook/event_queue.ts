/**
 * The queue of a session's server: events are handled one after the other, because they change the
 * same session. After each comes the work that its reply did not wait for.
 */
import type { HookReply } from "../editor/editor.ts";
import type { Opened } from "../memory/memory.ts";

/** What an event's handler gets in a session's server. */
export interface Served {
  /** Stays open between events. */
  readonly opened: Opened;
  /** Runs this once the reply is out, before the next event. It reports its own failures. */
  later(rest: () => Promise<void>): void;
}

export interface EventQueue {
  run(work: (served: Served) => Promise<HookReply>): Promise<HookReply>;
  /** Settles when all events so far are done. */
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
        // Lets the reply be written before this thread is busy again.
        if (rests.length > 0) await new Promise((done) => setTimeout(done));
        for (const rest of rests) await rest();
      });
      last = done.catch(() => {});
      return promise;
    },
    settled: () => last,
  };
}
