/** `sage uninstall`: takes out of the editors' settings what install put in, and nothing else. */
import { installedFolders, uninstallAllHooks } from "../../memory/guard/git_hooks.ts";
import { uninstallEditor } from "../../memory/install.ts";
import { unregisterDrivers } from "../../memory/team/share.ts";
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
  details:
    "Without an editor, from all of them; and out of what sage guard install and sage project init --team put into git. Your notes stay where they are.",
  run(input, io) {
    const { options, rest: [typed] } = input;
    const editor = typed === undefined ? undefined : editorOf(typed);
    const dryRun = options["dry-run"];
    return withMemory(input, io, (memory): Answer => {
      // Before what is known of them goes with the rest of the state.
      const folders = dryRun ? installedFolders(memory) : uninstallAllHooks(memory);
      const drivers = unregisterDrivers(memory, { dryRun });
      const { kind, files, entries, kept } = uninstallEditor(memory, editor, { dryRun });
      const json = { outcome: kind, files, kept, git_hooks: folders, git_configs: drivers };
      if (kind === "unchanged" && folders.length + drivers.length === 0) {
        return { json, text: ["Nothing to take out."] };
      }
      const changes = dryRun || options.verbose
        ? [...diffLines(files), ""]
        : entryLines(io, entries);
      const said = dryRun ? "Nothing was changed." : "Taken out.";
      const stays = kept.length === 0 ? [] : [`Your notes stay: ${kept.join(", ")}`];
      const hooks = [
        ...folders.map((folder) => `Hooks of git: ${folder}`),
        ...drivers.map((path) => `Merge driver of git: ${path}`),
      ];
      return { json, text: [...changes, ...hooks, said, ...stays] };
    });
  },
});
