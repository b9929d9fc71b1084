/**
 * Answers that were given a moment ago, for whoever asks the same again: people type a query letter by
 * letter and go back, and several agents of one project ask alike. An answer holds as long as what it
 * rests on is the same, and no longer than a minute, because some questions mean the time of day.
 */
import { monotonic } from "../base/clock.ts";
import { HTTP_ANSWER_MS_MAX, HTTP_ANSWERS_BYTES_MAX, HTTP_ANSWERS_MAX } from "../base/limits.ts";

export interface Answered {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Whether the ETag is of these bytes, so that who has it has them. */
  readonly isOfAnswer: boolean;
}

interface Kept extends Answered {
  readonly state: string;
  readonly until: number;
}

export interface Answers {
  get(question: string, state: string): Answered | undefined;
  put(question: string, state: string, answer: Answered): void;
}

export function createAnswers(now: () => number = monotonic): Answers {
  /** The oldest first. */
  const kept = new Map<string, Kept>();
  let bytes = 0;
  const drop = (question: string): void => {
    bytes -= kept.get(question)?.bytes.length ?? 0;
    kept.delete(question);
  };
  return {
    get(question, state) {
      const found = kept.get(question);
      if (found === undefined) return undefined;
      if (found.state === state && now() < found.until) return found;
      drop(question);
      return undefined;
    },
    put(question, state, answer) {
      drop(question);
      // What was asked at one time must not be made anew at one time too: the others would wait.
      const until = now() + HTTP_ANSWER_MS_MAX * (1 + Math.random()) / 2;
      kept.set(question, { ...answer, state, until });
      bytes += answer.bytes.length;
      for (const oldest of kept.keys()) {
        if (kept.size <= HTTP_ANSWERS_MAX && bytes <= HTTP_ANSWERS_BYTES_MAX) return;
        drop(oldest);
      }
    },
  };
}
