/** `sage config`: settings, where their values come from, and how to move them. */
import { SageError } from "../../base/errors.ts";
import { count } from "../../base/text/text.ts";
import type { Explanation, Layer } from "../../config/cascade.ts";
import { KEYS, setting } from "../../config/keys.ts";
import { requireKey } from "../../config/values.ts";
import {
  explainSetting,
  listProjectSettings,
  listSettings,
  listSettingsOfProjects,
  resetSetting,
  setSetting,
} from "../../memory/settings.ts";
import { type Answer, bold, dim, type Line, type Span } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb, type Options } from "../command.ts";
import type { Io } from "../io.ts";
import { overruled } from "../overruled.ts";
import { pageLines, table } from "../terminal/table.ts";
import { withMemory } from "../with_memory.ts";

const projectOption = {
  project: { type: "boolean", summary: "in the project's file (--project <dir>: of that project)" },
} as const satisfies Options;

const list = defineVerb({
  summary: "every setting and where its value comes from",
  usage: "sage config list [--all|--changed] [--project]",
  options: {
    all: {
      type: "boolean",
      summary: "all of them, as without it; with --project all that a project may set",
    },
    changed: { type: "boolean", summary: "only what is not the default" },
    project: {
      type: "boolean",
      summary: "only what the project's file sets (--project <dir>: as if called from there)",
    },
  },
  run(input, io) {
    const { options: { all, changed, project } } = input;
    if (all && changed) throw new SageError("usage", "--all and --changed exclude each other");
    // With a folder behind it, it is the option of every command.
    const isOfProject = project && input.project === undefined;
    return withMemory(input, io, (memory) => {
      if (isOfProject && !all) return projectsOwn(io, listProjectSettings(memory));
      const items = (isOfProject ? listSettingsOfProjects(memory) : listSettings(memory))
        .filter(({ source }) => !changed || source !== "default");
      const rows = items.map(({ key, value, source, summary }): Span[] => {
        const isDefault = source === "default";
        const shown = String(value);
        return [
          key,
          isDefault ? shown : bold(shown),
          isDefault ? dim(source) : source,
          dim(summary),
        ];
      });
      const text: Line[] = rows.length === 0
        ? ["Every setting has its default."]
        : table(io, rows, { wraps: io.isTerminal.stdout });
      return { json: { items }, text };
    });
  },
});

function projectsOwn(io: Io, items: ReturnType<typeof listProjectSettings>): Answer {
  const rows = items.map(({ key, value, holds, note, summary }): Span[] => [
    key,
    bold(String(value)),
    note ?? (holds ? "decides" : "something else decides"),
    dim(summary),
  ]);
  const text = rows.length === 0
    ? ["The project's file sets nothing."]
    : table(io, rows, { wraps: io.isTerminal.stdout });
  return { json: { items }, text };
}

const get = defineVerb({
  summary: "print the value in effect",
  usage: "sage config get <key>",
  operands: [1, 1],
  operand: KEYS,
  run(input, io) {
    return withMemory(input, io, (memory) => {
      const { key, value, source } = explainSetting(memory, input.rest[0] ?? "");
      return { json: { setting: { key, value, source } }, text: [String(value)] };
    });
  },
});

const set = defineVerb({
  summary: "change a setting, in your own file",
  usage: "sage config set <key> <value> [--project]",
  operands: [2, 2],
  operand: KEYS,
  following: valuesOf,
  options: projectOption,
  examples: ["sage config set recall_threshold 0.65"],
  run(input, io) {
    const { options: { project }, rest: [name = "", text = ""] } = input;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const { key, value, file } = await setSetting(memory, name, text, { project });
      return {
        json: { setting: { key, value, file } },
        text: [`${key} = ${value} (${file})`],
        notices: [
          ...overruled(memory, key, project),
          ...(key === "embedding.model"
            ? [
              `better: sage model use ${value}, which makes the index first, and says what is not here`,
            ]
            : []),
        ],
      };
    });
  },
});

const reset = defineVerb({
  summary: "go back to the default",
  usage: "sage config reset <key>|--all [--project]",
  operands: [0, 1],
  operand: KEYS,
  options: { ...projectOption, all: { type: "boolean", summary: "every setting of the file" } },
  run(input, io) {
    const { options: { project, all }, rest: [name] } = input;
    if ((name === undefined) !== all) {
      throw new SageError("usage", "Say which setting to reset, or --all, and not both", {
        hint: "sage config list --changed shows what is set",
      });
    }
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const items = await resetSetting(memory, name, { project });
      const [only] = items;
      return {
        json: { items },
        text: name === undefined || only === undefined
          ? [`${count(items.length, "setting")} reset`]
          : [`${only.key} = ${only.value} (${only.changed ? "reset" : "was not set"})`],
        notices: items.flatMap(({ key }) => overruled(memory, key, project)),
      };
    });
  },
});

const explain = defineVerb({
  summary: "what a setting does, its range, and where its value comes from",
  usage: "sage config explain <key>",
  operands: [1, 1],
  operand: KEYS,
  run(input, io) {
    return withMemory(input, io, (memory) => {
      const explained = explainSetting(memory, input.rest[0] ?? "");
      return { json: { setting: asJson(explained) }, text: pageLines(io, asText(explained)) };
    });
  },
});

/** Of what is no number and no text. */
function valuesOf(name: string): readonly string[] {
  const row = setting(requireKey(name));
  return row.kind === "boolean" ? ["true", "false"] : row.kind === "choice" ? row.choices : [];
}

function asJson({ key, value, source, file, variable, setting, range, layers }: Explanation) {
  const { summary, lever, projectMay } = setting;
  return {
    key,
    value,
    source,
    file,
    default: setting.default,
    range,
    variable,
    summary,
    lever,
    project_may: projectMay,
    layers,
  };
}

function asText({ key, value, variable, setting, range, layers }: Explanation): Line[] {
  const short = setting.short === undefined ? [] : [["short name", setting.short]];
  const facts = [
    ["default", String(setting.default)],
    ["takes", range],
    ...short,
    ["variable", variable],
    ["project", setting.projectMay ? "may set it, when trusted" : "may not set it: it is yours"],
  ];
  return [
    [bold(key), ` = ${value}`],
    "",
    `${sentence(setting.summary)} ${sentence(setting.lever)}`,
    "",
    ...facts.map(([name = "", fact = ""]): Line => [dim(`  ${name.padEnd(12)}`), fact]),
    "",
    ...layers.map(layerLine),
  ];
}

function layerLine({ source, value, from, note, holds }: Layer): Line {
  const place = from === undefined ? source : `${source}, ${from}`;
  const why = note === undefined ? "" : `: ${note}`;
  return `  ${holds ? "→" : " "} ${value}  (${place}${why})`;
}

function sentence(text: string): string {
  const first = text.slice(0, 1).toUpperCase() + text.slice(1);
  return /[.!?]$/.test(first) ? first : first + ".";
}

export const command: CommandGroup = {
  verbs: { list, get, set, reset, explain },
  fallback: "list",
};
