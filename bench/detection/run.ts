/**
 * Detection quality on handmade conversations: `deno task eval`. Every end of turn goes through the
 * real policy with the settings as shipped, once more without the gate of depth, which on short
 * conversations decides most. The result is kept in bench/results/detection.json and compared with the
 * last one. Half of the conversations hold no point: what is found there is an interruption for nothing.
 */
import { SETTINGS } from "../../src/config/keys.ts";
import { detect, type DetectInput } from "../../src/detect/detect.ts";
import { INFLECTIONS } from "../../src/detect/signal.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { type Conversation, turnsOf } from "./conversation.ts";
import { type Figures, figures, hours, type Mark, type Run } from "./measure.ts";
import { LONG_DAYS } from "./sets/long_days.ts";
import { NO_POINTS } from "./sets/no_points.ts";
import { POINTS_ENGLISH } from "./sets/points_english.ts";
import { POINTS_OTHER_LANGUAGES } from "./sets/points_other_languages.ts";

const RESULT = new URL("../results/detection.json", import.meta.url);
const TURN_MS = 2 * 60_000;
const CHEAP: readonly string[] = ["mode off", "stop hook active", "too shallow", "cooling down"];

const WITH_POINTS = [...POINTS_ENGLISH, ...POINTS_OTHER_LANGUAGES];
const SHIPPED = {
  minMessages: number("detection.min_messages"),
  minTokens: number("detection.min_tokens"),
  structuralAlone: number("detection.structural_alone"),
  structuralConfirmed: number("detection.structural_confirmed"),
  cooldownSeconds: number("detection.cooldown_seconds"),
};
const ASK_MS = number("detection.ask_minutes") * 60_000;
const ASKS_MAX = number("detection.asks_per_session");

interface Report {
  readonly figures: Readonly<Record<string, Figures>>;
  readonly turns: number;
  readonly turns_looked_at: number;
  readonly asks_per_hour: number;
  readonly found_per_hour: number;
  readonly false_alarms_without_points: number;
  readonly asks_per_hour_without_points: number;
}

const embedder = openStaticEmbedder();
const result: Record<string, Report> = {};
const DEEP_AT_ONCE = { ...SHIPPED, minMessages: 0, minTokens: 0 };
run("as shipped", WITH_POINTS, NO_POINTS, SHIPPED);
run("as shipped, sessions of a day", LONG_DAYS, [], SHIPPED);
run("without the depth gate", WITH_POINTS, NO_POINTS, DEEP_AT_ONCE);
run("without the depth gate, sessions of a day", LONG_DAYS, [], DEEP_AT_ONCE);
await compareAndKeep();
embedder.close();

function run(
  name: string,
  points: readonly Conversation[],
  none: readonly Conversation[],
  settings: typeof SHIPPED,
): void {
  const playAll = (all: readonly Conversation[]): Run[] => all.map((one) => play(one, settings));
  result[name] = report(name, playAll(points), playAll(none));
}

function play({ name, steps }: Conversation, settings: typeof SHIPPED): Run {
  const turns = turnsOf(steps);
  const cooldowns: Partial<Record<string, number>> = {};
  const seenHashes: string[] = [];
  const found: Mark[] = [];
  let [saved, asks, askedMs, looked] = [0, 0, -Infinity, 0];
  for (const turn of steps.keys()) {
    const nowMs = turn * TURN_MS;
    const end = (turn + 1) * 2;
    const input: DetectInput = {
      ...settings,
      turns: turns.slice(saved, end),
      earlier: turns.slice(0, saved),
      mode: "ask",
      stopHookActive: false,
      cooldowns,
      seenHashes,
      nowMs,
      embedder: () => embedder,
    };
    const detection = detect(input);
    if (detection.kind !== "nothing" || !CHEAP.includes(detection.gate)) looked++;
    if (detection.kind === "nothing" || detection.trigger === "context_threshold") continue;
    const { trigger, contentHash } = detection;
    found.push({ turn, trigger });
    cooldowns[trigger] = nowMs;
    seenHashes.push(contentHash);
    saved = end;
    if (asks >= ASKS_MAX || nowMs - askedMs < ASK_MS) continue;
    asks++;
    askedMs = nowMs;
  }
  const labels = steps.flatMap(({ label }, turn) =>
    label === undefined ? [] : [{ turn, trigger: label }]
  );
  return { name, turns: steps.length, labels, found, asks, looked };
}

function report(name: string, points: readonly Run[], none: readonly Run[]): Report {
  const runs = [...points, ...none];
  const rows: [string, Figures][] = INFLECTIONS.map((trigger) => [trigger, figures(runs, trigger)]);
  rows.push(["all, right name", sumOf(rows.map(([, one]) => one))]);
  rows.push(["all, any name", figures(runs)]);
  print(`\n${name}: ${points.length} conversations with points, ${none.length} without`);
  print("trigger                 labels found right  precision recall   f1  latency");
  for (const [label, one] of rows) {
    print([
      label.padEnd(23),
      ...[one.labels, one.found, one.right].map((value) => String(value).padStart(5)),
      one.found === 0 ? "-".padStart(10) : percent(one.precision, 10),
      percent(one.recall, 6),
      percent(one.f1, 4),
      one.latency.toFixed(2).padStart(8),
    ].join(" "));
  }
  for (const run of runs) printMistakes(run);
  const total = {
    figures: Object.fromEntries(rows),
    turns: sum(runs, ({ turns }) => turns),
    turns_looked_at: sum(runs, ({ looked }) => looked),
    asks_per_hour: sum(runs, ({ asks }) => asks) / hours(runs),
    found_per_hour: sum(runs, ({ found }) => found.length) / hours(runs),
    false_alarms_without_points: sum(none, ({ found }) => found.length),
    asks_per_hour_without_points: none.length === 0
      ? 0
      : sum(none, ({ asks }) => asks) / hours(none),
  };
  print(
    `${total.turns_looked_at} of ${total.turns} turns got past the cheap gates; ` +
      `${total.asks_per_hour.toFixed(1)} asks and ${
        total.found_per_hour.toFixed(1)
      } findings an hour`,
  );
  if (none.length === 0) return total;
  print(
    `without points: ${total.false_alarms_without_points} false alarms in ` +
      `${sum(none, ({ turns }) => turns)} turns, ${
        total.asks_per_hour_without_points.toFixed(1)
      } asks an hour`,
  );
  return total;
}

/** What was missed and what was found for nothing, for whoever works on it. */
function printMistakes(run: Run): void {
  const say = (kind: string, marks: readonly Mark[]): string[] =>
    marks.map(({ turn, trigger }) => `${kind} ${trigger} at ${turn + 1}`);
  const isNear = (a: Mark, b: Mark): boolean =>
    a.trigger === b.trigger && a.turn >= b.turn && a.turn - b.turn <= 2;
  const wrong = run.found.filter((hit) => !run.labels.some((label) => isNear(hit, label)));
  const missed = run.labels.filter((label) => !run.found.some((hit) => isNear(hit, label)));
  const all = [...say("missed", missed), ...say("wrong", wrong)];
  if (all.length > 0) print(`  ${run.name}: ${all.join(", ")}`);
}

function sumOf(parts: readonly Figures[]): Figures {
  const [labels, found, right] = [
    sum(parts, (one) => one.labels),
    sum(parts, (one) => one.found),
    sum(parts, (one) => one.right),
  ];
  const precision = found === 0 ? 0 : right / found;
  const recall = right / Math.max(1, labels);
  return {
    labels,
    found,
    right,
    precision,
    recall,
    f1: right === 0 ? 0 : 2 * precision * recall / (precision + recall),
    latency: sum(parts, (one) => one.latency * one.right) / Math.max(1, right),
  };
}

async function compareAndKeep(): Promise<void> {
  let last: Record<string, Report> = {};
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

function number(key: keyof typeof SETTINGS): number {
  return Number(SETTINGS[key].default);
}

function sum<T>(items: readonly T[], value: (item: T) => number): number {
  return items.reduce((total, item) => total + value(item), 0);
}

function percent(value: number, width: number): string {
  return (100 * value).toFixed(0).padStart(width);
}

function print(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
