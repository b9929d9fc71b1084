/**
 * One question as a whole process: `sage search` over a store of files, which looks at every file first,
 * beside a compiled program that asks an FTS5 table of the same passages, text only, and beside the
 * empty program. And one changed note: the search after it, beside the search without. Interleaved;
 * medians of ratios.
 *
 *   deno run -A bench/search/one_shot.ts [chunks ...]
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { DatabaseSync } from "node:sqlite";
import { chunkNote } from "../../src/note/chunk.ts";
import { withoutTitle } from "../../src/note/markdown.ts";
import { prose } from "../latency/prose.ts";
import { median, wallMs } from "../latency/sample.ts";
import { compileProgram, findDenort, makeWorld, type World } from "../latency/worlds.ts";
import { fillFts5, FTS5_QUERY } from "./peers.ts";

const ROOT = new URL("../..", import.meta.url).pathname;
const CHUNKS_PER_NOTE = 4;
const RUNS = 15;
const QUERY = prose(170, 6);

/** The peer's whole program: opens the table, queries, prints. */
const PEER = `
import { DatabaseSync } from "node:sqlite";
const [path, text] = Deno.args;
const database = new DatabaseSync(path, { readOnly: true });
const wanted = text.match(/[\\p{L}\\p{N}]+/gu).map((word) => '"' + word + '"').join(" OR ");
console.log(JSON.stringify(database.prepare(${JSON.stringify(FTS5_QUERY)}).all(wanted)));
`;

const sizes = Deno.args.length > 0 ? Deno.args.map(Number) : [1000, 10_000, 100_000];
const folder = await Deno.makeTempDir({ prefix: "sage-bench-" });
try {
  const denort = await findDenort(ROOT);
  const sage = `${folder}/sage`;
  await Deno.copyFile(`${ROOT}dist/sage`, sage);
  const empty = await compileProgram(folder, denort, "empty", "");
  const peer = await compileProgram(folder, denort, "fts5", PEER);
  console.log("| chunks | sage ÷ floor | FTS5 ÷ floor | sage ÷ FTS5 | one note changed ÷ floor |");
  console.log("|--:|--:|--:|--:|--:|");
  for (const chunks of sizes) await measure(chunks, { sage, empty, peer });
  console.log(`\n${RUNS} interleaved runs; medians of ratios.`);
} finally {
  await Deno.remove(folder, { recursive: true });
}

interface Programs {
  readonly sage: string;
  readonly empty: string;
  readonly peer: string;
}

async function measure(chunks: number, { sage, empty, peer }: Programs): Promise<void> {
  const base = `${folder}/c${chunks}`;
  const world = await makeWorld(base, sage, chunks / CHUNKS_PER_NOTE, CHUNKS_PER_NOTE);
  const table = `${base}/fts5.db`;
  fill(world, table);
  const shared = { stdin: "", cwd: world.project, env: { HOME: world.home } };
  const ask = { ...shared, name: "sage", command: sage, args: ["search", QUERY, "--json"] };
  const programs = {
    floor: { ...shared, name: "empty", command: empty, args: [] },
    sage: ask,
    fts5: { ...shared, name: "fts5", command: peer, args: [table, QUERY] },
    changed: { ...ask, before: () => changeNote(world) },
  };
  const walls: Record<keyof typeof programs, number[]> = {
    floor: [],
    sage: [],
    fts5: [],
    changed: [],
  };
  for (let run = -2; run < RUNS; run++) {
    for (const [name, one] of Object.entries(programs)) {
      const wall = await wallMs(one);
      if (run >= 0) walls[name as keyof typeof programs].push(wall);
    }
  }
  const ratio = (own: readonly number[], other: readonly number[]): string =>
    median(own.map((value, i) => value / (other[i] ?? NaN))).toFixed(2);
  const cells = [
    chunks,
    ratio(walls.sage, walls.floor),
    ratio(walls.fts5, walls.floor),
    ratio(walls.sage, walls.fts5),
    ratio(walls.changed, walls.floor),
  ];
  console.log(`| ${cells.join(" | ")} |`);
}

/** The passages of the store's notes, cut as Sage cuts them. */
function fill({ project }: World, path: string): void {
  const rows = ["knowledge", "checkpoints"].flatMap((kind) =>
    [...Deno.readDirSync(`${project}/.sage/${kind}`)].flatMap(({ name }) => {
      const text = Deno.readTextFileSync(`${project}/.sage/${kind}/${name}`);
      const body = withoutTitle(text.replace(/^---\n[^]*?\n---\n/, ""));
      return chunkNote({ title: name, body }).map((chunk) => ({
        title: chunk.heading,
        text: chunk.text,
      }));
    })
  );
  const database = new DatabaseSync(path);
  fillFts5(database, rows);
  database.close();
}

/** As an editor saves it: other words in a new file under the same name. */
async function changeNote({ project }: World): Promise<void> {
  const path = `${project}/.sage/knowledge/note-1.md`;
  const text = await Deno.readTextFile(path);
  await Deno.writeTextFile(`${path}.new`, `${text}\nChanged at ${performance.now()}.\n`);
  await Deno.rename(`${path}.new`, path);
}
