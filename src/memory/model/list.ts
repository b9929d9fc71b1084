/** The models that can be used: the built-in one, installed ones, servers, and known ones to pull. */
import { BUILT_IN, isEndpointName } from "../../embed/embedder.ts";
import { knownEndpoints } from "../../embed/endpoint/endpoint.ts";
import {
  findInstalledName,
  installedNames,
  isModelName,
  readInstalled,
} from "../../embed/pulled/installed.ts";
import { listIfDir } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { WORK_FOLDER } from "../../embed/pulled/pull.ts";
import { KNOWN_MODELS } from "../../embed/pulled/known_models.ts";
import { SageError } from "../../base/errors.ts";
import { type Memory, modelsFolder } from "../memory.ts";

export interface ModelItem {
  readonly name: string;
  readonly state: "in use" | "here" | "damaged" | "partly here" | "missing" | "not here";
  readonly dimensions?: number;
  readonly megabytes?: number;
  /** Milliseconds for a text of a note's length, as measured when it was pulled. */
  readonly text_ms?: number;
  readonly source?: string;
  readonly revision?: string;
  readonly summary: string;
}

/** The model that `embedding.model` names, spelt as its folder is. */
export function wantedModel(memory: Memory): string {
  const wanted = memory.config.get("embedding.model");
  return findInstalledName(memory.fs, modelsFolder(memory.places), wanted) ?? wanted;
}

export function listModels(memory: Memory): ModelItem[] {
  const here = installedNames(memory.fs, modelsFolder(memory.places));
  const wanted = wantedModel(memory);
  const servers = knownEndpoints(memory.fs, modelsFolder(memory.places));
  const isThere = [BUILT_IN, ...here, ...servers.map(({ name }) => name)].includes(wanted);
  const gone = isThere ? [] : [wanted];
  const begun = begunModels(memory).filter((name) => ![...here, ...gone].includes(name));
  const named = [...here, ...gone, ...begun];
  return [
    ...gone.map((name): ModelItem => ({
      name,
      state: "missing",
      summary: "is set but not here; the built-in model is used instead",
    })),
    {
      name: BUILT_IN,
      state: wanted === BUILT_IN ? "in use" : "here",
      dimensions: memory.builtIn().dimensions,
      text_ms: 0,
      summary: "in the binary, a thousand times quicker than any other, English",
    },
    ...here.map((name) => installed(memory, name, wanted)),
    ...servers.map((known): ModelItem => ({
      name: known.name,
      state: known.name === wanted ? "in use" : "here",
      dimensions: known.dimensions,
      text_ms: known.textMs,
      summary: "an embeddings server on this machine",
    })),
    ...begun.map((name): ModelItem => ({
      name,
      state: "partly here",
      summary: "its pull was interrupted: pull again to continue, or sage model rm",
    })),
    ...KNOWN_MODELS.filter(({ name }) => !named.includes(name))
      .map(({ name, repository, revision, summary }): ModelItem => ({
        name,
        state: "not here",
        source: repository,
        revision,
        summary,
      })),
  ];
}

/** Throws `usage` for a name that no model has, here or among those that can be pulled. */
export function requireModel(memory: Memory, name: string): void {
  if (isEndpointName(name)) return;
  const names = [BUILT_IN, ...KNOWN_MODELS.map((known) => known.name)];
  const here = findInstalledName(memory.fs, modelsFolder(memory.places), name);
  if (here !== undefined || names.includes(name)) return;
  throw new SageError("usage", `No model is called "${name}"`, {
    hint: "sage model list shows those that are here or can be pulled",
  });
}

/** Names of models that a pull has begun with, by the folder that it works in. */
function begunModels({ fs, places }: Memory): string[] {
  const models = modelsFolder(places);
  return listIfDir(fs, models).map(({ name }) => name)
    .filter((name) => isModelName(name) && fs.lstat(join(models, name, WORK_FOLDER)) !== undefined);
}

function installed(memory: Memory, name: string, wanted: string): ModelItem {
  const summary = KNOWN_MODELS.find((known) => known.name === name)?.summary ?? "";
  try {
    const facts = readInstalled(memory.fs, modelsFolder(memory.places), name);
    return {
      name,
      state: name === wanted ? "in use" : "here",
      dimensions: facts.dimensions,
      megabytes: Math.round(facts.weights.size / 1e6),
      text_ms: facts.textMs,
      source: facts.source,
      revision: facts.revision,
      summary,
    };
  } catch (error) {
    if (!(error instanceof SageError)) throw error;
    return { name, state: "damaged", summary: `sage model pull ${name} brings it back` };
  }
}
