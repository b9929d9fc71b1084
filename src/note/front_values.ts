/** Reads front matter values as the types that kinds of notes need. A value of another type counts as absent. */
import { parseTime, rfc3339 } from "../base/clock.ts";
import { isMapping, isSequence } from "../base/yaml/value.ts";
import type { FrontMap, FrontValue } from "./note.ts";

/** A scalar, trimmed; undefined if it is empty or null. */
export function frontText(front: FrontMap, key: string): string | undefined {
  const value = front.get(key);
  const text = typeof value === "string" ? value.trim() : "";
  return text === "" || text === "~" || text === "null" ? undefined : text;
}

/** A list of scalars, each once; a single scalar is split at commas. */
export function frontList(front: FrontMap, key: string): string[] {
  const value = front.get(key);
  const items = isSequence(value)
    ? value.filter((item): item is string => typeof item === "string")
    : (frontText(front, key) ?? "").split(",");
  return [...new Set(items.map((item) => item.trim()).filter((item) => item !== ""))];
}

/** A list of scalars that may contain commas, such as patterns and paths. */
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

/** The time of the first key that has a valid one, in RFC 3339. */
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

/** The list, or undefined if it is empty, so that its key is left out. */
export function listOrNothing(items: readonly FrontValue[] | undefined): FrontValue | undefined {
  return items === undefined || items.length === 0 ? undefined : items;
}

/** A mapping of the entries with a value, or undefined if there are none. */
export function mapOrNothing(
  entries: readonly (readonly [string, FrontValue | undefined])[],
): FrontMap | undefined {
  const map = new Map<string, FrontValue>();
  for (const [key, value] of entries) if (value !== undefined && value !== "") map.set(key, value);
  return map.size === 0 ? undefined : map;
}

/** A text that is the same for equal values; empty for undefined. */
export function canonical(value: FrontValue | undefined): string {
  if (value === undefined) return "";
  return JSON.stringify(value, (_, one) => isMapping(one) ? Object.fromEntries(one) : one);
}
