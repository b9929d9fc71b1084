/**
 * MCP over HTTP, with and without a session, with the tools of `sage mcp`. Each client with a session has
 * a transport of its own. A session only says where answers go; the token grants access.
 */
// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { randomHex } from "../base/hash.ts";
import { HTTP_MCP_SESSIONS_MAX } from "../base/limits.ts";
import { toJson } from "../base/text/text.ts";
import { cancelledBy } from "../mcp/dual_protocol.ts";
import { INVALID_REQUEST, readMessage } from "../mcp/message.ts";
import type { Methods } from "../mcp/methods.ts";
import { serverOf } from "../mcp/server.ts";
import { answerStateless, isStateless } from "../mcp/stateless.ts";

export interface McpEndpoint {
  answer(request: Request, body: Uint8Array): Promise<Response>;
  close(): Promise<void>;
}

type Transport = WebStandardStreamableHTTPServerTransport;

const SESSION_HEADER = "mcp-session-id";
const VERSION_HEADER = "mcp-protocol-version";
const SESSION_BYTES = 16;

export function createMcpEndpoint(methods: Methods): McpEndpoint {
  const sessions = new Sessions(methods);
  return {
    async answer(request, body) {
      const id = request.headers.get(SESSION_HEADER);
      if (request.method !== "POST") {
        if (id === null) return new Response(null, { status: 405, headers: { allow: "POST" } });
        return await sessions.handle(id, request);
      }
      const read = readMessage(body);
      if (read.kind === "bad") return rejected(read.id, read.code, read.reason);
      if (read.kind !== "message") return rejected(null, INVALID_REQUEST, "Send one message");
      const { message } = read;
      if (id === null && isStateless(message, request.headers.get(VERSION_HEADER))) {
        const header = (name: string) => request.headers.get(name);
        const { status, message: reply } = await answerStateless(methods, message, header);
        return reply === undefined ? new Response(null, { status }) : json(status, reply);
      }
      return await sessions.handle(id, request, message);
    },
    close: () => sessions.close(),
  };
}

interface Session {
  readonly transport: Transport;
  /** Pending requests by id, each with a function that answers it if the transport no longer will. */
  readonly underWay: Map<RequestId, (response: Response) => void>;
}

/** The clients that began with a handshake. */
class Sessions {
  /** Least recently used first. */
  readonly #sessions = new Map<string, Session>();
  readonly #methods: Methods;

  constructor(methods: Methods) {
    this.#methods = methods;
  }

  /** `id`: of the session; null for a client that may begin one with this request. */
  async handle(id: string | null, request: Request, message?: JSONRPCMessage): Promise<Response> {
    const session = id === null ? await this.#begin() : this.#use(id);
    if (session === undefined) return gone();
    const { transport, underWay } = session;
    const asked = message !== undefined && "method" in message && "id" in message
      ? message.id
      : undefined;
    if (asked !== undefined && underWay.has(asked)) {
      return rejected(asked, INVALID_REQUEST, "A request with this id is in progress");
    }
    const ended = Promise.withResolvers<Response>();
    if (asked !== undefined) underWay.set(asked, ended.resolve);
    try {
      const parsed = message === undefined ? {} : { parsedBody: message };
      const response = await Promise.race([
        transport.handleRequest(request, parsed),
        ended.promise,
      ]);
      // The transport never answers a request that was cancelled.
      const cancelled = message === undefined ? undefined : cancelledBy(message);
      if (cancelled !== undefined) underWay.get(cancelled)?.(new Response(null, { status: 202 }));
      return response;
    } finally {
      if (asked !== undefined) underWay.delete(asked);
      // A client that did not begin with a handshake got an error, and has no session.
      if (id === null && transport.sessionId === undefined) await transport.close();
      await this.#dropOldest();
    }
  }

  async close(): Promise<void> {
    for (const session of this.#sessions.values()) await end(session);
    this.#sessions.clear();
  }

  async #begin(): Promise<Session> {
    const transport: Transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomHex(SESSION_BYTES),
      onsessioninitialized: (id) => void this.#sessions.set(id, session),
      onsessionclosed: (id) => {
        this.#sessions.delete(id);
        abandon(session);
      },
      enableJsonResponse: true,
    });
    // Not every client can read the SDK's own JSON of a message.
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(JSON.parse(toJson(message)), options);
    const session: Session = { transport, underWay: new Map() };
    await serverOf(this.#methods).connect(transport);
    return session;
  }

  #use(id: string): Session | undefined {
    const session = this.#sessions.get(id);
    if (session === undefined) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    return session;
  }

  async #dropOldest(): Promise<void> {
    for (const [id, session] of this.#sessions) {
      if (this.#sessions.size <= HTTP_MCP_SESSIONS_MAX) return;
      this.#sessions.delete(id);
      await end(session);
    }
  }
}

async function end(session: Session): Promise<void> {
  abandon(session);
  await session.transport.close();
}

/** Answers the requests that the transport no longer will. */
function abandon({ underWay }: Session): void {
  for (const answer of underWay.values()) answer(gone());
}

function gone(): Response {
  const error = { code: -32001, message: "Session not found: begin again with initialize" };
  return json(404, { jsonrpc: "2.0", id: null, error });
}

function rejected(id: RequestId | null, code: number, message: string): Response {
  return json(400, { jsonrpc: "2.0", id, error: { code, message } });
}

function json(status: number, message: unknown): Response {
  return new Response(toJson(message), { status, headers: { "content-type": "application/json" } });
}
