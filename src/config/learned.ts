/**
 * What use has taught about a few thresholds: a small machine-made file, between a person's own
 * settings and the defaults. It moves a value within the bounds of the table and nothing else.
 */
import { decode, type Fs, join, readIfFile } from "../base/fs.ts";
import { type Key, KEYS, type Setting, setting } from "./keys.ts";

const BYTES_MAX = 4096;

export interface Learned {
  readonly path: string;
  readonly values: ReadonlyMap<Key, number>;
}

function learnedPath(userDir: string): string {
  return join(userDir, "state", "feedback", "learned.json");
}

/** What was learned; nothing where the file is missing, damaged or not ours. */
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
    // Derived from use: unreadable is the same as nothing learned.
  }
  return { path, values };
}

/** The value as far as learning may move this setting; undefined where it may not at all. */
export function withinBounds(row: Setting, value: number): number | undefined {
  if (row.kind !== "number" || row.learnsWithin === undefined || !Number.isFinite(value)) {
    return undefined;
  }
  const [low, high] = [row.default - row.learnsWithin, row.default + row.learnsWithin];
  return Math.round(Math.min(high, Math.max(low, value)) * 1000) / 1000;
}
