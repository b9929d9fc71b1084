/** The tests that every language has: what a person says in it is recognised as what it is, or as nothing. */
import assert from "node:assert/strict";
import { findDecisions } from "../../src/detect/decisions/decisions.ts";
import { preferencesIn } from "../../src/detect/decisions/preferences.ts";
import { nextSteps, openQuestions } from "../../src/detect/open/questions.ts";
import type { Turn } from "../../src/editor/editor.ts";
import { talk } from "./talk.ts";

/** The words around a prompt in the language: a request and its answer, 'done', 'go on', 'noted'. */
export interface Around {
  readonly ask: string;
  readonly answer: string;
  readonly done: string;
  readonly goOn: string;
  readonly noted: string;
}

export interface Prompts {
  readonly decided: readonly string[];
  readonly wished: readonly string[];
  readonly open: readonly string[];
  readonly next: readonly string[];
  /** Orders of the moment, reports, questions, suppositions, thanks and talk about others. */
  readonly nothing: readonly string[];
}

/** A test for each prompt. */
export function testRecognised({ ask, answer, done, goOn, noted }: Around, prompts: Prompts): void {
  const inside = (text: string): Turn[] => talk(ask, answer, text, done, goOn, done);
  const atEnd = (text: string): Turn[] => talk(ask, answer, goOn, done, text, noted);
  const wishesIn = (turns: readonly Turn[]): string[] =>
    preferencesIn(turns).map(({ text }) => text);
  const test = (name: string, texts: readonly string[], body: (text: string) => void): void => {
    for (const text of texts) Deno.test(`${name} ${JSON.stringify(text)}`, () => body(text));
  };
  test("findDecisions() recognises", prompts.decided, (text) => {
    assert.equal(findDecisions(inside(text)).length, 1);
  });
  test("preferencesIn() recognises", prompts.wished, (text) => {
    assert.deepEqual(wishesIn(inside(text)), [text]);
  });
  test("openQuestions() keeps", prompts.open, (text) => {
    assert.deepEqual(openQuestions(inside(text)), [text]);
  });
  test("nextSteps() keeps", prompts.next, (text) => {
    assert.deepEqual(nextSteps(atEnd(text), []), [text]);
  });
  test("nothing is recognised in", prompts.nothing, (text) => {
    assert.deepEqual(findDecisions(inside(text)).map((one) => one.text), []);
    assert.deepEqual(wishesIn(inside(text)), []);
    assert.deepEqual(openQuestions(inside(text)), []);
    assert.deepEqual(nextSteps(atEnd(text), []), []);
  });
}
