/** Lays typed arrays into a core's memory and reads them back, for tests and benchmarks of kernels. */
import type { Core } from "../../src/base/core.ts";

type Numbers =
  | Uint8Array
  | Int8Array
  | Int16Array
  | Uint16Array
  | Uint32Array
  | Float32Array
  | BigUint64Array;

/** Copies `values` into fresh memory; returns where. */
export function put(core: Core, values: Numbers): number {
  const at = core.alloc(values.byteLength);
  const bytes = new Uint8Array(values.buffer, values.byteOffset, values.byteLength);
  new Uint8Array(core.memory.buffer, at, bytes.length).set(bytes);
  return at;
}

/** Runs `body` and gives back what it reserved. */
export function scratch<T>(core: Core, body: () => T): T {
  const mark = core.mark();
  try {
    return body();
  } finally {
    core.release(mark);
  }
}
