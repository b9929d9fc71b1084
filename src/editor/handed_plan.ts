/**
 * A plan that its person approved, and that the client hands over in their place: the prompt is the client's, the
 * plan the agent's, and the person only agreed.
 */
import { planLines } from "./clip.ts";
import type { PendingTool } from "./calls_not_run.ts";

export interface HandedPlan {
  /** What the person asked for by it. */
  readonly said: string;
  /** The plan, as the call that asks for its approval. */
  readonly tool: PendingTool;
}

/** `feedback`: what the person said of it. */
export function asHanded(plan: string, feedback = ""): HandedPlan {
  const items = planLines(plan);
  const title = items[0]?.text.replace(/^#+ (?:(?:implementation )?plan: )?/i, "")
    .replace(/(?<=\S) (?:implementation )?plan$/i, "") ?? "";
  const request = /^(?:implement|fix)\b/i.test(title) ? title : `Implement: ${title}`;
  const said = [request, feedback].filter((part) => part !== "");
  return { said: said.join("\n\n"), tool: { id: "", name: "ExitPlanMode", items, failed: false } };
}
