/**
 * The protocol revisions with a handshake (2025-11-25 and before), over any transport of the SDK. What
 * each method does stands in methods.ts; the revision without a handshake in stateless.ts.
 */
import { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  LATEST_PROTOCOL_VERSION,
  type ServerResult,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import {
  CAPABILITIES,
  createMethods,
  type Methods,
  type Params,
  type Result,
  SERVER_INFO,
  type ServerOptions,
} from "./methods.ts";

/** `greet` is told what the client can do. */
export function createServer(
  options: ServerOptions,
  greet?: (capabilities: unknown) => void,
): Server {
  return serverOf(createMethods(options), greet);
}

/** The same, with methods that several servers share. */
export function serverOf(methods: Methods, greet?: (capabilities: unknown) => void): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES });
  handle(server, "initialize", async ({ protocolVersion, capabilities }) => {
    greet?.(capabilities);
    return {
      protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.find((version) => version === protocolVersion) ??
        LATEST_PROTOCOL_VERSION,
      capabilities: CAPABILITIES,
      serverInfo: SERVER_INFO,
      instructions: await methods.instructions(),
    };
  });
  for (const [method, answer] of methods.byName) handle(server, method, answer);
  return server;
}

function handle(
  server: Server,
  method: string,
  answer: (params: Params) => Result | Promise<Result>,
): void {
  const request = z.object({ method: z.literal(method), params: z.looseObject({}).optional() });
  server.setRequestHandler(request, ({ params }) => answer(params ?? {}) as Promise<ServerResult>);
}
