/**
 * One line → one JSON-RPC message within bounds, or the error to answer it with. Pure. Looks at
 * shape and size only; methods check their own parameters.
 */
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  type JSONRPCMessage,
  JSONRPCMessageSchema,
  type RequestId,
} from "@modelcontextprotocol/sdk/types.js";
import { MCP_ARRAY_ITEMS_MAX, MCP_DEPTH_MAX, MCP_STRING_BYTES_MAX } from "../base/limits.ts";
import { encode } from "../base/utf8.ts";

/** JSON-RPC error codes. */
const PARSE_ERROR = -32700;
export const INVALID_REQUEST = -32600;
const INVALID_PARAMS = -32602;

export type ReadMessage =
  | { readonly kind: "message"; readonly message: JSONRPCMessage }
  | { readonly kind: "blank" }
  | Bad;

/** A line that is answered with an error. `id` is null if none could be read. */
export interface Bad {
  readonly kind: "bad";
  readonly id: RequestId | null;
  readonly code: number;
  readonly reason: string;
}

const decoder = new TextDecoder("utf-8", { fatal: true });

export function readMessage(bytes: Uint8Array): ReadMessage {
  let value: unknown;
  try {
    const text = decoder.decode(bytes);
    if (text.trim() === "") return { kind: "blank" };
    value = JSON.parse(text);
  } catch (error) {
    const what = error instanceof SyntaxError ? "not JSON" : "not UTF-8";
    return { kind: "bad", id: null, code: PARSE_ERROR, reason: `Parse error: the line is ${what}` };
  }
  if (Array.isArray(value)) {
    return bad(null, INVALID_REQUEST, "batches are not part of this protocol; one message a line");
  }
  if (typeof value !== "object" || value === null) {
    return bad(null, INVALID_REQUEST, "a message is an object");
  }
  const { id, excess } = { id: idOf(value), excess: beyondBounds(value) };
  if (excess !== undefined) return bad(id, INVALID_PARAMS, excess);
  const message = asMessage(value);
  return message === undefined
    ? bad(id, INVALID_REQUEST, "not a JSON-RPC 2.0 request, notification or response")
    : { kind: "message", message };
}

function bad(id: RequestId | null, code: number, reason: string): Bad {
  return { kind: "bad", id, code, reason };
}

/** Keeps the members that the protocol knows, because the SDK leaves messages with others unanswered. */
function asMessage(value: object): JSONRPCMessage | undefined {
  const known: Record<string, unknown> = {};
  for (const key of ["jsonrpc", "id", "method", "params", "result", "error"]) {
    if (Object.hasOwn(value, key)) known[key] = (value as Record<string, unknown>)[key];
  }
  const parsed = JSONRPCMessageSchema.safeParse(known);
  return parsed.success ? parsed.data : undefined;
}

function idOf(value: object): RequestId | null {
  const { id } = value as { id?: unknown };
  if (typeof id === "string" && id.length <= 256) return id;
  return typeof id === "number" && Number.isSafeInteger(id) ? id : null;
}

/** Which bound the value exceeds, or undefined. Iterative, because depth is one of the bounds. */
function beyondBounds(root: object): string | undefined {
  const stack: { value: object; depth: number }[] = [{ value: root, depth: 1 }];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const { value, depth } = next;
    if (depth > MCP_DEPTH_MAX) return `nested deeper than ${MCP_DEPTH_MAX}`;
    if (Array.isArray(value) && value.length > MCP_ARRAY_ITEMS_MAX) {
      return `a list has ${value.length} items; at most ${MCP_ARRAY_ITEMS_MAX} are taken`;
    }
    for (const [key, item] of Object.entries(value)) {
      if (isTooLong(key) || (typeof item === "string" && isTooLong(item))) {
        return `a text is longer than ${MCP_STRING_BYTES_MAX / 1024} KiB; send less, or in parts`;
      }
      if (typeof item === "object" && item !== null) stack.push({ value: item, depth: depth + 1 });
    }
  }
  return undefined;
}

function isTooLong(text: string): boolean {
  if (text.length > MCP_STRING_BYTES_MAX) return true;
  return text.length * 3 > MCP_STRING_BYTES_MAX &&
    encode(text).length > MCP_STRING_BYTES_MAX;
}
