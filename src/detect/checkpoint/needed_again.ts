/**
 * Which exact details somebody will need again. In real work a command or a name that came up once is seldom used
 * later, one that comes up again and again mostly is, and an error is over as soon as the work goes on. Pure over
 * turns; decides on no words and on no budget.
 */
import { plainText } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { errorLine } from "./evidence.ts";
import type { ExactDetail } from "./exact.ts";
import { isTorn, withoutOutput } from "../summary/shell.ts";

type Detail = Pick<ExactDetail, "kind" | "text" | "mark">;

/** A detail, and whether nobody is likely to ask for it. */
export type Weighed<T> = T & { readonly isUnlikely?: true };

/** What came up in the last turns is what is being worked on. */
const AT_HAND_TURNS = 5;
/** In a conversation this short nothing had time to come up again. */
const SHORT_TURNS = 12;
/** How far back a second mention counts. */
const RECENT_TURNS = 15;
const EARLIER_TURNS = 40;
/** In how many turns a name must come up, wherever that was. */
const NAMED_OFTEN = 3;
/** More mentions make nothing likelier. */
const MENTIONS_MAX = 5;
/** What is typed anew each time is long, what is used again is short. */
const SHORT_CHARACTERS = 20;
const LONG_CHARACTERS = 40;

/** The place of a line moves with the next edit. */
const LINE_NUMBER = /\bline\b/i;

/**
 * Commands as somebody would type them, each once, whatever was done with their output, and none that only joins
 * others; what is only the first line of a longer one cannot be run.
 */
export function asTyped<T extends Detail>(things: readonly T[]): T[] {
  const typed = things.flatMap((thing) => {
    if (thing.kind !== "command") return [thing];
    const command = withoutOutput(thing.text);
    return isTorn(command) ? [] : [{ ...thing, text: command, mark: command }];
  });
  const commands = typed.flatMap(({ kind, text }) => kind === "command" ? [text] : []);
  const isOther = (part: string, whole: string): boolean =>
    part.trim() !== whole && commands.includes(part.trim());
  return typed.filter(({ kind, text }, i) =>
    kind !== "command" ||
    typed.findIndex((other) => other.kind === kind && other.text === text) === i &&
      !text.split("&&").every((part) => isOther(part, text))
  );
}

/** The likeliest first; of the same likelihood in the given order. */
export function weighed<T extends Detail>(
  things: readonly T[],
  turns: readonly Turn[],
): Weighed<T>[] {
  const said = turns.map(({ text, tools }) =>
    plainText([text, ...tools.map(({ command = "" }) => command)].join("\n"))
  );
  const errors = standingErrors(turns);
  return things.map((thing) => {
    const { mentions, turnsAgo } = thing.kind === "error"
      ? { mentions: 1, turnsAgo: errors.get(thing.text) ?? Infinity }
      : mentionsOf(thing.mark, said);
    const weight = WEIGHTS[thing.kind] + Math.min(mentions, MENTIONS_MAX) + nearness(turnsAgo) -
      lengthiness(thing);
    const isAtHand = turnsAgo < (turns.length > SHORT_TURNS ? AT_HAND_TURNS : SHORT_TURNS);
    const flag = isLikely(thing, { mentions, turnsAgo, isAtHand })
      ? {}
      : { isUnlikely: true } as const;
    return { weight, thing: { ...thing, ...flag } };
  }).sort((a, b) => b.weight - a.weight).map(({ thing }) => thing);
}

/** Decisions bind whoever continues; the rest is what later work was found to use. */
const WEIGHTS: Readonly<Record<ExactDetail["kind"], number>> = {
  decision: 10,
  command: 0,
  error: 1,
  file: 1.5,
  name: -1,
  number: -1,
  commit: -1,
};

function isLikely(
  { kind, mark }: Detail,
  { mentions, turnsAgo, isAtHand }: Mentions & { readonly isAtHand: boolean },
): boolean {
  switch (kind) {
    case "decision":
    case "file":
      return true;
    case "command":
      return isAtHand || mentions > 1;
    case "name":
      return isAtHand || mentions >= NAMED_OFTEN || mentions > 1 && turnsAgo < RECENT_TURNS;
    case "number":
      return !LINE_NUMBER.test(mark) && (isAtHand || mentions > 1 && turnsAgo < EARLIER_TURNS);
    case "commit":
      return turnsAgo < RECENT_TURNS;
    case "error":
      return isAtHand;
  }
}

function nearness(turnsAgo: number): number {
  if (turnsAgo < RECENT_TURNS) return 1;
  return turnsAgo < EARLIER_TURNS ? 0.5 : 0;
}

function lengthiness({ kind, mark }: Detail): number {
  if (kind !== "command" && kind !== "name") return 0;
  if (mark.length > LONG_CHARACTERS) return 1.5;
  return mark.length > SHORT_CHARACTERS || kind === "name" ? 0 : -1;
}

interface Mentions {
  readonly mentions: number;
  /** How many turns were after the last one; infinite for none. */
  readonly turnsAgo: number;
}

function mentionsOf(mark: string, said: readonly string[]): Mentions {
  const wanted = plainText(mark);
  const at = said.flatMap((text, i) => text.includes(wanted) ? [i] : []);
  return { mentions: at.length, turnsAgo: said.length - 1 - (at.at(-1) ?? -Infinity) };
}

/**
 * For each error how long ago a call last failed so; left out where the command has passed since, because it is
 * over then.
 */
function standingErrors(turns: readonly Turn[]): Map<string, number> {
  const failed = new Map<string, { readonly at: number; readonly command: string }>();
  const passed = new Map<string, number>();
  for (const [at, { tools }] of turns.entries()) {
    const errors = new Set<string>();
    for (const tool of tools) {
      const command = withoutOutput(tool.command ?? "");
      if (tool.failed === false) passed.set(command, at);
      const error = errorLine(tool);
      // Of several calls in one turn the first counts.
      if (error === undefined || errors.has(error)) continue;
      errors.add(error);
      failed.set(error, { at, command });
    }
  }
  return new Map(
    [...failed].flatMap(([error, { at, command }]) =>
      command !== "" && (passed.get(command) ?? at) > at ? [] : [[error, turns.length - 1 - at]]
    ),
  );
}
