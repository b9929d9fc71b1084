/**
 * Both forms of the protocol on one connection: requests that name their revision are answered
 * here, without a session; all others go to the server with the handshake, for which this is a
 * transport like any. A client may open with either form and fall back to the older.
 */
// @ts-types="@modelcontextprotocol/sdk/shared/transport"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { askByRetry } from "./ask_by_retry.ts";
import { hasForms } from "./ask_person.ts";
import type { Methods } from "./methods.ts";
import { answerStateless, capabilitiesOf, isStateless } from "./stateless.ts";

export function dualProtocol(inner: Transport, methods: Methods): Transport {
  const asking = askByRetry(methods);
  /** Requests in progress that are answered here. */
  const pending = new Set<RequestId>();
  /** The form that the client opened with; a handshake is answered in any case. */
  let era: "handshake" | "stateless" | undefined;

  const outer: Transport = {
    start() {
      inner.onmessage = take;
      inner.onclose = () => outer.onclose?.();
      inner.onerror = (error) => outer.onerror?.(error);
      return inner.start();
    },
    send: (message, options) => inner.send(message, options),
    close: () => inner.close(),
  };
  return outer;

  function take(message: JSONRPCMessage): void {
    const isGreeting = "method" in message && message.method === "initialize";
    if (isGreeting) era = "handshake";
    if (isGreeting || (era !== "stateless" && !isStateless(message, null))) {
      outer.onmessage?.(message);
      return;
    }
    era ??= "stateless";
    answer(message).catch((error) => outer.onerror?.(error));
  }

  async function answer(message: JSONRPCMessage): Promise<void> {
    const cancelled = cancelledBy(message);
    if (cancelled !== undefined) pending.delete(cancelled);
    const id = "method" in message && "id" in message ? message.id : undefined;
    if (id !== undefined) pending.add(id);
    const known = hasForms(capabilitiesOf(message)) ? asking : methods;
    const { message: said } = await answerStateless(known, message);
    // Nobody waits for the answer of a request that was cancelled.
    if (said === undefined || id === undefined || !pending.delete(id)) return;
    await inner.send(said as JSONRPCMessage);
  }
}

export function cancelledBy(message: JSONRPCMessage): RequestId | undefined {
  if (!("method" in message) || message.method !== "notifications/cancelled") return undefined;
  return (message.params as { readonly requestId?: RequestId } | undefined)?.requestId;
}
