/**
 * What a tool is: its contract as data, one function that does it. Lists, schemas, the reference and
 * the tests are made from these values. Tools call memory and word the answer; they decide nothing.
 */
import type { z } from "zod";
import type { Memory } from "../memory/memory.ts";
import type { Answer } from "./answer.ts";

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For a model that decides when to call; paid for in every session. */
  readonly description: string;
  readonly input: Input;
  /** Arguments that are taken but not worth their tokens in every session. */
  readonly unadvertised?: readonly string[];
  readonly output: z.ZodObject;
  readonly annotations: Annotations;
  run(memory: Memory, args: z.output<Input>): Promise<Answer>;
}

export interface Annotations {
  readonly readOnlyHint: boolean;
  readonly destructiveHint: boolean;
  readonly idempotentHint: boolean;
  readonly openWorldHint: false;
}

export const READS: Annotations = {
  readOnlyHint: true,
  destructiveHint: false,
  idempotentHint: true,
  openWorldHint: false,
};

/** Adds; nothing that was there is lost. */
export const ADDS: Annotations = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: false,
};

export const REMOVES: Annotations = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** Keeps the types of a tool's own arguments inside `run`, and forgets them outside. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}
