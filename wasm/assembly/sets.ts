// Lookup of terms in the table of `buildPostings`, and sets of documents as bit sets in words of 64 bits.

/** Writes {start, df} of each term's posting list; df is 0 for a term that is not in the table. */
export function findTerms(table: u32, slots: u32, hashes: u32, count: u32, out: u32): void {
  const mask = slots - 1;
  for (let i: u32 = 0; i < count; i++) {
    const hash = load<u64>(hashes + (i << 3));
    let place: u64 = 0;
    let slot = <u32>(hash ^ (hash >>> 32)) & mask;
    // Bounded, because the table of a damaged file may have no empty slot.
    for (let seen: u32 = 0; seen < slots; seen++) {
      const at = table + (slot << 4);
      const value = load<u64>(at, 8);
      if (value >>> 32 == 0) break;
      if (load<u64>(at) == hash) {
        place = value;
        break;
      }
      slot = (slot + 1) & mask;
    }
    store<u64>(out + (i << 3), place);
  }
}

/** Whether the documents are strictly ascending and below `limit`. */
export function isAscending(documents: u32, count: u32, limit: u32): bool {
  let from: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const document = load<u32>(documents + (i << 2));
    if (document < from || document >= limit) return false;
    from = document + 1;
  }
  return true;
}

export function setBits(documents: u32, count: u32, bits: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const document = load<u32>(documents + (i << 2));
    const at = bits + ((document >>> 6) << 3);
    store<u64>(at, load<u64>(at) | (<u64>1 << (document & 63)));
  }
}

/** bits &= others. */
export function andBits(bits: u32, others: u32, bytes: u32): void {
  for (let at: u32 = 0; at < bytes; at += 8) {
    store<u64>(bits + at, load<u64>(bits + at) & load<u64>(others + at));
  }
}

export function countBits(bits: u32, bytes: u32): u32 {
  let count: u64 = 0;
  for (let at: u32 = 0; at < bytes; at += 8) count += popcnt<u64>(load<u64>(bits + at));
  return <u32>count;
}

/** Writes the documents of a set, ascending, and returns their number. */
export function listBits(bits: u32, bytes: u32, out: u32): u32 {
  let count: u32 = 0;
  for (let at: u32 = 0; at < bytes; at += 8) {
    for (let word = load<u64>(bits + at); word != 0; word &= word - 1) {
      store<u32>(out + (count++ << 2), (at << 3) + <u32>ctz<u64>(word));
    }
  }
  return count;
}
