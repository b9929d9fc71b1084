/** What two test files would do at the same time, and must not: to install what both need. */
const FOLDER = new URL("../../dist/.cache/", import.meta.url);

/** Runs `body` while nobody else runs what has this name. */
export async function alone<T>(name: string, body: () => Promise<T>): Promise<T> {
  await Deno.mkdir(FOLDER, { recursive: true });
  using file = await Deno.open(new URL(`${name}.lock`, FOLDER), { create: true, write: true });
  await file.lock(true);
  return await body();
}
