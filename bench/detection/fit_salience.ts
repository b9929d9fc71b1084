/**
 * Fits src/detect/checkpoint/salience_weights.ts on the development half: `deno run -A bench/detection/fit_salience.ts`,
 * with `--write` to keep the result. A sentence is wanted when it holds all the words of a decision that
 * a reader wanted kept.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { rankSentences } from "../../src/detect/checkpoint/rank_sentences.ts";
import { sentencesOf } from "../../src/detect/text/sentences.ts";
import { salienceFeatures } from "../../src/detect/checkpoint/salience.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import type { Conversation } from "./conversation.ts";
import { type Case, fit } from "./logistic.ts";
import { DEVELOPMENT } from "./sets.ts";
import { readBack } from "./transcript.ts";

const RIDGE = 3;
const TABLE = new URL("../../src/detect/checkpoint/salience_weights.ts", import.meta.url);

const embedder = openStaticEmbedder();
const rows = DEVELOPMENT.flatMap(rowsOf);
const names = Object.keys(rows[0]?.features ?? {});
const cases = rows.map(({ features, isWanted }): Case => {
  const thing = { at: 0, features: [1, ...names.map((name) => features[name] ?? 0)] };
  return { things: [thing], is: isWanted ? thing : undefined };
});
const weights = fit(cases, names.length + 1, RIDGE);
const table = ["always", ...names].map((name, i) =>
  `${JSON.stringify(name)}: ${weights[i]?.toFixed(2)}`
);
console.log(`${rows.filter(({ isWanted }) => isWanted).length} of ${rows.length} sentences`);
console.log(table.join(", "));
if (Deno.args.includes("--write")) {
  await Deno.writeTextFile(
    TABLE,
    `/**
 * What makes a sentence worth keeping. Made by bench/detection/fit_salience.ts from the development half of
 * the labelled conversations; not edited by hand.
 */
export const SALIENCE_WEIGHTS = {\n${table.map((line) => `  ${line},\n`).join("")}} as const;
`,
  );
}
embedder.close();

function rowsOf(conversation: Conversation) {
  const { keep } = conversation;
  if (keep === undefined) return [];
  const { turns } = readBack(conversation);
  const ranked = rankSentences(sentencesOf(turns), embedder);
  return salienceFeatures(turns, ranked).map((features, i) => {
    const text = ranked[i]?.sentence.text.toLowerCase() ?? "";
    const isWanted = keep.decisions.some((words) =>
      words.every((word) => text.includes(word.toLowerCase()))
    );
    return { features, isWanted };
  });
}
