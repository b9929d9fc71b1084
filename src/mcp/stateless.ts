/**
 * The protocol revision without a handshake (2026-07-28): each request names its revision, and
 * nothing is remembered between two. Knows no transport: takes a message, and over HTTP the headers
 * that repeat it, and gives a status and a message.
 */
import { messageOf } from "../base/errors.ts";
import { fieldsOf } from "../base/fields.ts";
import { defined } from "../base/defined.ts";
// @ts-types="@modelcontextprotocol/sdk/types"
import { ErrorCode, type JSONRPCMessage, McpError } from "@modelcontextprotocol/sdk/types.js";
import { CAPABILITIES, type Methods, type Params, type Result, SERVER_INFO } from "./methods.ts";

const STATELESS_VERSION = "2026-07-28";

const VERSION_KEY = "io.modelcontextprotocol/protocolVersion";
const CAPABILITIES_KEY = "io.modelcontextprotocol/clientCapabilities";
const SERVER_KEY = "io.modelcontextprotocol/serverInfo";

const HEADER_MISMATCH = -32020;
const UNSUPPORTED_VERSION = -32022;

/** How long a client may cache an answer. The list of resources changes with every note. */
const TTL_MS: Readonly<Record<string, number>> = {
  "server/discover": 60_000,
  "tools/list": 300_000,
  "prompts/list": 300_000,
  "resources/templates/list": 300_000,
  "resources/list": 0,
  "resources/read": 0,
};

/** The parameter that the header Mcp-Name repeats. */
const NAMED_BY: Readonly<Record<string, string>> = {
  "tools/call": "name",
  "prompts/get": "name",
  "resources/read": "uri",
};

/** An HTTP status and the message to send with it; no message for a notification. */
export interface StatelessAnswer {
  readonly status: number;
  readonly message?: Readonly<Record<string, unknown>>;
}

/** Whether a message speaks this revision or a later one, by its own word or by its header. */
export function isStateless(message: JSONRPCMessage, header: string | null): boolean {
  return header === STATELESS_VERSION || versionOf(message) !== undefined;
}

/** Reads a header; a pipe has none. */
type ReadHeader = (name: string) => string | null;
type Request = JSONRPCMessage & { readonly method: string };
type Refused = { readonly error: unknown };

export async function answerStateless(
  methods: Methods,
  message: JSONRPCMessage,
  header?: ReadHeader,
): Promise<StatelessAnswer> {
  if (!("method" in message) || !("id" in message)) return { status: 202 };
  const { id, method } = message;
  const params = (message.params ?? {}) as Params;
  const refused = refuse(message, params, header);
  if (refused !== undefined) return { status: 400, message: { jsonrpc: "2.0", id, ...refused } };
  const answer = method === "server/discover" ? discover : methods.byName.get(method);
  if (answer === undefined) {
    const error = { code: ErrorCode.MethodNotFound, message: "Method not found" };
    return { status: 404, message: { jsonrpc: "2.0", id, error } };
  }
  try {
    const { _meta: _, ...own } = params;
    const result = await answer(own, methods);
    return { status: 200, message: { jsonrpc: "2.0", id, result: complete(method, result) } };
  } catch (failure) {
    return { status: 200, message: { jsonrpc: "2.0", id, error: errorOf(failure) } };
  }
}

async function discover(_: Params, methods: Methods): Promise<Result> {
  return {
    supportedVersions: [STATELESS_VERSION],
    capabilities: CAPABILITIES,
    instructions: await methods.instructions(),
    _meta: { [SERVER_KEY]: SERVER_INFO },
  };
}

function complete(method: string, result: Result): Result {
  const ttlMs = TTL_MS[method];
  return {
    resultType: "complete",
    ...result,
    ...(ttlMs === undefined ? {} : { ttlMs, cacheScope: "private" }),
  };
}

/** What is wrong with a request's metadata and headers, whatever its method. */
function refuse(message: Request, params: Params, header?: ReadHeader): Refused | undefined {
  const version = versionOf(message);
  const stated = header?.("mcp-protocol-version");
  if (stated === null) return mismatch("the header MCP-Protocol-Version is missing");
  if (version === undefined || capabilitiesOf(message) === undefined) {
    const what = `_meta needs ${VERSION_KEY} and ${CAPABILITIES_KEY}`;
    return { error: { code: ErrorCode.InvalidParams, message: what } };
  }
  if (stated !== undefined && stated !== version) {
    return mismatch("MCP-Protocol-Version differs from the message");
  }
  if (version !== STATELESS_VERSION) {
    const data = { supported: [STATELESS_VERSION], requested: version };
    return { error: { code: UNSUPPORTED_VERSION, message: "Unsupported protocol version", data } };
  }
  return header === undefined ? undefined : mismatchOf(message, params, header);
}

/** The header that contradicts the message, if any. */
function mismatchOf({ method }: Request, params: Params, header: ReadHeader): Refused | undefined {
  if (header("mcp-method") !== method) {
    return mismatch("Mcp-Method is missing or differs from the message");
  }
  const named = NAMED_BY[method];
  if (named !== undefined && decoded(header("mcp-name")) !== params[named]) {
    return mismatch(`Mcp-Name is missing or differs from "${named}"`);
  }
  return undefined;
}

function mismatch(what: string): Refused {
  return { error: { code: HEADER_MISMATCH, message: `Header mismatch: ${what}` } };
}

/** The client's capabilities, from its message. */
export function capabilitiesOf(message: JSONRPCMessage): unknown {
  return "method" in message
    ? metaOf((message.params ?? {}) as Params)[CAPABILITIES_KEY]
    : undefined;
}

function metaOf(params: Params): Readonly<Record<string, unknown>> {
  return fieldsOf(params._meta);
}

function versionOf(message: JSONRPCMessage): string | undefined {
  if (!("method" in message)) return undefined;
  const version = metaOf((message.params ?? {}) as Params)[VERSION_KEY];
  return typeof version === "string" ? version : undefined;
}

/** Decodes a header's value: text outside of ASCII is sent as marked Base64. */
function decoded(value: string | null): string | undefined {
  const packed = /^=\?base64\?([A-Za-z0-9+/]*={0,2})\?=$/.exec(value ?? "")?.[1];
  if (packed === undefined) return value ?? undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Uint8Array.fromBase64(packed));
  } catch {
    return undefined;
  }
}

function errorOf(failure: unknown): { code: number; message: string; data?: unknown } {
  if (failure instanceof McpError) {
    const { code, data } = failure;
    const message = failure.message.replace(/^MCP error -?\d+: /, "");
    return { code, message, ...defined({ data }) };
  }
  return { code: ErrorCode.InternalError, message: messageOf(failure) };
}
