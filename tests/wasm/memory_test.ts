/** The allocator: aligned, growing, and given back to a mark. */
import assert from "node:assert/strict";
import { createCore } from "../../src/base/core.ts";

Deno.test("alloc() gives aligned places that do not overlap", () => {
  const core = createCore();
  const places = [1, 64, 65, 0, 1000].map((bytes) => [core.alloc(bytes), bytes] as const);
  places.forEach(([at, bytes], i) => {
    assert.equal(at % 64, 0);
    assert.ok(at + bytes <= (places[i + 1]?.[0] ?? core.mark()));
  });
});

Deno.test("alloc() grows the memory when it is full", () => {
  const core = createCore();
  const at = core.alloc(10_000_000);
  new Uint8Array(core.memory.buffer, at, 10_000_000).fill(1);
  assert.ok(core.memory.buffer.byteLength >= at + 10_000_000);
});

Deno.test("alloc() traps when two gigabytes are not enough", () => {
  const core = createCore();
  assert.throws(() => core.alloc(0xffffffff), WebAssembly.RuntimeError);
  assert.throws(() => core.alloc(0x7ffffff0), WebAssembly.RuntimeError);
});

Deno.test("release() gives back what came after the mark, and nothing before it", () => {
  const core = createCore();
  const kept = core.alloc(100);
  const mark = core.mark();
  const given = core.alloc(100);
  core.release(mark);
  assert.equal(core.alloc(100), given);
  assert.ok(given > kept);
  core.release(0x7fffffff);
  assert.ok(core.mark() < 0x7fffffff);
});
