/**
 * The protocol revisions with a handshake (2025-11-25 and before), over any transport of the SDK.
 * The methods are in methods.ts, the revision without a handshake in stateless.ts.
 */
import { Server } from "@modelcontextprotocol/sdk/server";
// @ts-types="@modelcontextprotocol/sdk/types"
import {
  LATEST_PROTOCOL_VERSION,
  type ServerRequest,
  type ServerResult,
  SUPPORTED_PROTOCOL_VERSIONS,
} from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { ELICIT_MS_MAX, formOf, hasForms, readSaid, withAnswer } from "./ask_person.ts";
import {
  CAPABILITIES,
  createMethods,
  type Methods,
  type Params,
  type Result,
  SERVER_INFO,
  type ServerOptions,
} from "./methods.ts";

export function createServer(options: ServerOptions): Server {
  return serverOf(createMethods(options), { asks: true });
}

/** The same, with methods shared by several servers. */
export function serverOf(
  methods: Methods,
  { asks = false, greet }: {
    /** The transport can carry questions to the client, and the answers back. */
    readonly asks?: boolean;
    /** Called with the client's capabilities. */
    readonly greet?: (capabilities: unknown) => void;
  } = {},
): Server {
  const server = new Server(SERVER_INFO, { capabilities: CAPABILITIES });
  let canAsk = false;
  handle(server, "initialize", async ({ protocolVersion, capabilities }) => {
    canAsk = asks && hasForms(capabilities);
    greet?.(capabilities);
    return {
      protocolVersion: SUPPORTED_PROTOCOL_VERSIONS.find((version) => version === protocolVersion) ??
        LATEST_PROTOCOL_VERSION,
      capabilities: CAPABILITIES,
      serverInfo: SERVER_INFO,
      instructions: await methods.instructions(),
    };
  });
  for (const [method, answer] of methods.byName) {
    handle(
      server,
      method,
      method === "tools/call" ? async (params) => await asked(await answer(params)) : answer,
    );
  }
  return server;

  /** The result, with the person's answer if it raised a question that they answered. */
  async function asked(result: Result): Promise<Result> {
    const form = canAsk ? formOf(result) : undefined;
    if (form === undefined) return result;
    const request = { method: "elicitation/create" as const, params: form.params };
    const reply = await server.request(
      request as ServerRequest,
      z.looseObject({ action: z.string() }),
      { timeout: ELICIT_MS_MAX },
    ).catch(() => undefined);
    const said = readSaid(reply);
    if (said === undefined) return result;
    return withAnswer(result, said, await methods.answer(form.id, said));
  }
}

function handle(
  server: Server,
  method: string,
  answer: (params: Params) => Result | Promise<Result>,
): void {
  const request = z.object({ method: z.literal(method), params: z.looseObject({}).optional() });
  server.setRequestHandler(request, ({ params }) => answer(params ?? {}) as Promise<ServerResult>);
}
