/** The committed module as a whole: what makes it cheap to carry and safe to run. */
import assert from "node:assert/strict";
import { readAsset } from "../../src/base/assets.ts";
import { createCore, loadCore } from "../../src/base/core.ts";

Deno.test("core.wasm imports nothing and stays below 16 KiB", () => {
  const bytes = readAsset("core.wasm");
  assert.deepEqual(WebAssembly.Module.imports(new WebAssembly.Module(bytes)), []);
  assert.ok(bytes.length < 16 * 1024, `${bytes.length} bytes`);
});

Deno.test("loadCore() shares one memory, createCore() gives each owner its own", () => {
  assert.equal(loadCore(), loadCore());
  assert.notEqual(createCore().memory, loadCore().memory);
});
