/**
 * Parses argv against a command's options: typed values, or one usage error that names what was meant. Pure;
 * it knows no commands and touches nothing.
 */
import { parseArgs } from "node:util";
import { SageError } from "../base/errors.ts";
import { nearest } from "../base/text/text.ts";
import {
  type Command,
  GLOBAL_OPTIONS,
  type Input,
  type NamedCommand,
  type Option,
  type Options,
  valueName,
} from "./command.ts";

type Token = ReturnType<typeof tokens>[number];

/** The leading word of argv, and the rest. */
export interface Split {
  /** The first operand; undefined if there is none, or if an option comes before it. */
  readonly word: string | undefined;
  /**
   * argv without that operand. A folder in front of it is joined with `=`, so that no flag is taken for it.
   */
  readonly args: readonly string[];
  /** The folder that `--project` took. */
  readonly folder: string | undefined;
}

/** Takes off the name of a command or verb: only global options may come before it. */
export function splitWord(argv: readonly string[]): Split {
  const args: (string | undefined)[] = [...argv];
  let word: string | undefined;
  let folder: string | undefined;
  for (const token of tokens(argv, GLOBAL_OPTIONS)) {
    const behind = folderBehind(token);
    if (behind !== undefined) {
      folder = behind;
      args.splice(token.index, 2, `--project=${folder}`, undefined);
    } else if (token.kind === "positional") {
      word = token.value;
      args[token.index] = undefined;
      break;
    } else if (token.kind !== "option" || !Object.hasOwn(GLOBAL_OPTIONS, token.name)) break;
  }
  return { word, args: args.filter((arg) => arg !== undefined), folder };
}

/** The folder of a `--project` that is the next argument. */
function folderBehind(token: Token): string | undefined {
  return token.kind === "option" && token.name === "project" && token.inlineValue === false &&
      !token.value.startsWith("-")
    ? token.value
    : undefined;
}

/**
 * Whether argv has a global flag, not after `--`, and not inside a text like `-m "- the list"`. A flag right
 * after `--project` counts: then the folder is missing.
 */
export function hasFlag(args: readonly string[], name: string): boolean {
  return tokens(args, GLOBAL_OPTIONS).some((token) =>
    token.kind === "option" && (token.value === `--${name}` && token.inlineValue !== true ||
      token.name === name && !/\s/.test(args[token.index] ?? ""))
  );
}

/** The checked input of a command, or a thrown usage error. */
export function parseInput(named: NamedCommand, args: readonly string[]): Input {
  const { name, command } = named;
  const options: Options = { ...GLOBAL_OPTIONS, ...command.options };
  const values = emptyValues(options);
  const rest: string[] = [];
  let project: string | undefined;
  let took: string | undefined;
  /** The operand right behind a flag called `--project`. */
  let behind: number | undefined;
  let flagged: number | undefined;
  for (const token of tokens(args, options)) {
    if (token.kind === "positional") {
      if (token.index - 1 === flagged) behind = rest.length;
      rest.push(token.value);
    }
    if (token.kind !== "option") continue;
    if (token.name === "project") flagged = token.index;
    took ??= folderBehind(token);
    if (isProjectFolder(token, options)) {
      project = token.value;
      values.project = true;
    } else takeOption(name, token, options, values);
  }
  // An operand too many there is the folder, as behind the option of every other command.
  if (behind !== undefined && rest.length > command.operands[1] && values.project === true) {
    [project] = rest.splice(behind, 1);
  }
  checkOperands(named, rest, took);
  return {
    name,
    options: values,
    rest,
    json: values.json === true,
    project: project ?? (typeof values.project === "string" ? values.project : undefined),
  } as Input;
}

/** If the command has a flag of the same name, only the form with `=` is the folder. */
function isProjectFolder(token: Token & { kind: "option" }, options: Options): boolean {
  return token.name === "project" && options.project?.type === "boolean" &&
    token.value !== undefined;
}

function tokens(args: readonly string[], options: Options) {
  return parseArgs({
    args: [...args],
    strict: false,
    allowPositionals: true,
    tokens: true,
    options: Object.fromEntries(
      Object.entries(options).map(([name, { type, short }]) => [name, {
        type: type === "boolean" ? "boolean" as const : "string" as const,
        ...(short === undefined ? {} : { short }),
      }]),
    ),
  }).tokens;
}

function emptyValues(options: Options): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options).map(([name, { type }]) => [
      name,
      type === "boolean" ? false : type === "list" || type === "strings" ? [] : undefined,
    ]),
  );
}

function takeOption(
  command: string,
  token: Token & { kind: "option" },
  options: Options,
  values: Record<string, unknown>,
): void {
  const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined;
  if (option === undefined) throw unknownOption(command, token.rawName, options);
  const { rawName, value } = token;
  if (option.type === "boolean") {
    if (value !== undefined) {
      throw usage(command, `Option ${rawName} takes no value, got "${value}"`);
    }
    values[token.name] = true;
    return;
  }
  if (value === undefined || (token.inlineValue !== true && namesOption(value, options))) {
    throw usage(
      command,
      `Option ${rawName} needs a value: ${rawName} <${valueName(option)}>`,
    );
  }
  const before = values[token.name];
  // The earlier value would be dropped silently, and somebody may have written it.
  if (before !== undefined && !Array.isArray(before)) {
    throw usage(command, `Option ${rawName} is given twice`, "once, with all that it is to say");
  }
  values[token.name] = readValue(command, rawName, option, value, before);
}

/** `--due --yes` forgot a value; `-m "- a list"` did not. */
function namesOption(value: string, options: Options): boolean {
  const name = value.match(/^--([a-z][a-z-]*)(?:=|$)/)?.[1];
  if (name !== undefined) return Object.hasOwn(options, name);
  return /^-[a-z]$/.test(value) && Object.values(options).some(({ short }) => short === value[1]);
}

const NAMING: readonly string[] = ["string", "strings"];

function readValue(
  command: string,
  rawName: string,
  option: Option,
  typed: string,
  before: unknown,
): unknown {
  const { aliases = {} } = option;
  const value = Object.hasOwn(aliases, typed) ? aliases[typed] ?? typed : typed;
  if (option.choices?.includes(value) === false && option.isOpen !== true) {
    const meant = nearest(value, option.choices);
    throw usage(
      command,
      `Option ${rawName} knows ${option.choices.join(", ")}, got "${value}"`,
      meant === undefined ? undefined : `did you mean ${rawName} ${meant}?`,
    );
  }
  const earlier = Array.isArray(before) ? before : [];
  // As for operands: an empty variable of a script is no folder, and does not mean the current one.
  if (NAMING.includes(option.type) && option.value !== "text" && value.trim() === "") {
    throw usage(command, `Option ${rawName} is empty: ${rawName} <${valueName(option)}>`);
  }
  switch (option.type) {
    case "number":
      return readNumber(command, rawName, option, value);
    case "strings":
      return [...earlier, value];
    case "list":
      return [...earlier, ...value.split(",").map((part) => part.trim()).filter(Boolean)];
    default:
      return value;
  }
}

function readNumber(command: string, rawName: string, option: Option, value: string): number {
  const number = value.trim() === "" ? NaN : Number(value);
  const { min = -Infinity, max = Infinity } = option;
  // A maximum above 1 means that it counts things.
  const isWhole = max > 1;
  if (!Number.isFinite(number) || number < min || number > max || number % 1 !== 0 && isWhole) {
    const kind = isWhole ? "a whole number" : "a number";
    const range = Number.isFinite(min) && Number.isFinite(max)
      ? `${kind} from ${min} to ${max}`
      : Number.isFinite(min)
      ? `${kind} of at least ${min}`
      : kind;
    throw usage(command, `Option ${rawName} needs ${range}, got "${value}"`);
  }
  return number;
}

function unknownOption(command: string, rawName: string, options: Options): SageError {
  const meant = rawName.startsWith("--")
    ? nearest(rawName.slice(2), Object.keys(options))
    : undefined;
  const hint = !rawName.startsWith("--")
    ? `what begins with a minus is written behind --; the options: ${helpOf(command)}`
    : meant === undefined
    ? undefined
    : `did you mean --${meant}?`;
  return usage(command, `Unknown option ${rawName} of ${command}`, hint);
}

function checkOperands(
  { name, usage: form, command }: NamedCommand,
  rest: readonly string[],
  took: string | undefined,
): void {
  const [least, most] = command.operands;
  if (rest.length < least) {
    const hint = took === undefined
      ? firstOf(command, rest)
      : `--project took "${took}" for its folder; ${helpOf(name)}`;
    throw usage(name, `Too few arguments: ${form}`, hint);
  }
  // An empty variable of a script is no word or name, and does not mean the current folder.
  if (rest[0]?.trim() === "") throw usage(name, `The first argument is empty: ${form}`);
  if (rest.length > most) throw usage(name, `Unexpected argument "${rest[most]}": ${form}`);
}

/** The possible first operands, if it is missing and they are few. */
function firstOf({ operand }: Command, rest: readonly string[]): string | undefined {
  const isSmall = operand !== undefined && operand.length <= OPERANDS_NAMED_MAX;
  return isSmall && rest.length === 0 ? `one of ${operand.join(", ")}` : undefined;
}

/** More are explained on a page of their own. */
const OPERANDS_NAMED_MAX = 6;

/** A usage error whose hint is what was meant, or where the command is explained. */
function usage(command: string, message: string, hint?: string): SageError {
  return new SageError("usage", message, { hint: hint ?? helpOf(command) });
}

function helpOf(command: string): string {
  return `sage help ${command.split(" ").slice(1).join(" ")}`.trimEnd();
}
