/** What `sage help` prints, at every level, made from the table and the commands' own values. */
import { buildInfo } from "../base/build_info.ts";
import { type Answer, bold, dim, type Line } from "./terminal/answer.ts";
import {
  type CommandGroup,
  GLOBAL_OPTIONS,
  type NamedCommand,
  type Option,
  type Options,
  valueName,
} from "./command.ts";
import { type CommandEntry, COMMANDS } from "./commands.ts";
import type { Io } from "./io.ts";
import { COLUMNS_MAX, proseLines, table, wrap } from "./terminal/table.ts";

/** A choice of more characters than this stands in the text instead of in the option's form. */
const CHOICE_CHARACTERS_MAX = 30;

const USAGE = "usage  ";

/** `sage help`: what a casual user needs. With `all`, every command. */
export function overview(io: Io, all: boolean): Answer {
  const entries = COMMANDS.filter(({ group }) => all || group === "casual");
  const rows = (group: CommandEntry["group"]): Line[] => {
    const own = entries.filter((entry) => entry.group === group);
    const cells = own.map(({ name, summary }) => [bold(name), summary]);
    return table(io, cells, { indent: "  ", wraps: true });
  };
  const more: Line[] = all
    ? [
      "",
      "More",
      ...rows("power"),
      "",
      "Options of every command",
      ...optionLines(io, GLOBAL_OPTIONS),
    ]
    : [];
  return {
    json: {
      items: COMMANDS.map(({ name, group, summary, usage }) => ({ name, group, summary, usage })),
    },
    text: [
      [bold("sage"), ": don't lose your thinking."],
      "",
      ...rows("casual"),
      ...more,
      "",
      ...proseLines(
        io,
        all
          ? "sage help <command> explains one."
          : "sage help <command> explains one, sage help --all lists the rest.",
      ).map(dim),
    ],
  };
}

/** `sage help todo add`. */
export function explainCommand(io: Io, { name, summary, usage, command }: NamedCommand): Answer {
  const columns = Math.min(io.columns, COLUMNS_MAX);
  const details = command.details === undefined
    ? []
    : command.details.split("\n\n").flatMap((block) => ["", ...wrap(block, columns)]);
  const own: Options = { ...command.options, ...globalsBeside(command.options) };
  return {
    json: { command: { name, summary, usage, options: optionItems(own) } },
    text: [
      [bold(name), `: ${summary}`],
      "",
      ...usageLines(usage, columns),
      ...details,
      "",
      ...optionLines(io, own),
      ...(command.examples ?? []).flatMap((
        example,
        i,
      ) => [...(i === 0 ? [""] : []), `  ${example}`]),
    ],
  };
}

/** A line ends in front of an option, never inside one. */
function usageLines(usage: string, columns: number): Line[] {
  const lines: string[] = [];
  for (const part of usage.match(/\[[^\]]*\]\S*|\S+/g) ?? []) {
    const line = lines.at(-1);
    if (line === undefined || USAGE.length + line.length + 1 + part.length > columns) {
      lines.push(part);
    } else {
      lines[lines.length - 1] = `${line} ${part}`;
    }
  }
  return lines.map((line, i): Line => [i === 0 ? dim(USAGE) : " ".repeat(USAGE.length), line]);
}

/** `sage help todo`: the verbs of a group. */
export function explainGroup(io: Io, entry: CommandEntry, group: CommandGroup): Answer {
  const verbs = Object.entries(group.verbs);
  return {
    json: {
      command: {
        name: `sage ${entry.name}`,
        summary: entry.summary,
        usage: entry.usage,
        verbs: verbs.map(([name, { summary, usage }]) => ({ name, summary, usage })),
      },
    },
    text: [
      [bold(`sage ${entry.name}`), `: ${entry.summary}`],
      "",
      ...table(
        io,
        verbs.map(([name, { summary }]) => [
          bold(name),
          summary + (name === group.fallback ? " (when no other is named)" : ""),
        ]),
        { indent: "  ", wraps: true },
      ),
      "",
      dim(`sage help ${entry.name} <command> explains one.`),
    ],
  };
}

/** `sage --version`: what this program is, and what it may do. */
export function version(): Answer {
  if (buildInfo === undefined) {
    return { json: { version: "0.1.0-dev" }, text: ["sage 0.1.0-dev (from the sources)"] };
  }
  const { version, commit, target, flags } = buildInfo;
  return {
    json: { version, commit, target, flags },
    text: [`sage ${version}`, `commit ${commit}`, `target ${target}`, `flags ${flags.join(" ")}`],
  };
}

/** The global options, but for one that the command means in its own way. */
function globalsBeside(own: Options): Options {
  return Object.fromEntries(
    Object.entries(GLOBAL_OPTIONS).filter(([name]) => !Object.hasOwn(own, name)),
  );
}

function optionLines(io: Io, options: Options): Line[] {
  return table(
    io,
    Object.entries(options).map(([name, option]) => [
      optionForm(name, option),
      optionSummary(option),
    ]),
    { indent: "  ", wraps: true },
  );
}

function optionItems(options: Options): unknown[] {
  return Object.entries(options).map(([name, option]) => ({
    name: `--${name}`,
    form: optionForm(name, option),
    summary: optionSummary(option),
  }));
}

/** `-m, --message <text>`. */
export function optionForm(name: string, option: Option): string {
  const short = option.short === undefined ? "" : `-${option.short}, `;
  if (option.type === "boolean") return `${short}--${name}`;
  const choice = option.choices?.join("|") ?? "";
  const isShown = choice !== "" && choice.length <= CHOICE_CHARACTERS_MAX;
  return `${short}--${name} <${isShown ? choice : valueName(option)}>`;
}

/** What it does, what it takes, whether it may be repeated. */
export function optionSummary(option: Option): string {
  const { choices = [], min, max, type } = option;
  const notes: string[] = [];
  if (choices.join("|").length > CHOICE_CHARACTERS_MAX) notes.push(choices.join(", "));
  if (min !== undefined && max !== undefined) notes.push(`${min} to ${max}`);
  if (type === "strings") notes.push("may be repeated");
  return notes.length === 0 ? option.summary : `${option.summary} (${notes.join("; ")})`;
}
