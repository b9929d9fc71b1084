/** Front matter values as the types that kinds of notes need. Lenient: what does not fit is absent. */
import { parseTime, rfc3339 } from "../base/clock.ts";
import { isMapping, isSequence } from "../base/yaml_value.ts";
import type { FrontMap, FrontValue } from "./note.ts";

/** A scalar that says something. */
export function frontText(front: FrontMap, key: string): string | undefined {
  const value = front.get(key);
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" || text === "~" || text === "null" ? undefined : text;
}

/** A list of scalars, without doubles; a scalar with commas is such a list as well. */
export function frontList(front: FrontMap, key: string): string[] {
  const value = front.get(key);
  const items = isSequence(value)
    ? value.filter((item): item is string => typeof item === "string")
    : (frontText(front, key) ?? "").split(",");
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ""))];
}

/** A list of scalars as they are, commas included: patterns, paths. */
export function frontLines(front: FrontMap, key: string): string[] {
  const value = front.get(key);
  if (!isSequence(value)) {
    const text = frontText(front, key);
    return text === undefined ? [] : [text];
  }
  return value.filter((item): item is string => typeof item === "string" && item !== "");
}

export function frontFlag(front: FrontMap, key: string): boolean {
  return /^(?:true|yes|on|1)$/i.test(frontText(front, key) ?? "");
}

export function frontNumber(front: FrontMap, key: string): number | undefined {
  const text = frontText(front, key);
  const number = text === undefined ? NaN : Number(text);
  return Number.isFinite(number) ? number : undefined;
}

/** The first of the keys that says a time, in RFC 3339. */
export function frontTime(front: FrontMap, ...keys: string[]): string | undefined {
  for (const key of keys) {
    const ms = parseTime(frontText(front, key) ?? "");
    if (ms !== undefined) return rfc3339(ms);
  }
  return undefined;
}

export function frontMap(front: FrontMap, key: string): FrontMap | undefined {
  const value = front.get(key);
  return isMapping(value) ? value : undefined;
}

/** Undefined where there is nothing to say, so that the key is left out. */
export function listOrNothing(items: readonly FrontValue[] | undefined): FrontValue | undefined {
  return items === undefined || items.length === 0 ? undefined : items;
}

/** A mapping of what is there, or undefined. */
export function mapOrNothing(
  entries: readonly (readonly [string, FrontValue | undefined])[],
): FrontMap | undefined {
  const map = new Map<string, FrontValue>();
  for (const [key, value] of entries) if (value !== undefined && value !== "") map.set(key, value);
  return map.size === 0 ? undefined : map;
}

/** A form in which equal values are equal texts; empty where there is none. */
export function canonical(value: FrontValue | undefined): string {
  if (value === undefined) return "";
  return JSON.stringify(
    value,
    (_, one) => isMapping(one) ? Object.fromEntries(one) : one,
  );
}
