/** Deletes a model, or what an interrupted pull left; never the one in use. */
import { SageError } from "../../base/errors.ts";
import { type Fs, listIfDir } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { BUILT_IN, isEndpointName } from "../../embed/embedder.ts";
import { isModelName } from "../../embed/pulled/installed.ts";
import { lockPull, WORK_FOLDER } from "../../embed/pulled/pull.ts";
import { dropIndexesOf } from "../sweep/index_folders.ts";
import { type Memory, modelsFolder } from "../memory.ts";
import { addressOf, removeEndpoint } from "./endpoint.ts";
import { wantedModel } from "./list.ts";

interface RemovedModel {
  readonly name: string;
  readonly megabytes: number;
}

export function removeModel(memory: Memory, name: string): RemovedModel {
  if (name === BUILT_IN) {
    throw new SageError("refused", `Cannot delete "${BUILT_IN}": it is part of the program`, {
      hint: "sage model list shows the others",
    });
  }
  if (isEndpointName(name)) {
    if (wantedModel(memory) === addressOf(name).name) throw inUse(name);
    removeEndpoint(memory, name);
    return { name, megabytes: 0 };
  }
  const { fs } = memory;
  const folder = modelsFolder(memory.places);
  const names = listIfDir(fs, folder).map((entry) => entry.name);
  const found = names.find((other) => other.toLowerCase() === name.toLowerCase());
  if (found === undefined || !isModelName(found)) {
    throw new SageError("not_found", `Model "${name}" is not here`, { hint: "sage model list" });
  }
  if (wantedModel(memory).toLowerCase() === found.toLowerCase()) throw inUse(found);
  const work = join(folder, found, WORK_FOLDER);
  // Fails if another process is pulling it.
  if (fs.lstat(work)?.kind === "dir") lockPull(fs, work, found).close();
  const bytes = remove(fs, join(folder, found));
  dropIndexesOf(memory, found);
  return { name: found, megabytes: Math.round(bytes / 1e6) };
}

function inUse(name: string): SageError {
  return new SageError("refused", `Model "${name}" is in use`, {
    hint: `sage model use ${BUILT_IN} goes back to the built-in one first`,
  });
}

/** Deletes the `.json` files first, so that a half-deleted model counts as missing. Returns the bytes freed. */
function remove(fs: Fs, folder: string): number {
  let bytes = 0;
  const entries = fs.list(folder).sort((a, b) =>
    Number(b.name.endsWith(".json")) - Number(a.name.endsWith(".json"))
  );
  for (const { name, kind } of entries) {
    const path = join(folder, name);
    if (kind === "dir") bytes += remove(fs, path);
    else {
      bytes += fs.lstat(path)?.size ?? 0;
      fs.unlink(path);
    }
  }
  fs.removeDir(folder);
  return bytes;
}
