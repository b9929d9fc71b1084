/**
 * The last exchanges of a conversation, each with the shape of its prompt and answer and what the tools did.
 * All detectors compute their features from this, so each exchange is measured once.
 */
import { memoize } from "../../base/memoize.ts";
import type { Turn } from "../../editor/editor.ts";
import type { Embedder } from "../../embed/embedder.ts";
import { commitsMade, isEdit } from "../summary/work.ts";
import type { Exchange } from "./exchanges.ts";
import { type Shape, shapeOf } from "./shape.ts";

export interface MeasuredExchange {
  readonly exchange: Exchange;
  readonly prompt: Shape;
  readonly answer: Shape;
  /** Terms of both sides. */
  readonly terms: ReadonlySet<string>;
  /** Tool calls that changed files; `looks` counts those that only read or ran something. */
  readonly edits: number;
  readonly looks: number;
  readonly failures: number;
  readonly commits: number;
  readonly files: ReadonlySet<string>;
}

export interface RecentExchanges {
  /** Oldest first; the last one has just ended. */
  readonly exchanges: readonly MeasuredExchange[];
  readonly last: MeasuredExchange;
  /** Index of the first exchange that no save has yet. */
  readonly firstNew: number;
  readonly vector: (place: number) => Float32Array | undefined;
}

/** How far back a detector looks. */
const EXCHANGES_MAX = 24;
/** The first lines of a prompt and of an answer say what they are about. */
const VECTOR_CHARACTERS_MAX = 900;
/** Tools that neither change nor read anything. */
const TALK = new Set(["TodoWrite", "TaskCreate", "TaskUpdate", "AskUserQuestion", "ExitPlanMode"]);

/** `unsaved`: how many of the last exchanges no save has yet. Undefined where there is no exchange. */
export function recentExchangesOf(
  exchanges: readonly Exchange[],
  unsaved: number,
  embedder: Embedder | undefined,
): RecentExchanges | undefined {
  const recent = exchanges.slice(-EXCHANGES_MAX).map(measured);
  const last = recent.at(-1);
  if (last === undefined) return undefined;
  const vectors = new Map<number, Float32Array | undefined>();
  return {
    exchanges: recent,
    last,
    firstNew: Math.max(0, recent.length - unsaved),
    vector(place) {
      const exchange = recent[place];
      if (embedder === undefined || exchange === undefined) return undefined;
      if (!vectors.has(place)) vectors.set(place, embedder.embedQuery(gistOf(exchange)));
      return vectors.get(place);
    },
  };
}

/** Kept, because an exchange is in the window of every later one. */
const measured = memoize(measure);

/** Kept by turn: the same turn is in an exchange of all turns, and in one of the unsaved turns. */
const shapeOfTurn = memoize(({ text }: Pick<Turn, "text">) => shapeOf(text));
const SILENCE = { text: "" };

function measure(exchange: Exchange): MeasuredExchange {
  const prompt = shapeOfTurn(exchange.prompt ?? SILENCE);
  const answer = shapeOfTurn(exchange.answer ?? SILENCE);
  const { tools } = exchange;
  return {
    exchange,
    prompt,
    answer,
    terms: new Set([...prompt.terms, ...answer.terms]),
    edits: tools.filter(isEdit).length,
    looks: tools.filter((tool) => !isEdit(tool) && !TALK.has(tool.name)).length,
    failures: tools.filter((tool) => tool.failed === true).length,
    commits: commitsMade(exchange.replies).length,
    files: new Set(tools.flatMap((tool) => tool.filePath ?? [])),
  };
}

function gistOf({ prompt, answer }: MeasuredExchange): string {
  return `${prompt.text.slice(0, VECTOR_CHARACTERS_MAX)}\n${
    answer.text.slice(0, VECTOR_CHARACTERS_MAX)
  }`;
}
