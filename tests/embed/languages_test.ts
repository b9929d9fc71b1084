/** Which languages a model understands is measured, and what it does not understand is not embedded. */
import assert from "node:assert/strict";
import { FOREIGN_QUESTIONS, understoodBy } from "../../src/embed/calibration/languages.ts";
import { CALIBRATION_ROWS } from "../../src/embed/calibration/texts.ts";
import { readingOf } from "../../src/embed/reading.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { LANGUAGES } from "../../src/search/query/words.ts";

const ASKED = 8;
const NAMES = LANGUAGES.map(({ name }) => name);

Deno.test("understoodBy() names the languages whose questions find half of what English ones find", () => {
  // Each language that questions are recognised in, in their order.
  const half = FOREIGN_QUESTIONS.slice(0, ASKED / 2);
  const french = FOREIGN_QUESTIONS.slice(ASKED, 2 * ASKED);
  const less = FOREIGN_QUESTIONS.slice(2 * ASKED, 2 * ASKED + 3);
  assert.deepEqual(understoodBy(modelOf([...half, ...french, ...less])), {
    languages: ["german", "french"],
  });
  assert.deepEqual(understoodBy(modelOf(FOREIGN_QUESTIONS)), { languages: NAMES });
});

Deno.test("understoodBy() says nothing of a model that does not understand English", () => {
  assert.deepEqual(understoodBy(modelOf(FOREIGN_QUESTIONS, [])), {});
});

Deno.test("understoodBy() finds that the built-in model understands English only", () => {
  const embedder = openStaticEmbedder();
  assert.deepEqual(understoodBy(embedder), { languages: [] });
  embedder.close();
});

Deno.test("readingOf() leaves no script to a model of Latin languages but its own", () => {
  const reads = (languages: readonly string[], text: string): boolean =>
    readingOf(languages).reads?.(text) ?? true;
  assert.deepEqual(
    [reads([], "un café"), reads(["german"], "ключ"), reads(["chinese"], "ключ")],
    [true, false, true],
  );
  assert.deepEqual(readingOf(undefined), {});
});
/** A model for which each note is a direction of its own, and which knows the way from these questions only. */
function modelOf(
  understood: readonly string[],
  rows = CALIBRATION_ROWS.map(({ question }) => question),
) {
  const places = [6, 8, 9, 12, 15, 20, 22, 28];
  const direction = (i: number): Float32Array =>
    Float32Array.from(CALIBRATION_ROWS, (_, j) => i === j ? 1 : 0);
  const placeOf = (question: string): number => {
    const own = rows.indexOf(question);
    return own >= 0 ? own : places[FOREIGN_QUESTIONS.indexOf(question) % ASKED] ?? -1;
  };
  return {
    embedQuery: (text: string) =>
      // Whatever it does not understand is near the first note.
      direction(rows.includes(text) || understood.includes(text) ? placeOf(text) : 0),
    embedDocuments: (texts: readonly string[]) => texts.map((_, i) => direction(i)),
  };
}
