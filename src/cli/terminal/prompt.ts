/**
 * Questions to a person. Where the terminal can, one chooses with the arrows; elsewhere, and for every
 * yes, a whole line is read. What an answer means is pure (here and in keys.ts), so it is tested without
 * a terminal.
 */
import { SageError } from "../../base/errors.ts";
import { neutralize } from "../../base/text/printable.ts";
import { type Line, spansOf } from "./answer.ts";
import type { Io } from "../io.ts";
import { type Key, keysOf, type Picked, type Picking, press } from "./keys.ts";
import { renderLines } from "./print.ts";

/** What the next key press sends; undefined at the end of input. */
type NextKeys = () => Promise<string | undefined>;

/** How often an unclear answer is asked for again. */
const TRIES_MAX = 3;

/** Whether a question can be asked and its answer seen. stdout may be a pipe: the question is on stderr. */
export function canAsk(io: Io): boolean {
  return io.isTerminal.stdin && io.isTerminal.stderr;
}

/** Only a plain yes counts. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  const answer = await ask(io, `${question} [y/N] `, readYesNo);
  return answer === "yes";
}

/** The chosen index; undefined if the person wants none. */
export async function choose(
  io: Io,
  question: string,
  choices: readonly Line[],
): Promise<number | undefined> {
  const answer = await offer(io, question, choices, "");
  return typeof answer === "number" ? answer : undefined;
}

/** The same where all may be wanted: the indexes, empty if the person wants none. */
export async function chooseSome(
  io: Io,
  question: string,
  choices: readonly Line[],
): Promise<readonly number[]> {
  const answer = await offer(io, question, choices, " a for all,");
  if (answer === "all") return choices.map((_, i) => i);
  return answer === "none" ? [] : [answer];
}

async function offer(
  io: Io,
  question: string,
  choices: readonly Line[],
  all: string,
): Promise<number | "none" | "all"> {
  const { keyboard } = io;
  // A list that scrolls away cannot be repainted.
  if (keyboard !== undefined && choices.length > 0 && choices.length + 2 < keyboard.rows) {
    return await keyboard.listen((next) => pick(io, next, question, choices, all !== ""));
  }
  const digits = String(choices.length).length;
  const numbered = choices.map((choice, i): Line => [
    String(i + 1).padStart(digits) + ") ",
    ...spansOf(choice),
  ]);
  io.err(renderLines(numbered, io.color));
  return await ask(
    io,
    `${question} [1-${choices.length},${all} Enter for none] `,
    (line) => all !== "" && readsAll(line) ? "all" : readChoice(line, choices.length),
  );
}

/** The key of the choice: one letter, and Enter. */
export async function letter<K extends string>(
  io: Io,
  question: string,
  keys: Readonly<Record<K, string>>,
): Promise<K> {
  const all = Object.keys(keys) as K[];
  const { keyboard } = io;
  if (keyboard !== undefined) {
    return await keyboard.listen(async (next) => {
      io.err(`${neutralize(question)} [${all.join("/")}] `);
      for await (const key of presses(next)) {
        const read = key.length === 1 ? readLetter(key, all) : undefined;
        if (read === undefined) continue;
        io.err(`${read}\n`);
        return read;
      }
      throw unanswered(io);
    });
  }
  return await ask(io, `${question} [${all.join("/")}] `, (line) => readLetter(line, all));
}

function readLetter<K extends string>(line: string, keys: readonly K[]): K | undefined {
  return keys.find((key) => key === line.trim().slice(0, 1).toLowerCase());
}

export function readYesNo(line: string): "yes" | "no" | undefined {
  const word = line.trim().toLowerCase();
  if (word === "y" || word === "yes") return "yes";
  return word === "" || word === "n" || word === "no" ? "no" : undefined;
}

export function readChoice(line: string, count: number): number | "none" | undefined {
  const word = line.trim().toLowerCase();
  if (word === "" || word === "q" || word === "n") return "none";
  const number = Number(word);
  return Number.isInteger(number) && number >= 1 && number <= count ? number - 1 : undefined;
}

function readsAll(line: string): boolean {
  return ["a", "all"].includes(line.trim().toLowerCase());
}

/** The list with a moving mark; it is removed after the choice. */
async function pick(
  io: Io,
  next: NextKeys,
  question: string,
  choices: readonly Line[],
  offersAll: boolean,
): Promise<Picked> {
  const how = `up, down and Enter, or a number;${offersAll ? " a for all," : ""} q for none`;
  let state: Picking = { at: 0, digits: "" };
  try {
    io.err(painted(io, question, how, choices, state));
    for await (const key of presses(next)) {
      const then = press(state, key, choices.length, offersAll);
      if (typeof then !== "object") return then;
      if (then.at !== state.at) {
        io.err(unpainted(choices.length) + painted(io, question, how, choices, then));
      }
      state = then;
    }
  } finally {
    io.err(unpainted(choices.length));
  }
  throw unanswered(io);
}

/** Lines are cut by the terminal, not wrapped, so that their number is known. */
function painted(
  io: Io,
  question: string,
  how: string,
  choices: readonly Line[],
  { at }: Picking,
): string {
  const rows = choices.map((choice, i): Line => [
    i === at ? "> " : "  ",
    `${i + 1}) `.padStart(String(choices.length).length + 2),
    ...spansOf(choice),
  ]);
  const lines: Line[] = [`${question} (${how})`, ...rows];
  return `\x1b[?7l${renderLines(lines, io.color)}\x1b[?7h`;
}

function unpainted(count: number): string {
  return `\x1b[${count + 1}A\r\x1b[J`;
}

/** Each key as it comes; ends with Ctrl-C, or with the input. */
async function* presses(next: NextKeys): AsyncGenerator<Key> {
  for (let sent = await next(); sent !== undefined; sent = await next()) {
    for (const key of keysOf(sent)) {
      if (key === "interrupt") throw new SageError("interrupted", "Stopped: no answer was given");
      yield key;
    }
  }
}

function unanswered(io: Io): SageError {
  io.err("\n");
  return new SageError("interrupted", "Stopped: no answer was given");
}

async function ask<T>(io: Io, question: string, read: (line: string) => T | undefined): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    io.err(renderLines([question], false).trimEnd() + " ");
    const line = await io.readLine();
    if (line === undefined) throw unanswered(io);
    const answer = read(line);
    if (answer !== undefined) return answer;
  }
  throw new SageError("usage", "None of the answers could be understood");
}
