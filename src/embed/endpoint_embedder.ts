/**
 * An embeddings server as an embedder: asked ahead, in batches, with an end to its time; checked once a
 * process; left alone for a while where it did not answer.
 */
import { monotonic } from "../base/clock.ts";
import { dot } from "../base/dot.ts";
import { bracketed, SageError } from "../base/errors.ts";
import { calibrate, meaningBy } from "./calibration.ts";
import type { AheadEmbedder } from "./embedder.ts";
import type { EndpointAddress, KnownEndpoint } from "./endpoint.ts";
import { BATCH_TEXTS_MAX, requestVectors } from "./endpoint_request.ts";

/** Embedded before anything else, to see whether the model is the one that was learnt. */
export const PROBE_TEXT = "The lighthouse keeper writes down the weather of every hour.";
/** Two runs of one model differ by rounding: by less than this. */
const PROBE_MIN = 0.995;
/** A person waits for it; a server that has to load its model first takes a second or two. */
const ANSWER_MS = 4000;
/** For a question, of a model that was slow when it was learnt. */
const QUESTION_MS_MAX = 10_000;
/** A text may take this many times as long as it did when measured. */
const SLOWER = 2;
/** From then on it is said whom one waits for. */
const PATIENCE_MS = 1000;
/** For a batch; a large model on a slow machine takes seconds a text. */
export const PASSAGES_MS_MAX = 60_000;
/** A server that did not answer is not asked again so soon: each call would wait for it. */
const COOLDOWN_MS = 30_000;

/** `host` → when it may be asked again. Kept for the process, because a server opens memory for each call. */
const coolingDown = new Map<string, number>();

/** Somebody saw it answer. */
export function endCooldown({ host }: EndpointAddress): void {
  coolingDown.delete(host);
}

/** What of a text a server is asked. */
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

  /** The vectors of these texts as they are; every first request of a process carries the probe. */
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

  /** Runs `body`, and says whom one waits for while it takes long; `left` tells how much is to come. */
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
    async prepare(texts) {
      const wanted = [...new Set(texts)].filter((text) => !questions.has(text));
      refuseResting();
      try {
        await whileWaiting(async () => {
          // The probe takes a place in the first.
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
          // Soon clear where it does not answer at all.
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
