/**
 * The last exchanges of a conversation, each with the shape of what was said and what the tools did. The
 * signals measure on this; nothing is measured twice.
 */
import { memoize } from "../base/memoize.ts";
import type { Turn } from "../editor/editor.ts";
import type { Embedder } from "../embed/embedder.ts";
import { commitsMade, isEdit } from "./work.ts";
import type { Exchange } from "./exchanges.ts";
import { type Shape, shapeOf } from "./shape.ts";

export interface Moment {
  readonly exchange: Exchange;
  readonly prompt: Shape;
  readonly answer: Shape;
  /** Terms of both sides. */
  readonly terms: ReadonlySet<string>;
  /** Calls that changed files, and calls that only looked or ran something. */
  readonly edits: number;
  readonly looks: number;
  readonly failures: number;
  readonly commits: number;
  readonly files: ReadonlySet<string>;
}

export interface Recent {
  /** Oldest first; the last one has just ended. */
  readonly moments: readonly Moment[];
  readonly last: Moment;
  /** The first moment that no save holds. */
  readonly firstNew: number;
  readonly vector: (place: number) => Float32Array | undefined;
}

/** A signal looks back so many exchanges, at most. */
const EXCHANGES_MAX = 24;
/** Both sides say in their first lines what they are about. */
const VECTOR_CHARACTERS_MAX = 900;
/** Tools that neither change nor find out anything. */
const TALK = new Set(["TodoWrite", "TaskCreate", "TaskUpdate", "AskUserQuestion", "ExitPlanMode"]);

/** `unsaved` counts the last exchanges that no save holds. */
export function recentOf(
  exchanges: readonly Exchange[],
  unsaved: number,
  embedder: Embedder | undefined,
): Recent | undefined {
  const moments = exchanges.slice(-EXCHANGES_MAX).map(momentOf);
  const last = moments.at(-1);
  if (last === undefined) return undefined;
  const vectors = new Map<number, Float32Array | undefined>();
  return {
    moments,
    last,
    firstNew: Math.max(0, moments.length - unsaved),
    vector(place) {
      const moment = moments[place];
      if (embedder === undefined || moment === undefined) return undefined;
      if (!vectors.has(place)) vectors.set(place, embedder.embedQuery(gistOf(moment)));
      return vectors.get(place);
    },
  };
}

/** An exchange is measured once, in however many windows it stands. */
const momentOf = memoize(measure);

/** A turn stands in an exchange of the whole conversation, and in one of what is new in it. */
const shapeOfTurn = memoize(({ text }: Pick<Turn, "text">) => shapeOf(text));
const SILENCE = { text: "" };

function measure(exchange: Exchange): Moment {
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

function gistOf({ prompt, answer }: Moment): string {
  return `${prompt.text.slice(0, VECTOR_CHARACTERS_MAX)}\n${
    answer.text.slice(0, VECTOR_CHARACTERS_MAX)
  }`;
}
