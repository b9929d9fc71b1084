/** Keeps two test files from doing something at the same time, such as installing what both need. */
import { within } from "./within.ts";

const FOLDER = new URL("../../dist/.cache/", import.meta.url);
/** The longest that an installation may take. */
const ALONE_MS_MAX = 480_000;

/** Runs `body` while nobody else runs what has this name. */
export async function alone<T>(name: string, body: () => Promise<T>): Promise<T> {
  await Deno.mkdir(FOLDER, { recursive: true });
  using file = await Deno.open(new URL(`${name}.lock`, FOLDER), { create: true, write: true });
  await within(`the lock "${name}"`, file.lock(true), ALONE_MS_MAX);
  return await body();
}
