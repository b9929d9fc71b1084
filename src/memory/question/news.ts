/** What a session is told of open questions: one line, once a day. */
import { parseTime } from "../../base/clock.ts";
import type { Memory } from "../memory.ts";
import { quote } from "../recalled.ts";
import { isAskedHere, listQuestions } from "./question.ts";
import { ANNOUNCED_DAYS_MAX, nextDay, readAnnounced } from "./announced.ts";

export interface QuestionNews {
  /** Empty where there is nothing to tell now. */
  readonly line: string;
  /** The questions that it mentions. */
  readonly ids: readonly string[];
  /** When there may be another to tell. */
  readonly until: number;
}

const QUESTION_CHARACTERS_MAX = 120;

export function questionNews(memory: Memory): QuestionNews {
  const { fs, places } = memory;
  const now = memory.now();
  // A preference for one project is not told in another, where it might be followed.
  const waiting = listQuestions(memory).filter((question) =>
    question.why !== "preference" || isAskedHere(question, memory)
  );
  if (waiting.length === 0) return { line: "", ids: [], until: Infinity };
  const laterMs = (later: string | undefined): number => parseTime(later ?? "") ?? 0;
  const { today, days } = readAnnounced(fs, places.stateDir, now);
  const due = waiting.filter(({ id, later }) =>
    laterMs(later) <= now && (days[id] ?? 0) < ANNOUNCED_DAYS_MAX
  );
  const news = due.filter(({ id }) => !today.includes(id));
  const putOff = waiting.map(({ later }) => laterMs(later)).filter((ms) => ms > now);
  const until = Math.min(...putOff, due.length === 0 ? Infinity : nextDay(now));
  const [first, ...others] = news;
  if (first === undefined) return { line: "", ids: [], until };
  const question = quote(first.question, QUESTION_CHARACTERS_MAX);
  const line = others.length === 0
    ? `- One question waits for the person (sage inbox): ${question} Mention it once.`
    : `- ${news.length} questions wait for the person (sage inbox), the first: ${question} ` +
      "Mention it once.";
  return { line, ids: news.map(({ id }) => id), until };
}
