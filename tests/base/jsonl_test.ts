import assert from "node:assert/strict";
import { realFs } from "../../src/base/fs.ts";
import { appendJsonLine, readJsonLines } from "../../src/base/jsonl.ts";
import { tempDir } from "../support/temp_store.ts";

Deno.test("appendJsonLine() begins a line where the last one has no end, torn or saved so by an editor", () => {
  for (const last of ['{"n":1}', '{"n":1}\n{"to']) {
    const path = `${tempDir()}/lines.jsonl`;
    Deno.writeTextFileSync(path, last);
    appendJsonLine(realFs, path, { n: 2 });
    appendJsonLine(realFs, path, { n: 3 });
    assert.deepEqual(readJsonLines(Deno.readFileSync(path)), [{ n: 1 }, { n: 2 }, { n: 3 }]);
  }
});

Deno.test("appendJsonLine() makes the file, one line a record", () => {
  const path = `${tempDir()}/lines.jsonl`;
  appendJsonLine(realFs, path, { n: 1 });
  appendJsonLine(realFs, path, { n: 2 });
  assert.equal(Deno.readTextFileSync(path), '{"n":1}\n{"n":2}\n');
});
