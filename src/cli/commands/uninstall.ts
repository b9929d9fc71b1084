/** `sage uninstall`: takes out of the editors' settings what install put in, and nothing else. */
import { EDITORS } from "../../editor/setup.ts";
import { installedFolders, uninstallAllHooks } from "../../memory/guard/git_hooks.ts";
import { uninstallEditor } from "../../memory/install.ts";
import type { Answer } from "../answer.ts";
import { defineCommand } from "../command.ts";
import { diffLines, editorsOf, entryLines } from "../installed.ts";
import { withMemory } from "../with_memory.ts";

export const command = defineCommand({
  operands: [0, 1],
  operand: EDITORS,
  options: {
    verbose: { type: "boolean", short: "v", summary: "show every line that changes" },
    "dry-run": { type: "boolean", summary: "show what would change, and change nothing" },
  },
  details:
    "Without an editor, from all of them; and out of the git hooks that sage guard install made. Your notes stay where they are.",
  examples: ["sage uninstall --dry-run", "sage uninstall cursor"],
  run(input, io) {
    const { options, rest } = input;
    const [editor] = editorsOf(rest);
    const dryRun = options["dry-run"];
    return withMemory(input, io, (memory): Answer => {
      // Before what is known of them goes with the rest of the state.
      const folders = editor !== undefined
        ? []
        : dryRun
        ? installedFolders(memory)
        : uninstallAllHooks(memory);
      const { kind, files, entries, kept } = uninstallEditor(memory, editor, { dryRun });
      const json = { outcome: kind, files, kept, git_hooks: folders };
      if (kind === "unchanged" && folders.length === 0) {
        return { json, text: ["Nothing to take out."] };
      }
      const changes = dryRun || options.verbose
        ? [...diffLines(files), ""]
        : entryLines(io, entries);
      const said = dryRun ? "Nothing was changed." : "Taken out.";
      const stays = kept.length === 0 ? [] : [`Your notes stay: ${kept.join(", ")}`];
      const hooks = folders.map((folder) => `Hooks of git: ${folder}`);
      return { json, text: [...changes, ...hooks, said, ...stays] };
    });
  },
});
