// Adds one term's part of BM25 (k1 = 1.2, b = 0.75) to the scores of the documents in its posting list. It
// is capped at the term's idf: a term that occurs five times does not make up for one that is missing.

const K1: f32 = 1.2;
const B: f32 = 0.75;

// @ts-ignore: decorator
@inline
function shareOf(
  frequency: f32,
  length: f32,
  constant: f32,
  perLength: f32,
  idf: f32,
): f32 {
  return idf * min<f32>(1, frequency * (K1 + 1) / (frequency + constant + perLength * length));
}

/** `constant` + `perLength` × length is the denominator's k1 × (1 − b + b × length / average length). */
export function accumulateBm25(
  docs: u32,
  frequencies: u32,
  count: u32,
  lengths: u32,
  averageLength: f32,
  idf: f32,
  scores: u32,
): void {
  const constant = K1 * (1 - B);
  const perLength = K1 * B / averageLength;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(docs + (i << 2));
    const frequency = <f32>load<u8>(frequencies + i);
    const length = <f32>load<u16>(lengths + (doc << 1));
    const at = scores + (doc << 2);
    const share = shareOf(frequency, length, constant, perLength, idf);
    store<f32>(at, load<f32>(at) + share);
  }
}

/** The same for alternative terms: a document gets the best of their parts, which `best` remembers. */
export function accumulateBest(
  docs: u32,
  frequencies: u32,
  count: u32,
  lengths: u32,
  averageLength: f32,
  idf: f32,
  best: u32,
  scores: u32,
): void {
  const constant = K1 * (1 - B);
  const perLength = K1 * B / averageLength;
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(docs + (i << 2));
    const frequency = <f32>load<u8>(frequencies + i);
    const length = <f32>load<u16>(lengths + (doc << 1));
    const share = shareOf(frequency, length, constant, perLength, idf);
    const before = load<f32>(best + (doc << 2));
    if (share <= before) continue;
    store<f32>(best + (doc << 2), share);
    const at = scores + (doc << 2);
    store<f32>(at, load<f32>(at) + (share - before));
  }
}
