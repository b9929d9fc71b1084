/**
 * What the graph of a large vault costs in a process that lives: opening it from the index, a query, a
 * path, backlinks; as milliseconds of CPU in one run, the best of several. Nothing here passes or fails.
 *
 *   deno run -A bench/graph/run.ts [--notes 10000]
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import process from "node:process";
import { join } from "../../src/base/path.ts";
import { buildGraph, openGraph, toGraphItem } from "../../src/memory/graph/graph.ts";
import { askGraph } from "../../src/memory/graph/query.ts";
import { neighbours, orphans, shortestPath } from "../../src/memory/graph/walk.ts";
import { initStores } from "../../src/memory/init.ts";
import { openMemory } from "../../src/memory/memory.ts";
import { refreshAll } from "../../src/memory/index/reindex.ts";

const at = Deno.args.indexOf("--notes");
const count = at < 0 ? 10_000 : Number(Deno.args[at + 1]);
const RUNS = 9;
const WORDS = "index hook lock merge note query cache budget trace worker queue segment".split(" ");

const home = await Deno.makeTempDir({ prefix: "sage-bench-" });
try {
  const cwd = join(home, "project");
  await Deno.mkdir(cwd);
  const where = { cwd, env: (name: string) => name === "HOME" ? home : undefined, holder: "bench" };
  const first = await openMemory(where);
  await initStores(first, { project: true });
  first.close();
  await writeNotes(join(cwd, ".sage/knowledge"));
  const memory = await openMemory(where);
  await refreshAll(memory);

  const graph = await openGraph(memory);
  const links = graph.nodes.reduce((sum, { out }) => sum + out.length, 0);
  console.log(
    `${graph.nodes.length} notes, ${links} links, ${graph.unresolved.length} unresolved\n`,
  );
  console.log("| step | ms |\n|---|--:|");
  const [a, b] = ["note-0", `note-${count - 1}`].map((id) => graph.find(id));
  if (a === undefined || b === undefined) throw new Error("the notes are not in the graph");
  await measure("first open: from the index", () => {
    const store = memory.project ?? memory.user;
    buildGraph(memory.index(store).relations().map((related) => ({ store, ...related })));
  });
  await measure("links only: resolve", () => void buildGraph(graph.nodes));
  await measure("scan of the files alone", async () => void await refreshAll(memory));
  await measure("open again: scan, nothing changed", async () => void await openGraph(memory));
  await measure("query: keys, links, order", () => {
    askGraph(
      memory,
      graph,
      "type:knowledge tag:lock links:>2 updated:<3650d sort:-backlinks limit:20",
    );
  });
  await measure("query: full text", () => void askGraph(memory, graph, "merge segment -hook"));
  await measure("path", () => void shortestPath(a, b));
  await measure("backlinks", () => a.into.map(({ from }) => toGraphItem(from)));
  await measure("neighbours within 3", () => void neighbours(a, 3));
  await measure("orphans", () => void orphans(graph));
  memory.close();
} finally {
  await Deno.remove(home, { recursive: true });
}

async function measure(name: string, body: () => unknown): Promise<void> {
  let best = Infinity;
  for (let run = 0; run < RUNS; run++) {
    const start = cpuMs();
    await body();
    best = Math.min(best, cpuMs() - start);
  }
  console.log(`| ${name} | ${best.toFixed(1)} |`);
}

/** Of this process alone, so that a busy machine does not count. */
function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** Notes about as long as people's, linked mostly to their neighbours and sometimes far away. */
async function writeNotes(folder: string): Promise<void> {
  await Deno.mkdir(folder, { recursive: true });
  let seed = 1;
  const random = (below: number): number => {
    seed = (Math.imul(seed, 1103515245) + 12345) & 0x7fffffff;
    return seed % below;
  };
  const sentence = (): string =>
    `The ${WORDS[random(12)]} waits for the ${WORDS[random(12)]} because the ${
      WORDS[random(12)]
    } is shared.`;
  for (let i = 0; i < count; i++) {
    const near = [1, 2, 3].map((step) => `[[note-${Math.min(count, i + step * (1 + random(3)))}]]`);
    const far = random(5) === 0 ? ` [[Note ${random(count)}]]` : "";
    const text = Array.from({ length: 8 }, sentence).join(" ");
    await Deno.writeTextFile(
      join(folder, `note-${i}.md`),
      `---\nid: note-${i}\ntype: knowledge\ncreated: 2026-01-0${1 + i % 9}\ntags: [${
        WORDS[i % 12]
      }]\nowner: ann\n---\n# Note ${i}\n\n${text}\n\nSee ${near.join(", ")}.${far}\n`,
    );
  }
}
