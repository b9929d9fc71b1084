/** Values of foreign JSON and YAML as notes need them. Lenient: what does not fit is absent. */
import { parseTime, rfc3339 } from "../../../base/clock.ts";
import { type Fields, textOf } from "../../../base/fields.ts";
import { isMapping, type YamlValue } from "../../../base/yaml/value.ts";

/** YAML as plain objects and arrays; every scalar stays a string. */
export function plain(value: YamlValue): unknown {
  if (typeof value === "string") return value;
  if (isMapping(value)) {
    return Object.fromEntries([...value].map(([key, item]) => [key, plain(item)]));
  }
  return value.map(plain);
}

/** The value of the first of the keys that has a text or a number. */
export function said(fields: Fields, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const value = fields[key];
    const isNumber = typeof value === "number" || typeof value === "bigint";
    const text = isNumber ? String(value) : textOf(value)?.trim();
    if (text !== undefined && text !== "" && text !== "null" && text !== "~") return text;
  }
  return undefined;
}

export function numberSaid(fields: Fields, ...keys: string[]): number | undefined {
  const number = Number(said(fields, ...keys) ?? NaN);
  return Number.isFinite(number) ? number : undefined;
}

/** A list of texts; one text is a list of one. */
export function textsSaid(value: unknown): string[] {
  const items = Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];
  return items.map((item) => typeof item === "number" ? String(item) : textOf(item)?.trim() ?? "")
    .filter((item) => item !== "");
}

/** A list that is stored as JSON in a string. */
export function packedTexts(value: unknown): string[] {
  const text = textOf(value)?.trim() ?? "";
  if (!text.startsWith("[")) return textsSaid(text);
  try {
    return textsSaid(JSON.parse(text));
  } catch {
    return [text];
  }
}

/** A moment in any form that programs write: RFC 3339, the same without zone or `T`, milliseconds. */
export function momentSaid(value: unknown): string | undefined {
  const number = typeof value === "number" || typeof value === "bigint" ? Number(value) : NaN;
  // Below this it is a time in seconds, above in milliseconds (1e11 ms is March 1973).
  const ms = Number.isFinite(number)
    ? number < 1e11 ? number * 1000 : number
    : parseTime((textOf(value) ?? "").replace(/(\.\d{3})\d+/, "$1"));
  return ms === undefined || ms <= 0 || ms > 8e15 ? undefined : rfc3339(ms);
}
