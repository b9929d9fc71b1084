/**
 * What a tool is: its contract as data, and one function that does it. Lists, schemas, the
 * reference and the tests are made from these values. Tools call memory and word the answer; they
 * decide nothing.
 */
import type { z } from "zod";
import type { Memory } from "../memory/memory.ts";
import type { Answer } from "./answer.ts";

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  readonly title: string;
  /** For the model, to decide when to call; costs tokens in every session. */
  readonly description: string;
  readonly input: Input;
  /** Arguments that are accepted and not listed, to save tokens. */
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

/** Adds something, and loses nothing. */
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

/** Checks `run` against the tool's own arguments, and hides their types outside. */
export function defineTool<Input extends z.ZodObject>(tool: Tool<Input>): Tool {
  return tool as unknown as Tool;
}
