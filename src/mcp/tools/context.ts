/** The tool that loads what is known here at once, tier by tier, and reports what was left out. */
import { defined } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import { z } from "zod";
import { type Context, loadContext, TIERS } from "../../memory/context.ts";
import { quoted } from "../fenced.ts";
import { defineTool, READS } from "../tool.ts";
import { label, listing, notesShape, staleFact } from "./shapes.ts";

/** Half of what a client accepts, since an answer is sent in two forms. */
const TOKENS_MAX = 5000;
const LEFT_NAMED_MAX = 10;

export const loadContextTool = defineTool({
  name: "sage_load_context",
  title: "Load context",
  description:
    "Load what is known of this project at once: pinned notes, then the project's, then the person's, " +
    "newest first, within a budget; says what was left out and why. For a question, recall instead.",
  input: z.strictObject({
    budget_tokens: z.int().min(100).max(200_000).optional(),
    skill: label.optional(),
  }),
  output: notesShape,
  annotations: READS,
  async run(memory, { budget_tokens, skill }) {
    const wanted = budget_tokens ?? memory.config.get("budget.context_tokens");
    const context = await loadContext(memory, {
      tokensMax: Math.min(wanted, TOKENS_MAX),
      ...defined({ skill }),
    });
    const notes = context.items.map((item) => {
      const { type, tier, tokens } = item;
      return { ...item, facts: { type, tier, tokens, ...staleFact(item) } };
    });
    const { used, remaining, budget, left_total } = context;
    const left = context.left.slice(0, LEFT_NAMED_MAX);
    return listing(
      memory,
      notes,
      (shown, { out }) => report(context, shown, out, wanted > budget),
      { used, remaining, budget, left, left_total },
    );
  },
});

function report(context: Context, shown: number, out: number, isCapped: boolean): string {
  const { items, left, left_total, used, budget } = context;
  if (shown === 0 && left_total === 0) return "Nothing is known here yet.";
  const tiers = TIERS.map((tier) =>
    [tier, items.filter((item) => item.tier === tier).length] as const
  )
    .filter(([, number]) => number > 0).map(([tier, number]) => `${number} ${tier}`).join(", ");
  const head = `${count(shown, "note")} loaded (${tiers || "none"}), ${used} of ${budget} tokens` +
    `${isCapped ? ", as much as one answer takes" : ""}.`;
  const cut = out === 0 ? "" : ` ${out} of them did not fit into the answer.`;
  if (left_total === 0) return head + cut;
  const named = left.slice(0, LEFT_NAMED_MAX).map(({ short_id, title, reason }) =>
    `${short_id} ${quoted(title)} (${reason})`
  );
  const more = left_total > named.length ? ` and ${left_total - named.length} more` : "";
  return `${head}${cut} ${left_total} left out: ${named.join("; ")}${more}. get_note reads one.`;
}
