/** Generates the manual page sage(1) from the table of commands. scripts/docs.ts writes it to man/sage.1. */
import { type Command, GLOBAL_OPTIONS, isGroup, type Options } from "../src/cli/command.ts";
import { type CommandEntry, COMMANDS } from "../src/cli/commands.ts";
import { optionForm, optionSummary } from "../src/cli/help.ts";

export interface ManualFacts {
  readonly version: string;
  /** Exit code → what it means. */
  readonly exits: Readonly<Record<number, string>>;
  /** Variable → what it does. */
  readonly environment: Readonly<Record<string, string>>;
}

export async function manualPage(
  { version, exits, environment }: ManualFacts,
): Promise<string> {
  const parts = [
    `.TH SAGE 1 "" "sage ${roff(version)}" "Sage"`,
    ".SH NAME",
    "sage \\- a memory for coding agents, as plain Markdown",
    ".SH SYNOPSIS",
    ".B sage",
    "[\\fIcommand\\fR [\\fIarguments\\fR]]",
    ".SH DESCRIPTION",
    text(
      "Sage gives a coding agent a memory that survives compaction, crashes and the end of a session. Without a command it says whether all is well and where the last session stopped.",
    ),
    ".PP",
    text("Every command takes these options:"),
    ...options(GLOBAL_OPTIONS),
  ];
  for (const [group, heading] of [["casual", "COMMANDS"], ["power", "MORE COMMANDS"]] as const) {
    parts.push(`.SH "${heading}"`);
    for (const entry of COMMANDS.filter((one) => one.group === group)) {
      parts.push(...await commandPart(entry));
    }
  }
  parts.push(
    ".SH EXIT STATUS",
    ...Object.entries(exits).flatMap(([code, meaning]) => [".TP", `.B ${code}`, text(meaning)]),
    ".SH ENVIRONMENT",
    ...pairs(Object.entries(environment)),
    ".SH FILES",
    ...pairs([
      ["~/.sage/", "your own store: notes, settings, and state/, which is machine\\-made"],
      ["<project>/.sage/", "the project's store, which may be shared through git"],
    ]),
    "",
  );
  return parts.join("\n");
}

async function commandPart(entry: CommandEntry): Promise<string[]> {
  const { command } = await entry.load();
  if (!isGroup(command)) {
    return [`.SS "${roff(entry.usage)}"`, ...body(entry.summary, command)];
  }
  return [
    `.SS "sage ${roff(entry.name)}"`,
    text(sentence(entry.summary)),
    ...Object.values(command.verbs).flatMap((verb) => [
      ".PP",
      `.B ${roff(verb.usage)}`,
      ".RS 4",
      ...body(verb.summary, verb),
      ".RE",
    ]),
  ];
}

function body(summary: string, { details, examples = [], options: own }: Command): string[] {
  return [
    text(sentence(summary) + (details === undefined ? "" : ` ${details.replaceAll("\n\n", " ")}`)),
    ...options(own),
    ...(examples.length === 0
      ? []
      : [".PP", ".nf", ...examples.map((example) => text(example)), ".fi"]),
  ];
}

function options(own: Options): string[] {
  return Object.entries(own).flatMap(([name, option]) => [
    ".TP",
    `.B ${roff(optionForm(name, option))}`,
    text(optionSummary(option)),
  ]);
}

function pairs(rows: readonly (readonly [string, string])[]): string[] {
  return rows.flatMap(([name, meaning]) => [".TP", `.B ${roff(name)}`, meaning]);
}

function sentence(words: string): string {
  return words.slice(0, 1).toUpperCase() + words.slice(1) + ".";
}

/** A line of text, escaped so that it is not taken for a roff request. */
function text(words: string): string {
  return roff(words).replace(/^[.']/, "\\&$&");
}

function roff(words: string): string {
  return words.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll("…", "...")
    .replaceAll('"', "\\(dq");
}
