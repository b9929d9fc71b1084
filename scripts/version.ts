/** The version of the program, which stands in deno.json alone. */

export async function version(): Promise<string> {
  const path = new URL("../deno.json", import.meta.url).pathname;
  return JSON.parse(await Deno.readTextFile(path)).version;
}
