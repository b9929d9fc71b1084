/** Text with the statistics of technical English: a seeded Zipf draw from the model's own words. */

const SOURCE = new URL("../../wasm/model/README.md", import.meta.url);
const WORDS = [...new Set(Deno.readTextFileSync(SOURCE).toLowerCase().match(/[a-z]{3,14}/g) ?? [])];

/** `words` words for a seed; the same seed gives the same text. */
export function prose(seed: number, words: number): string {
  let state = (seed * 2654435761 + 12345) >>> 0;
  const random = (): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
  const out: string[] = [];
  for (let i = 0; i < words; i++) {
    const rank = Math.floor(WORDS.length ** random()) - 1;
    // A word that only this text has, now and then, as identifiers are.
    out.push(random() < 0.02 ? `ref${seed}x${i}` : WORDS[rank % WORDS.length] ?? "word");
    if (i % 14 === 13) out.push("because.");
  }
  return out.join(" ").replaceAll(" because.", ".");
}

/** The same with a capital at the start of each sentence: without, nobody takes them for sentences. */
export function sentences(seed: number, words: number): string {
  return prose(seed, words).replace(/(?:^|\. )[a-z]/g, (start) => start.toUpperCase()) + ".";
}
