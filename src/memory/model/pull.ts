/** Brings a model here: one of the known by its name, any other by its address or its folder. */
import { SageError } from "../../base/errors.ts";
import { join } from "../../base/fs.ts";
import type { InstalledModel } from "../../embed/installed.ts";
import { findKnown, type KnownModel } from "../../embed/known_models.ts";
import { type Progress, type Pull, pullModel } from "../../embed/pull.ts";
import { type Memory, modelsFolder } from "../memory.ts";

export type { Progress };

export interface PullRequest {
  /** `all-MiniLM-L6-v2`, `owner/name`, either with `@revision`, or a folder. */
  readonly what: string;
  /** The folder that `what` is, as the caller's own place makes it absolute. */
  readonly folder: string | undefined;
  readonly name: string | undefined;
  /** Over what is known of the model. */
  readonly queryPrefix: string | undefined;
  readonly documentPrefix: string | undefined;
  onProgress(progress: Progress): void;
}

const ADDRESS = /^([A-Za-z0-9][\w.-]{0,95}\/)?([A-Za-z0-9][\w.-]{0,95})(?:@([\w.-]{1,95}))?$/;

export async function pull(memory: Memory, request: PullRequest): Promise<InstalledModel> {
  const { queryPrefix, documentPrefix, onProgress } = request;
  const { from, name, known } = request.folder === undefined
    ? fromAddress(memory, request.what)
    : fromFolder(request.folder);
  return await pullModel({
    fs: memory.fs,
    modelsDir: modelsFolder(memory.places),
    name: request.name ?? name,
    from,
    queryPrefix: queryPrefix ?? known?.queryPrefix,
    documentPrefix: documentPrefix ?? known?.documentPrefix,
    now: () => memory.now(),
    onProgress,
  });
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
    throw new SageError("not_found", `No model "${what}" is known`, {
      hint: "sage model list names them; any other is pulled as owner/name",
    });
  }
  const hub = memory.config.get("embedding.hub");
  if (!isKnown) {
    const from = { hub, repository: `${owner}${name}`, revision: revision ?? "main" };
    return { from, name, known: undefined };
  }
  // Another revision than the one that was looked at has other weights.
  const pinned = revision === undefined || revision === known.revision;
  const from = {
    hub,
    repository: known.repository,
    revision: revision ?? known.revision,
    weightsSha256: pinned ? known.weightsSha256 : undefined,
  };
  return { from, name: known.name, known };
}

function fromFolder(folder: string): Origin {
  const name = folder.replaceAll("\\", "/").replace(/\/+$/, "").split("/").at(-1) ?? "";
  const known = findKnown(name);
  return { from: { folder: join(folder) }, name: known?.name ?? name, known };
}
