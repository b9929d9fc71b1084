/** Pulls a model: a known one by its name, any other by its address or its folder. */
import { SageError } from "../../base/errors.ts";
import { basename, join } from "../../base/path.ts";
import { CALIBRATION_ROWS } from "../../embed/calibration/texts.ts";
import { separatesPairs } from "../../embed/calibration/fit.ts";
import { type InstalledModel, modelId, readInstalled } from "../../embed/pulled/installed.ts";
import { findKnown, type KnownModel, otherModels } from "../../embed/pulled/known_models.ts";
import { type Pull, pullModel } from "../../embed/pulled/pull.ts";
import type { Progress } from "../../embed/pulled/published_source.ts";
import { dropIndexesOf } from "../sweep/index_folders.ts";
import { type Memory, modelsFolder } from "../memory.ts";

export type { Progress };

interface PullRequest {
  /** `all-MiniLM-L6-v2`, `owner/name`, either with `@revision`, or a folder. */
  readonly what: string;
  /** `what` as an absolute path, if it is a folder. */
  readonly folder: string | undefined;
  readonly name: string | undefined;
  /** Override what is known of the model. */
  readonly queryPrefix: string | undefined;
  readonly documentPrefix: string | undefined;
  onProgress(progress: Progress): void;
}

const ADDRESS = /^([A-Za-z0-9][\w.-]{0,95}\/)?([A-Za-z0-9][\w.-]{0,95})(?:@([\w.-]{1,95}))?$/;

export async function pull(memory: Memory, request: PullRequest): Promise<InstalledModel> {
  const { queryPrefix, documentPrefix, onProgress } = request;
  const { from, name, known } = request.folder === undefined
    ? fromAddress(memory, request.what)
    : fromFolder(memory, request.folder);
  const modelsDir = modelsFolder(memory.places);
  const called = request.name ?? name;
  const before = idOf(memory, called);
  const model = await pullModel({
    fs: memory.fs,
    modelsDir,
    name: called,
    from,
    queryPrefix: queryPrefix ?? known?.queryPrefix,
    documentPrefix: documentPrefix ?? known?.documentPrefix,
    now: () => memory.now(),
    onProgress,
  });
  // Other weights under the same name: vectors of the old ones are useless.
  if (before !== undefined && before !== modelId(model)) dropIndexesOf(memory, model.name);
  return model;
}

/** Whether it separated Sage's English pairs, or was not tested with them. */
export function readsEnglish({ found = Infinity }: InstalledModel): boolean {
  return separatesPairs({ found, asked: CALIBRATION_ROWS.length });
}

function idOf(memory: Memory, name: string): string | undefined {
  try {
    return modelId(readInstalled(memory.fs, modelsFolder(memory.places), name));
  } catch {
    // Not installed, or damaged.
    return undefined;
  }
}

interface Origin {
  readonly from: Pull["from"];
  readonly name: string;
  readonly known: KnownModel | undefined;
}

function fromAddress(memory: Memory, what: string): Origin {
  const [, owner, name = "", revision] = ADDRESS.exec(what) ?? [];
  const known = findKnown(name);
  const isKnown = known !== undefined &&
    (owner === undefined || `${owner}${name}`.toLowerCase() === known.repository.toLowerCase());
  if (name === "" || (owner === undefined && !isKnown)) {
    throw new SageError("not_found", `No model "${what}" is known`, { hint: otherModels(name) });
  }
  const hub = memory.config.get("embedding.hub");
  if (!isKnown) {
    const from = { hub, repository: `${owner}${name}`, revision: revision ?? "main" };
    return { from, name, known: undefined };
  }
  // The known hash is of the known revision only.
  const pinned = revision === undefined || revision === known.revision;
  const from = {
    hub,
    repository: known.repository,
    revision: revision ?? known.revision,
    weightsSha256: pinned ? known.weightsSha256 : undefined,
  };
  return { from, name: known.name, known };
}

function fromFolder({ fs }: Memory, typed: string): Origin {
  const folder = fs.lstat(typed) === undefined ? typed : fs.realPath(typed);
  const name = basename(folder);
  const known = findKnown(name);
  return { from: { folder: join(folder) }, name: known?.name ?? name, known };
}
