/**
 * Questions to a person. Reading an answer is pure (a line in, a decision out), so it is tested
 * without a terminal; asking reads whole lines and leaves the terminal's mode alone.
 */
import { SageError } from "../base/errors.ts";
import type { Line } from "./answer.ts";
import type { Io } from "./io.ts";
import { renderLines } from "./print.ts";
import { progress } from "./progress.ts";

/** How often an answer that means nothing is asked for again. */
const TRIES_MAX = 3;

/** A question can be asked and its answer be seen. stdout may be a pipe: the question is on stderr. */
export function canAsk(io: Io): boolean {
  return io.isTerminal.stdin && io.isTerminal.stderr;
}

/** Only a plain yes is one. */
export async function confirm(io: Io, question: string): Promise<boolean> {
  const answer = await ask(io, `${question} [y/N] `, readYesNo);
  return answer === "yes";
}

/** The index that was chosen, or undefined where the person wants none. */
export async function choose(
  io: Io,
  question: string,
  choices: readonly Line[],
): Promise<number | undefined> {
  const answer = await offer(io, question, choices, "");
  return typeof answer === "number" ? answer : undefined;
}

/** The same where all of them may be wanted: the indexes, none where the person wants none. */
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
  const digits = String(choices.length).length;
  const numbered = choices.map((choice, i): Line => [
    String(i + 1).padStart(digits) + ") ",
    ...(Array.isArray(choice) ? choice : [choice]),
  ]);
  progress(io).end();
  io.err(renderLines(numbered, io.color));
  return await ask(
    io,
    `${question} [1-${choices.length},${all} Enter for none] `,
    (line) => all !== "" && readsAll(line) ? "all" : readChoice(line, choices.length),
  );
}

/** The key of what was chosen: one letter, and Enter. */
export async function letter<K extends string>(
  io: Io,
  question: string,
  keys: Readonly<Record<K, string>>,
): Promise<K> {
  const all = Object.keys(keys) as K[];
  return await ask(io, `${question} [${all.join("/")}] `, (line) => readLetter(line, all));
}

export function readLetter<K extends string>(line: string, keys: readonly K[]): K | undefined {
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

async function ask<T>(
  io: Io,
  question: string,
  read: (line: string) => T | undefined,
): Promise<T> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    progress(io).end();
    io.err(renderLines([question], false).trimEnd() + " ");
    const line = await io.readLine();
    if (line === undefined) {
      io.err("\n");
      throw new SageError("interrupted", "Stopped: no answer was given");
    }
    const answer = read(line);
    if (answer !== undefined) return answer;
  }
  throw new SageError("usage", "None of the answers could be understood");
}
