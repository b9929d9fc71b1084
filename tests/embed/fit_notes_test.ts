/** Thresholds read off notes that nobody labelled: they agree with those that were fitted to labels. */
import assert from "node:assert/strict";
import { CALIBRATION } from "../../src/embed/calibration/calibration.ts";
import type { CalibrationRow } from "../../src/embed/calibration/texts.ts";
import { type Embeds, fitCalibration, separatesPairs } from "../../src/embed/calibration/fit.ts";
import {
  fitNotes,
  noteRow,
  NOTES_MAX,
  NOTES_MIN,
  suitsNotes,
} from "../../src/embed/calibration/fit_notes.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";

const model = openStaticEmbedder();
model.embedQuery("memory");
globalThis.addEventListener("unload", () => model.close());

/** Another language: every letter is another one, and the model reads nothing else. */
function foreign(text: string): string {
  return text.replace(/[a-z]/gi, (letter) => {
    const first = letter <= "Z" ? 65 : 97;
    return String.fromCharCode(first + (letter.charCodeAt(0) - first + 13) % 26);
  });
}

const reader: Embeds = {
  embedQuery: (text) => model.embedQuery(foreign(text)),
  embedDocuments: (texts) => model.embedDocuments(texts.map(foreign)),
};

/** Notes of ten months of two projects. */
function notes(project: "software" | "research", count = NOTES_MAX): CalibrationRow[] {
  const path = new URL(`../../bench/retrieval/sets/vault/notes_${project}.jsonl`, import.meta.url);
  const all = Deno.readTextFileSync(path).trim().split("\n").map((line) => JSON.parse(line))
    .filter(({ kind }) => kind === "knowledge");
  return Array.from({ length: count }, (_, i) => all[Math.floor(i * all.length / count)])
    .map(({ title, text }) => noteRow(title, `${title}\n${text.split("\n\n")[0]}`));
}

function assertNear(knots: readonly (readonly [number, number])[]): void {
  CALIBRATION.slice(1, 4).forEach(([cosine, share], i) => {
    const [fitted = 0] = knots[i + 1] ?? [];
    assert.ok(Math.abs(fitted - cosine) < 0.05, `${share}: ${fitted} instead of ${cosine}`);
  });
}

Deno.test("fitNotes() finds the built-in model's own knots in notes of any project", () => {
  for (const project of ["software", "research"] as const) {
    for (const count of [NOTES_MIN, NOTES_MAX]) {
      const rows = notes(project, count);
      assertNear(fitNotes(model, rows).knots);
      assert.ok(suitsNotes(CALIBRATION, model, rows));
    }
  }
});

Deno.test("fitNotes() finds them for a model of another language, which the pairs do not suit", () => {
  const rows = notes("software").map(({ question, note }) =>
    noteRow(foreign(question), foreign(note))
  );
  const pairs = fitCalibration(reader);
  assert.ok(!separatesPairs(pairs), `${pairs.found} of ${pairs.asked}`);
  assert.ok(!suitsNotes(pairs.knots, reader, rows), JSON.stringify(pairs.knots));
  const { knots } = fitNotes(reader, rows);
  assertNear(knots);
  assert.ok(suitsNotes(knots, reader, rows));
});

Deno.test("noteRow() leaves every fourth word out, also where no space stands between words", () => {
  assert.equal(noteRow("", "one two three four five").edited, "one two three  five");
  const { note, edited } = noteRow("", "上流のデータが変わるのでキャッシュは一時間後に消える");
  assert.ok(edited.length < note.length && edited.length > note.length / 2, edited);
});

Deno.test("fitNotes() rises for models that tell nothing apart", () => {
  const constant = Float32Array.from({ length: 16 }, () => 0.25);
  const deaf: Embeds = {
    embedQuery: () => constant,
    embedDocuments: (texts) => texts.map(() => constant),
  };
  const { knots } = fitNotes(deaf, notes("software", NOTES_MIN));
  knots.forEach(([cosine, share], i) => {
    const [before, below] = knots[i - 1] ?? [-Infinity, -Infinity];
    assert.ok(cosine > before && share > below && cosine <= 1, JSON.stringify(knots));
  });
});
