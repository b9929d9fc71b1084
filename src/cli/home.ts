/** `sage` alone: a screen that says whether all is well, where the last session stopped, what now. */
import { cut } from "../base/text/text.ts";
import { type Home, readHome } from "../memory/status/home.ts";
import { type Answer, bold, dim, type Line, styled } from "./terminal/answer.ts";
import { closedAnswer, unlessClosed } from "./closed.ts";
import { defineCommand, type Input, type NamedCommand } from "./command.ts";
import { COMMANDS } from "./commands.ts";
import type { Io } from "./io.ts";
import { ago } from "./terminal/print.ts";
import { oneLineEach, pageLines, table } from "./terminal/table.ts";
import { withMemory } from "./with_memory.ts";

/** What is done most, one of which anybody wants next. */
const OFFERED = ["search", "load"];

const STATES: Readonly<Record<NonNullable<Home["last_session"]>["state"], string>> = {
  running: "running",
  ended: "ended",
  recovered: "cut off and recovered",
  open: "not ended",
};

export const HOME: NamedCommand = {
  name: "sage",
  summary: "say where you are",
  usage: "sage",
  command: defineCommand({ run }),
};

/** Never fails for what is wrong with the memory itself: that is what it is asked for. */
async function run(input: Input, io: Io): Promise<Answer> {
  const look = () =>
    withMemory(input, io, async (memory) => {
      const home = await readHome(memory);
      return { json: { ...home }, text: pageLines(io, oneLineEach(lines(io, home, memory.now()))) };
    });
  return await unlessClosed(look, (error) => closedAnswer(io, error, offers(io)));
}

function lines(io: Io, home: Home, nowMs: number): Line[] {
  const { begun, healthy, line, next } = home;
  const first: Line[] = begun
    ? [healthy ? line : styled(line, "yellow")]
    : [[bold("sage"), ": don't lose your thinking."], "", "Nothing is kept here yet."];
  return [
    ...first,
    ...sessionLines(io, home.last_session, nowMs),
    ...(next === "nothing" ? [] : [dim(`next: ${next}`)]),
    ...offers(io),
  ];
}

function sessionLines(io: Io, session: Home["last_session"], nowMs: number): Line[] {
  if (session === undefined) return [];
  const { title, updated, state, next, question } = session;
  const fit = (head: string, text: string): string =>
    head + (io.isTerminal.stdout ? cut(text, Math.max(20, io.columns - head.length)) : text);
  return [
    fit(`last session (${ago(io, updated, nowMs)}, ${STATES[state]}): `, title),
    ...(next === undefined ? [] : [fit("  next step: ", next)]),
    ...(question === undefined ? [] : [fit("  open: ", question)]),
  ];
}

function offers(io: Io): Line[] {
  const rows = COMMANDS.filter(({ name }) => OFFERED.includes(name)).map((
    { usage, summary },
  ) => [usage.replace(/ \[.*/, ""), summary]);
  const all = [...rows, ["sage help", "the other commands"]];
  const lines = all.map(([form = "", summary = ""]) => [form, dim(summary)]);
  return ["", ...table(io, lines, { indent: "  ", wraps: true })];
}
