/** Runs an optional part: where it fails, its result is this value instead, silently. */
export async function tried<T>(otherwise: T, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch {
    return otherwise;
  }
}
