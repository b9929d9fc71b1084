/**
 * A command: its options as data, and one function. Help, parsing and the reference are made from these
 * values, so nothing about a command is written twice.
 */
import type { Answer } from "./terminal/answer.ts";
import type { Io } from "./io.ts";

export interface Option {
  /** `list` splits at commas and may be repeated; `strings` may be repeated and is kept whole. */
  readonly type: "boolean" | "string" | "number" | "list" | "strings";
  readonly summary: string;
  readonly short?: string;
  /** The placeholder of its value in help: `<value>` by default. */
  readonly value?: string;
  readonly choices?: readonly string[];
  /** Other values are taken too. */
  readonly isOpen?: true;
  /** Former names of a choice, which help does not mention. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Bounds of a number, both included. */
  readonly min?: number;
  readonly max?: number;
}

export type Options = Readonly<Record<string, Option>>;

type Value<O extends Option> = O["type"] extends "boolean" ? boolean
  : O["type"] extends "number" ? number | undefined
  : O["type"] extends "string" ?
      | (O extends { readonly isOpen: true } ? string
        : O extends { readonly choices: readonly (infer C)[] } ? C
        : string)
      | undefined
  : readonly string[];

export type Values<O extends Options> = { readonly [K in keyof O]: Value<O[K]> };

/** What the person typed, checked against the command's options. */
export interface Input<O extends Options = Options> {
  /** `sage todo done`: names the command in messages, and the holder of a lock. */
  readonly name: string;
  readonly options: Values<O>;
  /** Operands: everything but the command's name and options. */
  readonly rest: readonly string[];
  readonly json: boolean;
  /** `--project <dir>`. */
  readonly project: string | undefined;
}

export interface Command<O extends Options = Options> {
  /** How many operands it takes, least and most; none by default. */
  readonly operands: readonly [number, number];
  /** The possible first operands, for completion, if they can be listed. */
  readonly operand?: readonly string[];
  /** What may follow each of these; empty if it cannot be listed. */
  readonly following?: (operand: string) => readonly string[];
  readonly options: O;
  readonly details?: string;
  readonly examples?: readonly string[];
  /**
   * What it may do with the network: reach where models are pulled from, or where releases lie, reach the
   * one address of the embeddings server or of the model API that is set, or listen. All others give the
   * network up before they run.
   */
  readonly connects?: "hub" | "release" | "endpoint" | "model" | "listen";
  /**
   * Asks notes and records nothing: the server of a session may answer in its place (ask_server.ts). What
   * such a file loads at once is its options.
   */
  readonly isServed?: boolean;
  /** Undefined if the command has printed itself, as a protocol server does. */
  run(input: Input<O>, io: Io): Promise<Answer | undefined>;
}

/** A command inside a group. commands.ts describes the others. */
export interface Verb<O extends Options = Options> extends Command<O> {
  /** Lower case, no full stop: it follows the name in lists. */
  readonly summary: string;
  readonly usage: string;
}

/** A noun with verbs: `sage todo add`, `sage todo list`. */
export interface CommandGroup {
  readonly verbs: Readonly<Record<string, Verb>>;
  /** The verb that is run if none is typed. */
  readonly fallback?: string;
  /** How to save a sentence, shown if somebody types one instead of a verb. */
  readonly sentence?: string;
}

/** A command with its name, for parsing, running and explaining it. */
export interface NamedCommand {
  /** `sage todo done`. */
  readonly name: string;
  readonly summary: string;
  readonly usage: string;
  readonly command: Command;
}

/** A command as it is written: without operands or options it takes none. */
type Written<O extends Options> =
  & Omit<Command<O>, "operands" | "options">
  & Partial<Pick<Command<O>, "operands" | "options">>;

const NOTHING = { operands: [0, 0], options: {} } as const;

/** Keeps the types of a command's own options inside `run`, and forgets them outside. */
export function defineCommand<const O extends Options = Record<never, never>>(
  command: Written<O>,
): Command {
  return { ...NOTHING, ...command } as Command;
}

export function defineVerb<const O extends Options = Record<never, never>>(
  verb: Written<O> & Pick<Verb, "summary" | "usage">,
): Verb {
  return { ...NOTHING, ...verb } as Verb;
}

export function isGroup(command: Command | CommandGroup): command is CommandGroup {
  return "verbs" in command;
}

/** Options that every command takes. */
export const GLOBAL_OPTIONS = {
  json: { type: "boolean", summary: "answer with one JSON document" },
  project: { type: "string", value: "dir", summary: "act as if called from this folder" },
  help: { type: "boolean", short: "h", summary: "explain the command" },
} as const satisfies Options;

/** The name of an option's value in help and errors: `n` of `--limit <n>`. */
export function valueName(option: Option): string {
  if (option.value !== undefined) return option.value;
  if (option.choices !== undefined) return "which";
  return option.type === "number" ? "n" : option.type === "list" ? "a,b" : "text";
}
