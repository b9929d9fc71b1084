/** The last figures of each measurement of this folder, in one file of bench/results. */
const FILE = new URL("../results/continuity.json", import.meta.url);

/** Keeps the figures under their name, and leaves the others as they are. */
export async function keep(name: string, figures: unknown): Promise<void> {
  const text = await Deno.readTextFile(FILE).catch(() => "{}");
  const all = { ...JSON.parse(text), [name]: figures };
  const sorted = Object.fromEntries(Object.entries(all).sort(([a], [b]) => a < b ? -1 : 1));
  await Deno.writeTextFile(FILE, JSON.stringify(sorted, null, 2) + "\n");
}
