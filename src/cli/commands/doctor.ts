/** `sage doctor`, also `sage admin doctor`: every finding with the way to mend it. */
import { diagnose } from "../../memory/doctor.ts";
import { type Answer, dim, type Line, type Style, styled } from "../answer.ts";
import { defineCommand } from "../command.ts";
import { count } from "../print.ts";
import { withMemory } from "../with_memory.ts";

const MARKS: Readonly<Record<"ok" | "warning" | "error", { text: string; style: Style }>> = {
  ok: { text: "ok      ", style: "green" },
  warning: { text: "warning ", style: "yellow" },
  error: { text: "error   ", style: "red" },
};

export const command = defineCommand({
  operands: [0, 0],
  options: {},
  details:
    "Checks stores, notes, index, settings, editors and capture. Exits 1 when something is broken.",
  connects: "endpoint",
  run(input, io) {
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const findings = await diagnose(memory);
      const errors = findings.filter(({ level }) => level === "error").length;
      const warnings = findings.filter(({ level }) => level === "warning").length;
      const counts = [
        ...(errors === 0 ? [] : [count(errors, "error")]),
        ...(warnings === 0 ? [] : [count(warnings, "warning")]),
      ];
      const verdict = counts.length === 0 ? "Everything is in order." : counts.join(", ") + ".";
      const text = findings.flatMap(({ level, what, mend }): Line[] => [
        [styled(MARKS[level].text, MARKS[level].style), what],
        ...(mend === undefined ? [] : [dim(`        ${mend}`)]),
      ]);
      return {
        json: { healthy: errors === 0, items: findings },
        text: [...text, "", verdict],
        code: errors === 0 ? 0 : 1,
      };
    });
  },
});
