/**
 * A model that an embeddings server on this machine has, as the bench wants it: answering when it is
 * asked. The program asks ahead instead; what comes, and what is made of it, is the same. This thread
 * sleeps while another one asks.
 */
import { calibrate, meaningBy } from "../../src/embed/calibration/calibration.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { DIMENSIONS_MAX, type EndpointAddress } from "../../src/embed/endpoint/endpoint.ts";
import { PASSAGES_MS_MAX, withPrefix } from "../../src/embed/endpoint/embedder.ts";
import { learnEndpoint, resolveModel } from "../../src/embed/endpoint/learn.ts";
import { BATCH_TEXTS_MAX, requestVectors } from "../../src/embed/endpoint/request.ts";

interface Request {
  readonly address: EndpointAddress;
  readonly texts: readonly string[];
  readonly state: Int32Array;
  readonly values: Float32Array;
}

const [ASKED, ANSWERED, FAILED] = [0, 1, 2];

export async function openServedModel(
  named: EndpointAddress,
): Promise<Embedder & { close(): void }> {
  const address = await resolveModel(named);
  const known = await learnEndpoint(address, {
    before: undefined,
    queryPrefix: undefined,
    documentPrefix: undefined,
    now: Date.now,
    onProgress: () => {},
  });
  const worker = new Worker(import.meta.url, { type: "module" });
  const state = new Int32Array(new SharedArrayBuffer(4));
  const bytes = new SharedArrayBuffer(4 * BATCH_TEXTS_MAX * DIMENSIONS_MAX);
  const values = new Float32Array(bytes);
  const vectors = new Map<string, Float32Array>();

  const ask = (texts: readonly string[]): void => {
    const wanted = [...new Set(texts)].filter((text) => !vectors.has(text));
    for (let at = 0; at < wanted.length; at += BATCH_TEXTS_MAX) {
      const part = wanted.slice(at, at + BATCH_TEXTS_MAX);
      Atomics.store(state, 0, ASKED);
      worker.postMessage({ address, texts: part, state, values } satisfies Request);
      Atomics.wait(state, 0, ASKED);
      if (Atomics.load(state, 0) === FAILED) throw new Error(`${address.host} did not answer`);
      part.forEach((text, i) => {
        vectors.set(text, values.slice(i * known.dimensions, (i + 1) * known.dimensions));
      });
    }
  };
  const vectorsOf = (texts: readonly string[], prefix: string): (Float32Array | undefined)[] => {
    const asked = texts.map((text) => withPrefix(text, prefix, known.charactersMax));
    ask(asked.filter((text) => text.trim() !== ""));
    return asked.map((text) => vectors.get(text));
  };
  return {
    id: known.id,
    dimensions: known.dimensions,
    embedQuery: (text) => vectorsOf([text], known.queryPrefix)[0],
    embedDocuments: (texts) => vectorsOf(texts, known.documentPrefix),
    calibrate: (cosine) => calibrate(known.calibration, cosine),
    meaning: (cosine) => meaningBy(known.calibration, cosine),
    close: () => worker.terminate(),
  };
}

if ("onmessage" in self && self.constructor.name === "DedicatedWorkerGlobalScope") {
  self.onmessage = async ({ data }: MessageEvent<Request>) => {
    const { address, texts, state, values } = data;
    try {
      const vectors = await requestVectors(address, texts, PASSAGES_MS_MAX);
      vectors.forEach((vector, i) => values.set(vector, i * vector.length));
      Atomics.store(state, 0, ANSWERED);
    } catch {
      Atomics.store(state, 0, FAILED);
    }
    Atomics.notify(state, 0);
  };
}
