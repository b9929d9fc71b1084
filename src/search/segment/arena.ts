/**
 * Blocks of the core's memory that outlive a call, such as an index's vectors. The core frees only in
 * stack order, so blocks given back are kept here for the next index or revision.
 */
import { type Core, loadCore } from "../../base/core.ts";
import { assert } from "../../base/errors.ts";

export interface Block {
  readonly at: number;
  readonly bytes: number;
}

const free: Block[] = [];
/** Calls of `scratch` that are under way. What is allocated meanwhile is freed when they end. */
let underWay = 0;

/** At least `bytes` of lasting memory, best fit first. Never call this inside `scratch`. */
export function reserve(bytes: number): Block {
  assert(underWay === 0, "lasting memory is not reserved inside scratch()");
  const wanted = Math.max(64, (bytes + 63) & ~63);
  let best = -1;
  for (let i = 0; i < free.length; i++) {
    const size = free[i]?.bytes ?? 0;
    if (size >= wanted && (best < 0 || size < (free[best]?.bytes ?? 0))) best = i;
  }
  const found = best < 0 ? undefined : free.splice(best, 1)[0];
  if (found === undefined) return { at: loadCore().alloc(wanted), bytes: wanted };
  if (found.bytes > wanted) giveBack({ at: found.at + wanted, bytes: found.bytes - wanted });
  return { at: found.at, bytes: wanted };
}

/** Returns a block; neighbours become one. */
export function giveBack(block: Block): void {
  let { at, bytes } = block;
  for (let i = free.length - 1; i >= 0; i--) {
    const other = free[i];
    if (other === undefined) continue;
    if (other.at + other.bytes === at) at = other.at;
    else if (at + bytes !== other.at) continue;
    bytes += other.bytes;
    free.splice(i, 1);
  }
  free.push({ at, bytes });
}

/** Runs `body` with the core and frees what it allocated. It must not reserve blocks. */
export function scratch<T>(body: (core: Core) => T): T {
  const core = loadCore();
  const mark = core.mark();
  underWay++;
  try {
    return body(core);
  } finally {
    underWay--;
    core.release(mark);
  }
}
