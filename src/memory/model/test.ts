/** Tests a model on fixed pairs: how alike it finds the same, a related and an unrelated text, and how fast. */
import { monotonic } from "../../base/clock.ts";
import { dot } from "../../base/dot.ts";
import { assert, SageError } from "../../base/errors.ts";
import { join } from "../../base/path.ts";
import { round } from "../../base/round.ts";
import { openBertEmbedder } from "../../embed/bert_embedder.ts";
import { calibrate } from "../../embed/calibration/calibration.ts";
import { CALIBRATION_ROWS, type CalibrationRow } from "../../embed/calibration/texts.ts";
import { BUILT_IN, type Embedder, isEndpointName } from "../../embed/embedder.ts";
import { readEndpoint } from "../../embed/endpoint/endpoint.ts";
import { PASSAGES_MS_MAX } from "../../embed/endpoint/embedder.ts";
import { askRows, measureEndpoint } from "../../embed/endpoint/learn.ts";
import { requestVectors } from "../../embed/endpoint/request.ts";
import { openOnnxModel } from "../../embed/onnx/model.ts";
import { FOREIGN_QUESTIONS, understoodBy } from "../../embed/calibration/languages.ts";
import { measureOnnx, onnxRows } from "../../embed/onnx_install.ts";
import { type Embeds, fitCalibration, measureText } from "../../embed/calibration/fit.ts";
import {
  filesOf,
  findInstalledName,
  identify,
  type InstalledModel,
  installedNames,
  onnxFiles,
  readInstalled,
} from "../../embed/pulled/installed.ts";
import { otherModels, pullOf } from "../../embed/pulled/known_models.ts";
import { type Memory, modelsFolder } from "../memory.ts";
import { addressOf } from "./endpoint.ts";
import { wantedModel } from "./list.ts";

interface TestedPair {
  readonly kind: "the same" | "question" | "unrelated";
  readonly a: string;
  readonly b: string;
  readonly cosine: number;
  /** The cosine as a threshold sees it. */
  readonly share: number;
}

export interface ModelTest {
  readonly name: string;
  readonly pairs: readonly TestedPair[];
  /** Of `asked` questions in other words, how many found their own note first. */
  readonly found: number;
  readonly asked: number;
  /** What it understands, English first; absent if nothing can be told. */
  readonly languages?: readonly string[];
  /** From nothing loaded to the first vector. */
  readonly first_ms: number;
  readonly query_ms: number;
  readonly text_ms: number;
}

const ROUNDS = 10;

export async function testModel(memory: Memory, name: string | undefined): Promise<ModelTest> {
  const wanted = name ?? wantedModel(memory);
  if (isEndpointName(wanted)) return await testEndpoint(memory, wanted);
  const facts = wanted === BUILT_IN ? undefined : checkModel(memory, wanted);
  if (facts?.onnx !== undefined) return await testOnnx(memory, facts);
  const start = monotonic();
  const embedder = facts === undefined
    ? { ...memory.builtIn(), close: () => {} }
    : openBertEmbedder(memory.fs, modelsFolder(memory.places), facts.name, () => {});
  try {
    const { one } = pairTexts();
    embedder.embedQuery(one.question);
    const firstMs = monotonic() - start;
    return {
      name: wanted,
      ...comparePairs(embedder, (cosine) => embedder.calibrate(cosine)),
      first_ms: round(firstMs, 3),
      query_ms: round(duration(() => embedder.embedQuery(one.question)), 3),
      text_ms: measureText(embedder),
    };
  } finally {
    embedder.close();
  }
}

/** Sends a server the requests of its registration again, and times them. */
async function testEndpoint(memory: Memory, name: string): Promise<ModelTest> {
  const known = readEndpoint(memory.fs, modelsFolder(memory.places), addressOf(name).name);
  const address = addressOf(known.name);
  const ask = async (text: string): Promise<number> => {
    const start = monotonic();
    await requestVectors(address, [known.queryPrefix + text], PASSAGES_MS_MAX);
    return monotonic() - start;
  };
  const { one } = pairTexts();
  const firstMs = await ask(one.question);
  const queryMs = await ask(one.question);
  const embeds = await askRows(address, known, CALIBRATION_ROWS, () => {}, FOREIGN_QUESTIONS);
  return {
    name: known.name,
    ...comparePairs(embeds, (cosine) => calibrate(known.calibration, cosine)),
    first_ms: round(firstMs, 3),
    query_ms: round(queryMs, 3),
    text_ms: await measureEndpoint(address, known.charactersMax),
  };
}

/** The ONNX runtime is asynchronous, so each text is timed on its own. */
async function testOnnx({ fs, places }: Memory, facts: InstalledModel): Promise<ModelTest> {
  const models = modelsFolder(places);
  const { one } = pairTexts();
  const start = monotonic();
  const model = await openOnnxModel(fs, onnxFiles(models, facts));
  try {
    await model.embed(one.question, facts.queryPrefix);
    const firstMs = monotonic() - start;
    const again = monotonic();
    for (let i = 0; i < ROUNDS; i++) await model.embed(one.question, facts.queryPrefix);
    const queryMs = (monotonic() - again) / ROUNDS;
    const embeds = await onnxRows(fs, models, facts, CALIBRATION_ROWS, FOREIGN_QUESTIONS);
    return {
      name: facts.name,
      ...comparePairs(embeds, (cosine) => calibrate(facts.calibration, cosine)),
      first_ms: round(firstMs, 3),
      query_ms: round(queryMs, 3),
      text_ms: await measureOnnx(model),
    };
  } finally {
    await model.close();
  }
}

function comparePairs(
  embedder: Embeds,
  calibrated: Embedder["calibrate"],
): Pick<ModelTest, "pairs" | "found" | "asked" | "languages"> {
  const { one, other } = pairTexts();
  const [note, edited, unrelated] = embedder.embedDocuments([one.note, one.edited, other.note]);
  const question = embedder.embedQuery(one.question);
  const pair = (
    kind: TestedPair["kind"],
    [a, b]: readonly [string, string],
    [x, y]: readonly [Float32Array | undefined, Float32Array | undefined],
  ): TestedPair => {
    const cosine = x === undefined || y === undefined ? 0 : dot(x, y);
    return { kind, a, b, cosine: round(cosine, 3), share: round(calibrated(cosine), 3) };
  };
  const { found, asked } = fitCalibration(embedder);
  const { languages } = understoodBy(embedder);
  return {
    pairs: [
      pair("the same", [one.note, one.edited], [note, edited]),
      pair("question", [one.question, one.note], [question, note]),
      pair("unrelated", [one.question, other.note], [question, unrelated]),
    ],
    found,
    asked,
    ...languages === undefined ? {} : { languages: ["english", ...languages] },
  };
}

function pairTexts(): { one: CalibrationRow; other: CalibrationRow } {
  const [one, other] = CALIBRATION_ROWS;
  assert(one !== undefined && other !== undefined, "there are texts");
  return { one, other };
}

/** The facts of an installed model. Fails unless every file has the hash that it was pulled with. */
export function checkModel({ fs, places }: Memory, name: string): InstalledModel {
  const folder = modelsFolder(places);
  const found = findInstalledName(fs, folder, name);
  if (found === undefined) {
    throw new SageError("not_found", `Model "${name}" is not here`, {
      hint: pullOf(name) ?? otherModels(name, [BUILT_IN, ...installedNames(fs, folder)]),
    });
  }
  const facts = readInstalled(fs, folder, found);
  const isWhole = filesOf(facts).every((file) => {
    const path = join(folder, facts.name, file.name);
    return fs.lstat(path)?.kind === "file" && identify(fs, path).sha256 === file.sha256;
  });
  if (isWhole) return facts;
  throw new SageError("invalid_model", `Model "${facts.name}" is not what was pulled`, {
    hint: `sage model pull ${facts.name} brings it back`,
  });
}

function duration(work: () => void): number {
  const start = monotonic();
  for (let i = 0; i < ROUNDS; i++) work();
  return (monotonic() - start) / ROUNDS;
}
