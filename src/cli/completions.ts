/**
 * What a shell completes, made from the table of commands. Scripts that stand alone: no key press
 * starts Sage, so what only a store knows (ids, titles) is not offered; names of settings are. Bash 3.2
 * and later, zsh 5, fish 3, PowerShell 5.1.
 */
import { type Command, GLOBAL_OPTIONS, isGroup, type Option, type Options } from "./command.ts";
import { COMMANDS } from "./commands.ts";

export const SHELLS = ["bash", "zsh", "fish", "powershell"] as const;
export type Shell = typeof SHELLS[number];

/** A command typed so far, and what may follow it. */
interface Place {
  /** The words after `sage`, separated by single spaces: "", "todo", "todo add". */
  readonly at: string;
  readonly words: readonly Word[];
  readonly options: Options;
  /** A file or a folder may follow. */
  readonly takesFile?: boolean;
}

interface Word {
  readonly text: string;
  readonly summary: string;
}

/** The script for a shell, as lines. */
export async function completionScript(shell: Shell): Promise<readonly string[]> {
  return SCRIPTS[shell](await placesOf());
}

const SCRIPTS: Readonly<Record<Shell, (places: readonly Place[]) => string[]>> = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
  powershell: powershellScript,
};

async function placesOf(): Promise<readonly Place[]> {
  const commands = COMMANDS.map(({ name, summary }) => ({ text: name, summary }));
  const help = { text: "help", summary: "explain a command" };
  const version = { version: { type: "boolean", summary: "say what this program is" } } as const;
  const places: Place[] = [
    { at: "", words: [...commands, help], options: { ...version, ...GLOBAL_OPTIONS } },
    { at: "help", words: commands, options: {} },
  ];
  for (const { name, usage, load } of COMMANDS) {
    const { command } = await load();
    if (!isGroup(command)) places.push(...placesIn(name, usage, command));
    else {
      const verbs = Object.entries(command.verbs);
      const words = verbs.map(([text, { summary }]) => ({ text, summary }));
      const fallback = command.verbs[command.fallback ?? ""];
      places.push(
        { at: name, words, options: { ...fallback?.options, ...GLOBAL_OPTIONS } },
        { at: `help ${name}`, words, options: {} },
        ...verbs.flatMap(([verb, value]) => placesIn(`${name} ${verb}`, value.usage, value)),
      );
    }
  }
  return places;
}

/** The places after the command, and after each operand that determines what follows. */
function placesIn(
  at: string,
  usage: string,
  { operand = [], following, options: own }: Command,
): Place[] {
  const bare = (texts: readonly string[]): Word[] => texts.map((text) => ({ text, summary: "" }));
  const operands = usage.replace(/--[a-z-]+ <[^>]*>/g, "");
  const takesFile = /<(?:file|path|dir|folder)>/.test(operands);
  const options = { ...GLOBAL_OPTIONS, ...own };
  return [
    { at, words: bare(operand), options, takesFile },
    ...(following === undefined ? [] : operand.map((text) => ({
      at: `${at} ${text}`,
      words: bare(following(text)),
      options,
    }))),
  ];
}

/** Each option of each place that takes a value. */
function valuesOf(places: readonly Place[]): { at: string; name: string; option: Option }[] {
  return places.flatMap(({ at, options }) =>
    Object.entries(options).filter(([, { type }]) => type !== "boolean").map(([name, option]) => ({
      at,
      name: `--${name}`,
      option,
    }))
  );
}

/** If it offers nothing, bash itself offers files. */
function bashScript(places: readonly Place[]): string[] {
  const list = (words: readonly string[]): string => quote(words.join(" "));
  return [
    "# bash completion for sage",
    "_sage() {",
    '  local at="" next words options i',
    '  local current="${COMP_WORDS[COMP_CWORD]}" previous="${COMP_WORDS[COMP_CWORD-1]}"',
    "  # Bash takes `--name=value` for three words.",
    '  if [[ "$current" == "=" ]]; then current=""',
    '  elif [[ "$previous" == "=" ]]; then previous="${COMP_WORDS[COMP_CWORD-2]}"; fi',
    "  COMPREPLY=()",
    "  for ((i = 1; i < COMP_CWORD; i++)); do",
    '    next="${at:+$at }${COMP_WORDS[i]}"',
    '    case "$next" in',
    `      ${places.filter(({ at }) => at !== "").map(({ at }) => quote(at)).join(" | ")})`,
    '        at="$next" ;;',
    "    esac",
    "  done",
    '  case "$at|$previous" in',
    ...valuesOf(places).map(({ at, name, option }) => {
      const words = isFolder(option)
        ? "compgen -d"
        : isFile(option)
        ? "compgen -f"
        : option.choices === undefined
        ? undefined
        : `compgen -W ${list(option.choices)}`;
      const fill = words === undefined ? "" : `COMPREPLY=($(${words} -- "$current")); `;
      return `    ${quote(`${at}|${name}`)}) ${fill}return ;;`;
    }),
    "  esac",
    '  case "$at" in',
    ...places.map(({ at, words, options }) =>
      `    ${quote(at)}) words=${list(words.map(({ text }) => text))}; options=${
        list(Object.keys(options).map((name) => `--${name}`))
      } ;;`
    ),
    "  esac",
    '  if [[ "$current" == -* ]]; then words="$options"; fi',
    '  COMPREPLY=($(compgen -W "$words" -- "$current"))',
    "}",
    "complete -o default -F _sage sage",
  ];
}

function zshScript(places: readonly Place[]): string[] {
  const described = (words: readonly Word[]): string =>
    words.map(({ text, summary }) =>
      quote(text.replaceAll(":", "\\:") + (summary === "" ? "" : `:${summary}`))
    ).join(" ");
  return [
    "#compdef sage",
    "_sage() {",
    '  local at="" word next previous="${words[CURRENT-1]}"',
    "  local -a found options",
    "  local -i takes_file=0",
    '  for word in "${(@)words[2,CURRENT-1]}"; do',
    '    next="${at:+$at }$word"',
    '    case "$next" in',
    `      (${places.filter(({ at }) => at !== "").map(({ at }) => quote(at)).join("|")})`,
    '        at="$next" ;;',
    "    esac",
    "  done",
    '  case "$at|$previous" in',
    ...valuesOf(places).map(({ at, name, option }) => {
      const fill = isFolder(option)
        ? "_files -/; "
        : isFile(option)
        ? "_files; "
        : option.choices === undefined
        ? ""
        : `compadd -- ${option.choices.map(quote).join(" ")}; `;
      return `    (${quote(`${at}|${name}`)}) ${fill}return ;;`;
    }),
    "  esac",
    '  case "$at" in',
    ...places.map(({ at, words, options, takesFile }) =>
      `    (${quote(at)}) found=(${described(words)}); options=(${described(flagsOf(options))})${
        takesFile ? "; takes_file=1" : ""
      } ;;`
    ),
    "  esac",
    '  if [[ "$PREFIX" == -* ]]; then found=("${options[@]}"); takes_file=0; fi',
    "  (( takes_file )) && _files",
    "  (( $#found )) && _describe sage found",
    "}",
    'if [[ "${funcstack[1]}" == _sage ]]; then _sage "$@"; else compdef _sage sage; fi',
  ];
}

function fishScript(places: readonly Place[]): string[] {
  const when = (at: string): string => `complete -c sage -n ${quote(`__sage_at ${quote(at)}`)}`;
  return [
    "# fish completion for sage",
    "function __sage_at",
    "  set -l at ''",
    "  for word in (commandline -opc)[2..-1]",
    '    set -l next (string trim -- "$at $word")',
    "    switch $next",
    `      case ${places.filter(({ at }) => at !== "").map(({ at }) => quote(at)).join(" ")}`,
    "        set at $next",
    "    end",
    "  end",
    '  test "$at" = "$argv[1]"',
    "end",
    "complete -c sage -f",
    ...places.flatMap(({ at, words, options, takesFile }) => [
      ...takesFile ? [`${when(at)} -F`] : [],
      ...words.map(({ text, summary }) =>
        `${when(at)} -a ${quote(text)}${summary === "" ? "" : ` -d ${quote(summary)}`}`
      ),
      ...Object.entries(options).map(([name, option]) => {
        const short = option.short === undefined ? "" : ` -s ${option.short}`;
        const value = fishValue(option);
        return `${when(at)} -l ${name}${short}${value} -d ${quote(option.summary)}`;
      }),
    ]),
  ];
}

/** What fish offers after an option. */
function fishValue(option: Option): string {
  if (option.type === "boolean") return "";
  if (isFolder(option)) return " -x -a '(__fish_complete_directories)'";
  if (isFile(option)) return " -r -F";
  return option.choices === undefined ? " -x" : ` -x -a ${quote(option.choices.join(" "))}`;
}

/** If it offers nothing, PowerShell itself offers files. */
function powershellScript(places: readonly Place[]): string[] {
  const table = (words: readonly Word[]): string =>
    `[ordered]@{ ${
      words.map(({ text, summary }) => `${doubled(text)} = ${doubled(summary || text)}`).join("; ")
    } }`;
  return [
    "# PowerShell completion for sage",
    "Register-ArgumentCompleter -Native -CommandName 'sage', 'sage.exe' -ScriptBlock {",
    "  param($wordToComplete, $commandAst, $cursorPosition)",
    "  $words = @{",
    ...places.map(({ at, words }) => `    ${doubled(at)} = ${table(words)}`),
    "  }",
    "  $options = @{",
    ...places.map(({ at, options }) => `    ${doubled(at)} = ${table(flagsOf(options))}`),
    "  }",
    "  $values = @{",
    ...valuesOf(places).map(({ at, name, option: { choices = [] } }) =>
      `    ${doubled(`${at}|${name}`)} = @(${choices.map(doubled).join(", ")})`
    ),
    "  }",
    "  $at = ''; $previous = ''; $typed = [string]$wordToComplete; $before = ''",
    "  foreach ($element in ($commandAst.CommandElements | Select-Object -Skip 1)) {",
    "    if ($element.Extent.EndOffset -ge $cursorPosition) { break }",
    "    $previous = $element.ToString()",
    '    $next = "$at $previous".Trim()',
    "    if ($words.ContainsKey($next)) { $at = $next }",
    "  }",
    "  if ($typed -match '^(--[a-z-]+)=(.*)$') {",
    "    $previous = $Matches[1]; $typed = $Matches[2]; $before = $previous + '='",
    "  }",
    '  $key = "$at|$previous"',
    "  if ($values.ContainsKey($key)) {",
    "    $found = [ordered]@{}",
    "    foreach ($value in $values[$key]) { $found[$value] = $value }",
    "  } elseif ($typed.StartsWith('-')) { $found = $options[$at] } else { $found = $words[$at] }",
    "  foreach ($text in $found.Keys) {",
    "    if ($text.StartsWith($typed, [StringComparison]::OrdinalIgnoreCase)) {",
    "      [System.Management.Automation.CompletionResult]::new(",
    "        $before + $text, $text, 'ParameterValue', $found[$text])",
    "    }",
    "  }",
    "}",
  ];
}

function flagsOf(options: Options): Word[] {
  return Object.entries(options).map(([name, { summary }]) => ({ text: `--${name}`, summary }));
}

function isFolder({ value }: Option): boolean {
  return value === "dir" || value === "vault";
}

function isFile({ value }: Option): boolean {
  return value === "file" || value === "path";
}

/** PowerShell's quoting, to which curly quotes are quotes too. */
function doubled(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, "$&$&")}'`;
}

/** Single quotes, which the other three shells read alike except for escapes. */
function quote(text: string): string {
  return `'${text.replaceAll("'", `'"'"'`)}'`;
}
