/**
 * argv against a command's options: typed values, or one usage error that names what was meant.
 * Pure; nothing here knows which commands there are or touches the machine.
 */
import { parseArgs } from "node:util";
import { SageError } from "../base/errors.ts";
import { nearest } from "../base/text.ts";
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

/** The leading word of argv, and what stood around it. */
export interface Split {
  /** The first operand; undefined where there is none, or where an option stands before it. */
  readonly word: string | undefined;
  /** argv without that operand. A folder in front of it is behind an `=`, so that no flag is taken for it. */
  readonly args: readonly string[];
  /** What that took for its folder. */
  readonly folder: string | undefined;
}

/** Takes off the name of a command or verb: only global options may stand in front of it. */
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

/** Of `--project` with the next argument for its folder. */
function folderBehind(token: Token): string | undefined {
  return token.kind === "option" && token.name === "project" && token.inlineValue === false &&
      !token.value.startsWith("-")
    ? token.value
    : undefined;
}

/**
 * Whether a global flag stands in argv, not behind `--`, and not in a text like `-m "- the list"`. Behind
 * `--project` it stands as well: what is missing there is the folder.
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
  for (const token of tokens(args, options)) {
    if (token.kind === "positional") rest.push(token.value);
    if (token.kind !== "option") continue;
    took ??= folderBehind(token);
    if (isProjectFolder(token, options)) {
      project = token.value;
      values.project = true;
    } else takeOption(name, token, options, values);
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

/** Where a command has a flag of the same name, the folder is told from it by its `=`. */
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
  // The earlier one would be dropped without a word, and it may be what somebody wrote.
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
  if (option.choices !== undefined && !option.choices.includes(value)) {
    const meant = nearest(value, option.choices);
    throw usage(
      command,
      `Option ${rawName} knows ${option.choices.join(", ")}, got "${value}"`,
      meant === undefined ? undefined : `did you mean ${rawName} ${meant}?`,
    );
  }
  const earlier = Array.isArray(before) ? before : [];
  // As of an operand: what a script had nothing in names no folder, and not the one it was called from.
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
  // What may pass 1 counts things.
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
  // What a script had nothing in is no word, no name, and not the folder that it was called from.
  if (rest[0]?.trim() === "") throw usage(name, `The first argument is empty: ${form}`);
  if (rest.length > most) throw usage(name, `Unexpected argument "${rest[most]}": ${form}`);
}

/** What the first operand may be, where it is missing and the choice is small. */
function firstOf({ operand }: Command, rest: readonly string[]): string | undefined {
  const isSmall = operand !== undefined && operand.length <= OPERANDS_NAMED_MAX;
  return isSmall && rest.length === 0 ? `one of ${operand.join(", ")}` : undefined;
}

/** A longer choice is a page of its own. */
const OPERANDS_NAMED_MAX = 6;

/** A usage error whose hint is what was meant, else where the command is explained. */
function usage(command: string, message: string, hint?: string): SageError {
  return new SageError("usage", message, { hint: hint ?? helpOf(command) });
}

function helpOf(command: string): string {
  return `sage help ${command.split(" ").slice(1).join(" ")}`.trimEnd();
}
