/**
 * Switches to another model: every index is made for it first, in steps that survive a killed process;
 * then the setting is written, and the old model's indexes are deleted. Until the setting is written the
 * old model is used.
 */
import { SageError } from "../../base/errors.ts";
import { join } from "../../base/path.ts";
import { BUILT_IN, isEndpointName } from "../../embed/embedder.ts";
import type { CalibrationRow } from "../../embed/calibration/texts.ts";
import { listProjects } from "../../store/projects.ts";
import { dropOtherIndexes } from "../sweep/index_folders.ts";
import { answersLate, indexFolder, type Memory, openMemory, storesThere } from "../memory.ts";
import { refreshAll } from "../index/reindex.ts";
import { setSetting } from "../settings.ts";
import { settleCalibration } from "./calibrate.ts";
import { learn, type Prefixes } from "./endpoint.ts";
import { evenSample, sampleNotes } from "./sample_notes.ts";
import { checkModel } from "./test.ts";

interface UseReport {
  readonly model: string;
  /** Notes in all indexes, and how many of them had to be embedded now. */
  readonly notes: number;
  readonly embedded: number;
  /** Whether its mapping did not suit these notes and was fitted to them. */
  readonly fitted_to_notes: boolean;
  readonly file: string;
}

type OnStep = (project: string, done: number, all: number) => void;

const AS_KNOWN: Prefixes = { queryPrefix: undefined, documentPrefix: undefined };

export async function useModel(
  memory: Memory,
  name: string,
  onStep: OnStep,
  prefixes: Prefixes = AS_KNOWN,
): Promise<UseReport> {
  const isPrefixed = prefixes.queryPrefix !== undefined || prefixes.documentPrefix !== undefined;
  if (isPrefixed && !isEndpointName(name)) {
    throw new SageError("usage", `The prefixes of "${name}" are set when it is pulled`, {
      hint: `sage model pull ${name} --query-prefix <text>`,
    });
  }
  const measured = (share: number): void => onStep(name, Math.round(share * 100), 100);
  const model = isEndpointName(name)
    ? (await learn(memory, name, prefixes, measured)).name
    : installedName(memory, name);
  const { made, rows, isLate } = await embedAll(memory, model, onStep);
  const fitted = await settleCalibration(memory, model, evenSample(rows), measured);
  const { file } = await setSetting(memory, "embedding.model", model);
  for (const [id, { folder, plain }] of made) {
    // Hooks never use an embeddings server, so the built-in model's index stays as well.
    const kept = isLate ? [folder, plain] : [folder];
    dropOtherIndexes(memory, id, kept);
  }
  const all = [...made.values()];
  return {
    model,
    notes: all.reduce((sum, { notes }) => sum + notes, 0),
    embedded: all.reduce((sum, { changed }) => sum + changed, 0),
    fitted_to_notes: fitted,
    file,
  };
}

/** A store's index for the new model. */
interface Made {
  readonly folder: string;
  /** The folder of the built-in model's index. */
  readonly plain: string;
  readonly notes: number;
  readonly changed: number;
}

interface Embedded {
  /** By the store's id. */
  readonly made: ReadonlyMap<string, Made>;
  readonly rows: readonly CalibrationRow[];
  readonly isLate: boolean;
}

/** Indexes the notes of this project and of every known one with the model. */
async function embedAll(memory: Memory, model: string, onStep: OnStep): Promise<Embedded> {
  const made = new Map<string, Made>();
  const rows = new Map<string, CalibrationRow>();
  let isLate = false;
  for (const root of await roots(memory)) {
    const there = await openMemory({
      cwd: root,
      env: memory.env,
      holder: memory.holder,
      ...(memory.confine === undefined ? {} : { confine: memory.confine }),
      flags: { "embedding.model": model },
      fs: memory.fs,
      now: () => memory.now(),
    });
    try {
      await there.prepare();
      refuseFallback(there, model);
      isLate ||= answersLate(there);
      const step = (done: number, all: number): void => onStep(there.places.projectName, done, all);
      const stores = storesThere(there);
      const reports = await refreshAll(there, { onStep: step });
      if (reports.some(({ complete }) => !complete)) throw unusable(there, model);
      reports.forEach(({ notes, changed }, i) => {
        const store = stores[i];
        if (store === undefined) return;
        const before = made.get(store.id)?.changed ?? 0;
        const folder = indexFolder(there, store);
        const plain = indexFolder(there.plain(), store);
        made.set(store.id, { folder, plain, notes, changed: changed + before });
      });
      const sampled = model === BUILT_IN ? [] : await sampleNotes(there);
      for (const row of sampled) rows.set(row.note, row);
    } finally {
      there.close();
    }
  }
  return { made, rows: [...rows.values()], isLate };
}

function installedName(memory: Memory, name: string): string {
  // Checks every byte: a damaged model would be set without embedding anything.
  return name === BUILT_IN ? name : checkModel(memory, name).name;
}

/** The folders of this project and of every known one whose store exists. */
async function roots(memory: Memory): Promise<string[]> {
  const known = await listProjects(memory.fs, memory.places.userRoot);
  const there = known.map(({ root }) => root).filter((root) =>
    memory.fs.lstat(join(root, ".sage"))?.kind === "dir"
  );
  return [...new Set([memory.places.projectDir, ...there])];
}

/** Fails if the model could not be opened and the built-in one took its place. */
function refuseFallback(there: Memory, model: string): void {
  if (model === BUILT_IN || there.embedder() !== there.builtIn()) return;
  throw unusable(there, model);
}

function unusable(there: Memory, model: string): SageError {
  return new SageError("invalid_model", there.warnings.at(-1) ?? `Cannot use model "${model}"`, {
    hint: isEndpointName(model) ? "check that the server is running" : `sage model pull ${model}`,
  });
}
