/** Runs an optional step: if it throws, the result is `fallback`. */
export async function attempt<T>(fallback: T, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch {
    return fallback;
  }
}
