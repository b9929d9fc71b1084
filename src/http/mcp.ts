/**
 * MCP over HTTP in both of its eras, with the tools of `sage mcp`. Clients with a session have one
 * transport each; a session is where answers go, and no right to anything: that is the token's.
 */
// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
// @ts-types="@modelcontextprotocol/sdk/types"
import type { JSONRPCMessage, RequestId } from "@modelcontextprotocol/sdk/types.js";
import { randomHex } from "../base/hash.ts";
import { HTTP_MCP_SESSIONS_MAX } from "../base/limits.ts";
import { toJson } from "../base/text.ts";
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
  /** The one that was silent longest is first. */
  const sessions = new Map<string, Session>();

  async function begin(): Promise<Session> {
    const underWay: Session["underWay"] = new Map();
    const transport: Transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomHex(SESSION_BYTES),
      onsessioninitialized: (id) => void sessions.set(id, session),
      onsessionclosed(id) {
        sessions.delete(id);
        leave(session);
      },
      enableJsonResponse: true,
    });
    // It makes JSON of a message by itself, and not such as every client can read.
    const send = transport.send.bind(transport);
    transport.send = (message, options) => send(JSON.parse(toJson(message)), options);
    const session: Session = { transport, underWay };
    await serverOf(methods).connect(transport);
    return session;
  }

  async function sessionOf(id: string | null): Promise<Session | undefined> {
    if (id === null) return await begin();
    const known = sessions.get(id);
    if (known === undefined) return undefined;
    sessions.delete(id);
    sessions.set(id, known);
    return known;
  }

  return {
    async answer(request, body) {
      const id = request.headers.get(SESSION_HEADER);
      if (request.method === "POST") {
        const read = readMessage(body);
        if (read.kind !== "message") {
          return json(400, {
            jsonrpc: "2.0",
            id: read.kind === "bad" ? read.id : null,
            error: read.kind === "bad"
              ? { code: read.code, message: read.reason }
              : { code: INVALID_REQUEST, message: "Send one message" },
          });
        }
        const { message } = read;
        if (id === null && isStateless(message, request.headers.get(VERSION_HEADER))) {
          const header = (name: string) => request.headers.get(name);
          const { status, message: said } = await answerStateless(methods, message, header);
          return said === undefined ? new Response(null, { status }) : json(status, said);
        }
        return await withSession(id, request, message);
      }
      if (id === null) return new Response(null, { status: 405, headers: { allow: "POST" } });
      return await withSession(id, request);
    },
    async close() {
      for (const session of sessions.values()) await end(session);
      sessions.clear();
    },
  };

  async function withSession(
    id: string | null,
    request: Request,
    message?: JSONRPCMessage,
  ): Promise<Response> {
    const session = await sessionOf(id);
    if (session === undefined) return gone();
    const { transport, underWay } = session;
    const asked = message !== undefined && "method" in message && "id" in message
      ? message.id
      : undefined;
    if (asked !== undefined && underWay.has(asked)) {
      const error = { code: INVALID_REQUEST, message: "A request with this id is under way" };
      return json(400, { jsonrpc: "2.0", id: asked, error });
    }
    const parsed = message === undefined ? {} : { parsedBody: message };
    // What is cancelled is never answered.
    const ended = Promise.withResolvers<Response>();
    if (asked !== undefined) underWay.set(asked, ended.resolve);
    try {
      const response = await Promise.race([
        transport.handleRequest(request, parsed),
        ended.promise,
      ]);
      const cancelled = message === undefined ? undefined : cancelledBy(message);
      if (cancelled !== undefined) underWay.get(cancelled)?.(new Response(null, { status: 202 }));
      return response;
    } finally {
      if (asked !== undefined) underWay.delete(asked);
      // Whoever did not begin with a handshake got an error, and has no session.
      if (id === null && transport.sessionId === undefined) await transport.close();
      await dropSilent();
    }
  }

  async function dropSilent(): Promise<void> {
    for (const [id, session] of sessions) {
      if (sessions.size <= HTTP_MCP_SESSIONS_MAX) return;
      sessions.delete(id);
      await end(session);
    }
  }
}

interface Session {
  readonly transport: Transport;
  /** Requests by their ids, and what ends one that gets no answer. */
  readonly underWay: Map<RequestId, (response: Response) => void>;
}

async function end(session: Session): Promise<void> {
  leave(session);
  await session.transport.close();
}

/** Its transport answers nothing any more. */
function leave({ underWay }: Session): void {
  for (const end of underWay.values()) end(gone());
}

function gone(): Response {
  const error = { code: -32001, message: "Session not found: begin again with initialize" };
  return json(404, { jsonrpc: "2.0", id: null, error });
}

function json(status: number, message: unknown): Response {
  return new Response(toJson(message), {
    status,
    headers: { "content-type": "application/json" },
  });
}
