/** What an opened segment takes. Apart, because what other tests gave back would hide a leak. */
import assert from "node:assert/strict";
import { loadCore } from "../../src/base/core.ts";
import { realFs } from "../../src/base/fs.ts";
import { prepareQuery } from "../../src/search/query.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";
import { tempDir } from "../support/temp_store.ts";

Deno.test("close() gives back all that an index took of the core's memory", () => {
  const dir = tempDir();
  const put = Array.from({ length: 300 }, (_, i) => noteDocument(`n${i}.md`, `word${i} common`));
  const use = (): number => {
    const index = openIndex(dir, realFs, embedder.id);
    index.apply({ put, remove: [] }, embedder);
    index.query(prepareQuery("common word7", embedder), { limit: 5 });
    index.close();
    return loadCore().mark();
  };
  use();
  const before = use();
  for (let i = 0; i < 5; i++) assert.equal(use(), before);
});
