/**
 * What conversations in Chinese and Japanese leave: points found, what checkpoints keep, and what the note
 * of the session tells. Of the test half only figures are printed, so that nobody tunes on it:
 * `deno run -A bench/detection/east_asian.ts [--test]`.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { measureRetention } from "./retention.ts";
import { figures, mistakesOf } from "./measure.ts";
import { countsSaid, countTold } from "./session_note.ts";
import { detector, replay, SHIPPED } from "./replay.ts";
import { EAST_ASIAN } from "./sets.ts";

const embedder = openStaticEmbedder();
measure("development", true);
if (Deno.args.includes("--test")) measure("test", false);
embedder.close();

function measure(half: keyof typeof EAST_ASIAN, isTold: boolean): void {
  const conversations = EAST_ASIAN[half];
  const tell = (line: string): void => {
    if (isTold && line !== "") console.log(line);
  };
  const runs = conversations.map((one) => replay(one, detector(embedder, SHIPPED)));
  for (const run of runs) tell(mistakesOf(run));
  const { labels, found, right } = figures(runs);
  const saves = new Map(runs.map((run) => [run.name, run.saves]));
  const what = measureRetention(
    conversations,
    embedder,
    ({ name }) => saves.get(name) ?? [],
    (name, text) => {
      tell(`  ${name}: lost ${text}`);
    },
  );
  const counts = countTold(conversations, embedder, tell);
  console.log(
    `${half}: ${conversations.length} conversations; points ${right} of ${labels}, ${found} found; ` +
      `checkpoints keep ${share(what.decisions_kept, what.decisions)} decisions, ` +
      `${share(what.exact_kept, what.exact)} exact strings`,
  );
  console.log(countsSaid(counts));
}

function share(kept: number, all: number): string {
  return `${Math.round(kept * all)}/${all}`;
}
