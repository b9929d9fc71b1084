/** A part that must not cost the whole: where it fails, there is this instead, and nothing is said of it. */
export async function tried<T>(otherwise: T, step: () => T | Promise<T>): Promise<T> {
  try {
    return await step();
  } catch {
    return otherwise;
  }
}
