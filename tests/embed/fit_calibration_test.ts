/** Thresholds mean the same for every model: what is fitted, to the model whose knots are known, and to others. */
import assert from "node:assert/strict";
import { calibrate, CALIBRATION } from "../../src/embed/calibration/calibration.ts";
import { CALIBRATION_ROWS } from "../../src/embed/calibration/texts.ts";
import { type Embeds, fitCalibration } from "../../src/embed/calibration/fit.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";

const model = openStaticEmbedder();
// Opened once for all; every read of it is one of the model's file.
model.embedQuery("memory");
globalThis.addEventListener("unload", () => model.close());

/** The built-in model with its cosines pushed up into a narrow band, as many models have them. */
function narrowed(by: number): Embeds {
  const widen = (vector: Float32Array | undefined): Float32Array | undefined => {
    if (vector === undefined) return undefined;
    const length = Math.sqrt(1 + by * by);
    return Float32Array.from([...vector, by], (value) => value / length);
  };
  return {
    embedQuery: (text) => widen(model.embedQuery(text)),
    embedDocuments: (texts) => model.embedDocuments(texts).map(widen),
  };
}

Deno.test("fitCalibration() finds the built-in model's own knots again", () => {
  const { knots } = fitCalibration(model);
  CALIBRATION.slice(1, 4).forEach(([cosine, share], i) => {
    const [fitted, same] = knots[i + 1] ?? [0, 0];
    assert.equal(same, share);
    assert.ok(Math.abs(fitted - cosine) < 0.03, `${share}: ${fitted} instead of ${cosine}`);
  });
});

Deno.test("fitCalibration() asks the same of a model whose cosines are all high", () => {
  const high = narrowed(1.5);
  const [plain, other] = [fitCalibration(model), fitCalibration(high)];
  assert.equal(other.found, plain.found);
  const [question] = CALIBRATION_ROWS.map(({ question }) => question);
  const a = high.embedQuery(question ?? "") ?? new Float32Array();
  for (const { note } of CALIBRATION_ROWS.slice(0, 8)) {
    const [b = new Float32Array()] = high.embedDocuments([note]);
    const cosine = a.reduce((sum, value, i) => sum + value * (b[i] ?? 0), 0);
    const original = cosine * (1 + 1.5 ** 2) - 1.5 ** 2;
    const shares = [calibrate(plain.knots, original), calibrate(other.knots, cosine)];
    assert.ok(Math.abs((shares[0] ?? 0) - (shares[1] ?? 0)) < 0.02, shares.join(" "));
  }
});

Deno.test("fitCalibration() rises for models that tell nothing apart", () => {
  const constant = Float32Array.from({ length: 16 }, () => 0.25);
  const blind = {
    embedQuery: () => undefined,
    embedDocuments: (texts: readonly string[]) => texts.map(() => undefined),
  };
  const deaf: Embeds = {
    embedQuery: () => constant,
    embedDocuments: (texts) => texts.map(() => constant),
  };
  for (const embeds of [blind, deaf]) {
    const { knots } = fitCalibration(embeds);
    knots.forEach(([cosine, share], i) => {
      const [before, below] = knots[i - 1] ?? [-Infinity, -Infinity];
      assert.ok(cosine > before && share > below && cosine <= 1, JSON.stringify(knots));
    });
  }
});
