/**
 * MCP over HTTP in both of its eras, with the tools of `sage mcp`. Clients with a session have one
 * transport each; a session is where answers go, and no right to anything: that is the token's.
 */
// @ts-types="@modelcontextprotocol/sdk/server/webStandardStreamableHttp"
import { WebStandardStreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js";
import { randomHex } from "../base/hash.ts";
import { HTTP_MCP_SESSIONS_MAX } from "../base/limits.ts";
import { toJson } from "../base/text.ts";
import { readMessage } from "../mcp/message.ts";
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
  const sessions = new Map<string, Transport>();

  async function begin(): Promise<Transport> {
    const transport: Transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomHex(SESSION_BYTES),
      onsessioninitialized: (id) => void sessions.set(id, transport),
      onsessionclosed: (id) => void sessions.delete(id),
      enableJsonResponse: true,
    });
    await serverOf(methods).connect(transport);
    return transport;
  }

  async function transportOf(id: string | null): Promise<Transport | undefined> {
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
              : { code: -32600, message: "Send one message" },
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
      for (const transport of sessions.values()) await transport.close();
      sessions.clear();
    },
  };

  async function withSession(
    id: string | null,
    request: Request,
    parsedBody?: unknown,
  ): Promise<Response> {
    const transport = await transportOf(id);
    if (transport === undefined) {
      const error = { code: -32001, message: "Session not found: begin again with initialize" };
      return json(404, { jsonrpc: "2.0", id: null, error });
    }
    const response = await transport.handleRequest(
      request,
      parsedBody === undefined ? {} : { parsedBody },
    );
    // Whoever did not begin with a handshake got an error, and has no session.
    if (id === null && transport.sessionId === undefined) await transport.close();
    await dropSilent();
    return response;
  }

  async function dropSilent(): Promise<void> {
    for (const [id, transport] of sessions) {
      if (sessions.size <= HTTP_MCP_SESSIONS_MAX) return;
      sessions.delete(id);
      await transport.close();
    }
  }
}

function json(status: number, message: unknown): Response {
  return new Response(toJson(message), {
    status,
    headers: { "content-type": "application/json" },
  });
}
