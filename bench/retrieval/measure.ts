/** The figures of retrieval quality, from ranked answers and what was expected. Pure. */

export interface Answer {
  readonly category: string;
  readonly condition: string;
  readonly query: string;
  /** Ids that answer the query; none for a question that nothing in store answers. */
  readonly expect: readonly string[];
  /** All that was found, best first. */
  readonly ranked: readonly { readonly id: string; readonly score: number }[];
  /** What recall would show: above the threshold, trimmed, at most three. */
  readonly served: readonly string[];
  /** Those of the served that a newer note replaces. */
  readonly outdated?: readonly string[];
}

export const SERVED_MAX = 3;

/** Shares of 1 but for `waste`: served items a query that do not answer it. */
export interface Figures {
  readonly queries: number;
  readonly recallAt1: number;
  readonly recallAt5: number;
  readonly recallAt10: number;
  readonly mrr: number;
  readonly ndcgAt10: number;
  /** Something was served. */
  readonly coverage: number;
  /** An answer is among what was served. */
  readonly hit: number;
  /** The first item shown is no answer. */
  readonly wrongFirst: number;
  /** The share of answering notes that was shown, counting at most as many as may be shown. */
  readonly recallOfServed: number;
  /** The share of shown notes that answer. */
  readonly precision: number;
  readonly waste: number;
  /** Superseded notes that were served. */
  readonly superseded: number;
}

export function measure(answers: readonly Answer[]): Figures {
  const mean = (value: (answer: Answer) => number): number =>
    answers.reduce((sum, answer) => sum + value(answer), 0) / Math.max(1, answers.length);
  const good = (answer: Answer): number =>
    answer.served.filter((id) => answer.expect.includes(id)).length;
  const served = answers.reduce((sum, answer) => sum + answer.served.length, 0);
  const right = answers.reduce((sum, answer) => sum + good(answer), 0);
  return {
    queries: answers.length,
    recallAt1: mean((answer) => within(answer, 1)),
    recallAt5: mean((answer) => within(answer, 5)),
    recallAt10: mean((answer) => within(answer, 10)),
    mrr: mean((answer) => firstPlace(answer) < 0 ? 0 : 1 / (1 + firstPlace(answer))),
    ndcgAt10: mean(ndcgAt10),
    coverage: mean(({ served }) => served.length > 0 ? 1 : 0),
    hit: mean((answer) => good(answer) > 0 ? 1 : 0),
    wrongFirst: mean(({ served, expect }) =>
      served[0] !== undefined && !expect.includes(served[0]) ? 1 : 0
    ),
    recallOfServed: mean((answer) =>
      answer.expect.length === 0 ? 1 : good(answer) / Math.min(SERVED_MAX, answer.expect.length)
    ),
    precision: served === 0 ? 1 : right / served,
    waste: mean((answer) => answer.served.length - good(answer)),
    superseded: answers.reduce((sum, { outdated = [] }) => sum + outdated.length, 0),
  };
}

function firstPlace({ ranked, expect }: Answer): number {
  return ranked.findIndex(({ id }) => expect.includes(id));
}

/** Whether an answer is among the first k. */
function within(answer: Answer, k: number): number {
  const place = firstPlace(answer);
  return place >= 0 && place < k ? 1 : 0;
}

function ndcgAt10({ ranked, expect }: Answer): number {
  let gain = 0;
  let ideal = 0;
  ranked.slice(0, 10).forEach(({ id }, i) =>
    gain += expect.includes(id) ? 1 / Math.log2(i + 2) : 0
  );
  for (let i = 0; i < Math.min(10, expect.length); i++) ideal += 1 / Math.log2(i + 2);
  return ideal === 0 ? 1 : gain / ideal;
}
