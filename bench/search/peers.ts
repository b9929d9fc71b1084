/**
 * Stock Orama, MiniSearch and SQLite's FTS5 over the same chunks, each as its documentation shows it.
 * Text goes in as it is; only Orama has vectors, made beforehand. All answer with ten chunks.
 */
import { create, insertMultiple, load, save, search } from "@orama/orama";
import MiniSearch from "minisearch";
import { DatabaseSync } from "node:sqlite";

export interface Row {
  readonly title: string;
  readonly text: string;
  readonly vector: Float32Array;
}

export interface Peer {
  readonly name: string;
  /** Milliseconds to take over all rows. */
  readonly build: number;
  ask(text: string): Promise<number>;
  /** Milliseconds from nothing in memory to the first answer, and what lies on disk for it. */
  first(text: string): Promise<{ readonly ms: number; readonly bytes: number }>;
}

const FOUND_MAX = 10;

export async function orama(rows: readonly Row[], embed: Embed): Promise<Peer> {
  const schema = { title: "string", text: "string", vector: "vector[256]" } as const;
  const database = create({ schema });
  const documents = rows.map(({ title, text, vector }) => ({ title, text, vector: [...vector] }));
  const start = performance.now();
  await insertMultiple(database, documents, 1000);
  const build = performance.now() - start;
  const ask = async (of: typeof database, text: string): Promise<number> => {
    const { hits } = await search(of, {
      mode: "hybrid",
      term: text,
      vector: { value: [...embed(text)], property: "vector" },
      similarity: 0.000001,
      limit: FOUND_MAX,
    });
    return hits.length;
  };
  return {
    name: "Orama hybrid",
    build,
    ask: (text) => ask(database, text),
    async first(text) {
      const path = await Deno.makeTempFile({ prefix: "sage-bench-" });
      await Deno.writeTextFile(path, JSON.stringify(save(database)));
      const { size } = await Deno.stat(path);
      const begin = performance.now();
      const fresh = create({ schema });
      load(fresh, JSON.parse(await Deno.readTextFile(path)));
      await ask(fresh, text);
      const ms = performance.now() - begin;
      await Deno.remove(path);
      return { ms, bytes: size };
    },
  };
}

type Embed = (text: string) => Float32Array;

export function miniSearch(rows: readonly Row[]): Peer {
  const options = { fields: ["title", "text"] };
  const engine = new MiniSearch(options);
  const start = performance.now();
  engine.addAll(rows.map(({ title, text }, id) => ({ id, title, text })));
  const build = performance.now() - start;
  const ask = (of: MiniSearch, text: string): number => of.search(text).slice(0, FOUND_MAX).length;
  return {
    name: "MiniSearch",
    build,
    ask: (text) => Promise.resolve(ask(engine, text)),
    async first(text) {
      const path = await Deno.makeTempFile({ prefix: "sage-bench-" });
      await Deno.writeTextFile(path, JSON.stringify(engine));
      const { size } = await Deno.stat(path);
      const begin = performance.now();
      ask(MiniSearch.loadJSON(await Deno.readTextFile(path), options), text);
      const ms = performance.now() - begin;
      await Deno.remove(path);
      return { ms, bytes: size };
    },
  };
}

export function fts5(rows: readonly Row[], path: string): Peer & { close(): void } {
  const database = new DatabaseSync(path);
  const start = performance.now();
  fillFts5(database, rows);
  const build = performance.now() - start;
  const prepared = database.prepare(FTS5_QUERY);
  return {
    name: "FTS5, text only",
    build,
    ask: (text) => Promise.resolve(prepared.all(anyOf(text)).length),
    first(text) {
      const begin = performance.now();
      const fresh = new DatabaseSync(path, { readOnly: true });
      fresh.prepare(FTS5_QUERY).all(anyOf(text));
      const ms = performance.now() - begin;
      fresh.close();
      return Promise.resolve({ ms, bytes: Deno.statSync(path).size });
    },
    close: () => database.close(),
  };
}

export const FTS5_QUERY =
  `select rowid, title, snippet(chunk, 1, '', '', '…', 32) from chunk where chunk match ?
   order by bm25(chunk) limit ${FOUND_MAX}`;

/** One transaction, the fastest way in that keeps what was written. */
export function fillFts5(
  database: DatabaseSync,
  rows: readonly Pick<Row, "title" | "text">[],
): void {
  database.exec("create virtual table chunk using fts5(title, text)");
  database.exec("begin");
  const insert = database.prepare("insert into chunk (title, text) values (?, ?)");
  for (const { title, text } of rows) insert.run(title, text);
  database.exec("commit");
}

/** The words of a text as FTS5 wants them: any of them, none of them syntax. */
export function anyOf(text: string): string {
  return (text.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(" OR ");
}
