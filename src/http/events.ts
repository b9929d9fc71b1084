/** Changes as server-sent events: `note` with what changed, `inbox`, `reload` if there were too many. */
import { HTTP_EVENTS_MAX, HTTP_STREAMS_MAX } from "../base/limits.ts";
import { toJson } from "../base/text/text.ts";
import { encode } from "../base/utf8.ts";
import type { ChangeEvent, Changes } from "./changes.ts";
import { problem, problemResponse } from "./problem.ts";

/** A comment line at this interval, so that each end notices when the other is gone. */
const ALIVE_MS = 15_000;
const RETRY_MS = 2000;
/**
 * How many events may wait for a slow reader. Beyond that it is disconnected, and gets `reload` when it
 * comes back.
 */
const WAITING_MAX = 2 * HTTP_EVENTS_MAX;

export interface Streams {
  open(since: string | undefined): Response;
  /** Ends all streams. */
  close(): void;
}

export function createStreams(changes: Changes): Streams {
  const ends = new Set<() => void>();
  return {
    open(since) {
      if (ends.size >= HTTP_STREAMS_MAX) {
        return problemResponse(
          problem(503, "busy", `there are ${HTTP_STREAMS_MAX} streams already`),
        );
      }
      let end = (): void => {};
      const body = new ReadableStream<Uint8Array>({
        async start(controller) {
          const write = (text: string): void => {
            try {
              controller.enqueue(encode(text));
            } catch {
              return end();
            }
            if ((controller.desiredSize ?? 0) < -WAITING_MAX) end();
          };
          let leave = (): void => {};
          const timer = setInterval(() => write(": alive\n\n"), ALIVE_MS);
          end = () => {
            ends.delete(end);
            clearInterval(timer);
            leave();
            try {
              controller.close();
            } catch {
              // The reader closed it before.
            }
          };
          ends.add(end);
          write(`retry: ${RETRY_MS}\n\n`);
          try {
            leave = await changes.listen((event) => write(render(event)), since);
          } catch {
            // The notes cannot be read now; the client reconnects by itself.
            return end();
          }
          // From here on nothing is missed. A reader that left meanwhile is removed.
          write(`id: ${changes.last}\n: listening\n\n`);
        },
        cancel: () => end(),
      });
      const headers = { "content-type": "text/event-stream" };
      return new Response(body, { headers });
    },
    close() {
      for (const end of [...ends]) end();
    },
  };
}

function render(event: ChangeEvent): string {
  const data = event.kind === "note" ? event.note : {};
  return `id: ${event.id}\nevent: ${event.kind}\ndata: ${toJson(data)}\n\n`;
}
