/**
 * The tests that each language has of short replies: one to what an agent put forward is told with what it replies
 * to; an order, a question, a report or a yes to routine work settles nothing.
 */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { exchanged } from "./exchanged.ts";

export interface Replies {
  readonly language: string;
  readonly taken: readonly (readonly [asked: string, answer: string, reply: string])[];
  /** What is asked before each answer of `none`. */
  readonly ask: string;
  /** An answer with two ways, and what settles nothing behind it. */
  readonly ways: string;
  readonly noneToWays: readonly string[];
  readonly none: readonly (readonly [answer: string, reply: string])[];
  /** What the agent says when it has changed a file upon the reply. */
  readonly done: string;
}

export function testReplies({ language, taken, ask, ways, noneToWays, none, done }: Replies): void {
  const decided = (asked: string, answer: string, reply: string): string[] =>
    findDecisions(exchanged(asked, answer, reply, [done, "src/a.ts"])).map(({ text }) => text);
  for (const [asked, answer, reply] of taken) {
    Deno.test(`findDecisions() takes "${reply}" in ${language} for one behind "${answer}"`, () => {
      const told = decided(asked, answer, reply);
      assert.equal(told.length, 1, told.join("; "));
      // Its last sentence may stand alone.
      assert.ok(told[0]?.endsWith(reply.split(". ").at(-1) ?? ""), told[0]);
    });
  }
  const replies = [...noneToWays.map((reply) => [ways, reply] as const), ...none];
  for (const [answer, reply] of replies) {
    Deno.test(`findDecisions() takes "${reply}" in ${language} for none behind "${answer}"`, () => {
      assert.deepEqual(decided(ask, answer, reply), []);
    });
  }
}
