/**
 * The command line: finds the command, runs it, prints its answer once, exits with its code. The only place
 * that turns failures into a line. Loads no command and no memory by itself.
 */
import { SageError, toldError } from "../base/errors.ts";
import { type Answer, exitCode, failed, toFailure } from "./terminal/answer.ts";
import type { Printed } from "./ask_server.ts";
import { hasFlag, parseInput, splitWord } from "./args.ts";
import { defineCommand, type NamedCommand } from "./command.ts";
import { folder } from "./folder.ts";
import { explainCommand, explainGroup, overview, version } from "./help.ts";
import { BrokenPipe, type Io, processIo } from "./io.ts";
import { printAnswer } from "./terminal/print.ts";
import { resolve } from "./resolve.ts";

export async function main(argv: readonly string[], io: Io = processIo()): Promise<number> {
  const json = hasFlag(argv, "json");
  let debug = false;
  const run = async (): Promise<Answer | number | undefined> => {
    debug = io.env("SAGE_DEBUG") === "1";
    return await answerTo(argv, io);
  };
  try {
    const answer = await run().catch((error: unknown) => explain(error, debug));
    if (answer === undefined || typeof answer === "number") return answer ?? 0;
    printAnswer(io, answer, json);
    return exitCode(answer);
  } catch (error) {
    if (error instanceof BrokenPipe) return 0;
    return lastWords(error, io, debug);
  }
}

/** A number, the exit code, if the answer is already printed. */
async function answerTo(argv: readonly string[], io: Io): Promise<Answer | number | undefined> {
  const { word, args } = splitWord(argv);
  if (word === undefined) return await withoutCommand(argv, io);
  if (word === "help") return await HELP.command.run(parseInput(HELP, args), io);

  const asksHelp = hasFlag(argv, "help");
  const resolved = await resolve(argv, { fallback: !asksHelp });
  if (resolved.kind === "group") return explainGroup(io, resolved.entry, resolved.group);
  const { named } = resolved;
  if (asksHelp) return explainCommand(io, named);
  if (named.command.connects === undefined) io.disconnect();
  const input = parseInput(named, resolved.args);
  // Before the command misses the word that was taken for the folder.
  if (input.project !== undefined) folder(io, input.project);
  if (named.command.isServed === true) {
    const { askServer } = await import("./ask_server.ts");
    const printed = await askServer(argv, io);
    if (printed !== undefined) return print(io, printed);
  }
  return await named.command.run(input, io);
}

function print(io: Io, { out, err, code }: Printed): number {
  if (out !== "") io.out(out);
  if (err !== "") io.err(err);
  return code;
}

async function withoutCommand(argv: readonly string[], io: Io): Promise<Answer | undefined> {
  if (hasFlag(argv, "version") || ["-V", "-v"].includes(argv[0] ?? "")) return version();
  if (hasFlag(argv, "help") || hasFlag(argv, "all")) return overview(io, hasFlag(argv, "all"));
  const { HOME } = await import("./home.ts");
  return await HOME.command.run(parseInput(HOME, argv), io);
}

const HELP: NamedCommand = {
  name: "sage help",
  summary: "explain a command",
  usage: "sage help [<command>] [--all]",
  command: defineCommand({
    operands: [0, Infinity],
    options: { all: { type: "boolean", summary: "list every command" } },
    async run({ rest, options: { all } }, io) {
      const [word, ...more] = rest;
      if (word === undefined || word === "help" || word === "all") {
        refuseMore("sage help", more);
        return overview(io, all || word === "all");
      }
      const resolved = await resolve(rest, { fallback: false });
      if (resolved.kind === "group") return explainGroup(io, resolved.entry, resolved.group);
      refuseMore(resolved.named.name, resolved.args);
      return explainCommand(io, resolved.named);
    },
  }),
};

/** A word behind a command's name belongs to no command. */
function refuseMore(name: string, [word]: readonly string[]): void {
  if (word === undefined) return;
  throw new SageError("usage", `Unexpected argument "${word}" of sage help`, {
    hint: name.replace(/^sage (?!help)/, "sage help "),
  });
}

/** A failure as an answer; the stack only if it was asked for. */
function explain(error: unknown, debug: boolean): Answer {
  if (error instanceof BrokenPipe) throw error;
  const notices = debug && error instanceof Error ? [stackOf(error)] : [];
  const told = toldError(error);
  if (told instanceof SageError) return failed(toFailure(told), { notices });
  const what = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return failed({
    code: "internal",
    message: `This is a bug in Sage: ${what}`,
    hint: debug ? undefined : "repeat with SAGE_DEBUG=1 to see where",
  }, { notices });
}

function stackOf(error: Error): string {
  const cause = error.cause instanceof Error ? `\ncaused by ${stackOf(error.cause)}` : "";
  return (error.stack ?? error.message) + cause;
}

/** stdout itself failed (a full disk behind it): stderr may still work. */
function lastWords(error: unknown, io: Io, debug: boolean): number {
  const answer = explain(error, debug);
  try {
    printAnswer(io, { ...answer, text: [] }, false);
  } catch {
    // Nobody is listening.
  }
  return exitCode(answer);
}
