/** `sage knowledge match` and `debug`: what would be recalled, and why: the value recall itself used. */
import { defined } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import { renderDebug, renderWhy } from "../../memory/knowledge/explain.ts";
import type { StoredNote } from "../../memory/item.ts";
import type { Memory } from "../../memory/memory.ts";
import { findNote } from "../../memory/find.ts";
import { type Recall, recallFacts, recallKnowledge } from "../../memory/knowledge/recall.ts";
import { frontList } from "../../note/front_values.ts";
import { type Answer, dim, failed, type Line, type Span } from "../terminal/answer.ts";
import { defineVerb, type Input, type Options, type Values } from "../command.ts";
import { flaggedTitle } from "../terminal/flagged.ts";
import type { Io } from "../io.ts";
import { noneAnswer } from "../outcome.ts";
import { pageLines, table } from "../terminal/table.ts";
import { openHere, withMemory } from "../with_memory.ts";

const shared = {
  also: { type: "strings", value: "text", summary: "the same question in other words" },
  skill: { type: "string", value: "name", summary: "as if this skill were in use" },
  scope: { type: "string", choices: ["project", "user"], summary: "only this store" },
  threshold: { type: "number", min: 0, max: 1, summary: "try another recall_threshold" },
  max: { type: "number", min: 1, max: 50, summary: "try another max_items" },
} as const satisfies Options;

type RecallFlags = Values<typeof shared>;

export const match = defineVerb({
  summary: "what would be recalled for a question, and its tokens",
  usage: "sage knowledge match <query> [--threshold <n>] [--max <n>]",
  operands: [1, Infinity],
  options: shared,
  examples: ["sage knowledge match how do worktrees share hooks"],
  connects: "endpoint",
  run: (input, io) => withRecall(input, io, (_, recall) => matchAnswer(io, recall)),
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
    "Shows what recall does with a query: what passes, what nearly passes, and which setting would change that. Try a value with --threshold, and keep it with sage config set.",
  examples: [
    'sage knowledge debug "morpho curator"',
    'sage knowledge debug "morpho curator" --threshold 0.65',
  ],
  connects: "endpoint",
  run: (input, io) =>
    withRecall(input, io, (memory, recall) => {
      if (input.options.why !== undefined) return why(memory, input, io, recall);
      return {
        json: recallFacts(recall),
        text: pageLines(io, renderDebug(recall).trimEnd().split("\n")),
      };
    }),
});

/** Recalls for the typed words, with the settings being tried. */
function withRecall(
  input: Input & { readonly options: RecallFlags },
  io: Io,
  answer: (memory: Memory, recall: Recall) => Answer | Promise<Answer>,
): Promise<Answer> {
  const { options, rest } = input;
  return withMemory(input, io, async (memory) => {
    const recall = await recallKnowledge(memory, rest.join(" "), recallOptions(options));
    return await answer(memory, recall);
  }, { flags: settings(options) });
}

function recallOptions({ also, skill, scope, max }: RecallFlags) {
  return defined({ also, skill, scope, maxItems: max });
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
    }, { json: recallFacts(recall), notices: levers });
  }
  const rows = items.map((item): Span[] => [
    dim(item.short_id),
    item.score.toFixed(2),
    count(item.tokens, "token"),
    flaggedTitle(item),
  ]);
  const text: Line[] = [
    ...table(io, rows, { right: [1, 2] }),
    dim(`${count(items.length, "note")}, ${count(tokens, "token")}`),
  ];
  return { json: recallFacts(recall), text, notices: levers };
}

type DebugInput = Input & { readonly options: RecallFlags & { readonly why: string | undefined } };

async function why(memory: Memory, input: DebugInput, io: Io, recall: Recall): Promise<Answer> {
  const ref = input.options.why ?? "";
  const found = await findNote(memory, ref, ["knowledge"]);
  if (found.kind === "none") return noneAnswer("knowledge", ref, found);
  if (found.kind === "many") {
    const message = `"${ref}" matches ${found.items.length} notes`;
    return failed({ code: "ambiguous", message, hint: "repeat with one of the ids" });
  }
  const { id, title } = found.item.note;
  const kept = keptOut(found.item, input.options);
  const text = renderWhy(recall, id) ?? renderWhy(await withoutThreshold(input, io, recall), id);
  if (text === undefined) {
    return failed({
      code: "not_found",
      message: `"${title}" is no candidate: ${
        kept?.[0] ?? "it shares neither meaning nor words with the query"
      }`,
      hint: kept?.[1],
    }, { json: { config: recall.config } });
  }
  return { json: { id, why: text, config: recall.config }, text: pageLines(io, text.split("\n")) };
}

/** Why recall does not consider a note, and what would change that. */
function keptOut(
  { note, store, absolutePath }: StoredNote,
  { skill, scope }: RecallFlags,
): readonly [reason: string, hint: string] | undefined {
  const { id, status, front } = note;
  if (status === "archived") return ["it is archived", `sage knowledge restore ${id}`];
  if (status !== "active") return [`it is a ${status}`, `change its status in ${absolutePath}`];
  if (scope !== undefined && store.scope !== scope) {
    return [`it is in the ${store.scope} store`, `leave out --scope ${scope}`];
  }
  const skills = frontList(front, "skills");
  if (skills.length === 0 || (skill !== undefined && skills.includes(skill))) return undefined;
  return [`it is for ${skills.join(", ")} only`, `--skill ${skills[0]} recalls it, too`];
}

/** All scores without the threshold, if nothing comes near it. */
async function withoutThreshold(input: DebugInput, io: Io, recall: Recall): Promise<Recall> {
  const memory = await openHere(input, io, settings({ ...input.options, threshold: 0 }));
  try {
    const options = { ...recallOptions(input.options), maxItems: 50, tokensMax: Infinity };
    const all = await recallKnowledge(memory, recall.query, options);
    return { ...all, config: recall.config };
  } finally {
    memory.close();
  }
}
