/**
 * What stands between the conformance suite, which speaks plain HTTP to localhost, and our two
 * transports: a proxy that adds the token, and one that gives each session a `sage mcp` of its own.
 */
import { start } from "./process.ts";
import { within } from "../support/within.ts";

export interface Bridge extends AsyncDisposable {
  readonly url: string;
}

/** Adds the token, and calls this address by the server's own name. All else is passed as it came. */
export function addToken(server: { readonly url: string; readonly token: string }): Bridge {
  // Without it a foreign Host would not arrive.
  const client = Deno.createHttpClient({ allowHost: true });
  const there = new URL(server.url).host;
  const listening = listen(async (request, here) => {
    const headers = new Headers(request.headers);
    headers.set("authorization", `Bearer ${server.token}`);
    const rename = (text: string): string => text.replaceAll(here.port, new URL(server.url).port);
    headers.set("host", rename(headers.get("host") ?? there));
    const origin = headers.get("origin");
    if (origin !== null) headers.set("origin", rename(origin));
    const { pathname, search } = new URL(request.url);
    const { method } = request;
    const body = method === "POST" ? await request.arrayBuffer() : null;
    return await fetch(server.url + pathname + search, { method, headers, body, client });
  });
  return {
    url: listening.url,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      client.close();
    },
  };
}

/**
 * A session is a process, and what comes without one shares a process; one POST is one line in and, for a
 * request, one line out. Over HTTP an error has a status too, which the suite looks at.
 */
export function overStdio(): Bridge {
  const sessions = new Map<string, ReturnType<typeof start>>();
  const shared = "stateless";
  const end = async (running: ReturnType<typeof start>): Promise<void> => {
    await running.closeInput();
    await running.rest();
    await running.ended();
    running.remove();
  };
  const listening = listen(async (request) => {
    const id = request.headers.get("mcp-session-id");
    if (request.method !== "POST") return new Response(null, { status: 405 });
    const message = await request.json();
    const isNew = id === null && message.method === "initialize";
    const session = isNew ? crypto.randomUUID() : id ?? shared;
    if (isNew || (session === shared && !sessions.has(shared))) sessions.set(session, start());
    const running = sessions.get(session);
    if (running === undefined) return new Response(null, { status: 404 });
    await running.send(message);
    if (message.id === undefined) return new Response(null, { status: 202 });
    const answer = await running.answer(message.id);
    const { code } = answer.error as { code?: number } ?? {};
    if (session === shared) return Response.json(answer, { status: STATUS[code ?? 0] ?? 200 });
    return Response.json(answer, { headers: { "mcp-session-id": session } });
  });
  return {
    url: listening.url,
    async [Symbol.asyncDispose]() {
      await listening[Symbol.asyncDispose]();
      for (const running of sessions.values()) await end(running);
    },
  };
}

/** By error: an unknown method, wrong parameters of the frame, an unknown revision. */
const STATUS: Readonly<Record<number, number>> = { [-32601]: 404, [-32602]: 400, [-32022]: 400 };

function listen(answer: (request: Request, here: { port: string }) => Promise<Response>): Bridge {
  const how = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server: Deno.HttpServer<Deno.NetAddr> = Deno.serve(how, (request) => {
    const port = String(server.addr.port);
    return answer(request, { port });
  });
  return {
    url: `http://127.0.0.1:${server.addr.port}/mcp`,
    [Symbol.asyncDispose]: () => within("the end of the bridge", server.shutdown()),
  };
}
