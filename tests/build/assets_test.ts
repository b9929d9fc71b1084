/** What the program carries of its tables: what they look for, and not what they say to those who write them. */
import assert from "node:assert/strict";
import { packAssets } from "../../scripts/build/assets.ts";

Deno.test("packAssets() leaves a table's remarks out, and every line that is looked for in", async () => {
  const { blob, ranges } = await packAssets(0);
  const { offset, length } = ranges["english.txt"] ?? { offset: 0, length: 0 };
  const packed = new TextDecoder().decode(blob.subarray(offset, offset + length)).split("\n");
  const file = new URL("../../src/detect/phrases/english.txt", import.meta.url);
  const lines = (await Deno.readTextFile(file)).split("\n");
  assert.ok(lines.some((line) => line.startsWith("#")));
  assert.deepEqual(
    packed.filter((line) => line !== ""),
    lines.filter((line) => line !== "" && !line.startsWith("#")),
  );
});
