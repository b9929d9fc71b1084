/** What is told of one prompt in a short session, and the points of a few conversations: for each language the same. */
// deno-lint-ignore-file no-console -- it speaks for the scripts that measure a language
import { preferencesIn } from "../../src/detect/preferences.ts";
import { summarizeSession } from "../../src/detect/summarize.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import type { Conversation } from "./conversation.ts";
import { figures, mistakesOf } from "./measure.ts";
import { detector, play, SHIPPED } from "./play.ts";
import { CWD, readBack } from "./transcript.ts";

/** The exchange that a session begins with, and the reply to the prompt behind it. */
export interface Beginning {
  readonly language: Conversation["language"];
  readonly prompt: string;
  readonly answer: string;
  readonly thanks: string;
}

/** A wish is a decision as well. */
export interface Told {
  readonly settled: readonly string[];
  readonly open: readonly string[];
  readonly next: readonly string[];
}

export function toldOf(prompt: string, beginning: Beginning, embedder: Embedder): Told {
  const { language, thanks, ...first } = beginning;
  const steps = [first, { prompt, answer: thanks }];
  const { turns } = readBack({ name: prompt, language, steps });
  const note = summarizeSession(turns, { embedder, cwd: CWD });
  const wishes = preferencesIn(turns).map(({ text }) => text);
  return {
    settled: [...note?.decisions ?? [], ...wishes],
    open: note?.openQuestions ?? [],
    next: note?.next ?? [],
  };
}

/** Whether one of the lines tells the prompt: by its end, for a beginning may be left out. */
export function tells(lines: readonly string[], prompt: string): boolean {
  const end = prompt.slice(-14).toLowerCase();
  return lines.some((line) => line.toLowerCase().includes(end));
}

/** `isTold`: each mistake, too. */
export function printPoints(
  name: string,
  conversations: readonly Conversation[],
  embedder: Embedder,
  isTold: boolean,
): void {
  const runs = conversations.map((one) => play(one, detector(embedder, SHIPPED)));
  if (isTold) { for (const run of runs) console.log(mistakesOf(run)); }
  const { labels, found, right } = figures(runs);
  console.log(`${name}: points ${right} of ${labels}, ${found} found`);
}
