/** A server on this machine that speaks the model API, as its documentation has it. It can misbehave. */

import { within } from "./within.ts";

export interface ModelRequest {
  readonly model: string;
  readonly max_tokens: number;
  readonly system: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

export interface Behaviour {
  /** The answer, in the parts in which it is sent. */
  readonly parts?: readonly string[];
  readonly stop?: string;
  readonly status?: number;
  /** What it says beside the status: wait for so many seconds. */
  /** Seconds, or a date. */
  readonly retryAfter?: number | string;
  /** Says nothing more after this many parts, and keeps the connection. */
  readonly hangsAfter?: number;
  /** Breaks the answer off after this many parts. */
  readonly breaksAfter?: number;
  /** Reports an error of its own after this many parts. */
  readonly failsAfter?: number;
}

export interface ModelServer {
  /** `http://127.0.0.1:PORT` */
  readonly address: string;
  readonly requests: readonly ModelRequest[];
  /** `Bearer KEY` of each request. */
  readonly keys: readonly (string | null)[];
  behave(how: Behaviour): void;
  [Symbol.asyncDispose](): Promise<void>;
}

const INPUT_TOKENS = 100;
const CACHED_TOKENS = 20;

export function openModelServer(): ModelServer {
  let how: Behaviour = {};
  const requests: ModelRequest[] = [];
  const keys: (string | null)[] = [];
  const open = new AbortController();
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen: () => {}, signal: open.signal },
    async (request) => {
      keys.push(request.headers.get("authorization"));
      const asked: ModelRequest & { stream: boolean } = await request.json();
      requests.push(asked);
      const { pathname } = new URL(request.url);
      if (pathname !== "/v1/messages" || !asked.stream) return new Response("", { status: 404 });
      const { status } = how;
      if (status !== undefined) {
        const error = { type: "some_error", message: `told to\u001b[31m say ${status}` };
        const headers = how.retryAfter === undefined ? {} : { "retry-after": `${how.retryAfter}` };
        return Response.json({ type: "error", error }, { status, headers });
      }
      return new Response(events(how, open.signal), {
        headers: { "content-type": "text/event-stream" },
      });
    },
  );
  return {
    address: `http://127.0.0.1:${server.addr.port}`,
    requests,
    keys,
    behave: (next) => how = next,
    async [Symbol.asyncDispose]() {
      open.abort();
      await within("the end of the model's server", server.finished);
    },
  };
}

function events(
  { parts = ["It is", " SQLite."], stop = "end_turn", hangsAfter, breaksAfter, failsAfter }:
    Behaviour,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const usage = {
    input_tokens: INPUT_TOKENS,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: CACHED_TOKENS,
    output_tokens: 1,
  };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    content: [],
    model: "m",
    stop_reason: null,
    stop_sequence: null,
    usage,
  };
  const block = {
    type: "content_block_start",
    index: 0,
    content_block: { type: "text", text: "" },
  };
  const deltas = parts.map((text) => ({
    type: "content_block_delta",
    index: 0,
    delta: { type: "text_delta", text },
  }));
  const end = [
    { type: "content_block_stop", index: 0 },
    {
      type: "message_delta",
      delta: { stop_reason: stop, stop_sequence: null },
      usage: { output_tokens: 7 },
    },
    { type: "message_stop" },
  ];
  const encoder = new TextEncoder();
  return new ReadableStream({
    async start(controller) {
      const send = (event: { type: string }): void =>
        controller.enqueue(
          encoder.encode(`event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`),
        );
      send({ type: "message_start", message } as { type: string });
      send(block);
      for (const [i, delta] of deltas.entries()) {
        if (i === hangsAfter) {
          await new Promise((resolve) => signal.addEventListener("abort", resolve));
          return controller.close();
        }
        if (i === breaksAfter) return controller.close();
        if (i === failsAfter) {
          const error = { type: "overloaded_error", message: "Overloaded" };
          send({ type: "error", error } as { type: string });
          return controller.close();
        }
        send(delta);
      }
      for (const event of end) send(event);
      controller.close();
    },
  });
}
