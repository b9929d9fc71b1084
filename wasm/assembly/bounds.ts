// Upper bounds of the documents' scores: each of three signals (cosine, keywords, synonyms) is looked up
// in a table over 0..1 in equal steps, and the size of the note is added. Without a signal it is 0.

/** Looks up four values in a table of `steps` f32. */
// @ts-ignore: decorator
@inline
function worths(table: u32, steps: u32, shares: v128): v128 {
  // NaN becomes 0; the rest is clamped to the table.
  const wanted = i32x4.trunc_sat_f32x4_s(f32x4.mul(shares, f32x4.splat(<f32>steps)));
  const within = i32x4.min_s(i32x4.max_s(wanted, i32x4.splat(0)), i32x4.splat(steps - 1));
  const places = i32x4.shl(within, 2);
  let found = v128.load32_zero(table + i32x4.extract_lane(places, 0));
  found = v128.load32_lane(table + i32x4.extract_lane(places, 1), found, 1);
  found = v128.load32_lane(table + i32x4.extract_lane(places, 2), found, 2);
  return v128.load32_lane(table + i32x4.extract_lane(places, 3), found, 3);
}

/** The bounds of four documents. Without branches, because which signals a document has is random. */
// @ts-ignore: decorator
@inline
function sumsOf(
  cosine: v128,
  keyword: v128,
  said: v128,
  size: v128,
  reach: v128,
  tables: u32,
  steps: u32,
  unknown: v128,
  perSize: v128,
): v128 {
  const none = f32x4.splat(0);
  const hasKeyword = f32x4.gt(keyword, none);
  const isSaid = f32x4.gt(said, none);
  let sum = v128.bitselect(
    worths(tables, steps, cosine),
    v128.and(unknown, v128.or(hasKeyword, isSaid)),
    f32x4.ne(cosine, none),
  );
  const words = worths(tables + (steps << 2), steps, f32x4.div(keyword, reach));
  sum = f32x4.add(sum, v128.and(words, hasKeyword));
  const others = worths(tables + (steps << 3), steps, f32x4.div(said, reach));
  sum = f32x4.add(sum, v128.and(others, isSaid));
  return f32x4.add(sum, v128.and(f32x4.mul(perSize, size), f32x4.gt(sum, none)));
}

/** Returns the largest of `keywords`. A cosine equal to `masked` excludes the document from both. */
export function addWorths(
  cosines: u32,
  keywords: u32,
  others: u32,
  sizes: u32,
  count: u32,
  reach: f32,
  masked: f32,
  tables: u32,
  steps: u32,
  unknown: f32,
  perSize: f32,
  out: u32,
): f32 {
  const reaches = f32x4.splat(reach);
  const unknowns = f32x4.splat(unknown);
  const perSizes = f32x4.splat(perSize);
  let most = f32x4.splat(0);
  let at: u32 = 0;
  for (; at < (count & ~3) << 2; at += 16) {
    const cosine = v128.load(cosines + at);
    const keyword = v128.load(keywords + at);
    const said = v128.load(others + at);
    const size = v128.load(sizes + at);
    const sum = sumsOf(cosine, keyword, said, size, reaches, tables, steps, unknowns, perSizes);
    const isOpen = f32x4.ne(cosine, f32x4.splat(masked));
    v128.store(out + at, v128.and(sum, isOpen));
    most = f32x4.pmax(most, v128.and(keyword, isOpen));
  }
  for (; at < count << 2; at += 4) {
    const cosine = v128.load32_zero(cosines + at);
    const keyword = v128.load32_zero(keywords + at);
    const said = v128.load32_zero(others + at);
    const size = v128.load32_zero(sizes + at);
    const sum = sumsOf(cosine, keyword, said, size, reaches, tables, steps, unknowns, perSizes);
    const isOpen = f32x4.ne(cosine, f32x4.splat(masked));
    v128.store32_lane(out + at, v128.and(sum, isOpen), 0);
    most = f32x4.pmax(most, v128.and(keyword, isOpen));
  }
  const pair = f32x4.pmax(most, v128.shuffle<i32>(most, most, 2, 3, 0, 1));
  return max(f32x4.extract_lane(pair, 0), f32x4.extract_lane(pair, 1));
}

/**
 * Writes for each document its note and the logarithm of the note's size. `starts` has the first document
 * of each note, and the end; `logs` the logarithms by number of documents, the last for all larger.
 */
export function spreadNotes(
  starts: u32,
  count: u32,
  logs: u32,
  logsMax: u32,
  notes: u32,
  sizes: u32,
): void {
  for (let note: u32 = 0; note < count; note++) {
    const from = load<u32>(starts + (note << 2));
    const to = load<u32>(starts + (note << 2), 4);
    const log = load<f32>(logs + (min(to - from, logsMax - 1) << 2));
    for (let document = from; document < to; document++) {
      store<u32>(notes + (document << 2), note);
      store<f32>(sizes + (document << 2), log);
    }
  }
}
