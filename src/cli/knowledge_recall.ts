/** `sage knowledge match` and `debug`: what would be recalled, and why: the value recall itself used. */
import { debugRecall, renderDebug, renderWhy } from "../memory/knowledge/explain.ts";
import { type Recall, recallKnowledge } from "../memory/knowledge/recall.ts";
import { type Answer, dim, failed, type Line, type Span } from "./answer.ts";
import { defineVerb, type Options } from "./command.ts";
import type { Io } from "./io.ts";
import { count } from "./print.ts";
import { table } from "./table.ts";
import { withMemory } from "./with_memory.ts";

const shared = {
  skill: { type: "string", value: "name", summary: "as if this skill were at work" },
  scope: { type: "string", choices: ["project", "user"], summary: "only this store" },
  threshold: { type: "number", min: 0, max: 1, summary: "try another recall_threshold" },
  max: { type: "number", min: 1, max: 50, summary: "try another max_items" },
} as const satisfies Options;

interface RecallFlags {
  readonly skill: string | undefined;
  readonly scope: "project" | "user" | undefined;
  readonly threshold: number | undefined;
  readonly max: number | undefined;
}

export const match = defineVerb({
  summary: "what would be recalled for a question, and its tokens",
  usage: "sage knowledge match <query> [--threshold <n>] [--max <n>]",
  operands: [1, Infinity],
  options: shared,
  examples: ["sage knowledge match how do worktrees share hooks"],
  run(input, io) {
    const { options, rest } = input;
    return withMemory(input, io, async (memory) => {
      const recall = await recallKnowledge(memory, rest.join(" "), recallOptions(options));
      return matchAnswer(io, recall);
    }, settings(options));
  },
});

export const debug = defineVerb({
  summary: "every score, and the setting that would change the answer",
  usage: "sage knowledge debug <query> [--why <id>] [--threshold <n>]",
  operands: [1, Infinity],
  options: {
    ...shared,
    why: { type: "string", value: "id", summary: "the whole calculation for one note" },
  },
  details:
    "Shows what recall does with a query: what passes, what nearly does, and which setting would change that. Try a value with --threshold, keep it with sage config set.",
  examples: [
    'sage knowledge debug "morpho curator"',
    'sage knowledge debug "morpho curator" --threshold 0.65',
  ],
  run(input, io) {
    const { options, rest } = input;
    return withMemory(input, io, async (memory) => {
      const recall = await debugRecall(memory, rest.join(" "), recallOptions(options));
      if (options.why !== undefined) return whyAnswer(recall, options.why);
      return { json: recallJson(recall), text: renderDebug(recall).trimEnd().split("\n") };
    }, settings(options));
  },
});

function recallOptions({ skill, scope, max }: RecallFlags) {
  return {
    ...(skill === undefined ? {} : { skill }),
    ...(scope === undefined ? {} : { scope }),
    ...(max === undefined ? {} : { maxItems: max }),
  };
}

function settings({ threshold }: RecallFlags): Record<string, string> {
  return threshold === undefined ? {} : { "retrieval.recall_threshold": String(threshold) };
}

function matchAnswer(io: Io, recall: Recall): Answer {
  const { items, tokens } = recall;
  const levers = recall.levers.map(({ command, effect }) => `Tip: ${command} ${effect}`);
  if (items.length === 0) {
    const threshold = recall.config.recall_threshold.toFixed(2);
    return failed({
      code: "not_found",
      message: `Nothing known reaches the threshold of ${threshold} for "${recall.query}"`,
      hint: "sage knowledge debug shows the scores",
    }, { json: recallJson(recall), notices: levers });
  }
  const rows = items.map((item): Span[] => [
    dim(item.short_id),
    item.score.toFixed(2),
    `${item.tokens} tokens`,
    item.flags.length === 0 ? item.title : `${item.title} (${item.flags.join(", ")})`,
  ]);
  const text: Line[] = [
    ...table(io, rows, { right: [1, 2] }),
    dim(`${count(items.length, "note")}, ${tokens} tokens`),
  ];
  return { json: recallJson(recall), text, notices: levers };
}

function whyAnswer(recall: Recall, id: string): Answer {
  const why = renderWhy(recall, id);
  const { items: passed, nearMisses } = recall;
  const note = [...passed, ...nearMisses].find((item) => item.id === id || item.short_id === id);
  if (why === undefined) {
    return failed({
      code: "not_found",
      message: `"${id}" is no candidate for "${recall.query}": nothing in it is near the query`,
      hint: "sage knowledge list shows what there is, with its ids",
    });
  }
  return { json: { note, why, config: recall.config }, text: why.trimEnd().split("\n") };
}

/** The value that recall used, with the names of design/interfaces. */
function recallJson(recall: Recall): Record<string, unknown> {
  const { query, items, nearMisses, config, tokens, skipped, levers, lexicalOnly } = recall;
  return {
    query,
    items,
    near_misses: nearMisses,
    config,
    tokens,
    skipped,
    levers,
    lexical_only: lexicalOnly,
  };
}
