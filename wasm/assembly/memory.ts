// A bump allocator. The host frees everything since a mark at once; released memory is not cleared.

// A pointer above this would be negative on the host's side.
const LIMIT: u32 = 0x7fff0000;

let top: u32 = (<u32>__heap_base + 63) & ~63;

/** Reserves bytes, rounded up to 64. Traps if the memory cannot grow. */
export function alloc(bytes: u32): u32 {
  if (bytes > LIMIT - top) unreachable();
  const at = top;
  top = at + ((bytes + 63) & ~63);
  const pages = (top + 0xffff) >>> 16;
  const missing = <i32>pages - memory.size();
  if (missing > 0 && memory.grow(missing) < 0) unreachable();
  return at;
}

export function mark(): u32 {
  return top;
}

export function release(to: u32): void {
  if (to < top) top = to;
}
