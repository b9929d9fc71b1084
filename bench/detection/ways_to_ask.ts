/**
 * What it costs to have an agent write a checkpoint, and what is kept meanwhile: `deno run -A
 * bench/detection/ways_to_ask.ts`. Three ways over the labelled conversations: a block at the stop that
 * asks for one call (`ask`), a quiet save (`silent`), and a quiet save whose completion is asked for
 * beside the next prompt (`offer`). No model runs here: what an agent would write is taken to be as long
 * as what Sage extracts, and whether it would answer is not measured.
 */
// deno-lint-ignore-file no-console -- a script speaks to the terminal it was called from
import { estimateTokens } from "../../src/base/text/tokens.ts";
import { extractCheckpoint } from "../../src/detect/checkpoint/extract.ts";
import { type Extract, tokensOf } from "../../src/detect/checkpoint/fill.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import type { Turn } from "../../src/editor/editor.ts";
import type { Conversation } from "./conversation.ts";
import { linesOf } from "./retention.ts";
import { sum } from "./measure.ts";
import { detector, replay, SHIPPED } from "./replay.ts";
import { DEVELOPMENT, TEST } from "./sets.ts";
import { CWD } from "./tell.ts";
import { readBack } from "./transcript.ts";

/** The text of an ask, and what would stand beside the next prompt in its place. */
const ASK_TOKENS = 75;
const OFFER_TOKENS = 60;
/** The call's answer and the words after it. */
const ANSWER_TOKENS = 60;

interface Row {
  readonly asks: number;
  /** Asks after which another prompt came, and of those how many that began something else. */
  readonly followed: number;
  readonly elsewhere: number;
  /** Tokens that a model writes for a checkpoint, and reads once more for each further request. */
  readonly written: number;
  readonly read: number;
  /** Of what is wanted kept and was said so far: on disk at the end of each turn. */
  readonly wanted: number;
  readonly keptAtOnce: number;
  readonly keptOneLater: number;
}

const embedder = openStaticEmbedder();
for (const [name, set] of [["development", DEVELOPMENT], ["test", TEST]] as const) {
  report(name, set.map(rowOf));
}
embedder.close();

function rowOf(conversation: Conversation): Row {
  const { asksAt, saves } = replay(conversation, detector(embedder, SHIPPED));
  const { turns, ends } = readBack(conversation);
  const upTo = (turn: number): readonly Turn[] => turns.slice(0, ends[turn] ?? turns.length);
  const extracts = saves.map((turn, i) => {
    const from = i === 0 ? 0 : ends[saves[i - 1] ?? 0] ?? 0;
    const options = { embedder, tokensMax: 500, cwd: CWD };
    return extractCheckpoint(upTo(turn).slice(from), options);
  });
  const labels = conversation.steps.map(({ label }) => label);
  const last = ends.length - 1;
  const wanted = [
    ...(conversation.keep?.decisions ?? []),
    ...(conversation.keep?.exact ?? []).map((text) => [text]),
  ];
  const said = (turn: number): readonly (readonly string[])[] =>
    wanted.filter((words) => isIn(words, upTo(turn).map(textOf)));
  const kept = (turn: number): number =>
    said(turn).filter((words) =>
      isIn(
        words,
        extracts.flatMap((extract, i) =>
          extract !== undefined && (saves[i] ?? 0) <= turn ? linesOf(extract) : []
        ),
      )
    ).length;
  const every = [...ends.keys()];
  const contextAt = (turn: number): number => sum(upTo(turn), (one) => estimateTokens(textOf(one)));
  return {
    asks: asksAt.length,
    followed: asksAt.filter((turn) => turn < last).length,
    elsewhere: asksAt.filter((turn) => labels[turn + 1] === "topic_shift").length,
    written: sum(asksAt, (turn) => costOf(extracts[saves.indexOf(turn)])),
    read: sum(asksAt, contextAt),
    wanted: sum(every, (turn) => said(turn).length),
    keptAtOnce: sum(every, kept),
    // An ask that nobody answers is saved at the next stop.
    keptOneLater: sum(every, (turn) => turn === 0 ? 0 : kept(turn - 1)),
  };
}

function costOf(extract: Extract | undefined): number {
  return extract === undefined ? 0 : tokensOf(extract);
}

function textOf({ text, tools }: Turn): string {
  return [text, ...tools.map(({ command = "", result = "" }) => `${command} ${result}`)].join("\n");
}

function isIn(words: readonly string[], lines: readonly string[]): boolean {
  const folded = lines.map((line) => line.toLowerCase());
  return words.every((word) => folded.some((line) => line.includes(word.toLowerCase())));
}

function report(name: string, rows: readonly Row[]): void {
  const asks = sum(rows, (row) => row.asks);
  const per = (value: number): string => (value / Math.max(1, asks)).toFixed(0);
  const share = (part: number, whole: number): string => `${(100 * part / whole).toFixed(0)} %`;
  const [written, read] = [sum(rows, (row) => row.written), sum(rows, (row) => row.read)];
  const [followed, wanted] = [sum(rows, (row) => row.followed), sum(rows, (row) => row.wanted)];
  console.log(`\n${name}: ${asks} asks in ${rows.length} conversations`);
  console.log(
    `ask:    1 turn and 2 requests more each; ${
      per(written + (ANSWER_TOKENS + ASK_TOKENS) * asks)
    } ` +
      `tokens new, ${per(2 * read)} read again; on disk at the end of a turn, unanswered: ` +
      share(sum(rows, (row) => row.keptOneLater), wanted),
  );
  console.log(
    `silent: none; on disk at the end of a turn: ${
      share(sum(rows, (row) => row.keptAtOnce), wanted)
    }`,
  );
  console.log(
    `offer:  0 turns and 1 request more each; ${
      per(written + (ANSWER_TOKENS + OFFER_TOKENS) * asks)
    } tokens new, ${per(read)} read again; on disk as silent; a prompt follows in ${
      share(followed, asks)
    }, and begins something else in ${share(sum(rows, (row) => row.elsewhere), asks)}`,
  );
}
