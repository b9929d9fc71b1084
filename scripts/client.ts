/**
 * Generates the TypeScript client of the API from its OpenAPI document: one typed function for each
 * operation. Handles only the parts of JSON Schema that the document uses.
 */
interface Schema {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
}

interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: "path" | "query" | "header";
    readonly required?: boolean;
    readonly schema: Schema;
  }[];
  readonly requestBody?: {
    readonly content: Readonly<Record<string, { readonly schema: Schema }>>;
  };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: Schema }>> }>
  >;
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const JSON_TYPE = "application/json";

export function renderClient({ paths, components }: OpenApi): string {
  const types = Object.entries(components.schemas).map(([name, schema]) =>
    `export type ${name} = ${typeOf(schema, "")};\n`
  );
  const functions = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => functionOf(path, method, operation))
  );
  return [HEAD, ...types, CLIENT_HEAD, ...functions, CLIENT_END].join("\n");
}

function functionOf(path: string, method: string, operation: Operation): string {
  const { operationId, summary, parameters = [], requestBody, responses } = operation;
  const answer = responses["200"] ?? responses["201"];
  const schema = answer?.content?.[JSON_TYPE]?.schema;
  const inPath = parameters.filter((one) => one.in === "path").map(({ name }) => name);
  const query = parameters.filter((one) => one.in === "query");
  const replaces = parameters.some(({ name }) => name === "If-Match");
  const body = requestBody?.content[JSON_TYPE]?.schema;
  const given = [
    ...inPath.map((name) => `${name}: string`),
    ...(query.length === 0 ? [] : [`query: ${queryType(query)}`]),
    ...(body === undefined ? [] : [`body: ${typeOf(body, "    ")}`]),
    ...(replaces ? ["etag: string"] : []),
  ].map((one, i, all) =>
    i === all.length - 1 && query.length > 0 && query.every(({ required }) => required !== true)
      ? `${one} = {}`
      : one
  );
  const address = "`" + path.replace(/\{(\w+)\}/g, "${encodeURIComponent($1)}") + "`";
  const extra = [
    ...(query.length === 0 ? [] : ["query"]),
    ...(body === undefined ? [] : ["body"]),
    ...(replaces ? ["etag"] : []),
  ];
  const about = `    /** ${summary}. */\n`;
  const sent = extra.length === 0 ? "{}" : `{ ${extra.join(", ")} }`;
  const call = `${address}, ${sent}`;
  if (schema === undefined) {
    return `${about}    ${operationId}: (): Promise<Response> => send("GET", ${address}, {}),\n`;
  }
  return `${about}    ${operationId}: (${given.join(", ")}): Promise<Answer<${
    typeOf(schema, "")
  }>> =>\n` +
    `      ask("${method.toUpperCase()}", ${call}),\n`;
}

function queryType(query: NonNullable<Operation["parameters"]>): string {
  const fields = query.map(({ name, required, schema }) =>
    `${name}${required === true ? "" : "?"}: ${typeOf(schema, "")}`
  );
  return `{ ${fields.join("; ")} }`;
}

function typeOf(schema: Schema, indent: string): string {
  if (schema.$ref !== undefined) return schema.$ref.replace(/^.*\//, "");
  if (schema.enum !== undefined) return schema.enum.map((one) => JSON.stringify(one)).join(" | ");
  if (schema.anyOf !== undefined) {
    return schema.anyOf.map((one) => typeOf(one, indent)).join(" | ");
  }
  switch (schema.type) {
    case "string":
      return "string";
    case "number":
    case "integer":
      return "number";
    case "boolean":
      return "boolean";
    case "array":
      return `readonly (${typeOf(schema.items ?? {}, indent)})[]`;
    case "object":
      return objectOf(schema, indent);
  }
  return "unknown";
}

function objectOf({ properties, required = [], additionalProperties }: Schema, indent: string) {
  if (properties === undefined || Object.keys(properties).length === 0) {
    const value = typeof additionalProperties === "object"
      ? typeOf(additionalProperties, indent)
      : "unknown";
    return `Readonly<Record<string, ${value}>>`;
  }
  const inner = indent + "  ";
  const fields = Object.entries(properties).map(([name, one]) =>
    `${inner}readonly ${name}${required.includes(name) ? "" : "?"}: ${typeOf(one, inner)};`
  );
  return `{\n${fields.join("\n")}\n${indent}}`;
}

const HEAD = `/**
 * A client of \`sage serve\` for TypeScript, without dependencies. Made by scripts/docs.ts from the OpenAPI
 * document; do not edit. Address and token are in the file that \`sage serve\` names when it starts.
 */
`;

const CLIENT_HEAD = `/** What was answered, and the ETag that a change of it has to name. */
export interface Answer<T> {
  readonly data: T;
  readonly etag: string;
}

/** A refusal, with the problem document that says why. */
export class SageProblem extends Error {
  readonly problem: Problem;

  constructor(problem: Problem) {
    super(problem.detail ?? problem.title);
    this.name = "SageProblem";
    this.problem = problem;
  }
}

export interface ClientOptions {
  /** As \`sage serve\` printed it: \`http://127.0.0.1:7243\`. */
  readonly url: string;
  readonly token: string;
}

interface Sent {
  readonly query?: Readonly<
    Record<string, string | number | boolean | readonly string[] | undefined>
  >;
  readonly body?: unknown;
  readonly etag?: string;
}

export type SageClient = ReturnType<typeof createClient>;

// deno-lint-ignore explicit-module-boundary-types explicit-function-return-type
export function createClient({ url, token }: ClientOptions) {
  async function send(method: string, path: string, { query = {}, body, etag }: Sent) {
    const address = new URL(path, url);
    for (const [name, value] of Object.entries(query)) {
      const values = value === undefined ? [] : [value].flat();
      for (const one of values) address.searchParams.append(name, String(one));
    }
    const headers = new Headers({ authorization: \`Bearer \${token}\` });
    if (etag !== undefined) headers.set("if-match", etag);
    if (body !== undefined) headers.set("content-type", "application/json");
    return await fetch(address, {
      method,
      headers,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  }

  async function ask<T>(method: string, path: string, sent: Sent): Promise<Answer<T>> {
    const response = await send(method, path, sent);
    const data = await response.json();
    if (!response.ok) throw new SageProblem(data as Problem);
    return { data: data as T, etag: response.headers.get("etag") ?? "" };
  }

  return {`;

const CLIENT_END = `  };
}
`;
