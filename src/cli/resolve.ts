/** From argv to the one command it names; only that command's file is loaded. */
import { SageError } from "../base/errors.ts";
import { nearest } from "../base/text/text.ts";
import { parseInput, splitWord } from "./args.ts";
import { type CommandGroup, isGroup, type NamedCommand } from "./command.ts";
import { type CommandEntry, COMMANDS } from "./commands.ts";

/** A command with the arguments that are left, or a group without a verb. */
export type Resolved =
  | { readonly kind: "command"; readonly named: NamedCommand; readonly args: readonly string[] }
  | { readonly kind: "group"; readonly entry: CommandEntry; readonly group: CommandGroup };

/** Follows argv to a command, loading only that one. Help wants the group itself, not its fallback. */
export async function resolve(
  argv: readonly string[],
  options: { readonly fallback: boolean },
): Promise<Resolved> {
  const { word, args, folder } = splitWord(argv);
  const entry = COMMANDS.find(({ name }) => name === word);
  if (entry === undefined) {
    throw COMMANDS.some(({ name }) => name === folder)
      ? tookForFolder(`sage ${folder}`, folder)
      : unknownCommand(word ?? "");
  }
  const { command } = await entry.load();
  if (!isGroup(command)) {
    const { summary, usage } = entry;
    return {
      kind: "command",
      named: { name: `sage ${entry.name}`, summary, usage, command },
      args,
    };
  }
  return resolveVerb(entry, options.fallback ? command : { verbs: command.verbs }, args);
}

function resolveVerb(entry: CommandEntry, group: CommandGroup, argv: readonly string[]): Resolved {
  const { word, args, folder } = splitWord(argv);
  const isVerb = word !== undefined && Object.hasOwn(group.verbs, word);
  const verbName = isVerb ? word : group.fallback;
  const verb = verbName === undefined ? undefined : group.verbs[verbName];
  const takesWord = word === undefined || word === "-";
  if (verb === undefined || !(isVerb || takesWord)) {
    if (folder !== undefined && Object.hasOwn(group.verbs, folder)) {
      throw tookForFolder(`sage ${entry.name} ${folder}`, folder);
    }
    if (word === undefined) {
      refuseOptions(entry, argv);
      return { kind: "group", entry, group };
    }
    throw unknownVerb(entry, group, word);
  }
  const { summary, usage } = verb;
  const named = { name: `sage ${entry.name} ${verbName}`, summary, usage, command: verb };
  return { kind: "command", named, args: isVerb ? args : argv };
}

/** A group itself has only the global options. */
function refuseOptions({ name, summary, usage, load: _ }: CommandEntry, argv: readonly string[]) {
  const command = { operands: [0, 0], options: {}, run: () => Promise.resolve(undefined) } as const;
  parseInput({ name: `sage ${name}`, summary, usage, command }, argv);
}

/** A command's name came after `--project`, and something else in its place. */
function tookForFolder(meant: string, folder = ""): SageError {
  return new SageError("usage", `Option --project took "${folder}" for its folder`, {
    hint: `name the folder, or put --project behind: ${meant} … --project`,
  });
}

function unknownCommand(word: string): SageError {
  if (word === "hook") {
    return new SageError("usage", "sage hook is called by editors, not typed", {
      hint: "sage install has them call it; sage doctor says whether they do",
    });
  }
  return new SageError("usage", `Unknown command "${word}"`, { hint: hintFor(word) });
}

function hintFor(word: string): string {
  const called = CALLED_OTHERWISE.get(word);
  if (called !== undefined) return called;
  const groups = COMMANDS.filter(({ usage }) => verbsIn(usage).includes(word))
    .map(({ name }) => name);
  const [first] = groups;
  if (first !== undefined) {
    return groups.length <= VERBS_NAMED_MAX
      ? `did you mean ${groups.map((name) => `sage ${name} ${word}`).join(" or ")}?`
      : `say of what, as in sage ${first} ${word}: ${groups.join(", ")}`;
  }
  const meant = nearest(word, ["--version", ...COMMANDS.map(({ name }) => name), "help"]);
  return meant === undefined ? "sage help --all lists the commands" : `did you mean sage ${meant}?`;
}

/** What other programs call it. */
const CALLED_OTHERWISE: ReadonlyMap<string, string> = new Map([
  [
    "import",
    "sage migrate --from markdown <folder> brings notes in; sage help migrate has the rest",
  ],
  ["remember", 'sage checkpoint -m "…" saves where you are, sage knowledge add what you know'],
  ["recall", "sage search finds anything that was saved"],
  ...["delete", "remove"].map((word): [string, string] => [
    word,
    "sage knowledge rm moves a note to the trash, sage forget erases it for good",
  ]),
  ...["cost", "costs", "usage"].map((word): [string, string] => [
    word,
    "sage impact says what memory costs",
  ]),
]);

/** With more, only the placeholder is shown. */
const VERBS_NAMED_MAX = 4;

/** `sage todo <add|list>`: the words that may follow, so that a mistake loads no group. */
function verbsIn(usage: string): readonly string[] {
  return /^sage \S+ [<[](\w+(?:\|\w+)+)[>\]]$/.exec(usage)?.[1]?.split("|") ?? [];
}

function unknownVerb(entry: CommandEntry, group: CommandGroup, word: string): SageError {
  const verbs = Object.keys(group.verbs);
  const meant = nearest(word, verbs);
  return new SageError("usage", `Unknown command "sage ${entry.name} ${word}"`, {
    hint: /\s/.test(word) && group.sentence !== undefined
      ? `to save a sentence: ${group.sentence}`
      : meant === undefined
      ? `sage ${entry.name} knows ${verbs.join(", ")}` +
        (group.sentence === undefined ? "" : `; to save a sentence: ${group.sentence}`)
      : `did you mean sage ${entry.name} ${meant}?`,
  });
}
