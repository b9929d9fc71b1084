/**
 * Thresholds that Sage has adjusted from feedback, read from state/feedback/learned.json in the user
 * store. They rank below the user's settings and above the defaults, and stay within `learnsWithin` of
 * a default, whatever the file says.
 */
import { type Fs, readIfFile } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { decode } from "../base/utf8.ts";
import { type Key, KEYS, type Setting, setting } from "./keys.ts";

const BYTES_MAX = 4096;

export interface Learned {
  readonly path: string;
  readonly values: ReadonlyMap<Key, number>;
}

function learnedPath(userDir: string): string {
  return join(userDir, "state", "feedback", "learned.json");
}

/** No values if the file is missing or damaged. */
export function readLearned(fs: Fs, userDir: string): Learned {
  const path = learnedPath(userDir);
  const values = new Map<Key, number>();
  try {
    const bytes = readIfFile(fs, path, BYTES_MAX);
    if (bytes === undefined) return { path, values };
    const json = JSON.parse(decode(bytes)) as Record<string, unknown>;
    for (const key of KEYS) {
      const value = json[key];
      const learned = typeof value === "number" ? withinBounds(setting(key), value) : undefined;
      if (learned !== undefined) values.set(key, learned);
    }
  } catch {
    // Derived data: an unreadable file is the same as none.
  }
  return { path, values };
}

/** `value` clamped to what learning may set, to three decimals; undefined if it may not set this one. */
export function withinBounds(row: Setting, value: number): number | undefined {
  if (row.kind !== "number" || row.learnsWithin === undefined || !Number.isFinite(value)) {
    return undefined;
  }
  const [low, high] = [row.default - row.learnsWithin, row.default + row.learnsWithin];
  return Math.round(Math.min(high, Math.max(low, value)) * 1000) / 1000;
}
