/**
 * Checks a tool's arguments: clients do not, and a model that never saw the schema calls all the
 * same. Harmless mistakes of form are corrected; the others are explained, so that the next call is
 * right.
 */
import type { z } from "zod";
import { parsed } from "../base/fields.ts";
import { neutralize } from "../base/text/printable.ts";
import { cut, nearest } from "../base/text/text.ts";

/** The part of JSON Schema that the tools' inputs use. */
export interface InputSchema {
  readonly type: "object";
  readonly properties: Readonly<Record<string, PropertySchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties: false;
}

export interface PropertySchema {
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
  readonly enum?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly description?: string;
}

export type Arguments =
  | { readonly kind: "right"; readonly args: Record<string, unknown> }
  | { readonly kind: "wrong"; readonly text: string };

const MISTAKES_MAX = 5;

const TYPES: Readonly<Record<string, string>> = {
  string: "a string",
  number: "a number",
  integer: "a whole number",
  int: "a whole number",
  boolean: "true or false",
  array: "a list of strings",
};

export function readArguments(
  tool: { readonly name: string; readonly input: z.ZodObject },
  schema: InputSchema,
  raw: unknown,
): Arguments {
  if (raw !== undefined && (typeof raw !== "object" || raw === null || Array.isArray(raw))) {
    return wrong(tool.name, schema, ["arguments must be an object"]);
  }
  const mended = mend(schema, raw ?? {});
  const checked = tool.input.safeParse(mended);
  if (checked.success) return { kind: "right", args: checked.data };
  const mistakes = firstOfEach(checked.error.issues)
    .flatMap((issue) => describe(issue, schema, mended));
  return wrong(tool.name, schema, mistakes);
}

/**
 * Corrects a list given as one text, a number given as text, an option given as null or as an empty
 * text; and removes NUL, which no note can hold.
 */
function mend(schema: InputSchema, raw: object): Record<string, unknown> {
  const mended: [string, unknown][] = [];
  for (const [key, given] of Object.entries(raw)) {
    const property = Object.hasOwn(schema.properties, key) ? schema.properties[key] : undefined;
    const value = typeof given === "string" ? seen(given) : given;
    if (value === null || (value === "" && !schema.required?.includes(key))) continue;
    mended.push([key, property === undefined ? value : mendOne(property, value)]);
  }
  return Object.fromEntries(mended);
}

function mendOne({ type }: PropertySchema, value: unknown): unknown {
  if (type === "array") return asList(value).map(asLine);
  if (
    (type === "number" || type === "integer") && typeof value === "string" && value.trim() !== ""
  ) {
    return Number.isNaN(Number(value)) ? value : Number(value);
  }
  return value;
}

/** The text, or "" if none of it is visible. */
function seen(value: string): string {
  const text = value.replaceAll("\0", "");
  return neutralize(text).trim() === "" ? "" : text;
}

function asList(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  if (typeof value !== "string") return [value];
  if (value.trim() === "") return [];
  const list = parsed(value);
  return Array.isArray(list) ? list : [value];
}

/** A source may come as `{id, relation}`, as it is in a note's file. */
function asLine(item: unknown): unknown {
  if (typeof item === "string") return seen(item);
  const source = item as { id?: unknown; relation?: unknown } | null;
  if (typeof source !== "object" || source === null || typeof source.id !== "string") return item;
  return typeof source.relation === "string" ? `${source.id}: ${source.relation}` : source.id;
}

/** The first issue of each field: zod also reports a value of the wrong type as too long. */
function firstOfEach(issues: readonly z.core.$ZodIssue[]): readonly z.core.$ZodIssue[] {
  const names = issues.map(({ path }) => path.map(String).join("."));
  return issues.filter((_, i) => names[i] === "" || names.indexOf(names[i] as string) === i);
}

function describe(
  issue: z.core.$ZodIssue,
  schema: InputSchema,
  args: Readonly<Record<string, unknown>>,
): string[] {
  if (issue.code === "unrecognized_keys") {
    return issue.keys.map((key) => {
      const meant = nearest(key, Object.keys(schema.properties));
      return `"${cut(key, 40)}" is unknown` + (meant === undefined ? "" : `, perhaps "${meant}"`);
    });
  }
  const name = issue.path.map(String).join(".");
  const [key] = issue.path;
  if (typeof key === "string" && !Object.hasOwn(args, key)) return [`"${name}" is missing`];
  // The call shown at the end lists what it may be.
  if (issue.code === "invalid_value" && schema.properties[name]?.enum !== undefined) {
    const given = args[name];
    const shown = typeof given === "string" ? given : JSON.stringify(given);
    return [`"${name}" cannot be ${JSON.stringify(cut(shown, 40))}`];
  }
  if (issue.code === "invalid_type" && typeof key === "string") {
    const type = issue.path.length === 1 ? schema.properties[key]?.type : undefined;
    return [`"${name}" must be ${TYPES[type ?? issue.expected] ?? issue.expected}`];
  }
  return [name === "" ? issue.message : `"${name}": ${issue.message}`];
}

function wrong(name: string, schema: InputSchema, mistakes: readonly string[]): Arguments {
  const required = schema.required ?? [];
  const takes = Object.entries(schema.properties)
    .map(([key, property]) => `${key}${required.includes(key) ? "" : "?"}: ${kindOf(property)}`);
  const shown = mistakes.slice(0, MISTAKES_MAX).join("; ");
  return { kind: "wrong", text: `${name}: ${shown}. Call again with {${takes.join(", ")}}.` };
}

function kindOf({ type, enum: choices, minimum, maximum }: PropertySchema): string {
  if (choices !== undefined) return choices.join("|");
  if (type === "array") return "string[]";
  return minimum === undefined || maximum === undefined ? type : `${minimum}..${maximum}`;
}
