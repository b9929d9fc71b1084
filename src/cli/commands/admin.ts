/** `sage admin`: looking after what is derived and what is installed. */
import { SageError } from "../../base/errors.ts";
import { count } from "../../base/text/text.ts";
import type { Memory } from "../../memory/memory.ts";
import { settleCalibration } from "../../memory/model/calibrate.ts";
import { wantedModel } from "../../memory/model/list.ts";
import { sampleNotes } from "../../memory/model/sample_notes.ts";
import { rebuildAll } from "../../memory/index/reindex.ts";
import type { Answer } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb } from "../command.ts";
import { calibrate } from "../admin/calibrate.ts";
import { budget } from "../admin/budget.ts";
import { exportVerb, importVerb } from "../admin/export_bundle.ts";
import { freshness, prune } from "../admin/freshness.ts";
import { feedback } from "../admin/feedback.ts";
import { gc } from "../admin/gc.ts";
import { patterns } from "../admin/patterns.ts";
import { teaching } from "../admin/teaching.ts";
import { withMemory } from "../with_memory.ts";
import { command as doctorCommand } from "./doctor.ts";
import { fittedToNotes } from "./model.ts";

const rebuild = defineVerb({
  summary: "rebuild every index from the files",
  usage: "sage admin rebuild",
  details:
    "This loses nothing, because indexes are derived from the files. It is only needed after damage.",
  connects: "endpoint",
  run(input, io) {
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const reports = await rebuildAll(memory);
      const fitted = await fitToNotes(memory);
      const notes = reports.reduce((sum, report) => sum + report.notes, 0);
      const milliseconds = Math.round(reports.reduce((sum, one) => sum + one.milliseconds, 0));
      const skipped = reports.flatMap((report) => report.skipped);
      return {
        json: { notes, skipped, milliseconds },
        text: [`Indexed ${count(notes, "note")} anew (${milliseconds} ms)`],
        notices: [
          ...skipped.map(({ path, reason }) => `sage: warning: left out ${path}: ${reason}`),
          ...fitted,
        ],
      };
    });
  },
});

/** What is to be said of it. The indexes are made: a server that is gone by now undoes nothing. */
async function fitToNotes(memory: Memory): Promise<string[]> {
  if (memory.embedder() === memory.builtIn()) return [];
  const model = wantedModel(memory);
  try {
    const rows = await sampleNotes(memory);
    return await settleCalibration(memory, model, rows, () => {}) ? [fittedToNotes(model)] : [];
  } catch (error) {
    if (!(error instanceof SageError)) throw error;
    return [`sage: warning: ${error.message}; thresholds stay as they were`];
  }
}

export const command: CommandGroup = {
  verbs: {
    export: exportVerb,
    import: importVerb,
    budget,
    rebuild,
    freshness,
    prune,
    gc,
    calibrate,
    patterns,
    feedback,
    teaching,
    doctor: defineVerb({
      ...doctorCommand,
      summary: "check the whole installation and say how to mend it",
      usage: "sage admin doctor",
    }),
  },
};
