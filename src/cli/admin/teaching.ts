/** `sage admin teaching`: how often each concept was met, and forgetting that. */
import { SageError } from "../../base/errors.ts";
import { count, nearest } from "../../base/text/text.ts";
import { forgetTips } from "../../memory/coaching/tip.ts";
import { CONCEPT_NAMES, forgetMeetings, isExplained, timesMet } from "../../memory/teaching.ts";
import { type Answer, dim, type Span } from "../terminal/answer.ts";
import { defineVerb } from "../command.ts";
import { table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

export const teaching = defineVerb({
  summary: "what was explained to you, and how to see it again",
  usage: "sage admin teaching [<concept>] [--reset]",
  operands: [0, 1],
  operand: CONCEPT_NAMES,
  options: {
    reset: { type: "boolean", summary: "explain the concept, or all, in full the next time" },
  },
  details:
    "Each concept is explained in full the first time you meet it, in one line up to the fifth, then no more. output.level changes that: silent explains nothing, transparent also reports every time what was done and why, educational never stops explaining. Now and then, at most once in five sessions, a tip suggests what would help with the way you work; a tip that you ignore is never repeated.",
  examples: ["sage admin teaching", "sage admin teaching checkpoint --reset"],
  run(input, io) {
    const { rest: [typed], options: { reset } } = input;
    const wanted = CONCEPT_NAMES.filter((name) => typed === undefined || name === typed);
    if (wanted.length === 0) {
      const meant = nearest(typed ?? "", CONCEPT_NAMES);
      throw new SageError("usage", `Unknown concept "${typed}"`, {
        hint: meant === undefined ? CONCEPT_NAMES.join(", ") : `perhaps ${meant}`,
      });
    }
    return withMemory(input, io, (memory): Answer => {
      if (reset) {
        const forgotten: string[] = wanted.filter((name) => forgetMeetings(memory, name));
        if (typed === undefined && forgetTips(memory)) forgotten.push("tips");
        const what = forgotten.length === 0
          ? "Nothing was explained yet."
          : "Will be explained again.";
        return { json: { reset: forgotten }, text: [what] };
      }
      const items = wanted.map((concept) => ({
        concept,
        met: timesMet(memory, concept),
        explained: isExplained(memory, concept),
      }));
      const isAlways = memory.config.get("output.level") === "educational";
      const rows = items.map(({ concept, met, explained }): Span[] => [
        concept,
        count(met, "time"),
        dim(explained ? "says no more" : met === 0 || isAlways ? "in full" : "in a line"),
      ]);
      return { json: { items }, text: table(io, rows) };
    });
  },
});
