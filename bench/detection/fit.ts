/**
 * Fits src/detect/trigger/weights.ts on the development half: `deno run -A bench/detection/fit.ts`, with `--write`
 * to keep the result. For each way to see a point a logistic regression on its features, at the end of
 * every turn. What is printed is judged on conversations that were left out of the fit.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { exchangesOf } from "../../src/detect/text/exchanges.ts";
import { recentExchangesOf } from "../../src/detect/text/recent_exchanges.ts";
import type { Features } from "../../src/detect/trigger/signal.ts";
import {
  type DetectorModel,
  type DetectorName,
  type Observation,
  observe,
} from "../../src/detect/trigger/detectors.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import type { Conversation } from "./conversation.ts";
import { type Case, fit, type Thing } from "./logistic.ts";
import { byName, figures, mistakesOf, type Run } from "./measure.ts";
import { detector, replay, SHIPPED } from "./replay.ts";
import { DEVELOPMENT } from "./sets.ts";
import { readBack } from "./transcript.ts";

const FOLDS = 8;
/** Each conversation counts twice, see `withoutRuns`. */
const RIDGE = 0.6;
/** A later choice within this many turns, not asked as a question, takes what was laid out. */
const TAKEN_WITHIN = 12;
const TABLE = new URL("../../src/detect/trigger/weights.ts", import.meta.url);
/** Chance → confidence; see docs/decisions/0013 and 0041. */
const CALIBRATION = [[0.2, 0.5], [0.6, 0.8], [1, 1]] as const;

/** An end of turn, or an earlier turn that may turn out to have been one now. */
interface Labelled {
  readonly fold: number;
  readonly seen: readonly Observation[];
  readonly is: Observation | undefined;
}

const embedder = openStaticEmbedder();
const rows = DEVELOPMENT.flatMap((conversation, i) =>
  [conversation, withoutRuns(conversation)].flatMap((one) => rowsOf(one, i % FOLDS))
);
const names = new Map<DetectorName, string[]>();
for (const { seen } of rows) {
  for (const { detector, features } of seen) names.set(detector, Object.keys(features));
}

judge();
const final = weightsOf(rows);
print(final);
if (Deno.args.includes("--write")) await write(final);
embedder.close();

/**
 * The same without tool runs. Authors of conversations let a call fail or a source be read at each
 * constraint; real people often just say so, and the words must be enough then.
 */
function withoutRuns({ steps, ...rest }: Conversation): Conversation {
  return {
    ...rest,
    steps: steps.map(({ tools = [], ...step }) => ({
      ...step,
      tools: tools.filter((call) => !("run" in call) && !("subagent" in call)),
    })),
  };
}

function rowsOf(conversation: Conversation, fold: number): Labelled[] {
  const { turns, ends } = readBack(conversation);
  const labels = conversation.steps.map(({ label }) => label);
  return ends.flatMap((end, turn) => {
    const exchanges = exchangesOf(turns.slice(0, end));
    const recent = recentExchangesOf(exchanges, exchanges.length, embedder);
    const seen = recent === undefined ? [] : observe(recent);
    const isTaken = recent?.last.prompt.questions === 0 &&
      labels.slice(Math.max(0, turn - TAKEN_WITHIN), turn).includes("branch_point");
    const isMeant = ({ trigger, detector, ago }: Observation): boolean =>
      labels[turn - ago] === trigger &&
      (trigger !== "branch_point" || (detector === "a way taken") === isTaken);
    const here = seen.filter(({ ago }) => ago === 0);
    return [here, ...seen.filter(({ ago }) => ago > 0).map((one) => [one])].map((seen) => ({
      fold,
      seen,
      is: seen.find(isMeant),
    }));
  });
}

function weightsOf(from: readonly Labelled[]): DetectorModel["weights"] {
  const places = new Map<DetectorName, number>();
  let size = 0;
  for (const [sight, features] of names) {
    places.set(sight, size);
    size += 1 + features.length;
  }
  const thingOf = ({ detector, features }: Observation): Thing => ({
    at: places.get(detector) ?? 0,
    features: [1, ...(names.get(detector) ?? []).map((name) => features[name] ?? 0)],
  });
  const cases = from.map(({ seen, is }): Case => {
    const things = seen.map(thingOf);
    return { things, is: is === undefined ? undefined : things[seen.indexOf(is)] };
  });
  const fitted = fit(cases, size, RIDGE);
  return Object.fromEntries(
    [...names].map(([sight, features]) => {
      const own = (i: number): number => fitted[(places.get(sight) ?? 0) + i] ?? 0;
      const table = features.map((name, i) => [name, own(i + 1)]);
      return [sight, { always: own(0), ...Object.fromEntries(table) }];
    }),
  ) as unknown as Record<DetectorName, Features>;
}

/** Every conversation, seen by weights that were fitted without it. */
function judge(): void {
  const [runs, bare]: [Run[], Run[]] = [[], []];
  for (let fold = 0; fold < FOLDS; fold++) {
    const weights = weightsOf(rows.filter((row) => row.fold !== fold));
    const policy = detector(embedder, SHIPPED, { weights: { weights, calibration: CALIBRATION } });
    DEVELOPMENT.forEach((conversation, i) => {
      if (i % FOLDS !== fold) return;
      runs.push(replay(conversation, policy));
      bare.push(replay(withoutRuns(conversation), policy));
    });
  }
  for (const run of runs) if (Deno.args.includes("--mistakes")) console.log(mistakesOf(run));
  console.log(`${runs.length} conversations, each judged by the others`);
  tell(runs);
  console.log("the same, told without anything that was run");
  tell(bare);
}

function tell(runs: readonly Run[]): void {
  for (const [name, one] of Object.entries({ ...byName(runs), "any name": figures(runs) })) {
    console.log(
      `${name.padEnd(23)} labels ${one.labels} found ${one.found} right ${one.right}: precision ${
        one.precision.toFixed(2)
      } recall ${one.recall.toFixed(2)} late ${one.latency.toFixed(2)}`,
    );
  }
}

function print(weights: DetectorModel["weights"]): void {
  for (const [sight, table] of Object.entries(weights)) {
    const points = rows.filter(({ is }) => is?.detector === sight);
    const line = Object.entries(table).sort(([, a], [, b]) => b - a)
      .map(([name, weight]) => `${name} ${weight.toFixed(2)}`).join(", ");
    console.log(`\n${sight} (${points.length} points): ${line}`);
  }
}

async function write(weights: DetectorModel["weights"]): Promise<void> {
  const tables = Object.entries(weights).map(([sight, table]) => {
    const lines = Object.entries(table).map(([name, weight]) =>
      `    ${JSON.stringify(name)}: ${weight.toFixed(2)},\n`
    );
    return `  ${JSON.stringify(sight)}: {\n${lines.join("")}  },\n`;
  });
  await Deno.writeTextFile(
    TABLE,
    `/**
 * What each feature weighs for each way to see a point, and what the sum means as a confidence. Made by
 * bench/detection/fit.ts from the development half of the labelled conversations; not edited by hand.
 */
export const WEIGHTS = {\n${tables.join("")}} as const;

/** (chance that this very turn is the point, confidence), both rising. */
export const CALIBRATION: readonly (readonly [chance: number, confidence: number])[] = [
${CALIBRATION.map(([chance, confidence]) => `  [${chance}, ${confidence}],\n`).join("")}];
`,
  );
}
