/**
 * The zod shapes as the JSON schemas that clients see. Input schemas cost tokens in every session,
 * so constraints that only refuse (lengths, bounds) are checked here and explained in the error,
 * not advertised.
 */
import { z } from "zod";
import { isObject } from "../base/fields.ts";
import { memoize } from "../base/memoize.ts";
import type { InputSchema } from "./arguments.ts";
import type { Tool } from "./tool.ts";

/** Keywords that cost tokens and do not help to choose a value. */
const REFUSING = ["minLength", "maxLength", "minimum", "maximum", "maxItems"] as const;

type Described = Pick<Tool, "input" | "unadvertised">;

/** Memoized, because every call is checked against one. */
export const inputSchema: (described: Described) => InputSchema = memoize(makeSchema);

function makeSchema({ input, unadvertised = [] }: Described): InputSchema {
  const shown = z.strictObject(
    Object.fromEntries(Object.entries(input.shape).filter(([key]) => !unadvertised.includes(key))),
  );
  const schema = z.toJSONSchema(shown, {
    io: "input",
    override: ({ jsonSchema }) => {
      for (const keyword of REFUSING) delete jsonSchema[keyword];
    },
  });
  delete schema.$schema;
  return schema as unknown as InputSchema;
}

export function outputSchema(shape: z.ZodObject): Record<string, unknown> & { type: "object" } {
  const { $schema: _, ...schema } = z.toJSONSchema(shape, {
    io: "input",
    // An empty schema for additional properties is the default.
    override: ({ jsonSchema }) => {
      const { additionalProperties: more } = jsonSchema;
      if (isObject(more) && Object.keys(more).length === 0) delete jsonSchema.additionalProperties;
    },
  });
  return { ...schema, type: "object" };
}
