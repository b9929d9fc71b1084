/**
 * A client inside this process: greets the server and asks for its tools. Shows that the server
 * starts; that the editor starts it is shown by the editor's receipts.
 */
// @ts-types="@modelcontextprotocol/sdk/types"
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
// @ts-types="@modelcontextprotocol/sdk/shared/transport"
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import { serverInstructions } from "../memory/instructions.ts";
import { type Client, lendMemory } from "./lend.ts";
import { createServer } from "./server.ts";
import { toolsOf } from "./tools/table.ts";

const MS_MAX = 5000;

/** How many tools the server offers. Throws if it does not answer. */
export async function testServer(client: Client): Promise<number> {
  const replies = new Map<unknown, (message: JSONRPCMessage) => void>();
  const wire: Transport = {
    start: () => Promise.resolve(),
    close: () => Promise.resolve(),
    send: (message) => {
      if ("id" in message) replies.get(message.id)?.(message);
      return Promise.resolve();
    },
  };
  const server = createServer({
    use: lendMemory(client),
    tools: toolsOf("standard"),
    instructions: serverInstructions,
    isTest: true,
  });
  await server.connect(wire);
  try {
    const ask = async (id: number, method: string, params: object): Promise<unknown> => {
      const reply = Promise.withResolvers<JSONRPCMessage>();
      replies.set(id, reply.resolve);
      const timer = setTimeout(() => reply.reject(new Error(`no answer to ${method}`)), MS_MAX);
      wire.onmessage?.({ jsonrpc: "2.0", id, method, params: { ...params } });
      const answer = await reply.promise.finally(() => clearTimeout(timer));
      if ("error" in answer) throw new Error(answer.error.message);
      return "result" in answer ? answer.result : undefined;
    };
    await ask(1, "initialize", {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "sage doctor", version: "1" },
    });
    const { tools } = await ask(2, "tools/list", {}) as { readonly tools: readonly unknown[] };
    return tools.length;
  } finally {
    await server.close();
  }
}
