// The most that each document can be worth: what its three signals are worth, from tables that say it in
// even steps of 0..1, and the size of its note. A document without any signal is worth 0.

// @ts-ignore: decorator
@inline
function worth(table: u32, steps: u32, share: f32): f32 {
  // NaN is not above 0.
  const step: u32 = share > 0 ? (share < 1 ? <u32>(share * <f32>steps) : steps - 1) : 0;
  return load<f32>(table + (step << 2));
}

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
  const words = tables + (steps << 2);
  const other = words + (steps << 2);
  let most: f32 = 0;
  for (let at: u32 = 0; at < count << 2; at += 4) {
    const cosine = load<f32>(cosines + at);
    const keyword = load<f32>(keywords + at);
    const said = load<f32>(others + at);
    let sum: f32 = 0;
    if (cosine != masked) {
      if (cosine != 0) sum = worth(tables, steps, cosine);
      else if (keyword > 0 || said > 0) sum = unknown;
      if (keyword > 0) {
        sum += worth(words, steps, keyword / reach);
        if (keyword > most) most = keyword;
      }
      if (said > 0) sum += worth(other, steps, said / reach);
      if (sum > 0) sum += perSize * load<f32>(sizes + at);
    }
    store<f32>(out + at, sum);
  }
  return most;
}

/** The note and the logarithm of its size of every document, by the first documents of all notes. */
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
