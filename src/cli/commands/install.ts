/** `sage install`: registers hooks and the MCP server with editors, and shows what that changes. */
import { SageError } from "../../base/errors.ts";
import { type EditorName, EDITORS, VIAS } from "../../editor/setup.ts";
import { SETUPS } from "../../editor/setups.ts";
import { type KnownEditor, knownEditors } from "../../memory/editor/state.ts";
import { applyEditorInstall, type InstallOptions } from "../../memory/editor/install.ts";
import type { Memory } from "../../memory/memory.ts";
import { type Answer, failed, type Line } from "../terminal/answer.ts";
import { defineCommand, type Options, type Values } from "../command.ts";
import { editorsOf, entryLines, fileDiffs, program } from "../installed.ts";
import type { Io } from "../io.ts";
import { canAsk, chooseSome } from "../terminal/prompt.ts";
import { proseLines, table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

const OPTIONS = {
  scope: {
    type: "string",
    choices: ["user", "project"],
    summary: "for you in every project (default), or for everyone in this one",
  },
  statusline: {
    type: "boolean",
    summary: "also show Sage in Claude Code's status line, unless you have one of your own",
  },
  plugin: {
    type: "boolean",
    summary: "as a plugin, which adds a skill and commands such as /sage:remember",
  },
  via: {
    type: "string",
    choices: VIAS,
    summary:
      "what handles prompts and ends of turns: a process for each (default), or the MCP server",
  },
  verbose: { type: "boolean", short: "v", summary: "show every line that changes" },
  "dry-run": { type: "boolean", summary: "show what would change, and change nothing" },
  binary: { type: "string", value: "path", summary: "the sage to register, instead of this one" },
} as const satisfies Options;

type Asked = Values<typeof OPTIONS>;

export const command = defineCommand({
  operands: [0, EDITORS.length],
  operand: EDITORS,
  options: OPTIONS,
  details:
    "Adds Sage's MCP server, and its hooks where the editor has some, to the editor's settings and leaves everything else in them as it is. Doing it twice changes nothing; sage uninstall removes exactly these entries. Without a name it lists the editors on this machine to choose from. With --plugin Claude Code's hooks and server come as a folder in its skills, and its settings are not touched; whichever form is installed last replaces the other. With --via mcp Claude Code asks the connected server at each prompt and end of a turn instead of starting a process; this lasts until --via process. While the server is not connected, prompts and ends of turns are not handled; starts and ends of sessions still are.",
  examples: [
    "sage install claude-code --dry-run",
    "sage install claude-code",
    "sage install claude-code --plugin",
    "sage install claude-code --via mcp",
    "sage install cursor zed",
  ],
  run(input, io) {
    const { options, rest } = input;
    const named = editorsOf(rest);
    const scope = options.scope ?? "user";
    refuseTogether(options);
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const editors = named.length > 0 ? named : await chosen(io, memory, input.json);
      if (!Array.isArray(editors)) return editors;
      refuseElsewhere(options, editors);
      const binary = program(io, options.binary);
      const { statusline: statusLine, plugin, via } = options;
      const how = { scope, dryRun: options["dry-run"], binary, statusLine, plugin, via };
      // Every one is planned before any is written, so a broken file stops them all.
      for (const editor of editors) applyEditorInstall(memory, editor, { ...how, dryRun: true });
      const answers = editors.map((editor) => connect(io, memory, editor, how, options.verbose));
      const [only] = answers;
      const is = (outcome: string): boolean => answers.some(({ json }) => json.outcome === outcome);
      const texts = answers.flatMap(({ json, text }, i) =>
        i > 0 && json.outcome === "planned" ? ["", ...text] : text
      );
      const end = is("installed") ? [NEXT] : is("planned") ? ["", "Nothing was changed."] : [];
      return {
        json: only !== undefined && answers.length === 1
          ? only.json
          : { items: answers.map(({ json }) => json) },
        text: [...texts, ...end],
        notices: [
          ...answers.flatMap(({ notices = [] }) => notices),
          ...(scope === "project" && is("installed") ? [shared(binary)] : []),
        ],
      };
    });
  },
});

/** Options that exclude each other. */
function refuseTogether({ scope, plugin, statusline, via }: Asked): void {
  if (plugin && via === "mcp") {
    throw new SageError("usage", "Cannot install the plugin with --via mcp", {
      hint: "leave out one of them: a plugin's hooks are processes",
    });
  }
  if (plugin && scope === "project") {
    throw new SageError("usage", "Cannot install the plugin into a project", {
      hint: "leave out --scope project: the plugin is yours, in every project",
    });
  }
  if (statusline && scope === "project") {
    throw new SageError("usage", "Cannot put a status line into a project's settings", {
      hint: "it would take the place of everybody's own: leave out --scope project",
    });
  }
}

/** What only Claude Code has. */
function refuseElsewhere(asked: Asked, editors: readonly EditorName[]): void {
  const own = asked.plugin
    ? "--plugin"
    : asked.via === "mcp"
    ? "--via mcp"
    : asked.statusline
    ? "--statusline"
    : undefined;
  const other = editors.find((editor) => editor !== "claude-code");
  if (own === undefined || other === undefined) return;
  throw new SageError("usage", `${SETUPS[other].title} has nothing like ${own}`, {
    hint: `sage install claude-code ${own}, and the others without`,
  });
}

function connect(
  io: Io,
  memory: Memory,
  editor: EditorName,
  how: InstallOptions,
  verbose: boolean,
): Answer {
  const { title, remarks } = SETUPS[editor];
  const { kind, files, entries, hasOtherStatusLine } = applyEditorInstall(memory, editor, how);
  const isKept = how.statusLine === true && hasOtherStatusLine;
  const { scope, binary, plugin } = how;
  const json = {
    outcome: kind,
    editor,
    scope,
    plugin,
    binary,
    files,
    status_line_kept: isKept,
    remarks,
  };
  const notices = isKept ? [STATUS_LINE_KEPT] : [];
  if (kind === "unchanged") return { json, text: [`${title} is connected already.`], notices };
  if (kind === "planned") {
    return { json, text: fileDiffs(files), notices };
  }
  return {
    json,
    notices,
    text: [
      ...(verbose ? [...fileDiffs(files), ""] : entryLines(io, entries)),
      ...proseLines(io, [`Connected ${title}.`, ...remarks].join(" ")),
    ],
  };
}

/** By their numbers where somebody can be asked; elsewhere the list, and that names are needed. */
async function chosen(io: Io, memory: Memory, json: boolean): Promise<EditorName[] | Answer> {
  const known = knownEditors(memory);
  const items = known.map(({ name, title, state }) => ({ editor: name, title, state: state.kind }));
  const cells = known.map((editor) => [editor.name, editor.title, stateText(editor)]);
  if (known.length > 0 && canAsk(io) && !json) {
    const indexes = await chooseSome(io, "Connect which?", table(io, cells, { isFlat: true }));
    const editors = indexes.flatMap((index) => known[index]?.name ?? []);
    if (editors.length > 0) return editors;
    return failed({ code: "usage", message: "Nothing was chosen" });
  }
  const text: Line[] = known.length === 0
    ? ["No editor that Sage knows was used on this machine."]
    : ["On this machine:", ...table(io, cells)];
  return failed({
    code: "usage",
    message: "Which editor is to be connected?",
    hint: `sage install <name>…, of ${EDITORS.join(", ")}`,
  }, { json: { items }, text });
}

function stateText({ state }: KnownEditor): string {
  switch (state.kind) {
    case "installed":
      return `connected${state.scope === "project" ? " in this project" : ""}`;
    case "absent":
      return "not connected";
    case "elsewhere":
      return `connected by the plugin ${state.plugin}`;
    default:
      return state.reason;
  }
}

const NEXT = "sage status says whether it works; sage uninstall takes this out again.";

/** Editors start what stands there, and each has its own idea of where to look for a bare name. */
function shared(binary: string): string {
  return `sage: the files name ${binary}: whoever shares them needs sage at that place`;
}

const STATUS_LINE_KEPT =
  "sage: your status line stays as it is; hand its stdin to sage statusline there to see both";
