/**
 * The protocol over two pipes, one message a line. Replaces the SDK's, which does not bound a
 * line, ends on a bad one, and goes on after the client is gone. It owns neither pipe nor process:
 * it tells when the client is gone, and the caller ends.
 */
// @ts-types="@modelcontextprotocol/sdk/shared/transport"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";
import { MCP_LINE_BYTES_MAX, MCP_PENDING_MAX, MCP_UNSENT_BYTES_MAX } from "../base/limits.ts";
import { toJson } from "../base/text/text.ts";
import { encode } from "../base/utf8.ts";
import { cancelledBy } from "./dual_protocol.ts";
import { type Line, splitLines } from "./lines.ts";
import { type Bad, INVALID_REQUEST, readMessage } from "./message.ts";

/** The two ends, as `Deno.stdin` and `Deno.stdout` are. */
export interface Pipes {
  readonly input: { read(into: Uint8Array): Promise<number | null> };
  readonly output: { write(bytes: Uint8Array): Promise<number> };
}

export interface StdioTransport extends Transport {
  /** Settles when the client has closed either end. */
  readonly gone: Promise<void>;
  /** Settles when every request so far is answered and written. */
  settled(): Promise<void>;
}

const READ_BYTES = 64 * 1024;

export function stdioTransport(pipes: Pipes): StdioTransport {
  const { promise: gone, resolve: leave } = Promise.withResolvers<void>();
  const pending = new Set<RequestId>();
  const wakers: (() => void)[] = [];
  let writes: Promise<void> = Promise.resolve();
  let unsentBytes = 0;
  let isClosed = false;

  const transport: StdioTransport = {
    gone,
    async settled() {
      while (pending.size > 0 && !isClosed) await change();
      await writes;
    },
    start() {
      receive().catch((error) => transport.onerror?.(error)).finally(leave);
      return Promise.resolve();
    },
    send(message) {
      if ("id" in message && !("method" in message) && message.id !== undefined) done(message.id);
      return write(message);
    },
    close() {
      if (!isClosed) {
        isClosed = true;
        leave();
        wake();
        transport.onclose?.();
      }
      return Promise.resolve();
    },
  };
  return transport;

  async function receive(): Promise<void> {
    const splitter = splitLines(MCP_LINE_BYTES_MAX);
    const piece = new Uint8Array(READ_BYTES);
    while (!isClosed) {
      const count = await pipes.input.read(piece);
      const lines = count === null ? splitter.end() : splitter.push(piece.subarray(0, count));
      for (const line of lines) {
        while (isBusy() && !isClosed) await change();
        take(line);
      }
      if (count === null) return;
    }
  }

  function take(line: Line): void {
    if (line.kind === "too_long") {
      const reason = `a line is longer than ${MCP_LINE_BYTES_MAX / 1024 / 1024} MiB`;
      return void write(answerBad({ kind: "bad", id: null, code: INVALID_REQUEST, reason }));
    }
    const read = readMessage(line.bytes);
    if (read.kind === "blank") return;
    if (read.kind === "bad") return void write(answerBad(read));
    const { message } = read;
    if ("method" in message && "id" in message) pending.add(message.id);
    // A cancelled request is never answered.
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) done(cancelled);
    transport.onmessage?.(message);
  }

  function done(id: RequestId): void {
    if (pending.delete(id)) wake();
  }

  function isBusy(): boolean {
    return pending.size >= MCP_PENDING_MAX || unsentBytes > MCP_UNSENT_BYTES_MAX;
  }

  function wake(): void {
    for (const waker of wakers.splice(0)) waker();
  }

  function change(): Promise<void> {
    return new Promise((resolve) => wakers.push(resolve));
  }

  /** Writes whole lines, in order. If the pipe is closed, the client is gone. */
  function write(message: unknown): Promise<void> {
    const bytes = encode(toJson(message) + "\n");
    unsentBytes += bytes.length;
    writes = writes.then(async () => {
      if (isClosed) return;
      for (let at = 0; at < bytes.length;) at += await pipes.output.write(bytes.subarray(at));
      unsentBytes -= bytes.length;
      wake();
    }).catch(() => void transport.close());
    return writes;
  }
}

function answerBad({ id, code, reason }: Bad): unknown {
  return { jsonrpc: "2.0", id, error: { code, message: reason } };
}
