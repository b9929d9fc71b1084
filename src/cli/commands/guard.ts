/** `sage guard`: what must not leave this machine is found before git takes it along. */
import { SageError } from "../../base/errors.ts";
import { realFs } from "../../base/fs.ts";
import { count } from "../../base/text/text.ts";
import {
  allowLine,
  type Leak,
  scanChange,
  scanFiles,
  type ScanReport,
  scanStaged,
} from "../../memory/guard/scan.ts";
import { type HooksOutcome, installHooks, uninstallHooks } from "../../memory/guard/git_hooks.ts";
import { listAllowances } from "../../memory/guard/allowed.ts";
import type { Memory } from "../../memory/memory.ts";
import { scanSecrets } from "../../guard/scan.ts";
import { type Answer, dim, failed, type Line, type Span } from "../terminal/answer.ts";
import { type CommandGroup, defineVerb } from "../command.ts";
import { absolute } from "../folder.ts";
import { program } from "../installed.ts";
import type { Io } from "../io.ts";
import { when } from "../terminal/print.ts";
import { table } from "../terminal/table.ts";
import { refuseAgents, withMemory } from "../with_memory.ts";

/** More are no list that anybody reads. */
const SHOWN_MAX = 50;

const scan = defineVerb({
  summary: "find secrets and personal data",
  usage: "sage guard scan [<path>…|-|--staged] [--personal]",
  operands: [0, Infinity],
  options: {
    staged: { type: "boolean", summary: "what git has staged, not the files in the working tree" },
    quiet: { type: "boolean", short: "q", summary: "print nothing if nothing is found" },
    personal: {
      type: "boolean",
      summary: "also mail addresses, phone numbers, accounts and cards in files that are not notes",
    },
  },
  details:
    "Without a path, scans the notes of this project that git may share. With - it reads a change from stdin, as git prints it, and scans only what that adds; with git's --text also in files that attributes declare binary. --staged reads git's index itself, for when nothing can be piped. In a store's notes text between <private> and </private> is a finding, too, and of a change every path in local/ or a folder called _PRIVATE. File names are scanned like content. Reports where and by which rule, never the value; the exit code is 1 if anything is found.",
  examples: [
    "sage guard scan src README.md",
    "sage guard scan --staged",
    "git diff --cached --text | sage guard scan -",
    "git log -p --text origin/main.. | sage guard scan -",
  ],
  run(input, io) {
    const { rest, options: { personal, quiet, staged } } = input;
    if (rest.length > (staged ? 0 : 1) && (staged || rest.includes("-"))) {
      throw new SageError(
        "usage",
        `${staged ? "--staged" : "-"} already names what to scan: give nothing else`,
      );
    }
    return withMemory(input, io, async (memory) => {
      const report = staged
        ? await scanStaged(memory, { personal })
        : rest.includes("-")
        ? await scanChange(memory, (bytesMax) => io.readRawLine(bytesMax), { personal })
        : await scanFiles(memory, operands(memory, io, rest), { personal });
      const answer = scanAnswer(report);
      return quiet && report.leaks.length === 0 ? { ...answer, text: [], notices: [] } : answer;
    });
  },
});

function operands(memory: Memory, io: Io, rest: readonly string[]) {
  if (rest.length > 0) {
    return rest.map((shown) => {
      const path = absolute(io, shown);
      if (realFs.lstat(path) !== undefined) return { absolute: path, shown };
      throw new SageError("usage", `Cannot scan "${shown}": there is no such file`, {
        hint: "name files or folders; without any, the notes of this project are scanned",
      });
    });
  }
  if (memory.project !== undefined) {
    const { root } = memory.project;
    return [{ absolute: root, shown: root === `${io.cwd()}/.sage` ? ".sage" : root }];
  }
  throw new SageError("usage", "Nothing to scan: this project has no notes of its own", {
    hint: "name files or folders, or - for stdin",
  });
}

function scanAnswer({ leaks, files, allowed, skipped }: ScanReport): Answer {
  const json = { items: leaks, total: leaks.length, files, allowed, skipped };
  const notices = skipped.slice(0, 3).map(({ path, reason }) => `not scanned: ${path} (${reason})`);
  const more = skipped.length > 3 ? [`and ${skipped.length - 3} more files`] : [];
  const told = { json, notices: [...notices, ...more] };
  if (leaks.length === 0) {
    const known = allowed === 0 ? "" : `, ${allowed} allowed`;
    return { ...told, text: [`Nothing found (${count(files, "file")}${known}).`] };
  }
  const text = leaks.slice(0, SHOWN_MAX).map(leakLine);
  const rest = leaks.length - text.length;
  return failed({
    code: "refused",
    message: `${count(leaks.length, "finding")} that must not leave this machine`,
    hint: [
      "remove it; if it is a false alarm: sage guard allow <file>:<line> --reason <why>",
      ...(leaks.some((leak) => leak.in === "name") ? ["in a name: <name>:1"] : []),
      ...(leaks.some(isInMessage)
        ? ["in a message: write the same into a file, and name that"]
        : []),
    ].join("; "),
  }, { ...told, text: rest === 0 ? text : [...text, dim(`and ${rest} more`)] });
}

/** As `(commit 1a2b3c4)`: there is no file to name. */
function isInMessage({ path }: Leak): boolean {
  return path.startsWith("(");
}

function leakLine({ path, line, column, rule, in: where }: Leak): Line {
  return where === "name"
    ? [dim(path), `  ${rule}, in the name`]
    : [dim(`${path}:${line}:${column}`), `  ${rule}`];
}

const allow = defineVerb({
  summary: "accept a finding, or list what was accepted",
  usage: "sage guard allow [<file>:<line> --reason <why>]",
  operands: [0, 1],
  options: {
    reason: { type: "string", value: "why", summary: "why it is not a secret, or may be known" },
  },
  details:
    "Stored in ~/.sage/allowed.jsonl, for you alone, as a salted hash that does not reveal the value. Delete a line there to withdraw it. What was accepted may also be saved. Only a person can allow a finding, and private text cannot be allowed.",
  examples: ['sage guard allow .env.example:3 --reason "made up"'],
  run(input, io) {
    const { rest: [place], options: { reason = "" } } = input;
    if (place === undefined && reason !== "") {
      throw new SageError("usage", "A reason for which finding?", {
        hint: "sage guard allow <file>:<line> --reason <why>",
      });
    }
    return withMemory(input, io, async (memory) => {
      if (place === undefined) return allowedAnswer(memory, io);
      refuseAgents(io, "Only a person may allow a finding", "sage guard allow");
      const [, shown, line] = /^(.+?):(\d{1,9})(?::\d+)?$/.exec(place) ?? [];
      if (shown === undefined || line === undefined) {
        throw new SageError("usage", `"${place}" names no line`, {
          hint: "write it as the scan does: <file>:<line>",
        });
      }
      if (reason.trim() === "") {
        throw new SageError("usage", "A reason is missing", { hint: "--reason <why>" });
      }
      if ((await scanSecrets(reason)).length > 0) {
        throw new SageError("refused", "The reason itself holds a secret");
      }
      const file = { absolute: absolute(io, shown), shown };
      const { allowed, refused } = await allowLine(memory, file, Number(line), reason.trim());
      if (allowed > 0) {
        return { json: { allowed, refused }, text: [`Allowed ${count(allowed, "finding")}.`] };
      }
      return failed(
        refused.length > 0
          ? { code: "refused", message: `${refused.join(", ")} cannot be allowed: take it out` }
          : { code: "not_found", message: `Nothing is found in line ${line} of ${shown}` },
      );
    });
  },
});

function allowedAnswer(memory: Memory, io: Io): Answer {
  const items = listAllowances(memory);
  const rows = items.map(({ at, rule, place, reason }): Span[] => [
    when(io, at, memory.now()),
    rule,
    place,
    reason,
  ]);
  const text = items.length === 0 ? ["Nothing was allowed."] : table(io, rows);
  return { json: { items, total: items.length }, text };
}

const hooks = {
  type: "string",
  value: "dir",
  summary: "the folder git runs hooks from, instead of the one its configuration names",
} as const;

const install = defineVerb({
  summary: "have git scan what is committed and pushed here",
  usage: "sage guard install [--hooks <dir>]",
  options: {
    hooks,
    binary: { type: "string", value: "path", summary: "the sage to call, instead of this one" },
  },
  details:
    "Adds a pre-commit and a pre-push hook to this repository: they scan what is staged, and everything that a push sends: each commit that the remote lacks, tags and other objects, and the names of branches and tags. UTF-16 and files that attributes declare binary are scanned too; images and archives are not. An existing hook stays and is called first. git commit --no-verify skips the hook, but the push is scanned all the same.",
  run(input, io) {
    const { hooks, binary } = input.options;
    const folder = folderOf(io, hooks);
    const path = program(io, binary);
    return withMemory(
      input,
      io,
      (memory) => hooksAnswer(installHooks(memory, path, folder), "Installed", "called first"),
    );
  },
});

const uninstall = defineVerb({
  summary: "remove the git hooks again",
  usage: "sage guard uninstall [--hooks <dir>]",
  options: { hooks },
  run(input, io) {
    const folder = folderOf(io, input.options.hooks);
    return withMemory(
      input,
      io,
      (memory) => hooksAnswer(uninstallHooks(memory, folder), "Removed", "as it was"),
    );
  },
});

function folderOf(io: Io, typed: string | undefined): string | undefined {
  if (typed === undefined) return undefined;
  const path = absolute(io, typed).replace(/(.)\/+$/, "$1");
  if (realFs.lstat(path) !== undefined) return path;
  // Git ignores a missing folder silently, so a typing error would leave nothing guarded.
  throw new SageError("usage", `Cannot use "${typed}" for hooks: there is no such folder`, {
    hint: "name an existing folder",
  });
}

function hooksAnswer(outcome: HooksOutcome, done: string, fate: string): Answer {
  const { kind, folder, kept } = outcome;
  const json = { outcome: kind, folder, kept };
  if (kind === "unchanged") {
    return { json, text: [done === "Installed" ? "Installed already." : "Nothing to remove."] };
  }
  const others = kept.map((hook) => `${hook} that was there: ${fate}`);
  return { json, text: [`${done}: ${folder}`, ...others] };
}

export const command: CommandGroup = { verbs: { scan, install, uninstall, allow } };
