/**
 * Fits the calibration of the built-in model. `calibrate` prints the knots of src/embed/calibration/calibration.ts as
 * the development set suggests them, and the quality of those in the source. It changes nothing: a knot is
 * changed by hand and justified in that file.
 */
import { lightEdits } from "../bench/retrieval/light_edits.ts";
import { readBytes, realFs } from "../src/base/fs.ts";
import { readJsonLines } from "../src/base/jsonl.ts";
import { calibrateStatic, CALIBRATION } from "../src/embed/calibration/calibration.ts";
import { dot } from "../src/base/dot.ts";
import { openStaticEmbedder } from "../src/embed/static.ts";

interface Paraphrase {
  readonly query: string;
  readonly note: string;
  readonly distractor: string;
}

/** Cosines by kind of pair, each ascending. */
interface Pairs {
  readonly true: number[];
  readonly random: number[];
  /** For each question, with the nearest of the other notes. */
  readonly nearestWrong: number[];
  readonly distractor: number[];
  readonly edits: ReadonlyMap<string, number[]>;
}

const SET = `${import.meta.dirname}/../bench/retrieval/sets/paraphrase-dev.jsonl`;
/** The share of questions for which an unrelated note may reach 0.70. */
const HARM_MAX = 0.05;

Deno.exit(run(Deno.args));

function run(args: string[]): number {
  if (args[0] !== "calibrate") {
    say("usage: deno run -A scripts/model.ts calibrate");
    return 2;
  }
  const pairs = measure(readJsonLines(readBytes(realFs, SET, 1 << 20)) as Paraphrase[]);
  printPairs(pairs);
  printFit(pairs);
  printQuality(pairs);
  printSweep(pairs);
  return 0;
}

function measure(rows: Paraphrase[]): Pairs {
  const embedder = openStaticEmbedder();
  const embed = (texts: string[]) =>
    embedder.embedDocuments(texts).map((vector) => vector ?? new Float32Array(256));
  const queries = embed(rows.map((row) => row.query));
  const notes = embed(rows.map((row) => row.note));
  const distractors = embed(rows.map((row) => row.distractor));
  const cosine = (a: Float32Array[], b: Float32Array[], i: number, j: number) =>
    dot(a[i] ?? new Float32Array(), b[j] ?? new Float32Array());
  const wrong = rows.map((_, i) =>
    rows.flatMap((_, j) => i === j ? [] : [cosine(queries, notes, i, j)])
  );
  const edits = new Map<string, number[]>();
  rows.flatMap((row) => [row.note, row.query]).forEach((text) => {
    for (const { kind, text: edited } of lightEdits(text)) {
      const [a, b] = embed([text, edited]);
      const list = edits.get(kind) ?? [];
      edits.set(kind, list);
      if (a !== undefined && b !== undefined) list.push(dot(a, b));
    }
  });
  embedder.close();
  for (const list of edits.values()) list.sort((a, b) => a - b);
  return {
    true: ascending(rows.map((_, i) => cosine(queries, notes, i, i))),
    random: ascending(wrong.flat()),
    nearestWrong: ascending(wrong.map((list) => Math.max(...list))),
    distractor: ascending(rows.map((_, i) => cosine(queries, distractors, i, i))),
    edits,
  };
}

function printPairs(pairs: Pairs): void {
  say("cosines                    n    min     5%    50%    95%    max");
  const line = (name: string, list: number[]) => {
    const cells = [0, 0.05, 0.5, 0.95, 1].map((p) => at(list, p).toFixed(3).padStart(7));
    say(`${name.padEnd(22)}${String(list.length).padStart(6)}${cells.join("")}`);
  };
  line("question, its note", pairs.true);
  line("question, other note", pairs.random);
  line("  nearest of 62", pairs.nearestWrong);
  line("question, distractor", pairs.distractor);
  for (const [kind, list] of pairs.edits) line(`light edit: ${kind}`, list);
}

function printFit(pairs: Pairs): void {
  const edits = ascending([...pairs.edits.values()].flat());
  say(
    "\nfit                                                              share  cosine  compiled in",
  );
  const line = (rule: string, share: number, cosine: number) => {
    const compiled = CALIBRATION.find(([, y]) => y === share)?.[0] ?? NaN;
    say(`${rule.padEnd(64)} ${share.toFixed(2)}  ${cosine.toFixed(3)}   ${compiled.toFixed(2)}`);
  };
  line("19 of 20 unrelated pairs stay below", 0.35, at(pairs.random, 0.95));
  line(
    "19 of 20 questions meet nothing unrelated above",
    0.7,
    at(pairs.nearestWrong, 1 - HARM_MAX),
  );
  const between = (at(pairs.distractor, 1) + at(edits, 0.05)) / 2;
  line("half-way from the nearest distractor to the furthest light edits", 0.9, between);
}

function printQuality(pairs: Pairs): void {
  say("\nshare of pairs             ≥ 0.90  ≥ 0.70  ≥ 0.60  ≤ 0.35");
  const line = (name: string, list: number[]) => {
    const values = list.map(calibrateStatic);
    const share = (test: (value: number) => boolean) =>
      `${(values.filter(test).length / values.length * 100).toFixed(1)}%`.padStart(8);
    const cells = [0.9, 0.7, 0.6].map((limit) => share((value) => value >= limit));
    say(`${name.padEnd(25)}${cells.join("")}${share((value) => value <= 0.35)}`);
  };
  line("question, its note", pairs.true);
  line("question, other note", pairs.random);
  line("  nearest of 62", pairs.nearestWrong);
  line("question, distractor", pairs.distractor);
  for (const [kind, list] of pairs.edits) line(`light edit: ${kind}`, list);
}

/** The results if 0.70 were at other cosines. */
function printSweep(pairs: Pairs): void {
  say("\n0.70 at cosine   own note found   any unrelated of 62");
  for (let cosine = 0.24; cosine < 0.39; cosine += 0.02) {
    const share = (list: number[]) =>
      `${(list.filter((value) => value >= cosine).length / list.length * 100).toFixed(0)}%`;
    const own = share(pairs.true).padStart(16);
    say(`${cosine.toFixed(2).padStart(14)} ${own} ${share(pairs.nearestWrong).padStart(21)}`);
  }
}

function ascending(list: number[]): number[] {
  return [...list].sort((a, b) => a - b);
}

/** The quantile of a sorted list. */
function at(list: number[], share: number): number {
  return list[Math.min(list.length - 1, Math.floor(share * list.length))] ?? NaN;
}

function say(line: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(`${line}\n`));
}
