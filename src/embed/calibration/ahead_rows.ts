/** Embeds the texts of a calibration ahead with an asynchronous model, so that fitting can stay synchronous. */
import type { CalibrationRow } from "./texts.ts";
import type { Embeds } from "./fit.ts";

type Vectors = readonly (Float32Array | undefined)[];

/** An embedder that has vectors for the texts of these rows, and for these further questions, only. */
export async function aheadOfRows(
  rows: readonly CalibrationRow[],
  askQueries: (texts: readonly string[]) => Promise<Vectors>,
  askDocuments: (texts: readonly string[]) => Promise<Vectors>,
  further: readonly string[] = [],
): Promise<Embeds> {
  const embed = async (
    texts: readonly string[],
    ask: (texts: readonly string[]) => Promise<Vectors>,
  ): Promise<Map<string, Float32Array | undefined>> => {
    const distinct = [...new Set(texts)];
    const vectors = await ask(distinct);
    return new Map(distinct.map((text, i) => [text, vectors[i]]));
  };
  const questions = await embed(
    [...rows.map(({ question }) => question), ...further],
    askQueries,
  );
  const notes = await embed(rows.flatMap(({ note, edited }) => [note, edited]), askDocuments);
  return {
    embedQuery: (text) => questions.get(text),
    embedDocuments: (texts) => texts.map((text) => notes.get(text)),
  };
}
