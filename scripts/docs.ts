/**
 * Generates docs/reference, the manual page, the client and the plugin from the tables in the source:
 * commands, settings, routes, hooks and prompts. `--check` writes nothing and fails if a file is stale.
 */
import { type Command, GLOBAL_OPTIONS, isGroup, type Options } from "../src/cli/command.ts";
import { type CommandEntry, COMMANDS } from "../src/cli/commands.ts";
import { optionForm, optionSummary } from "../src/cli/help.ts";
import { type Key, KEYS, setting } from "../src/config/keys.ts";
import { envName, rangeOf } from "../src/config/values.ts";
import { ERRORS } from "../src/base/errors.ts";
import { marketplace, pluginFiles } from "../src/editor/claude_code/plugin.ts";
import { PLUGIN_COMMANDS } from "../src/memory/editor/plugin.ts";
import config from "../deno.json" with { type: "json" };
import { openApiDocument } from "../src/http/openapi.ts";
import { ROUTES } from "../src/http/routes/table.ts";
import { type OpenApi, renderClient } from "./client.ts";
import { manualPage } from "./man.ts";

const root = new URL("../", import.meta.url).pathname;
const MADE = "<!-- Made by scripts/docs.ts from the source. Do not edit. -->\n\n";

/** The plugin as a marketplace distributes it, which runs the `sage` on the PATH. */
const PLUGIN = "hooks/claude-code";

const EXIT_MEANINGS: Readonly<Record<number, string>> = {
  0: "done",
  1: "failed",
  2: "wrong usage",
  3: "nothing found",
  4: "needs a decision: several notes fit, or two of them conflict",
  130: "interrupted",
};

const ENVIRONMENT: Readonly<Record<string, string>> = {
  SAGE_HOME: "where your own store is, instead of ~/.sage; a whole path",
  "SAGE_<SETTING>":
    "sets one setting: SAGE_RETRIEVAL_MAX_ITEMS=5; sage config explain says what it is called",
  SAGE_CHILD:
    "1 has the hooks leave a session alone, as for a program that starts an agent of its own",
  SAGE_DEBUG: "1 shows where in the program something failed",
  NO_COLOR: "anything: no colours",
};

/** Every generated file: path → content. */
export async function reference(): Promise<ReadonlyMap<string, string>> {
  const document = openApiDocument(ROUTES);
  return new Map([
    ["docs/reference/cli.md", MADE + await cliPage()],
    ["docs/reference/settings.md", MADE + settingsPage()],
    ["docs/reference/openapi.json", JSON.stringify(document, null, 1) + "\n"],
    ["clients/typescript/sage_client.ts", renderClient(document as unknown as OpenApi)],
    [".claude-plugin/marketplace.json", marketplace(`./${PLUGIN}`)],
    ...pluginPages(),
    [
      "man/sage.1",
      await manualPage({
        version: config.version,
        exits: EXIT_MEANINGS,
        environment: ENVIRONMENT,
      }),
    ],
  ]);
}

function pluginPages(): [string, string][] {
  const files = pluginFiles({
    command: "sage",
    version: config.version,
    commands: PLUGIN_COMMANDS,
  });
  return [...files].map(([name, text]) => [`${PLUGIN}/${name}`, text]);
}

if (import.meta.main) Deno.exit(await main(Deno.args.includes("--check")));

async function main(isCheck: boolean): Promise<number> {
  const pages = await reference();
  const stale: string[] = [];
  for (const [name, text] of pages) {
    const there = await Deno.readTextFile(root + name).catch(() => "");
    if (there === text) continue;
    stale.push(name);
    if (!isCheck) {
      await Deno.mkdir(root + name.replace(/[^/]*$/, ""), { recursive: true });
      await Deno.writeTextFile(root + name, text);
    }
  }
  if (stale.length === 0) return 0;
  const list = stale.join(", ");
  const said = isCheck ? `stale: ${list}\n  deno task docs\n` : `wrote ${list}\n`;
  await Deno.stderr.write(new TextEncoder().encode(said));
  return isCheck ? 1 : 0;
}

async function cliPage(): Promise<string> {
  const parts = [
    "# Commands\n",
    "Casual commands are what `sage help` shows; `sage help --all` lists the rest. An editor calls `sage hook <event>` by itself.\n",
    "Every command takes these options:\n",
    optionTable(GLOBAL_OPTIONS),
    "`sage --version` says which program this is, and what it is permitted to do.\n",
    "## Environment\n",
    environment(),
    "## Exit codes\n",
    exitCodes(),
    'With `--json` one document is written to stdout: `{"items": […]}` for lists, `{"note": {…}}` for one note, and `{"error": {"code", "message", "hint"}}` where something failed, with the same exit code. Fields are added, never renamed; ignore those you do not know. [json.md](json.md) has the form of every answer.\n',
  ];
  for (const group of ["casual", "power"] as const) {
    parts.push(`## ${group === "casual" ? "Casual" : "Power"}\n`);
    for (const entry of COMMANDS.filter((one) => one.group === group)) {
      parts.push(await commandPart(entry));
    }
  }
  return parts.join("\n");
}

async function commandPart(entry: CommandEntry): Promise<string> {
  const { command } = await entry.load();
  if (!isGroup(command)) {
    return section(3, `sage ${entry.name}`, entry.summary, entry.usage, command);
  }
  const head = `### sage ${entry.name}\n\n${sentence(entry.summary)}\n`;
  const verbs = Object.entries(command.verbs).map(([name, verb]) =>
    section(4, `sage ${entry.name} ${name}`, verb.summary, verb.usage, verb)
  );
  return [head, ...verbs].join("\n");
}

function section(
  level: number,
  name: string,
  summary: string,
  usage: string,
  command: Command,
): string {
  const { details, examples = [], options } = command;
  return [
    `${"#".repeat(level)} ${name}\n`,
    sentence(summary) + (details === undefined ? "" : ` ${details}`) + "\n",
    "```\n" + [usage, ...examples].join("\n") + "\n```\n",
    ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
  ].join("\n");
}

function optionTable(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) =>
    `| \`${cell(optionForm(name, option))}\` | ${cell(optionSummary(option))} |`
  );
  return ["| option | does |", "|---|---|", ...rows, ""].join("\n");
}

function environment(): string {
  const rows = Object.entries(ENVIRONMENT).map(([name, does]) => `| \`${name}\` | ${does} |`);
  return ["| variable | does |", "|---|---|", ...rows, ""].join("\n");
}

function exitCodes(): string {
  const rows = Object.entries(EXIT_MEANINGS).map(([code, meaning]) => {
    const names = Object.entries(ERRORS).filter(([, { exit }]) => exit === Number(code));
    return `| ${code} | ${meaning} | ${names.map(([name]) => `\`${name}\``).join(" ")} |`;
  });
  return ["| code | means | `error.code` |", "|---|---|---|", ...rows, ""].join("\n");
}

function settingsPage(): string {
  const rows = KEYS.map((key) => {
    const row = setting(key);
    const value = row.default === "" ? "" : `\`${row.default}\``;
    return `| \`${key}\` | ${value} | ${cell(rangeOf(row))} | ${row.projectMay ? "yes" : "no"} | ${
      cell(row.summary)
    } |`;
  });
  return [
    "# Settings\n",
    "Decided by the first of: option, environment, the project's `.sage/tuning.yaml` (only of a trusted project, and only where it may), your own `~/.sage/tuning.yaml`, what use has taught (`sage admin feedback`, two thresholds and within bounds), default. `sage config explain <key>` says where a value comes from.\n",
    "| key | default | takes | project may set it | is |",
    "|---|---|---|---|---|",
    ...rows,
    "",
    "## What moving them does\n",
    ...KEYS.map((key) => `- ${names(key)}: ${setting(key).lever}.`),
    "",
  ].join("\n");
}

function names(key: Key): string {
  const { short } = setting(key);
  const also = short === undefined ? "" : ` (short \`${short}\`)`;
  return `\`${key}\`${also}, \`${envName(key)}\``;
}

function sentence(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1) + ".";
}

function cell(text: string): string {
  return text.replaceAll("|", "\\|");
}
