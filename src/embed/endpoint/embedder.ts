/**
 * An embeddings server as an embedder. It is asked ahead, in batches with a timeout; its identity is
 * checked once a process; and after a failure it is not asked for a while.
 */
import { monotonic } from "../../base/clock.ts";
import { dot } from "../../base/dot.ts";
import { bracketed, SageError } from "../../base/errors.ts";
import { calibrate, meaningBy } from "../calibration/calibration.ts";
import type { AheadEmbedder } from "../embedder.ts";
import { readingOf } from "../reading.ts";
import type { EndpointAddress, KnownEndpoint } from "./endpoint.ts";
import { BATCH_TEXTS_MAX, requestVectors } from "./request.ts";

/** Embedded first, to see whether the model is still the one that was learnt. */
export const PROBE_TEXT = "The lighthouse keeper writes down the weather of every hour.";
/** The cosine of two probes of one model, which differ by rounding only, is above this. */
const PROBE_MIN = 0.995;
/** What an answer may take besides the texts: a server that must load its model takes a second or two. */
const ANSWER_MS = 4000;
/** For questions, however slow the model was when it was learnt: a person waits. */
const QUESTION_MS_MAX = 10_000;
/** A text may take this many times as long as it did when measured. */
const SLOWER = 2;
/** How long to wait silently before a person is told what takes so long, and again each time. */
const PATIENCE_MS = 1000;
/** For a batch of passages: a large model on a slow machine takes seconds a text. */
export const PASSAGES_MS_MAX = 60_000;
/** How long a server that failed is not asked again: each call would wait for it. */
const COOLDOWN_MS = 30_000;

/** `host` → when it may be asked again. Kept for the process, because Sage's server opens memory for each call. */
const coolingDown = new Map<string, number>();

/** Call this when the server has answered. */
export function endCooldown({ host }: EndpointAddress): void {
  coolingDown.delete(host);
}

/** The text that a server is sent: prefixed, cut, and well-formed Unicode. */
export function withPrefix(text: string, prefix: string, charactersMax: number): string {
  return prefix + text.slice(0, charactersMax).toWellFormed();
}

export function openEndpointEmbedder(
  address: EndpointAddress,
  known: KnownEndpoint,
  warn: (warning: string) => void,
  waits: (what: string) => void = () => {},
): AheadEmbedder {
  const questions = new Map<string, Float32Array>();
  const probe = Float32Array.from(known.probe);
  let isProbed = false;

  /** The vectors of these texts. The first request of a process carries the probe too. */
  const ask = async (texts: readonly string[], mostMs: number): Promise<Float32Array[]> => {
    const sent = isProbed ? texts : [PROBE_TEXT, ...texts];
    if (sent.length === 0) return [];
    const timeoutMs = Math.min(mostMs, ANSWER_MS + SLOWER * known.textMs * sent.length);
    const vectors = await requestVectors(address, sent, Math.round(timeoutMs));
    if (vectors.some(({ length }) => length !== known.dimensions)) throw another(known);
    if (isProbed) return vectors;
    const [first, ...rest] = vectors;
    if (first === undefined || dot(first, probe) < PROBE_MIN) throw another(known);
    isProbed = true;
    return rest;
  };

  /** Runs `body`, and reports the wait while it takes long; `left` counts the texts to come. */
  const whileWaiting = async (body: () => Promise<void>, left: () => number): Promise<void> => {
    const timer = setInterval(() => {
      waits(`Waiting for ${address.host}, ${left()} ${left() === 1 ? "text" : "texts"} to embed`);
    }, PATIENCE_MS);
    try {
      await body();
    } finally {
      clearInterval(timer);
    }
  };

  const refuseResting = (): void => {
    if ((coolingDown.get(address.host) ?? 0) <= monotonic()) return;
    throw new SageError("unreachable", `${address.host} did not answer a moment ago`, {
      hint: "it is asked again in half a minute",
    });
  };

  return {
    id: known.id,
    dimensions: known.dimensions,
    textMs: known.textMs,
    ...readingOf(known.languages),
    async prepare(texts) {
      const wanted = [...new Set(texts)].filter((text) => !questions.has(text));
      refuseResting();
      try {
        await whileWaiting(async () => {
          // Leaves a place for the probe in the first batch. Without a text the probe alone is sent.
          for (let at = 0; at === 0 || at < wanted.length; at += BATCH_TEXTS_MAX - 1) {
            const part = wanted.slice(at, at + BATCH_TEXTS_MAX - 1);
            const asked = part.map((text) =>
              withPrefix(text, known.queryPrefix, known.charactersMax)
            );
            const vectors = await ask(asked, QUESTION_MS_MAX);
            vectors.forEach((vector, i) => questions.set(part[i] ?? "", vector));
          }
        }, () => wanted.length);
      } catch (error) {
        coolingDown.set(address.host, monotonic() + COOLDOWN_MS);
        throw error;
      }
    },
    async embedAhead(texts, take) {
      if (texts.length === 0) return;
      try {
        refuseResting();
        let at = 0;
        await whileWaiting(async () => {
          // The probe alone fails soon if the server does not answer at all.
          if (!isProbed) await ask([], QUESTION_MS_MAX);
          for (; at < texts.length; at += BATCH_TEXTS_MAX - 1) {
            const part = texts.slice(at, at + BATCH_TEXTS_MAX - 1);
            const asked = part.map((text) =>
              withPrefix(text, known.documentPrefix, known.charactersMax)
            );
            take(part, await ask(asked, PASSAGES_MS_MAX));
          }
        }, () => texts.length - at);
      } catch (error) {
        if (!(error instanceof SageError)) throw error;
        coolingDown.set(address.host, monotonic() + COOLDOWN_MS);
        warn(`${error.message}; the built-in model serves${bracketed(error)}`);
      }
    },
    embedQuery: (text) => questions.get(text),
    embedDocuments(texts) {
      if (texts.length === 0) return [];
      throw new SageError("unreachable", `${address.host} has not embedded this`);
    },
    calibrate: (cosine) => calibrate(known.calibration, cosine),
    meaning: (cosine) => meaningBy(known.calibration, cosine),
    close: () => questions.clear(),
  };
}

function another({ name }: KnownEndpoint): SageError {
  return new SageError("invalid_model", `"${name}" is another model than the one that was learnt`, {
    hint: `sage model use ${name} learns it, and embeds every note anew`,
  });
}
