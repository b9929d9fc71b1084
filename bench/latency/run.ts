/**
 * What each surface costs as a whole process, as a ratio to an empty program that was compiled the
 * same way, in one interleaved run: A B C … A B C …. Medians of pair-by-pair ratios of wall time, and
 * the least of each, for a machine with other work on it; peak memory from three further runs. Nothing here passes or fails.
 *
 *   deno run -A bench/latency/run.ts [--runs 21] [--only hook]
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { type Case, makeCases, setState } from "./cases.ts";
import { median, peakMb, wallMs } from "./sample.ts";
import { type SessionServer, startServer } from "./server.ts";
import { makeWorlds, type World, type Worlds } from "./worlds.ts";
import { option } from "../option.ts";

const root = new URL("../..", import.meta.url).pathname;
const runs = Number(option("runs") ?? 21);
const only = option("only") ?? "";
const WARM_UP = 2;
const MEMORY_RUNS = 3;

const folder = await Deno.makeTempDir({ prefix: "sage-bench-" });
try {
  const worlds = await makeWorlds(folder, root);
  await using servers = await startServers(worlds);
  const cases = makeCases(worlds, servers.of).filter(({ name }) =>
    name === "empty" || name.includes(only)
  );
  const walls = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
  const peaks = new Map<string, number[]>(cases.map(({ name }) => [name, []]));
  for (let run = -WARM_UP; run < runs; run++) {
    for (const one of cases) {
      const wall = await wallMs(one);
      if (run >= 0) walls.get(one.name)?.push(wall);
    }
  }
  for (let run = 0; run < MEMORY_RUNS; run++) {
    for (const one of cases) peaks.get(one.name)?.push(await peakMb(one));
  }
  print(cases, walls, peaks);
  const extra = worlds.binarySize - worlds.assetsSize;
  console.log(
    `binary minus its assets ÷ denort: ${(extra / worlds.denortSize).toFixed(3)} (≤ 1.05)`,
  );
} finally {
  await Deno.remove(folder, { recursive: true });
}

/** For the worlds in which work can be handed over: each server prepares for the session that has begun. */
async function startServers({ notes200, edited200, chunks1k, chunks10k, sage }: Worlds) {
  await using started = new AsyncDisposableStack();
  const of = new Map<World, SessionServer>();
  for (const world of [notes200, edited200, chunks1k, chunks10k]) {
    await setState(world, {});
    of.set(world, started.use(await startServer(world, sage)));
  }
  const all = started.move();
  return { of, [Symbol.asyncDispose]: () => all.disposeAsync() };
}

type Samples = ReadonlyMap<string, readonly number[]>;

function print(cases: readonly Case[], walls: Samples, peaks: Samples): void {
  const floor = { wall: walls.get("empty") ?? [], peak: peaks.get("empty") ?? [] };
  const ratio = (own: readonly number[], base: readonly number[]): string =>
    median(own.map((value, i) => value / (base[i] ?? NaN))).toFixed(2);
  console.log(
    "| case | wall ms | × floor | target | least ms | × floor | peak MB | × floor | target |",
  );
  console.log("|---|--:|--:|--:|--:|--:|--:|--:|--:|");
  for (const { name, target, memoryTarget } of cases) {
    const wall = walls.get(name) ?? [];
    const peak = peaks.get(name) ?? [];
    const row = [
      name,
      median(wall).toFixed(1),
      ratio(wall, floor.wall),
      target === undefined ? "" : `≤ ${target}`,
      Math.min(...wall).toFixed(1),
      (Math.min(...wall) / Math.min(...floor.wall)).toFixed(2),
      median(peak).toFixed(0),
      ratio(peak, floor.peak),
      memoryTarget === undefined ? "" : `≤ ${memoryTarget}`,
    ];
    console.log(`| ${row.join(" | ")} |`);
  }
  console.log(
    `\n${runs} interleaved runs each on ${navigator.hardwareConcurrency} cores; medians, and the least, which other work inflates less.`,
  );
}
