/** Assets in parts and whole, as the sources have them. */
import assert from "node:assert/strict";
import { openAsset, readAsset } from "../../src/base/assets.ts";
import { SageError } from "../../src/base/errors.ts";

Deno.test("openAsset() reads what the whole has at that place", () => {
  const whole = readAsset("core.wasm");
  const asset = openAsset("core.wasm");
  assert.equal(asset.length, whole.length);
  for (const [offset, length] of [[100, 50], [0, 8], [whole.length - 1, 1], [whole.length, 0]]) {
    const part = new Uint8Array(length ?? 0);
    asset.read(offset ?? 0, part);
    assert.deepEqual(part, whole.slice(offset, (offset ?? 0) + part.length));
  }
  asset.close();
});

Deno.test("openAsset() refuses to read past an asset's end", () => {
  const asset = openAsset("core.wasm");
  assert.throws(() => asset.read(asset.length - 1, new Uint8Array(2)), SageError);
  asset.close();
});
