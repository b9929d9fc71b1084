/** `sage install`: registers hooks and the MCP server with an editor, and shows what that changes. */
import { SageError } from "../../base/errors.ts";
import { realFs } from "../../base/fs.ts";
import { applyEditorInstall } from "../../memory/install.ts";
import type { Answer } from "../answer.ts";
import { defineCommand } from "../command.ts";
import { absolute } from "../folder.ts";
import { diffLines, EDITOR_TITLES, editorOf, EDITORS, entryLines } from "../installed.ts";
import type { Io } from "../io.ts";
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
    verbose: { type: "boolean", short: "v", summary: "show every line that changes" },
    "dry-run": { type: "boolean", summary: "show what would change, and change nothing" },
    binary: { type: "string", value: "path", summary: "the sage to register, instead of this one" },
  },
  details:
    "Adds Sage's hooks and MCP server to the editor's settings and leaves everything else in them as it is; how they were is remembered. Doing it twice changes nothing; sage uninstall takes exactly this out again.",
  examples: ["sage install claude-code --dry-run", "sage install claude-code"],
  run(input, io) {
    const { options, rest } = input;
    const editor = editorOf(rest[0] ?? "");
    const dryRun = options["dry-run"];
    const binary = options.binary === undefined ? programOf(io) : program(io, options.binary);
    const scope = options.scope ?? "user";
    const statusLine = options.statusline;
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
      });
      const isKept = statusLine && hasOtherStatusLine;
      const json = { outcome: kind, editor, scope, binary, files, status_line_kept: isKept };
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

/** An editor starts it from any folder, so the path is made absolute; and it has to be there. */
function program(io: Io, typed: string): string {
  const path = absolute(io, typed);
  if (realFs.lstat(path) !== undefined) return path;
  throw new SageError("usage", `Cannot register "${typed}": there is no such program`);
}

/** From the sources there is no program that an editor could start. */
function programOf(io: Io): string {
  if (io.binary !== undefined) return io.binary;
  throw new SageError("usage", "Cannot install from the sources: an editor needs the program", {
    hint: "deno task build, then dist/sage install; or name one with --binary",
  });
}
