// One term's share of every document's BM25 score, k1 = 1.2 and b = 0.75. f32, as the scores are.

const K1: f32 = 1.2;
const B: f32 = 0.75;

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
  const weight = idf * (K1 + 1);
  for (let i: u32 = 0; i < count; i++) {
    const doc = load<u32>(docs + (i << 2));
    const frequency = <f32>load<u8>(frequencies + i);
    const length = <f32>load<u16>(lengths + (doc << 1));
    const at = scores + (doc << 2);
    const share = weight * frequency / (frequency + constant + perLength * length);
    store<f32>(at, load<f32>(at) + share);
  }
}
