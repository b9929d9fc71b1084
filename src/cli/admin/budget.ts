/** `sage admin budget`: what memory may cost where, and what it took of that lately. */
import { measureImpact, median } from "../../memory/impact/impact.ts";
import { type Answer, dim, type Span } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import { many } from "../../base/text/text.ts";
import { table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

const BUDGETS = [
  { what: "start", where: "a session's start", setting: "budget.orientation_tokens" },
  { what: "prompt", where: "beside a prompt", setting: "budget.surfacing_tokens" },
  { what: "context", where: "loaded context", setting: "budget.context_tokens" },
] as const;

export const budget = defineVerb({
  summary: "how many tokens memory may use where, and used lately",
  usage: "sage admin budget",
  details:
    "Usage is of the last two weeks in this project, from the receipts that sage impact counts. Change a budget with sage config set; with 0 for prompts nothing is shown there.",
  examples: ["sage admin budget", "sage config set budget.orientation_tokens 120"],
  run(input, io) {
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const { since, sessions } = await measureImpact(memory);
      const costs = sessions.flatMap((session) => session.costs);
      const items = BUDGETS.map(({ what, where, setting }) => {
        const taken = costs.filter((cost) =>
          what === "context" ? cost.tool === "sage_load_context" : cost.what === what
        ).map(({ tokens }) => tokens);
        const middle = median(taken);
        const used = middle === undefined
          ? undefined
          : { times: taken.length, median: middle, most: Math.max(...taken) };
        const of = memory.config.get(setting);
        return { where, setting, tokens: of, used };
      });
      const heading = ["tokens", "at most", "median", "most", "times", "setting"].map(dim);
      const rows = items.map(({ where, setting, tokens, used }): Span[] => [
        where,
        ...[tokens, used?.median, used?.most, used?.times].map((value) =>
          value === undefined ? "-" : many(value)
        ),
        dim(setting),
      ]);
      return {
        json: { since, items },
        text: table(io, [heading, ...rows], { right: [1, 2, 3, 4] }),
      };
    });
  },
});
