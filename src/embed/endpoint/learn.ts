/**
 * Measures what must be known of an embeddings server before its vectors mean anything: its model and
 * dimensions, the longest text it takes, the calibration of its cosines, and its speed.
 */
import { rfc3339 } from "../../base/clock.ts";
import { dot } from "../../base/dot.ts";
import { SageError } from "../../base/errors.ts";
import { sha256Hex } from "../../base/hash.ts";
import { aheadOfRows } from "../calibration/ahead_rows.ts";
import { FOREIGN_QUESTIONS, understoodBy } from "../calibration/languages.ts";
import { CALIBRATION_ROWS, type CalibrationRow } from "../calibration/texts.ts";
import {
  type EndpointAddress,
  type KnownEndpoint,
  prefixesOf,
  slugOf,
  withModel,
} from "./endpoint.ts";
import { endCooldown, PASSAGES_MS_MAX, PROBE_TEXT, withPrefix } from "./embedder.ts";
import { BATCH_TEXTS_MAX, requestModel, requestVectors } from "./request.ts";
import {
  CHUNK_CHARACTERS,
  type Embeds,
  fitCalibration,
  longText,
  measureLate,
} from "../calibration/fit.ts";

export interface Learning {
  /** What was learnt of it before, if anything. */
  readonly before: KnownEndpoint | undefined;
  /** Undefined: as before, or as the model's family was trained. */
  readonly queryPrefix: string | undefined;
  readonly documentPrefix: string | undefined;
  now(): number;
  onProgress(share: number): void;
}

/** The first request may have to load the model. */
const FIRST_MS_MAX = 60_000;
/** A chunk has 2,000 characters at most, its headings some more. */
const CHARACTERS_MAX = 4000;
/** A server that refuses even this is of no use. */
const CHARACTERS_MIN = 250;
/** The cosine of two probes from which they are of one model, rounding apart. */
const SAME_MIN = 0.999;

/** The address with its model; a server is asked for its only one if none was named. */
export async function resolveModel(address: EndpointAddress): Promise<EndpointAddress> {
  if (address.model !== undefined) return address;
  return withModel(address, await requestModel(address, FIRST_MS_MAX));
}

export async function learnEndpoint(
  address: EndpointAddress,
  { before, queryPrefix, documentPrefix, now, onProgress }: Learning,
): Promise<KnownEndpoint> {
  const [probe] = await requestVectors(address, [PROBE_TEXT], FIRST_MS_MAX);
  if (probe === undefined) throw new SageError("internal", "A text has no vector");
  const family = prefixesOf(address.model ?? "");
  const facts = {
    name: address.name,
    dimensions: probe.length,
    queryPrefix: queryPrefix ?? before?.queryPrefix ?? family.query,
    documentPrefix: documentPrefix ?? before?.documentPrefix ?? family.document,
    charactersMax: await longest(address),
  };
  const isSame = before !== undefined && before.dimensions === facts.dimensions &&
    before.queryPrefix === facts.queryPrefix && before.documentPrefix === facts.documentPrefix &&
    before.charactersMax === facts.charactersMax &&
    dot(probe, Float32Array.from(before.probe)) >= SAME_MIN;
  const identity = sha256Hex(JSON.stringify([facts, ...probe])).slice(0, 8);
  const embeds = await askRows(address, facts, CALIBRATION_ROWS, onProgress, FOREIGN_QUESTIONS);
  const { knots } = fitCalibration(embeds);
  endCooldown(address);
  return {
    ...facts,
    ...isSame && before.calibratedBy === "own pairs"
      ? { calibration: before.calibration, calibratedBy: before.calibratedBy }
      : { calibration: knots, calibratedBy: "pairs" },
    ...understoodBy(embeds),
    // The same model: vectors in indexes and caches stay valid.
    id: isSame ? before.id : `${slugOf(address.name)}@${identity}`,
    textMs: await measureEndpoint(address, facts.charactersMax),
    probe: isSame ? before.probe : [...probe],
    learnt: rfc3339(now()),
  };
}

/** Embeds these rows, and further questions, with the server. */
export function askRows(
  address: EndpointAddress,
  known: Pick<KnownEndpoint, "charactersMax" | "dimensions" | "queryPrefix" | "documentPrefix">,
  rows: readonly CalibrationRow[],
  onProgress: (share: number) => void,
  further: readonly string[] = [],
): Promise<Embeds> {
  const all = 3 * rows.length + further.length;
  let done = 0;
  const ask = (prefix: string) => async (texts: readonly string[]): Promise<Float32Array[]> => {
    const vectors: Float32Array[] = [];
    for (let at = 0; at < texts.length; at += BATCH_TEXTS_MAX) {
      const part = texts.slice(at, at + BATCH_TEXTS_MAX);
      const asked = part.map((text) => withPrefix(text, prefix, known.charactersMax));
      vectors.push(...await requestVectors(address, asked, PASSAGES_MS_MAX));
      onProgress((done += part.length) / all);
    }
    if (vectors.every(({ length }) => length === known.dimensions)) return vectors;
    throw new SageError("invalid_model", `${address.host} sends vectors of different lengths`, {
      hint: "nothing was stored; check what the server serves",
    });
  };
  return aheadOfRows(rows, ask(known.queryPrefix), ask(known.documentPrefix), further);
}

/** The longest text it takes: some servers refuse what is longer than their model reads. */
async function longest(address: EndpointAddress): Promise<number> {
  const text = longText(CHARACTERS_MAX);
  for (let characters = CHARACTERS_MAX;; characters = Math.floor(characters / 2)) {
    try {
      await requestVectors(address, [text.slice(0, characters)], PASSAGES_MS_MAX);
      return characters;
    } catch (error) {
      const mayBeLength = error instanceof SageError &&
        / answers with [45]\d\d/.test(error.message);
      if (!mayBeLength || characters / 2 < CHARACTERS_MIN) throw error;
    }
  }
}

/** Milliseconds for a single text of a chunk's length. */
export function measureEndpoint(address: EndpointAddress, charactersMax: number): Promise<number> {
  const text = longText(CHUNK_CHARACTERS).slice(0, Math.min(CHUNK_CHARACTERS, charactersMax) - 2);
  return measureLate((round) => requestVectors(address, [`${round} ${text}`], PASSAGES_MS_MAX));
}
