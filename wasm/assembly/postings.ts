// Inverts the documents' terms into one block that is used in place, without parsing; its layout is in
// src/base/core.ts. The first pass numbers the terms in a scratch dictionary and counts their documents,
// the second writes the posting lists, whose places are then known.
import { alloc, mark, release } from "./memory";

const HEADER_BYTES: u32 = 64;
const SLOT_BYTES: u32 = 16;
const SLOTS_MIN: u32 = 16;
/** The largest share of used slots, in tenths: up to it eight probes nearly always suffice. */
const LOAD_MAX: u64 = 7;

// The scratch dictionary: slots of {hash u64, number + 1 u32, 0}, and an entry of four u32 for each number:
// {last document + 1, df, start of its list, next free place in it}.
const ENTRY_BYTES: u32 = 16;
let dictionary: u32 = 0;
let dictionarySlots: u32 = 0;
let entries: u32 = 0;
let entriesMax: u32 = 0;
let terms: u32 = 0;

/** Returns the bytes of the block; it is written only if that is at most `outMax`. */
export function buildPostings(hashes: u32, ends: u32, count: u32, out: u32, outMax: u32): u32 {
  const before = mark();
  const occurrences = count == 0 ? 0 : load<u32>(ends + ((count - 1) << 2));
  const numbers = alloc(occurrences << 2);
  const postings = number(hashes, ends, count, numbers);
  const slots = slotsFor(terms);
  const documentsAt = HEADER_BYTES + slots * SLOT_BYTES;
  const frequenciesAt = align(documentsAt + (postings << 2));
  const lengthsAt = align(frequenciesAt + postings);
  const bytes = align(lengthsAt + (count << 1));
  if (bytes <= outMax) {
    memory.fill(out, 0, bytes);
    store<u32>(out, bytes);
    store<u32>(out, count, 4);
    store<u32>(out, slots, 8);
    store<u32>(out, terms, 12);
    store<u32>(out, postings, 16);
    store<u32>(out, writeLengths(ends, count, out + lengthsAt), 20);
    store<u32>(out, HEADER_BYTES, 24);
    store<u32>(out, documentsAt, 28);
    store<u32>(out, frequenciesAt, 32);
    store<u32>(out, lengthsAt, 36);
    writeSlots(out + HEADER_BYTES, slots);
    writeLists(numbers, ends, count, out + documentsAt, out + frequenciesAt);
  }
  release(before);
  return bytes;
}

/** Numbers the term of every occurrence and counts its documents; returns the number of postings. */
function number(hashes: u32, ends: u32, count: u32, numbers: u32): u32 {
  terms = 0;
  dictionarySlots = 4096;
  dictionary = allocZeroed(dictionarySlots * SLOT_BYTES);
  entriesMax = 2048;
  entries = alloc(entriesMax * ENTRY_BYTES);
  let postings: u32 = 0;
  let i: u32 = 0;
  for (let doc: u32 = 0; doc < count; doc++) {
    const end = load<u32>(ends + (doc << 2));
    for (; i < end; i++) {
      const id = numberOf(load<u64>(hashes + (i << 3)));
      store<u32>(numbers + (i << 2), id);
      const entry = entries + id * ENTRY_BYTES;
      if (load<u32>(entry) == doc + 1) continue;
      store<u32>(entry, doc + 1);
      store<u32>(entry, load<u32>(entry, 4) + 1, 4);
      postings++;
    }
  }
  return postings;
}

function numberOf(hash: u64): u32 {
  const mask = dictionarySlots - 1;
  let slot = slotOf(hash) & mask;
  while (true) {
    const at = dictionary + slot * SLOT_BYTES;
    const known = load<u32>(at, 8);
    if (known == 0) {
      if (terms == entriesMax) {
        grow();
        return numberOf(hash);
      }
      store<u64>(at, hash);
      store<u32>(at, terms + 1, 8);
      memory.fill(entries + terms * ENTRY_BYTES, 0, ENTRY_BYTES);
      return terms++;
    }
    if (load<u64>(at) == hash) return known - 1;
    slot = (slot + 1) & mask;
  }
}

/** Doubles the dictionary. The old one stays allocated until the whole scratch is released. */
function grow(): void {
  const old = dictionary;
  const oldEnd = old + dictionarySlots * SLOT_BYTES;
  dictionarySlots <<= 1;
  dictionary = allocZeroed(dictionarySlots * SLOT_BYTES);
  for (let at = old; at < oldEnd; at += SLOT_BYTES) {
    if (load<u32>(at, 8) != 0) place(dictionary, dictionarySlots, load<u64>(at), load<u64>(at, 8));
  }
  const oldEntries = entries;
  entriesMax <<= 1;
  entries = alloc(entriesMax * ENTRY_BYTES);
  memory.copy(entries, oldEntries, terms * ENTRY_BYTES);
}

/** Inserts {hash, value} into a table that does not have it yet. */
function place(table: u32, slots: u32, hash: u64, value: u64): void {
  let slot = slotOf(hash) & (slots - 1);
  while (load<u64>(table + slot * SLOT_BYTES, 8) != 0) slot = (slot + 1) & (slots - 1);
  store<u64>(table + slot * SLOT_BYTES, hash);
  store<u64>(table + slot * SLOT_BYTES, value, 8);
}

/** Writes {hash, start, df} of every term, and remembers each list's start for `writeLists`. */
function writeSlots(table: u32, slots: u32): void {
  // In the order of the numbers, so that the same documents always give the same bytes.
  const hashOf = alloc(terms << 3);
  for (let slot: u32 = 0; slot < dictionarySlots; slot++) {
    const at = dictionary + slot * SLOT_BYTES;
    const known = load<u32>(at, 8);
    if (known != 0) store<u64>(hashOf + ((known - 1) << 3), load<u64>(at));
  }
  let start: u32 = 0;
  for (let id: u32 = 0; id < terms; id++) {
    const entry = entries + id * ENTRY_BYTES;
    const df = load<u32>(entry, 4);
    store<u32>(entry, start, 8);
    store<u32>(entry, start, 12);
    place(table, slots, load<u64>(hashOf + (id << 3)), (<u64>df << 32) | <u64>start);
    start += df;
  }
}

function writeLists(numbers: u32, ends: u32, count: u32, documents: u32, frequencies: u32): void {
  let i: u32 = 0;
  for (let doc: u32 = 0; doc < count; doc++) {
    const end = load<u32>(ends + (doc << 2));
    for (; i < end; i++) {
      const entry = entries + load<u32>(numbers + (i << 2)) * ENTRY_BYTES;
      const next = load<u32>(entry, 12);
      const last = next - 1;
      if (next > load<u32>(entry, 8) && load<u32>(documents + (last << 2)) == doc) {
        const frequency = <u32>load<u8>(frequencies + last);
        if (frequency < 255) store<u8>(frequencies + last, frequency + 1);
        continue;
      }
      store<u32>(documents + (next << 2), doc);
      store<u8>(frequencies + next, 1);
      store<u32>(entry, next + 1, 12);
    }
  }
}

/** Writes each document's number of terms as u16, saturating; returns their sum. */
function writeLengths(ends: u32, count: u32, lengths: u32): u32 {
  let before: u32 = 0;
  let sum: u32 = 0;
  for (let doc: u32 = 0; doc < count; doc++) {
    const end = load<u32>(ends + (doc << 2));
    const length = min<u32>(end - before, 0xffff);
    store<u16>(lengths + (doc << 1), length);
    sum += length;
    before = end;
  }
  return sum;
}

function slotsFor(count: u32): u32 {
  let slots = SLOTS_MIN;
  while (<u64>count * 10 > <u64>slots * LOAD_MAX) slots <<= 1;
  return slots;
}

// @ts-ignore: decorator
@inline
function slotOf(hash: u64): u32 {
  return <u32>(hash ^ (hash >>> 32));
}

// @ts-ignore: decorator
@inline
function align(bytes: u32): u32 {
  return (bytes + 63) & ~63;
}

function allocZeroed(bytes: u32): u32 {
  const at = alloc(bytes);
  memory.fill(at, 0, bytes);
  return at;
}
