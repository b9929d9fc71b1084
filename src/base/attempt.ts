/** Steps that may fail. */
import { isShortage, isSystemError, systemErrorCode } from "./errors.ts";

/** Runs an optional step: if it throws, the result is `fallback`. */
export async function attempt<T>(fallback: T, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch {
    return fallback;
  }
}

/** What `read` returns; `otherwise` where the disk refuses, for callers to whom a file is optional. */
export function ifReadable<T>(otherwise: T, read: () => T): T {
  try {
    return read();
  } catch (error) {
    // Without memory or file handles nothing is known of the file.
    if (isSystemError(error) && !isShortage(error)) return otherwise;
    throw error;
  }
}

/** Runs `step`; another process may remove the same, or put something there, at this moment. */
export function unlessGone<T>(step: () => T): T | undefined {
  try {
    return step();
  } catch (error) {
    if (["ENOENT", "ENOTEMPTY"].includes(systemErrorCode(error) ?? "")) return undefined;
    throw error;
  }
}
