/**
 * Fits src/detect/checkpoint/outcome_weights.ts: `deno run -A bench/detection/fit_outcome.ts LABELS`, with `--write` to
 * keep the result. LABELS is JSON, `[{person, transcript, answer, best, also, bad}]`: the path of a session file of
 * Claude Code, the uuid of an answer in it, and its sentences that a reader who comes back would have kept, would
 * take as well, and would be annoyed by. The sessions that the weights were fitted to are strangers' and not in the
 * repository.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { isAskedAtEnd } from "../../src/base/text/text.ts";
import { outcomeFeatures } from "../../src/detect/checkpoint/outcome.ts";
import { rankSentences } from "../../src/detect/checkpoint/rank_sentences.ts";
import { intentsOf } from "../../src/detect/summary/intent.ts";
import { exchangesOf } from "../../src/detect/text/exchanges.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import { readTranscript } from "../../src/editor/claude_code/transcript.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { type Case, chancesOf, fit, type Thing } from "./logistic.ts";
import { tellWeights } from "./weights_table.ts";

interface Label {
  readonly person: string;
  readonly transcript: string;
  readonly answer: string;
  readonly best: readonly string[];
  readonly also: readonly string[];
  readonly bad: readonly string[];
}

interface Row {
  readonly text: string;
  readonly thing: Thing;
}

const RIDGE = 3;
/** What a checkpoint sees before an answer: more changes nothing. */
const EXCHANGES = 6;
const TELLING_MIN = 0.4;
const PICKED_MAX = 3;
const TABLE = new URL("../../src/detect/checkpoint/outcome_weights.ts", import.meta.url);

const labels: readonly Label[] = JSON.parse(await Deno.readTextFile(Deno.args[0] ?? ""));
const embedder = openStaticEmbedder();
let names: readonly string[] = [];
const answers = labels.map((label) => ({ label, rows: rowsOf(label) }));
embedder.close();

function rowsOf({ transcript, answer }: Label): Row[] {
  const { turns: all } = readTranscript(transcript, { tailBytes: Infinity });
  const upTo = all.slice(0, all.findIndex(({ uuid }) => uuid === answer) + 1);
  const turns = upTo.slice(exchangesOf(upTo).at(-EXCHANGES)?.start ?? 0);
  const last = exchangesOf(turns).at(-1);
  const [asked] = intentsOf(last?.prompt === undefined ? [] : [last.prompt]);
  return rankSentences(sentencesOf(turns), embedder).flatMap((ranked) => {
    const { sentence, score } = ranked;
    if (sentence.turn !== last?.answer || isAskedAtEnd(sentence.text)) return [];
    const features = outcomeFeatures({ sentence, rankScore: score }, asked?.text ?? "");
    names = Object.keys(features);
    return [{ text: sentence.text, thing: { at: 0, features: [1, ...Object.values(features)] } }];
  });
}

/** 1 for the best, 0.5 for what would do as well, 0 for the rest. */
function worth({ best, also }: Label, text: string): number {
  return best.includes(text) ? 1 : also.includes(text) ? 0.5 : 0;
}

/** Each sentence twice, so that 0.5 is once chosen and once not. */
function fitTo(some: typeof answers): Float64Array {
  const cases = some.flatMap(({ label, rows }) =>
    rows.flatMap(({ text, thing }) =>
      [0.25, 0.75].map((least): Case => ({
        things: [thing],
        is: worth(label, text) > least ? thing : undefined,
      }))
    )
  );
  return fit(cases, names.length + 1, RIDGE);
}

const persons = [...new Set(labels.map(({ person }) => person))];
let [picked, good, bad, kept, wanted, first] = [0, 0, 0, 0, 0, 0];
for (const person of persons) {
  const weights = fitTo(answers.filter(({ label }) => label.person !== person));
  for (const { label, rows } of answers.filter((one) => one.label.person === person)) {
    const scored = rows.map(({ text, thing }) => ({ text, chance: chancesOf(weights, [thing])[0] }))
      .sort((a, b) => (b.chance ?? 0) - (a.chance ?? 0));
    const least = TELLING_MIN * (scored[0]?.chance ?? 0);
    const taken = scored.filter(({ chance = 0 }) => chance >= least).slice(0, PICKED_MAX)
      .map(({ text }) => text);
    picked += taken.length;
    good += taken.filter((text) => worth(label, text) > 0).length;
    bad += taken.filter((text) => label.bad.includes(text)).length;
    kept += taken.filter((text) => label.best.includes(text)).length;
    wanted += label.best.length;
    first += worth(label, taken[0] ?? "") > 0 ? 1 : 0;
  }
}
const percent = (part: number, whole: number): string => `${(100 * part / whole).toFixed(0)} %`;
console.log(`${labels.length} answers of ${persons.length} people, each person left out in turn`);
console.log(
  `first sentence good ${percent(first, labels.length)}, of all picked good ${
    percent(good, picked)
  }, bad ${percent(bad, picked)}; of the best kept ${percent(kept, wanted)}`,
);
const weights = fitTo(answers);
await tellWeights(TABLE, names, weights);
