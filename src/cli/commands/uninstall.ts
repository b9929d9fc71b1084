/** `sage uninstall`: takes out of the editors' settings what install put in, and nothing else. */
import { uninstallEditor } from "../../memory/install.ts";
import type { Answer } from "../answer.ts";
import { defineCommand } from "../command.ts";
import { diffLines, editorOf, EDITORS, entryLines } from "../installed.ts";
import { withMemory } from "../with_memory.ts";

export const command = defineCommand({
  operands: [0, 1],
  operand: EDITORS,
  options: {
    verbose: { type: "boolean", short: "v", summary: "show every line that changes" },
    "dry-run": { type: "boolean", summary: "show what would change, and change nothing" },
  },
  details: "Without an editor, from all of them. Your notes stay where they are.",
  run(input, io) {
    const { options, rest: [typed] } = input;
    const editor = typed === undefined ? undefined : editorOf(typed);
    const dryRun = options["dry-run"];
    return withMemory(input, io, (memory): Answer => {
      const { kind, files, entries, kept } = uninstallEditor(memory, editor, { dryRun });
      const json = { outcome: kind, files, kept };
      if (kind === "unchanged") return { json, text: ["Nothing to take out."] };
      const changes = dryRun || options.verbose
        ? [...diffLines(files), ""]
        : entryLines(io, entries);
      const said = kind === "planned" ? "Nothing was changed." : "Taken out.";
      const stays = kept.length === 0 ? [] : [`Your notes stay: ${kept.join(", ")}`];
      return { json, text: [...changes, said, ...stays] };
    });
  },
});
