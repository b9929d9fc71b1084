/**
 * Detection quality on handmade conversations: `deno task eval`. Each is written as the editor writes it,
 * read back, and every end of turn goes through the real policy with the settings as shipped; beside it
 * three simpler policies in the same run. The result is kept in bench/results/detection.json and compared
 * with the last one; `--quiet` prints figures alone, and keeps nothing. Of the test half only figures are
 * printed, so that nobody tunes on it.
 */
import { openStaticEmbedder } from "../../src/embed/static.ts";
import type { Conversation } from "./conversation.ts";
import { measureRetention, type Retention } from "./retention.ts";
import {
  byName,
  type Figures,
  figures,
  hours,
  median,
  mistakesOf,
  type Run,
  sum,
} from "./measure.ts";
import { detector, every, phrasesOnly, type Policy, replay, SHIPPED } from "./replay.ts";
import { DAYS, DEVELOPMENT, TEST } from "./sets.ts";

const RESULT = new URL("../results/detection.json", import.meta.url);
const EVERY_TURNS = 5;

interface Report {
  readonly conversations: number;
  readonly turns: number;
  readonly turns_looked_at: number;
  readonly figures: Readonly<Record<string, Figures>>;
  readonly asks_per_hour: number;
  readonly asks_per_hour_median: number;
  readonly found_per_hour: number;
  readonly false_alarms_without_points: number;
}

const embedder = openStaticEmbedder();
const result: Record<string, { [policy: string]: Report | Retention }> = {};
const isQuiet = Deno.args.includes("--quiet");

measure("development", DEVELOPMENT, !isQuiet);
measure("development, joined to days", DAYS, false);
measure("test", TEST, false);
if (!isQuiet) await compareAndKeep();
embedder.close();

function measure(half: string, conversations: readonly Conversation[], names: boolean): void {
  if (conversations.length === 0) return;
  const policies: Record<string, Policy> = {
    "as shipped": detector(embedder, SHIPPED),
    "structural only": detector(embedder, SHIPPED, { words: false }),
    "linguistic only": phrasesOnly,
    [`every ${EVERY_TURNS} turns`]: every(EVERY_TURNS, "synthesis"),
  };
  const own: Record<string, Report | Retention> = result[half] = {};
  const saves = new Map<string, readonly number[]>();
  for (const [name, policy] of Object.entries(policies)) {
    const runs = conversations.map((conversation) => replay(conversation, policy));
    const isOurs = name === "as shipped";
    own[name] = report(`${half}, ${name}`, runs, isOurs);
    if (!isOurs) continue;
    for (const run of runs) saves.set(run.name, run.saves);
    if (names) print(runs.map(mistakesOf).filter((line) => line !== "").join("\n"));
  }
  const miss = (name: string, text: string): void => {
    if (names) print(`  ${name}: lost ${text}`);
  };
  if (!conversations.some(({ keep }) => keep !== undefined)) return;
  own["checkpoints of a session"] = reportKept(
    "the checkpoints that a session leaves",
    measureRetention(conversations, embedder, ({ name }) => saves.get(name) ?? [], miss),
  );
  own["one checkpoint"] = reportKept(
    "one checkpoint of the whole session",
    measureRetention(conversations, embedder, () => [], () => {}),
  );
}

function reportKept(name: string, what: Retention): Retention {
  print(
    `${name}: ${percent(what.decisions_kept, 0)} % of ${what.decisions} decisions, ` +
      `${percent(what.exact_kept, 0)} % of ${what.exact} exact strings, ${what.checkpoints} of ` +
      `${what.tokens_median} tokens in the median, ${what.tokens_most} at most`,
  );
  return what;
}

function report(name: string, runs: readonly Run[], isLong: boolean): Report {
  const none = runs.filter(({ labels }) => labels.length === 0);
  const rows = { ...byName(runs), "all, any name": figures(runs) };
  const total: Report = {
    conversations: runs.length,
    turns: sum(runs, ({ turns }) => turns),
    turns_looked_at: sum(runs, ({ looked }) => looked),
    figures: rows,
    asks_per_hour: sum(runs, ({ asksAt }) => asksAt.length) / hours(runs),
    asks_per_hour_median: median(runs.map((run) => run.asksAt.length / hours([run]))),
    found_per_hour: sum(runs, ({ found }) => found.length) / hours(runs),
    false_alarms_without_points: sum(none, ({ found }) => found.length),
  };
  print(`\n${name}: ${runs.length} conversations, ${none.length} of them without points`);
  print("trigger                 labels found right  precision recall   f1  latency");
  for (const [label, one] of Object.entries(rows)) {
    if (!isLong && !label.startsWith("all")) continue;
    print([
      label.padEnd(23),
      ...[one.labels, one.found, one.right].map((value) => String(value).padStart(5)),
      one.found === 0 ? "-".padStart(10) : percent(one.precision, 10),
      percent(one.recall, 6),
      percent(one.f1, 4),
      one.latency.toFixed(2).padStart(8),
    ].join(" "));
  }
  print(
    `${total.turns_looked_at} of ${total.turns} turns got past the cheap gates; asks an hour ` +
      `${total.asks_per_hour.toFixed(1)}, in the median ${
        total.asks_per_hour_median.toFixed(1)
      }; ` +
      `findings an hour ${
        total.found_per_hour.toFixed(1)
      }; false alarms where there is no point: ` +
      `${total.false_alarms_without_points} in ${sum(none, ({ turns }) => turns)} turns`,
  );
  return total;
}

async function compareAndKeep(): Promise<void> {
  let last: unknown = {};
  try {
    last = JSON.parse(await Deno.readTextFile(RESULT));
  } catch {
    print("\nno earlier result to compare with");
  }
  const before = flat(last);
  for (const [name, value] of flat(result)) {
    const old = before.get(name);
    if (old === undefined || Math.abs(old - value) < 0.005) continue;
    print(`changed: ${name}: ${old.toFixed(3)} → ${value.toFixed(3)}`);
  }
  await Deno.mkdir(new URL(".", RESULT), { recursive: true });
  const rounded = JSON.stringify(
    result,
    (_, value) => typeof value === "number" ? Math.round(value * 1000) / 1000 : value,
    2,
  );
  await Deno.writeTextFile(RESULT, `${rounded}\n`);
}

/** Every number by its path. */
function flat(value: unknown, path = ""): Map<string, number> {
  if (typeof value === "number") return new Map([[path, value]]);
  if (typeof value !== "object" || value === null) return new Map();
  return new Map(
    Object.entries(value).flatMap((
      [key, item],
    ) => [...flat(item, path === "" ? key : `${path}, ${key}`)]),
  );
}

function percent(value: number, width: number): string {
  return (100 * value).toFixed(0).padStart(width);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
