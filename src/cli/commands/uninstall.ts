/** `sage uninstall`: takes out of the editors' settings what install put in, and nothing else. */
import { SageError } from "../../base/errors.ts";
import { EDITORS } from "../../editor/setup.ts";
import { installedFolders, uninstallAllHooks } from "../../memory/guard/git_hooks.ts";
import { uninstallEditors } from "../../memory/editor/install.ts";
import { unregisterDrivers } from "../../memory/team/share.ts";
import type { Answer } from "../terminal/answer.ts";
import { defineCommand } from "../command.ts";
import { editorsOf, entryLines, fileDiffs, gitLines, leftLines } from "../installed.ts";
import { uninstallAll } from "../uninstall_all.ts";
import { withMemory } from "../with_memory.ts";

export const command = defineCommand({
  operands: [0, EDITORS.length],
  operand: EDITORS,
  options: {
    all: {
      type: "boolean",
      summary: "leave nothing but the notes: remove settings, models and state too",
    },
    yes: { type: "boolean", short: "y", summary: "with --all: without asking" },
    verbose: { type: "boolean", short: "v", summary: "show every line that changes" },
    "dry-run": { type: "boolean", summary: "show what would change, and change nothing" },
  },
  details:
    "Without a name, from all editors, together with what sage guard install and sage project init --team added to git. Your notes stay where they are.\n\n--all also removes everything else: your settings, pulled models, the trash, kept conversations, the lists of projects and of trusted stores, and the manual pages that the installer placed. What stays are the notes with their versions, what a project's .sage holds for everybody (project.yaml, its settings, where promoted notes are now), shared_memory.md, and the record of each sage chat that did not end. It says how to delete the program itself.",
  examples: [
    "sage uninstall --dry-run",
    "sage uninstall cursor zed",
    "sage uninstall --all --dry-run",
  ],
  run(input, io) {
    const { options, rest } = input;
    const named = editorsOf(rest);
    if (options.all && named.length > 0) {
      throw new SageError("usage", "--all is about every editor, and more", {
        hint: `sage uninstall ${named.join(" ")}, or sage uninstall --all`,
      });
    }
    if (options.all) return uninstallAll(input, io);
    const dryRun = options["dry-run"];
    return withMemory(input, io, (memory): Answer => {
      const isAll = named.length === 0;
      const editors = isAll ? EDITORS : named;
      // A file that cannot be read stops all of it, what is git's too.
      uninstallEditors(memory, editors, { dryRun: true });
      // Before what is known of them goes with the rest of the state.
      const folders = !isAll ? [] : dryRun ? installedFolders(memory) : uninstallAllHooks(memory);
      const drivers = isAll ? unregisterDrivers(memory, { dryRun }) : [];
      const outcome = uninstallEditors(memory, editors, { dryRun });
      const { kind, files, entries, kept, edited, shared } = outcome;
      const git = { git_hooks: folders, git_configs: drivers };
      const json = { outcome: kind, files, kept, edited, shared, ...git };
      if (kind === "unchanged" && folders.length + drivers.length === 0) {
        return { json, text: ["Nothing to remove.", ...leftLines({ edited, shared, kept: [] })] };
      }
      const changes = dryRun || options.verbose
        ? [...fileDiffs(files), ""]
        : entryLines(io, entries);
      const said = dryRun ? "Nothing was changed." : "Removed.";
      const left = leftLines(outcome);
      return { json, text: [...changes, ...gitLines(folders, drivers), said, ...left] };
    });
  },
});
