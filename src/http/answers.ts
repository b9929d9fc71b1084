/**
 * A cache of recent answers: people type a query letter by letter and go back, and several agents of
 * one project ask the same. An answer is valid while what it depends on is unchanged, and for a minute at
 * most, because some answers depend on the time.
 */
import { monotonic } from "../base/clock.ts";
import { HTTP_ANSWER_MS_MAX, HTTP_ANSWERS_BYTES_MAX, HTTP_ANSWERS_MAX } from "../base/limits.ts";

export interface Answered {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  /** Whether the ETag is the hash of these bytes, so that a client with it has the same answer. */
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
  /** Least recently used first. */
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
      // Answers made together must not expire together, or all would be recomputed at once.
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
