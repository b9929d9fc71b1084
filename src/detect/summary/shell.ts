/**
 * What a shell runs: the single commands of a line or a script, and which of them look, check or act. Bash
 * and PowerShell, as far as a reader needs it; what neither understands counts as one command.
 */
import { withoutEnd } from "../../base/text/text.ts";

const CHECK_WORDS =
  "test|tests|pytest|pester|jest|vitest|mocha|rspec|check|lint|clippy|build|compile|tsc|bench|benchmark|hyperfine|ctest|tox|verify|typecheck|eslint|stylelint|shellcheck|hadolint|ruff|mypy|pyright|flake8|pylint|rubocop|phpstan|ktlint|swiftlint";
/** A word of a check, but not in the name of a file that cannot be run: `fixtures/test.json`. */
const CHECK_WORD = new RegExp(
  String
    .raw`\b(?:${CHECK_WORDS})\b(?![\w.-]{0,80}\.(?:cfg|conf|csv|diff|html?|ini|jsonc?|lock|log|mdx?|patch|toml|txt|xml|ya?ml)\b)`,
  "i",
);

/** Programs that show something and change nothing. */
const LOOKS =
  /^(?:awk|basename|bat|cat|cmp|column|comm|cut|date|df|diff|dig|dirname|dmesg|du|eza|false|fd|file|find|free|grep|head|hexdump|hostname|id|journalctl|jq|less|ls|lsblk|lsof|man|md5sum|netstat|nl|nslookup|od|pgrep|ping|printenv|ps|pwd|readlink|realpath|rg|sed|sha256sum|shasum|sort|ss|stat|strings|tac|tail|test|top|tr|tree|true|uname|uniq|uptime|wc|whereis|which|whoami|xxd|yq|\[\[?)$/;
/** PowerShell's. */
const LOOKS_ITEM =
  /^(?:compare-object|findstr|(?:foreach|group|measure|select|sort|where)-object|format-\w+|get-\w+|out-(?:host|null|string)|resolve-path|select-string|test-path)$/i;
/** Commands that get a shell ready, or say something. */
const PREPARES =
  /^(?:\.|alias|cd|clear|declare|echo|exit|export|fi|done|esac|local|popd|printf|pushd|set|shopt|sleep|source|trap|true|unset|wait|write-(?:host|output)|(?:pop|push|set)-location)$/i;
/** Programs whose arguments name files, and tell nothing of a check. */
const HANDLES_FILES =
  /^(?:chmod|chown|copy-item|cp|curl|dd|eval|gh|git|install|ln|mkdir|move-item|mv|new-item|patch|remove-item|rm|rmdir|rsync|scp|set-content|tar|tee|touch|unzip|wget|zip)$/i;
const GIT_LOOKS =
  /^git(?: -[cC] \S+| --\S+)* (?:blame|branch(?! -[dDmM])|cat-file|config|describe|diff|for-each-ref|grep|log|ls-\w+|merge-base|reflog|remote(?! \w)|rev-list|rev-parse|shortlog|show|stash list|status|tag(?: -l|$)|worktree list)\b/;
const SERVICE_LOOKS = /^systemctl(?: --?\S+)* (?:cat|is-\w+|list-\S+|show|status)\b/;
const GITHUB_LOOKS = /^gh \w+ (?:checks|diff|list|status|view|watch)\b/;

/** In front of the command itself: keywords, variables, and programs that run another one. */
const BEFORE =
  /^(?:[({!&]|\$\(|(?:if|then|elif|else|while|until|do|time|sudo|nohup|env|exec|command|rtk)(?= )|timeout (?:-\S+ )*\S+|\$?\w+(?:\[\w*\])?\+?=(?:\$\(|"[^"]*"|'[^']*'|[^\s"']*(?=\s))|\$[\w:]+ = )\s*/;
/** A command has a few such words at most. */
const BEFORE_MAX = 8;

/** The program that a single command runs, without its folder: `go` of `& 'C:\Go\bin\go.exe' test`. */
export function programOf(step: string): string {
  const bare = bareOf(step);
  const [, quote = "", path = ""] = /^(["']?)(.*)/s.exec(bare) ?? [];
  const end = path.search(quote === "" ? /[\s;)]|$/ : new RegExp(quote));
  const name = path.slice(0, end < 0 ? undefined : end).replaceAll("\\", "/");
  return name.slice(name.lastIndexOf("/") + 1).replace(/\.exe$/i, "");
}

function bareOf(step: string): string {
  let bare = step.trim();
  for (let i = 0; i < BEFORE_MAX; i++) {
    const rest = bare.replace(BEFORE, "");
    if (rest === bare) break;
    bare = rest;
  }
  return bare;
}

/** The command without the texts that are only fed to it: bash's here-documents, PowerShell's here-strings. */
export function withoutHereTexts(command: string): string {
  return withHereTexts(command).run;
}

/** The texts that are fed to a command, in order; the last one may be cut off. */
export function hereTexts(command: string): string[] {
  return withHereTexts(command).texts;
}

function withHereTexts(command: string): { readonly run: string; readonly texts: string[] } {
  const texts: string[] = [];
  let run = "";
  let at = 0;
  for (;;) {
    const begin = HERE.exec(command.slice(at));
    const line = begin === null ? -1 : command.indexOf("\n", at + begin.index + 2);
    if (begin === null || line < 0) return { run: run + command.slice(at), texts };
    const [, mark] = begin;
    const from = line + 1;
    run += command.slice(at, line).trimEnd();
    const end = mark === undefined
      ? /^["']@/m.exec(command.slice(from))
      : new RegExp(String.raw`^[ \t]*${mark}[ \t]*$`, "m").exec(command.slice(from));
    texts.push(command.slice(from, end === null ? undefined : from + end.index));
    if (end === null) return { run, texts };
    at = from + end.index + (mark === undefined ? 0 : end[0].length);
  }
}

const HERE = /(?<!<)<<-?[ \t]{0,4}\\?["']?([A-Za-z_]\w{0,60})|@["']\r?\n/;

/** The single commands, in order. */
export function stepsOf(command: string): string[] {
  const text = withoutHereTexts(command).replace(/\\\r?\n/g, " ").replace(COMMENT, "");
  const steps: string[] = [];
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const sign = text[i];
    if (sign === "'" || sign === '"') {
      const end = text.indexOf(sign, i + 1);
      if (end > 0) i = end;
    } else if (text.startsWith("$(", i)) {
      // What is run for its output belongs to the command that takes it.
      i = closingOf(text, i + 1) ?? i;
    } else if (sign === "\n" || sign === ";" || sign === "|" || text.startsWith("&&", i)) {
      steps.push(text.slice(from, i));
      if (text[i + 1] === sign) i++;
      from = i + 1;
    }
  }
  steps.push(text.slice(from));
  return steps.map((step) => step.trim()).filter((step) => step !== "");
}

/** Where the bracket at a place is closed. */
function closingOf(text: string, at: number): number | undefined {
  let depth = 0;
  for (let i = at; i < text.length; i++) {
    if (text[i] === "(") depth++;
    else if (text[i] === ")" && --depth === 0) return i;
  }
  return undefined;
}

const COMMENT = /^[ \t]*#[^\n]*$/gm;

function looks(step: string): boolean {
  const program = programOf(step);
  const bare = bareOf(step);
  if (program === "git") return GIT_LOOKS.test(bare);
  if (program === "gh") return GITHUB_LOOKS.test(bare);
  if (program === "systemctl") return SERVICE_LOOKS.test(bare);
  if (program === "sed" && / -\w*i/.test(bare)) return false;
  const { line, step: given } = ELSEWHERE.exec(bare)?.groups ?? {};
  if (line !== undefined) return onlyLooks(line);
  if (given !== undefined) return looks(given);
  if (QUERIES.test(program)) return ASKS.test(bare) && !CHANGES.test(bare);
  return (LOOKS.test(program) || LOOKS_ITEM.test(program) || PREPARES.test(program)) &&
    !WRITES.test(bare);
}

/** What another machine, container or shell is given to run, quoted or not. */
const ELSEWHERE =
  /^(?:(?:ssh|docker(?:[- ]compose)? exec|kubectl exec)(?: -[A-Za-z]+(?: (?:\d+|\w+=\S+))?)* [^\s"'-]\S*(?: --)?|(?:ba|z)?sh -\w*c) (?:(["'])(?<line>[\s\S]+)\1(?:\s+\d?>\S+)*\s*$|(?<step>[\s\S]+))/;
/** Databases by their clients, asked for something. */
const QUERIES = /^(?:psql|mysql|mariadb|sqlite3|duckdb)$/;
const ASKS = /\b(?:select|show|describe|explain|pragma)\b|\\d|\.(?:tables|schema)\b/i;
const CHANGES = /\b(?:insert|update|delete|create|alter|drop|truncate|grant|vacuum)\b/i;

/** Into a file. */
const WRITES = /(?<![\d&])>>?\s*(?!\/dev\/|&)[\w./~$"']/;

/** Whether a command only looks at something: where it finds nothing, nothing failed. */
export function onlyLooks(command: string): boolean {
  return isOnly(command, looks);
}

/** Whether a command only looks at something, or at most puts it into the repository or takes it out. */
export function onlyReads(command: string): boolean {
  return isOnly(command, (step) => looks(step) || programOf(step) === "git");
}

function isOnly(command: string, reads: (step: string) => boolean): boolean {
  const steps = stepsOf(command);
  return steps.every(reads) && !steps.every(prepares);
}

function prepares(step: string): boolean {
  return PREPARES.test(programOf(step)) || programOf(step) === "";
}

function checks(step: string): boolean {
  if (!CHECK_WORD.test(step) || KEEPS_OUTPUT.test(step)) return false;
  const program = programOf(step);
  return !looks(step) && !PREPARES.test(program) && !HANDLES_FILES.test(program) &&
    !LOOKS.test(program) && CHECK_WORD.test(bareOf(step));
}

/** `out=$(npm test)` prints nothing. */
const KEEPS_OUTPUT = /^\w+="?\$\(/;

export function isCheck(command: string | undefined): command is string {
  return command !== undefined && CHECK_WORD.test(command) && stepsOf(command).some(checks);
}

/**
 * Whether its exit code says how its check went: the check comes last, its output goes into no other program,
 * and what fails is not passed over.
 */
export function tellsByCode(command: string): boolean {
  const steps = stepsOf(command);
  return checks(steps.at(-1) ?? "") && !PASSED_ON.test(command.replace(/"[^"]*"|'[^']*'/g, ""));
}

/** A pipe, `||`, or `&` at the end. */
const PASSED_ON = /\||(?<![&>])&(?![&>\d])/;

/** Commands that change something other than files. */
const ACT = /\b(?:apply|deploy|failover|promote|publish|restart|revoke|rollback)\b/;
const LOOKS_ONLY =
  /\s(?:--dry-run|--help|--check|plan|status|history|diff|list|show|get|logs|describe)\b/;
/** A program or a script, by its path: not an argument. */
const SCRIPT = /\.(?:[cm]?[jt]s|ps1|py|rb|sh)$/;

export function isAct(command: string): boolean {
  return ACT.test(command) && !LOOKS_ONLY.test(command) && stepsOf(command).some(acts);
}

function acts(step: string): boolean {
  if (prepares(step) || looks(step) || HANDLES_FILES.test(programOf(step))) return false;
  // Quoted words are not run: 'echo "deploy …"'.
  const words = bareOf(step).replace(/"[^"]*"|'[^']*'/g, "").split(/\s+/);
  return words.some((word, i) =>
    ACT.test(word) && (i === 0 || SCRIPT.test(word) || !/^-|\//.test(word))
  );
}

/** The line of a script that checks something, the last one, as the verdict is; else the first that acts. */
export function commandLine(command: string): string {
  const lines = linesOf(command);
  const acting = actingLines(command);
  return plainLine(acting.findLast(isCheck) ?? acting[0] ?? lines[0] ?? "");
}

/** Whether it does several things, of which any may have failed. */
export function isScript(command: string): boolean {
  return actingLines(command).filter((line) => !onlyReads(line)).length > 1;
}

function actingLines(command: string): string[] {
  return linesOf(command).filter((line) => line.trim() !== "" && !GETS_READY.test(line));
}

function linesOf(command: string): string[] {
  return withoutHereTexts(command).replace(/\\\n\s*/g, " ").split("\n");
}

const GETS_READY =
  /^\s*(?:#|(?:cd|set|export|source|pushd|echo|printf|Set-Location|Push-Location|Write-Host)\b[^;&|]*$|[A-Za-z_0-9]+=\S*$)/;

/** `npm test -- login` and `cd app && npm test` are the same check, of different parts; of several the last. */
export function checkNamed(command: string): string {
  const bare = bareOf(stepsOf(command).findLast(checks) ?? withoutFolder(command));
  const { index = 0, 0: word = bare } = CHECK_WORD.exec(bare) ?? {};
  return bare.slice(0, index + word.length);
}

/** Without the folder that it is run in and the variables that are set for it. */
export function withoutFolder(command: string): string {
  return command.replace(
    /^(?:(?:cd|Set-Location) [^&;|]{1,200}(?:&&|;) *|[A-Z_]{1,40}=\S* +)+/,
    "",
  );
}

/** What is done with a command's output: `2>&1`, `| tail -20`, `> build.log`. Taken off from the end. */
const OUTPUT =
  /(?:\d?>>? {0,4}(?:&\d|[^\s&|;]{1,200})|\|&? {0,4}(?:tail|head|grep|rg|sort|wc|less|cat|jq|tee|Select-Object|Select-String|Out-String)\b(?:'[^']{0,120}'|"[^"]{0,120}"|[^|'"]){0,120}|; {0,4}echo\b[^;|]{0,200}|\|\| {0,4}(?:true|echo\b[^|]{0,200})|&)$/;
/** A command has a few such ends at most. */
const OUTPUTS_MAX = 6;

/** The command itself, the same however its output was shortened. */
export function withoutOutput(command: string): string {
  let bare = command.trim();
  for (let i = 0; i < OUTPUTS_MAX; i++) {
    const rest = bare.replace(OUTPUT, "").trimEnd();
    // A pipe in quotes belongs to another command.
    if (rest === bare || rest === "" || isTorn(rest)) break;
    bare = rest;
  }
  return bare;
}

/** Whether a quotation or a here-document is begun in it and not ended. */
export function isTorn(command: string): boolean {
  const plain = command.replace(/\\./g, "");
  return plain.includes("<<") || plain.split('"').length % 2 === 0 ||
    plain.split("'").length % 2 === 0;
}

/** One line without escape sequences and decoration. */
export function plainLine(line: string): string {
  // deno-lint-ignore no-control-regex -- terminals' colour codes are control characters
  const text = line.replace(/\u001b\[[0-9;]{0,20}[A-Za-z]|[\u0000-\u0008\u000b-\u001f]/g, "");
  return withoutEnd(text.replace(/^[\s=*#-]+/, ""), /[\s=*#-]/).replace(/\s+/g, " ");
}
