/** Runs an optional part: where it fails, its result is this value instead, silently. */
export async function attempt<T>(fallback: T, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch {
    return fallback;
  }
}
