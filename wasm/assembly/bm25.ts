// One term's share of every document's BM25 score, k1 = 1.2 and b = 0.75, but never more than the idf:
// a term said five times does not make up for another that is missing. f32, as the scores are.

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

// Of several terms that say the same, the best.
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
