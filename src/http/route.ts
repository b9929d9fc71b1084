/**
 * What a route is: its contract as data, and one function that does it. The router, the OpenAPI
 * document and the client are made from these values. Routes call memory and shape the answer; they
 * decide nothing.
 */
import type { z } from "zod";
import type { Memory } from "../memory/memory.ts";
import type { Author } from "../memory/write/outcome.ts";
import type { Caller } from "./access.ts";
import type { Problem } from "./problem.ts";

export interface Route<Input extends z.ZodObject = z.ZodObject> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1`; parameters in braces. */
  readonly path: string;
  /** The name of the client's function. */
  readonly name: string;
  readonly summary: string;
  /** The query of a GET, the body of a write. */
  readonly input: Input;
  readonly output: z.ZodObject;
  /** Changes something that exists: needs If-Match. */
  readonly replaces?: boolean;
  /** Creates something: answers 201. */
  readonly creates?: boolean;
  /** The answer depends on more than index and settings, so it is not cached. */
  readonly live?: boolean;
  /** The answer is about the disk itself, so it needs a fresh scan. */
  readonly looks?: boolean;
  run(call: Call<z.output<Input>>): Reply | Promise<Reply>;
}

export interface Call<Input> {
  readonly memory: Memory;
  /** The parameters of the path. */
  readonly params: Readonly<Record<string, string>>;
  readonly input: Input;
  readonly caller: Caller;
  readonly author: Author;
  /** From If-Match: the hash of what the caller has read. */
  readonly expected: string;
  /** The path of this program, if it does not run from its sources. */
  readonly program: string | undefined;
}

export type Reply =
  | { readonly kind: "done"; readonly body: Data; readonly etag?: string }
  | { readonly kind: "problem"; readonly problem: Problem };

export type Data = Readonly<Record<string, unknown>>;

/** Checks `run` against the route's own input, and hides its types outside. */
export function defineRoute<Input extends z.ZodObject>(route: Route<Input>): Route {
  return route as unknown as Route;
}

export function done(body: Data, etag?: string): Reply {
  return etag === undefined ? { kind: "done", body } : { kind: "done", body, etag };
}
