/** The OpenAPI 3.1 document, generated from the routes. */
import { z } from "zod";
import { buildInfo } from "../base/build_info.ts";
import { problem } from "./shapes.ts";
import * as shapes from "./shapes.ts";
import type { Route } from "./route.ts";

type Json = Readonly<Record<string, unknown>>;

/** Shapes that several routes share, by their names in the document. */
const NAMED: Readonly<Record<string, z.ZodObject>> = {
  NoteItem: shapes.noteItem,
  Note: shapes.note,
  Hit: shapes.hit,
  CheckpointItem: shapes.checkpointItem,
  CheckpointDiff: shapes.checkpointDiff,
  KnowledgeItem: shapes.knowledgeItem,
  Knowledge: shapes.knowledge,
  TodoItem: shapes.todoItem,
  SessionItem: shapes.sessionItem,
  RemovedItem: shapes.removedItem,
  GraphItem: shapes.graphItem,
  GraphPart: shapes.graphPart,
  Statement: shapes.statement,
  Related: shapes.related,
  Version: shapes.version,
  Question: shapes.question,
  Finding: shapes.finding,
  Setting: shapes.setting,
  SaveOutcome: shapes.saveOutcome,
  Problem: problem,
};

export const API_PATH = "/api/v1";

export function openApiDocument(routes: readonly Route[]): Json {
  const registry = z.registry<{ id: string }>();
  for (const [id, shape] of Object.entries(NAMED)) registry.add(shape, { id });
  for (const { name, output } of routes) registry.add(output, { id: outputName(name) });
  const { schemas } = z.toJSONSchema(registry, {
    io: "input",
    uri: (id) => `#/components/schemas/${id}`,
  });
  const paths: Record<string, Record<string, unknown>> = {};
  for (const route of routes) {
    const path = paths[API_PATH + route.path] ??= {};
    path[route.method.toLowerCase()] = operation(route);
  }
  paths[`${API_PATH}/events`] = { get: EVENTS };
  return {
    openapi: "3.1.0",
    info: {
      title: "Sage",
      version: buildInfo?.version ?? "0.0.0",
      summary: "The memory of a coding agent, on this machine",
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "http://127.0.0.1:7243" }],
    security: [{ token: [] }],
    paths,
    components: {
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
      schemas: Object.fromEntries(
        Object.entries(schemas).map(([id, schema]) => [id, withoutDialect(schema as Json)]),
      ),
    },
  };
}

/** `search` → `SearchAnswer`. */
function outputName(name: string): string {
  return name.slice(0, 1).toUpperCase() + name.slice(1) + "Answer";
}

function operation(route: Route): Json {
  const { name, summary, method, path, input, creates = false, replaces = false } = route;
  const schema = withoutDialect(z.toJSONSchema(input, { io: "input" }) as Json);
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, param]) => ({
    name: param,
    in: "path",
    required: true,
    schema: { type: "string" },
  }));
  const hasBody = method === "POST" || method === "PATCH";
  const ifMatch = { name: "If-Match", in: "header", required: true, schema: { type: "string" } };
  const parameters = [
    ...inPath,
    ...(hasBody ? [] : inQuery(schema)),
    ...(replaces ? [{ ...ifMatch, description: "the ETag of what was read" }] : []),
  ];
  return {
    operationId: name,
    summary,
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(hasBody ? { requestBody: { required: true, content: inJson(schema) } } : {}),
    responses: {
      [creates ? "201" : "200"]: {
        description: creates ? "Saved" : "Done",
        ...(method === "GET" ? { headers: { ETag: { schema: { type: "string" } } } } : {}),
        content: inJson({ $ref: `#/components/schemas/${outputName(name)}` }),
      },
      ...(replaces ? { "412": failure("It changed since it was read") } : {}),
      ...(replaces ? { "428": failure("If-Match is missing") } : {}),
      default: failure("Nothing was done; the problem says why"),
    },
  };
}

function inQuery(schema: Json): Json[] {
  const required = schema.required as readonly string[] | undefined ?? [];
  return Object.entries(schema.properties as Record<string, Json> ?? {}).map(([name, one]) => ({
    name,
    in: "query",
    ...(required.includes(name) ? { required: true } : {}),
    schema: one,
  }));
}

function inJson(schema: Json): Json {
  return { "application/json": { schema } };
}

function failure(description: string): Json {
  const schema = { $ref: "#/components/schemas/Problem" };
  return { description, content: { "application/problem+json": { schema } } };
}

/** The document states its dialect of JSON Schema once. */
function withoutDialect({ $schema: _, $id: __, ...schema }: Json): Json {
  return schema;
}

const EVENTS: Json = {
  operationId: "events",
  summary: "Changes as they happen, whoever makes them: `note`, `inbox`, and `reload` for too many",
  parameters: [{ name: "Last-Event-ID", in: "header", schema: { type: "string" } }],
  responses: {
    "200": {
      description: "A stream of server-sent events",
      content: { "text/event-stream": { schema: { type: "string" } } },
    },
    default: failure("Nothing was done; the problem says why"),
  },
};
