/** `sage checkpoint prune`: old checkpoints into the trash. Says what it would do until it is told to. */
import { parseSpan } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { defined } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import { toCheckpointItem } from "../../memory/checkpoint/list.ts";
import { planPrune, prune as carryOut, type PrunePlan } from "../../memory/checkpoint/prune.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Answer, dim, type Line, type Span } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import type { Io } from "../io.ts";
import { firstRows, when } from "../terminal/print.ts";
import { table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

export const prune = defineVerb({
  summary: "move old ones to the trash",
  usage: "sage checkpoint prune [--keep <n>] [--older-than <span>] [--yes]",
  options: {
    keep: { type: "number", min: 0, max: 100000, summary: "keep this many of the newest" },
    "older-than": { type: "string", value: "span", summary: "keep younger ones: 90d, 6m" },
    "dry-run": { type: "boolean", summary: "only say what would go (default)" },
    yes: { type: "boolean", short: "y", summary: "do it" },
  },
  details:
    "Only checkpoints of this project. With both rules, only those go that neither rule keeps. Pinned ones stay. The trash keeps everything for 30 days.",
  examples: ["sage checkpoint prune --older-than 90d", "sage checkpoint prune --keep 50 --yes"],
  run(input, io) {
    const { keep, yes, "older-than": typed, "dry-run": isDry } = input.options;
    const olderThanMs = typed === undefined ? undefined : span(typed);
    if (keep === undefined && olderThanMs === undefined) {
      throw new SageError("usage", "--keep or --older-than is missing", {
        hint: "sage checkpoint prune --keep 50, or --older-than 90d",
      });
    }
    return withMemory(input, io, async (memory) => {
      const plan = await planPrune(memory, defined({ keep, olderThanMs }));
      if (plan.remove.length === 0) {
        return { json: { removed: [], kept: plan.kept }, text: ["Nothing to prune."] };
      }
      if (yes && !isDry) return await pruned(memory, plan);
      return planned(memory, io, plan, `${input.name}${rules(input.options)} --yes`);
    });
  },
});

/** The rules as typed, to print the command that carries out what was shown. */
function rules(options: { readonly keep?: number | undefined; "older-than"?: string | undefined }) {
  const { keep, "older-than": olderThan } = options;
  return (keep === undefined ? "" : ` --keep ${keep}`) +
    (olderThan === undefined ? "" : ` --older-than ${olderThan}`);
}

function span(typed: string): number {
  const ms = parseSpan(typed);
  if (ms !== undefined) return ms;
  throw new SageError("usage", `Cannot read "${typed}" as a span`, {
    hint: "--older-than takes a number and a unit: 90d, 12w, 6m (months), 1y",
  });
}

function planned(memory: Memory, io: Io, plan: PrunePlan, command: string): Answer {
  const items = plan.remove.map(toCheckpointItem);
  const { shown, more } = firstRows(io, items, "checkpoint");
  const rows = shown.map((item): Span[] => [
    dim(item.short_id),
    when(io, item.created, memory.now()),
    item.title,
  ]);
  const pinned: Line[] = plan.pinned.length === 0
    ? []
    : [dim(`${count(plan.pinned.length, "pinned one")} would stay`)];
  return {
    json: { dry_run: true, would_remove: items, pinned: plan.pinned, kept: plan.kept },
    text: [
      `Would move ${count(items.length, "checkpoint")} to the trash:`,
      ...table(io, rows, { indent: "  " }),
      ...more,
      ...pinned,
    ],
    notices: [`nothing was done yet; to do it: ${command}`],
  };
}

async function pruned(memory: Memory, plan: PrunePlan): Promise<Answer> {
  const { removed, skipped } = await carryOut(memory, plan);
  return {
    json: { removed, skipped, pinned: plan.pinned, kept: plan.kept + skipped.length },
    text: [
      `Moved ${count(removed.length, "checkpoint")} to the trash, ${plan.kept} kept ` +
      "(the trash keeps them for 30 days)",
    ],
    notices: [
      ...skipped.map(({ item, reason }) => `sage: warning: left ${item.short_id} alone: ${reason}`),
      ...(removed.length === 0 ? [] : ["to bring one back: sage checkpoint restore <id>"]),
    ],
  };
}
