/** One of several writers on one index: `writer.ts <folder> <name> <rounds>`. Run by a test. */
import { realFs } from "../../src/base/fs.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";

const [dir = "", name = "", rounds = "0"] = Deno.args;
const index = openIndex(dir, realFs, embedder.id);
for (let i = 0; i < Number(rounds); i++) {
  const remove = i % 5 === 4 ? [`${name}${i - 2}.md`] : [];
  index.apply({ put: [noteDocument(`${name}${i}.md`, `text ${i}`)], remove }, embedder);
  index.notes();
}
index.close();
