/**
 * Topic drift: the latest exchanges lie far from the ones before them, and stay there. One far exchange
 * may be a detour and needs words to confirm it; two or three of the same kind need none.
 */
import type { Embedder } from "../../embed/embedder.ts";
import type { Exchange } from "../exchanges.ts";
import type { Signal } from "../signal.ts";
import { spoken } from "../clean.ts";

/** Exchanges before the turning point that make up the old topic. */
const BEFORE_MIN = 2;
const BEFORE_MAX = 5;
/** Exchanges of the new topic within which the turn is still worth telling. */
const AFTER_MAX = 3;
/** Calibrated likeness below which two exchanges are not about the same. */
const UNLIKE = 0.55;
/** The new exchanges among themselves, to be a topic and not a scatter. */
const ALIKE = 0.5;
const TEXT_CHARACTERS_MAX = 900;

/** `firstNew` is the first exchange that no save holds yet: older turns of topic were told before. */
export function drift(
  exchanges: readonly Exchange[],
  firstNew: number,
  embedder: Embedder,
): Signal | undefined {
  const end = exchanges.length;
  const from = Math.max(0, end - AFTER_MAX - BEFORE_MAX);
  if (end - from < BEFORE_MIN + 1) return undefined;
  const vectors = embedder.embedDocuments(exchanges.slice(from).map(textOf));
  const like = (a: Float32Array, b: Float32Array): number => embedder.calibrate(dot(a, b));
  let best: Signal | undefined;
  for (let after = 1; after <= AFTER_MAX; after++) {
    const turn = end - after;
    if (turn < Math.max(firstNew, from + BEFORE_MIN)) break;
    const old = vectors.slice(Math.max(0, turn - from - BEFORE_MAX), turn - from);
    const fresh = vectors.slice(turn - from);
    const before = old.filter((vector) => vector !== undefined);
    const now = fresh.filter((vector) => vector !== undefined);
    // Without a vector for each new exchange nothing is known about it.
    if (before.length < BEFORE_MIN || now.length < fresh.length) continue;
    const centre = centroid(before);
    const across = Math.max(...now.map((vector) => like(vector, centre)));
    if (across >= UNLIKE) continue;
    const within = now.length === 1 ? 1 : Math.min(
      ...now.slice(1).map((vector, i) => {
        const previous = now[i];
        return previous === undefined ? 0 : like(previous, vector);
      }),
    );
    if (within < ALIKE) continue;
    const confidence = 0.52 + 0.22 * (UNLIKE - across) / UNLIKE + 0.12 * (after - 1);
    if (best === undefined || confidence > best.confidence) {
      const reason = `${after} exchange${after > 1 ? "s" : ""} far from the topic before`;
      best = { trigger: "topic_shift", confidence: Math.min(0.95, confidence), reason };
    }
  }
  return best;
}

/** The prompt and how the answer begins; both sides say what it is about. */
function textOf({ prompt, answer }: Exchange): string {
  return `${spoken(prompt?.text ?? "").slice(0, TEXT_CHARACTERS_MAX)}\n${
    spoken(answer?.text ?? "").slice(0, TEXT_CHARACTERS_MAX)
  }`;
}

function centroid(vectors: readonly Float32Array[]): Float32Array {
  const sum = new Float32Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) {
    for (let i = 0; i < sum.length; i++) sum[i] = (sum[i] ?? 0) + (vector[i] ?? 0);
  }
  const norm = Math.sqrt(dot(sum, sum));
  return norm === 0 ? sum : sum.map((value) => value / norm);
}

function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
