/** Seeded randomness and Zipf-distributed prose: the same seed gives the same corpus everywhere. */

export interface Random {
  /** 0 ≤ value < 1. */
  next(): number;
  below(limit: number): number;
  pick<T>(items: readonly T[]): T;
}

export function seeded(seed: number): Random {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  return {
    next,
    below: (limit) => Math.floor(next() * limit),
    pick: (items) => items[Math.floor(next() * items.length)] as typeof items[number],
  };
}

/** Words drawn so that the n-th most frequent is n times rarer than the first. */
export function zipfPicker(words: readonly string[], random: Random): () => string {
  const sums = new Float64Array(words.length);
  let sum = 0;
  for (let i = 0; i < words.length; i++) sums[i] = sum += 1 / (i + 1);
  return () => {
    const wanted = random.next() * sum;
    let low = 0;
    let high = words.length - 1;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((sums[middle] ?? 0) < wanted) low = middle + 1;
      else high = middle;
    }
    return words[low] ?? "";
  };
}
