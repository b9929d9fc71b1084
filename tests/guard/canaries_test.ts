import assert from "node:assert/strict";
import { stripPrivate } from "../../src/guard/private.ts";
import { redact } from "../../src/guard/redact.ts";
import { plantCanaries, searchRoots } from "../support/canaries.ts";
import { tempDir } from "../support/temp_store.ts";

Deno.test("what a save takes out leaves none of 500 canaries", async () => {
  const folder = tempDir();
  try {
    const canaries = plantCanaries(500);
    assert.equal(new Set(canaries.map(({ value }) => value)).size, 500);
    assert.deepEqual(plantCanaries(500), canaries, "deterministic");
    for (const [i, { text }] of canaries.entries()) {
      const safe = await redact(stripPrivate(`# Note ${i}\n\n${text}\n`));
      await Deno.writeTextFile(`${folder}/${i}.md`, safe.text);
    }
    assert.deepEqual(await searchRoots([folder], canaries), []);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("searchRoots() finds a canary wherever it is", async () => {
  const folder = tempDir();
  try {
    const [a, b, c, d] = plantCanaries(4, 7);
    assert.ok(a && b && c && d);
    await Deno.mkdir(`${folder}/deep/er`, { recursive: true });
    await Deno.writeTextFile(`${folder}/plain.md`, `x ${a.value} y`);
    await Deno.writeFile(`${folder}/deep/binary`, new TextEncoder().encode(`\0\xff${b.value}\0`));
    const packed = new Blob([JSON.stringify({ text: c.value })]).stream()
      .pipeThrough(new CompressionStream("gzip"));
    const bytes = new Uint8Array(await new Response(packed).arrayBuffer());
    await Deno.writeFile(`${folder}/deep/er/t.jsonl.gz`, bytes);
    await Deno.writeTextFile(`${folder}/${d.value}.md`, "");
    const remains = await searchRoots([folder, `${folder}/missing`], [a, b, c, d, "absent"]);
    assert.deepEqual(
      remains.sort(),
      [
        `${folder}/${d.value}.md: ${d.value}`,
        `${folder}/deep/binary: ${b.value}`,
        `${folder}/deep/er/t.jsonl.gz: ${c.value}`,
        `${folder}/plain.md: ${a.value}`,
      ].sort(),
    );
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
