/**
 * What conversations in Chinese and Japanese leave: points found, what checkpoints keep, and what the note
 * of the session tells. Of the test half only figures are printed, so that nobody tunes on it:
 * `deno run -A bench/detection/east_asian.ts [--test]`.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { preferencesIn } from "../../src/detect/preferences.ts";
import { summarizeSession } from "../../src/detect/summarize.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import type { Conversation, Told } from "./conversation.ts";
import { measureRetention } from "./retention.ts";
import { figures, mistakesOf } from "./measure.ts";
import { detector, replay, SHIPPED } from "./replay.ts";
import { EAST_ASIAN } from "./sets.ts";
import { CWD, readBack } from "./transcript.ts";

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
  const counts = countTold(conversations, tell);
  console.log(
    `${half}: ${conversations.length} conversations; points ${right} of ${labels}, ${found} found; ` +
      `checkpoints keep ${share(what.decisions_kept, what.decisions)} decisions, ` +
      `${share(what.exact_kept, what.exact)} exact strings`,
  );
  console.log([...counts].map(([part, [good, all]]) => `${part} ${good}/${all}`).join(", "));
}

function share(kept: number, all: number): string {
  return `${Math.round(kept * all)}/${all}`;
}

type Counts = Map<string, [good: number, all: number]>;

function countTold(conversations: readonly Conversation[], tell: (line: string) => void): Counts {
  const counts: Counts = new Map();
  for (const conversation of conversations) {
    const { name, session } = conversation;
    if (session === undefined) continue;
    for (const [part, lines] of Object.entries(partsOf(conversation))) {
      const wanted = session[part as keyof Told] ?? [];
      for (const words of wanted) {
        const isNot = typeof words === "string";
        const isThere = lines.some((line) =>
          isNot ? line.includes(words) : words.every((word) => line.includes(word))
        );
        const count = counts.get(part) ?? [0, 0];
        const isGood = isThere !== isNot;
        counts.set(part, [count[0] + Number(isGood), count[1] + 1]);
        if (!isGood) tell(`  ${name}: ${part} ${isNot ? words : words.join(" · ")}`);
      }
    }
  }
  return counts;
}

/** The lines of the note, by what is looked for in them. */
function partsOf(conversation: Conversation): Record<keyof Told, readonly string[]> {
  const { turns } = readBack(conversation);
  const note = summarizeSession(turns, { embedder, cwd: CWD });
  const wishes = preferencesIn(turns).map(({ text }) => text);
  const decisions = note?.decisions ?? [];
  return {
    about: [note?.summary ?? ""],
    cameOut: [note?.summary ?? ""],
    decisions,
    reversed: decisions.filter((one) => one.includes("takes back")),
    wishes,
    open: note?.openQuestions ?? [],
    next: note?.next ?? [],
    notDecided: [...decisions, ...wishes],
  };
}
