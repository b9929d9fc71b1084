/**
 * The server without a port: one request in, one response out, testable in process. The gate is before
 * the router, and every response carries the same few headers, refusals too.
 */
import { type Context, Hono } from "hono";
import { SageError } from "../base/errors.ts";
import { sha256Hex } from "../base/hash.ts";
import { HTTP_PENDING_MAX, HTTP_TOLD_MS_MAX } from "../base/limits.ts";
import { encode } from "../base/utf8.ts";
import { toJson } from "../base/text/text.ts";
import { readArguments } from "../mcp/arguments.ts";
import { inputSchema } from "../mcp/schema.ts";
import type { Author } from "../memory/write/outcome.ts";
import type { Access, Caller } from "./access.ts";
import { type Answered, createAnswers } from "./answers.ts";
import type { Changes } from "./changes.ts";
import type { Streams } from "./events.ts";
import { gate, OPEN_PATH } from "./gate.ts";
import type { Lender } from "./lend.ts";
import type { McpEndpoint } from "./mcp.ts";
import { API_PATH, openApiDocument } from "./openapi.ts";
import { pageResponse } from "./page.ts";
import { notAllowed, problem, problemOf, problemResponse } from "./problem.ts";
import type { Reply, Route } from "./route.ts";
import { ROUTES } from "./routes/table.ts";

export interface AppOptions {
  readonly lender: Lender;
  readonly access: Access;
  readonly changes: Changes;
  readonly streams: Streams;
  readonly mcp: McpEndpoint;
  readonly port: number;
  /** Identifies the notes that are served; see gate.ts. */
  readonly place: string;
  /** Whether other machines may connect. */
  readonly isOpen: boolean;
  /** The path of this program, if it does not run from its sources. */
  readonly program?: string | undefined;
  /** Called with failures that only a bug can cause. */
  readonly report?: (error: unknown) => void;
}

export type App = (request: Request) => Promise<Response>;

type Bindings = { readonly caller: Caller | "stranger"; readonly body: Uint8Array };
type Ask = Context<{ Bindings: Bindings }>;

const HEADERS: Readonly<Record<string, string>> = {
  // A compressed answer would lose the ETag that a change sends back.
  "cache-control": "no-store, no-transform",
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

export function createApp(options: AppOptions): App {
  const route = createRouter(options);
  let pending = 0;
  return async (request) => {
    if (pending >= HTTP_PENDING_MAX) return sealed(problemResponse(problem(503, "busy")));
    pending++;
    try {
      const passed = await gate(request, options);
      if (passed.kind === "stopped") {
        return sealed(problemResponse(passed.problem, request.headers));
      }
      return sealed(await route(request, { caller: passed.caller, body: passed.body }));
    } catch (error) {
      return sealed(failure(error, options));
    } finally {
      pending--;
    }
  };
}

function sealed(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) {
    if (!response.headers.has(name)) response.headers.set(name, value);
  }
  return response;
}

function failure(error: unknown, { report }: AppOptions): Response {
  const told = problemOf(error);
  if (told.code === "internal") report?.(error);
  return problemResponse(told);
}

function createRouter(options: AppOptions) {
  const { access, changes, lender, mcp, port, program, streams } = options;
  const answers = createAnswers();
  const app = new Hono<{ Bindings: Bindings }>();
  for (const route of ROUTES) {
    const path = API_PATH + route.path.replace(/\{(\w+)\}/g, ":$1");
    app.on(
      route.method,
      path,
      (ask) => route.method === "GET" ? look(route, ask) : act(route, ask),
    );
  }
  let document: string | undefined;
  app.get(`${API_PATH}/openapi.json`, () => {
    document ??= JSON.stringify(openApiDocument(ROUTES));
    return new Response(document, { headers: { "content-type": "application/json" } });
  });
  app.get(`${API_PATH}/events`, (ask) => streams.open(ask.req.header("last-event-id")));
  app.all("/mcp", async (ask) => {
    const response = await mcp.answer(ask.req.raw, ask.env.body);
    if (ask.req.method === "POST") await changes.look();
    return response;
  });
  app.get(OPEN_PATH, (ask) => {
    const cookie = access.redeem(ask.req.query("code") ?? "", String(port));
    if (cookie === undefined) {
      const told = problem(
        401,
        "code",
        "this address was used, or is too old: " +
          "press Enter where `sage serve --open` runs for another",
      );
      return problemResponse(told, ask.req.raw.headers);
    }
    return new Response(null, { status: 303, headers: { "set-cookie": cookie, location: "/" } });
  });
  app.get("/", () => pageResponse(options.place));
  // Routes answer in the order of registration: this one gets the methods that have none.
  for (const [path, taken] of Map.groupBy(app.routes, ({ path }) => path)) {
    const methods = taken.map(({ method }) => method);
    app.all(path, (ask) => problemResponse(notAllowed(ask.req.method, methods)));
  }
  app.notFound((ask) => problemResponse(problem(404, "not_found", `No ${ask.req.path} here`)));
  app.onError((error) => failure(error, options));
  return app.fetch;

  /** Reads: from the cache if possible, and with 304 if the client has the answer. */
  async function look(route: Route, ask: Ask): Promise<Response> {
    const question = route.live === true ? undefined : ask.req.url;
    // Listeners are told of changes and ask again. The scan that finds changes costs a large store as
    // much as several answers, and no key that is pressed should wait for one.
    const isTold = ask.env.caller === "page" && changes.listeners > 0;
    const behindMsMax = isTold ? HTTP_TOLD_MS_MAX : undefined;
    return await lender.read(async (memory, state) => {
      const kept = question === undefined ? undefined : answers.get(question, state);
      if (kept !== undefined) return toResponse(kept, ask);
      const input = readInput(route, queryOf(route, ask));
      if (typeof input === "string") return problemResponse(problem(400, "usage", input));
      let isKept = true;
      const lent = {
        ...memory,
        settled: route.looks === true ? undefined : memory.settled,
        restsOnMore: () => void (isKept = false),
      };
      const call = { memory: lent, input, ...callOf(ask), expected: "", program };
      const reply = await route.run(call);
      if (reply.kind === "problem") return problemResponse(reply.problem);
      const answer = render(reply);
      if (question !== undefined && isKept) answers.put(question, state, answer);
      return toResponse(answer, ask);
    }, behindMsMax);
  }

  /** Writes, one after the other. */
  async function act(route: Route, ask: Ask): Promise<Response> {
    const expected = etagOf(ask.req.header("if-match"));
    if (route.replaces === true && expected === undefined) {
      return problemResponse(problem(428, "if_match", "read it first, and send its ETag back"));
    }
    const input = readInput(route, readJson(ask.env.body));
    if (typeof input === "string") return problemResponse(problem(400, "usage", input));
    const reply = await lender.write((memory) =>
      route.run({ memory, input, ...callOf(ask), expected: expected ?? "", program })
    );
    if (reply.kind === "problem") return problemResponse(reply.problem);
    await changes.look();
    const headers = { "content-type": "application/json" };
    const status = route.creates === true ? 201 : 200;
    return new Response(toJson(reply.body), { status, headers });
  }
}

function callOf(ask: Ask) {
  // Without access the gate lets only the one-time code through.
  const caller = ask.env.caller === "page" ? "page" : "program";
  const author: Author = { by: caller === "page" ? "person" : "agent", explicit: true };
  return { caller, author, params: ask.req.param() as Record<string, string> } as const;
}

/** The input, or what is wrong with it. Corrects the same mistakes as a tool's arguments. */
function readInput(route: Route, raw: unknown): Record<string, unknown> | string {
  const name = `${route.method} ${route.path}`;
  const read = readArguments({ name, input: route.input }, inputSchema(route), raw);
  return read.kind === "right" ? read.args : read.text;
}

/** The query parameters; a repeated one is a list. */
function queryOf(route: Route, { req }: Ask): Record<string, unknown> {
  const query: Record<string, unknown> = req.query();
  const { properties } = inputSchema(route);
  for (const name of Object.keys(query)) {
    if (properties[name]?.type === "array") query[name] = req.queries(name);
  }
  return query;
}

function readJson(body: Uint8Array): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    const why = cause instanceof SyntaxError ? "JSON" : "text in UTF-8";
    throw new SageError("usage", `Cannot read the body: it is not ${why}`, { cause });
  }
}

function etagOf(header: string | undefined): string | undefined {
  return /^"([^"]+)"$/.exec(header ?? "")?.[1];
}

function render(reply: Extract<Reply, { readonly kind: "done" }>): Answered {
  const bytes = encode(toJson(reply.body)) as Uint8Array<ArrayBuffer>;
  // The ETag of a file is for changing it: the answer also has what changes without the file.
  const isOfAnswer = reply.etag === undefined;
  return { bytes, etag: `"${reply.etag ?? sha256Hex(bytes)}"`, isOfAnswer };
}

function toResponse({ bytes, etag, isOfAnswer }: Answered, ask: Ask): Response {
  if (isOfAnswer && ask.req.header("if-none-match") === etag) {
    return new Response(null, { status: 304, headers: { etag } });
  }
  return new Response(bytes, { headers: { "content-type": "application/json", etag } });
}
