/**
 * What a route is: its contract as data, one function that does it. The router, the OpenAPI document
 * and the client are made from these values. Routes call memory and shape the answer; they decide
 * nothing.
 */
import type { z } from "zod";
import type { Memory } from "../memory/memory.ts";
import type { Author } from "../memory/outcome.ts";
import type { Caller } from "./access.ts";
import type { Problem } from "./problem.ts";

export interface Route<Input extends z.ZodObject = z.ZodObject> {
  readonly method: "GET" | "POST" | "PATCH" | "DELETE";
  /** Below `/api/v1`; parameters in braces. */
  readonly path: string;
  /** What the client calls it. */
  readonly name: string;
  readonly summary: string;
  /** The query of a GET, the body of what writes. */
  readonly input: Input;
  readonly output: z.ZodObject;
  /** Changes what is there: wants If-Match. */
  readonly replaces?: boolean;
  /** Makes something new: answers 201. */
  readonly creates?: boolean;
  /** The answer rests on more than the index and settings, so it is made anew each time. */
  readonly live?: boolean;
  /** What it tells is of the disk itself, so it looks there, however lately somebody else did. */
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
  /** The path of this program, where it is one and not its sources. */
  readonly program: string | undefined;
}

export type Reply =
  | { readonly kind: "done"; readonly body: Data; readonly etag?: string }
  | { readonly kind: "problem"; readonly problem: Problem };

export type Data = Readonly<Record<string, unknown>>;

/** Keeps the types of a route's own input inside `run`, and forgets them outside. */
export function defineRoute<Input extends z.ZodObject>(route: Route<Input>): Route {
  return route as unknown as Route;
}

export function done(body: Data, etag?: string): Reply {
  return etag === undefined ? { kind: "done", body } : { kind: "done", body, etag };
}
