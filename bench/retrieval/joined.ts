/** Prompts as people send them, made of those of a set: with something else beside the question, or a paste. */
import type { Question, World } from "./sets.ts";

export const CERTAIN: readonly string[] = ["factual", "decision", "identifier"];

/** By how many of their sentences the store answers, in which form, or beside something that was pasted. */
export const AMONG_OTHERS = [
  "1 of 2",
  "1 of 3",
  "1 of 3, a line each",
  "1 of 3, dictated",
  "0 of 2",
  "0 of 3",
  "2 of 2",
  "1 and a paste",
  "0 and a paste",
] as const;

type Form = typeof AMONG_OTHERS[number];

/**
 * Prompts of two and three sentences of which the last is answered by the store, and of which none is; two that
 * both are; and one in front of something that was pasted, or behind it. `prompts`: the set's own of this split.
 */
export function joined(
  world: World,
  prompts: readonly Question[],
  split: string,
  pastes: readonly string[],
): Question[] {
  const unrelated = prompts.filter(({ category }) => category === "unrelated");
  if (unrelated.length === 0) return [];
  const other = (i: number): string =>
    (unrelated[i % unrelated.length]?.query ?? "").replace(/[.!?]*$/, "");
  const asked = [
    ...prompts.filter(({ category }) => category === "relevant"),
    ...world.questions.filter((question) =>
      question.split === split && CERTAIN.includes(question.category) && question.expect.length > 0
    ),
  ];
  const behind = (list: readonly Question[], category: Form, count: 1 | 2, joint = ". ") =>
    list.map((one, i): Question => {
      const before = [other(i + 1), other(i * 7 + 3)].slice(0, count);
      return { ...one, category, query: [...before, one.query].join(joint) };
    });
  const beside = (list: readonly Question[], category: Form): Question[] =>
    list.map((one, i) => {
      const both = [one.query, pastes[i * 7 % pastes.length] ?? ""];
      return { ...one, category, query: (i % 2 === 0 ? both : both.toReversed()).join("\n\n") };
    });
  const inPairs = asked.map((one, i): Question => {
    const next = asked[(i * 5 + 2) % asked.length] ?? one;
    const query = `${one.query.replace(/[.!?]*$/, "")}. ${next.query}`;
    return { ...one, category: "2 of 2", query, expect: [...one.expect, ...next.expect] };
  });
  return [
    ...behind(asked, "1 of 2", 1),
    ...behind(asked, "1 of 3", 2),
    ...behind(asked, "1 of 3, a line each", 2, "\n"),
    ...behind(asked, "1 of 3, dictated", 2, " and then "),
    ...behind(unrelated, "0 of 2", 1),
    ...behind(unrelated, "0 of 3", 2),
    ...inPairs,
    ...beside(asked, "1 and a paste"),
    ...beside(unrelated, "0 and a paste"),
  ];
}
