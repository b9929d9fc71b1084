/** `sage install`: registers hooks and the MCP server with an editor, and shows what that changes. */
import { SageError } from "../../base/errors.ts";
import { applyEditorInstall } from "../../memory/install.ts";
import type { Answer } from "../answer.ts";
import { defineCommand } from "../command.ts";
import { diffLines, EDITOR_TITLES, editorOf, EDITORS, entryLines, program } from "../installed.ts";
import { withMemory } from "../with_memory.ts";

export const command = defineCommand({
  operands: [1, 1],
  operand: EDITORS,
  options: {
    scope: {
      type: "string",
      choices: ["user", "project"],
      summary: "for you in every project (default), or for everyone in this one",
    },
    statusline: {
      type: "boolean",
      summary: "also show Sage in the status bar, unless you have a status line",
    },
    plugin: {
      type: "boolean",
      summary: "as a plugin, which adds a skill and commands such as /sage:remember",
    },
    verbose: { type: "boolean", short: "v", summary: "show every line that changes" },
    "dry-run": { type: "boolean", summary: "show what would change, and change nothing" },
    binary: { type: "string", value: "path", summary: "the sage to register, instead of this one" },
  },
  details:
    "Adds Sage's hooks and MCP server to the editor's settings and leaves everything else in them as it is; how they were is remembered. Doing it twice changes nothing; sage uninstall takes exactly this out again. With --plugin the same hooks and server come as a folder in the editor's skills, and nothing is entered in its settings; whichever is installed last takes the place of the other.",
  examples: [
    "sage install claude-code --dry-run",
    "sage install claude-code",
    "sage install claude-code --plugin",
  ],
  run(input, io) {
    const { options, rest } = input;
    const editor = editorOf(rest[0] ?? "");
    const dryRun = options["dry-run"];
    const binary = program(io, options.binary);
    const scope = options.scope ?? "user";
    const { statusline: statusLine, plugin } = options;
    if (plugin && scope === "project") {
      throw new SageError("usage", "Cannot install the plugin into a project", {
        hint: "leave out --scope project: the plugin is yours, in every project",
      });
    }
    if (statusLine && scope === "project") {
      throw new SageError("usage", "Cannot put a status line into a project's settings", {
        hint: "it would take the place of everybody's own: leave out --scope project",
      });
    }
    return withMemory(input, io, (memory): Answer => {
      const { kind, files, entries, hasOtherStatusLine } = applyEditorInstall(memory, editor, {
        scope,
        dryRun,
        binary,
        statusLine,
        plugin,
      });
      const isKept = statusLine && hasOtherStatusLine;
      const json = {
        outcome: kind,
        editor,
        scope,
        plugin,
        binary,
        files,
        status_line_kept: isKept,
      };
      const notices = isKept ? [STATUS_LINE_KEPT] : [];
      if (kind === "unchanged") {
        return { json, text: [`${EDITOR_TITLES[editor]} is connected already.`], notices };
      }
      if (kind === "planned") {
        return { json, text: [...diffLines(files), "", "Nothing was changed."], notices };
      }
      return {
        json,
        notices,
        text: [
          ...(options.verbose ? [...diffLines(files), ""] : entryLines(io, entries)),
          `Connected ${
            EDITOR_TITLES[editor]
          }. Restart running sessions: hooks are read when one starts.`,
          "sage status says whether they run; sage uninstall takes this out again.",
        ],
      };
    });
  },
});

const STATUS_LINE_KEPT =
  "sage: your status line stays as it is; hand its stdin to sage statusline there to see both";
