/** `sage admin feedback`: what became of detected checkpoints, what was learned of it, and forgetting that. */
import { SageError } from "../../base/errors.ts";
import { count } from "../../base/text/text.ts";
import { setting } from "../../config/keys.ts";
import { type Proposal, proposePhrases } from "../../memory/learn/proposals.ts";
import { countUses, type Tallies } from "../../memory/learn/tally.ts";
import { forgetLearned, LEARNED_KEYS } from "../../memory/learn/thresholds.ts";
import type { Memory } from "../../memory/memory.ts";
import { applyImport } from "../../memory/phrases/pack.ts";
import { type Answer, bold, dim, type Line, type Span } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import type { Io } from "../io.ts";
import { table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

export const feedback = defineVerb({
  summary: "what became of detected checkpoints, and what was learned from it",
  usage: "sage admin feedback [--accept <phrase>] [--reset]",
  options: {
    accept: { type: "strings", value: "phrase", summary: "keep a proposed phrase as your own" },
    reset: { type: "boolean", summary: "forget all that was learned" },
  },
  details:
    "A checkpoint that is loaded, read, restored or branched from counts for its trigger; one that is removed, or not used within 30 days, counts against it. After ten such verdicts two thresholds move with them, by at most 0.01 a day and 0.05 in all, unless you set them yourself. Phrases that you often use before checkpoints worth going back to are proposed; they count once you accept them. All of it stays on this machine.",
  examples: ["sage admin feedback", 'sage admin feedback --accept "put a pin in that"'],
  run(input, io) {
    const { accept, reset } = input.options;
    if (reset && accept.length > 0) {
      throw new SageError("usage", "--accept and --reset exclude each other", {
        hint: "accept first: what was learned is forgotten with --reset",
      });
    }
    return withMemory(input, io, async (memory): Promise<Answer> => {
      if (reset) {
        forgetLearned(memory);
        return { json: { reset: true }, text: ["What was learned is forgotten."] };
      }
      const { tallies, valued } = await countUses(memory);
      const proposals = await proposePhrases(memory, valued);
      if (accept.length > 0) return await accepted(memory, proposals, accept);
      return told(memory, io, tallies, proposals);
    });
  },
});

async function accepted(
  memory: Memory,
  proposals: readonly Proposal[],
  phrases: readonly string[],
): Promise<Answer> {
  const wanted = phrases.map((phrase) => {
    const proposal = proposals.find((one) => one.phrase === phrase.trim().toLowerCase());
    if (proposal !== undefined) return proposal;
    throw new SageError("not_found", `"${phrase}" is not proposed; nothing was added`, {
      hint: "sage admin feedback lists what is; any other goes into patterns.yaml by hand",
    });
  });
  const lists: Record<string, string[]> = {};
  for (const { trigger, phrase } of wanted) (lists[trigger] ??= []).push(phrase);
  const path = await applyImport(memory, {
    name: "learned",
    phrases: lists,
    problems: [],
    refused: [],
  });
  return {
    json: { accepted: wanted, path },
    text: [`Added ${count(wanted.length, "phrase")} to ${path}`],
  };
}

function told(memory: Memory, io: Io, tallies: Tallies, proposals: readonly Proposal[]): Answer {
  const heading = ["trigger", "saved", "used", "removed", "unused"].map(dim);
  const rows = Object.entries(tallies).map(([trigger, tally]): Span[] => [
    trigger,
    ...[tally.saved, tally.used, tally.removed, tally.unused].map(String),
  ]);
  const thresholds = LEARNED_KEYS.map((key) => {
    const { value, source } = memory.config.explain(key);
    return { key, value, source, default: setting(key).default };
  });
  return {
    json: { tallies, thresholds, proposals },
    text: [
      ...table(io, [heading, ...rows], { right: [1, 2, 3, 4] }),
      "",
      ...thresholds.map(({ key, value, source, default: usual }): Line =>
        source === "learned"
          ? `${key} = ${value}, learned (${usual} by default)`
          : `${key} = ${value} (${source})`
      ),
      ...proposalLines(proposals),
    ],
  };
}

function proposalLines(proposals: readonly Proposal[]): Line[] {
  if (proposals.length === 0) return [];
  return [
    "",
    bold("You say these before checkpoints worth going back to"),
    ...proposals.map(({ phrase, trigger, times }): Line => [
      `  ${phrase}`,
      dim(`  ${trigger}, ${times} times`),
    ]),
    dim('  keep one: sage admin feedback --accept "…"'),
  ];
}
