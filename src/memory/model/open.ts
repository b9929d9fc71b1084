/**
 * Opens the model that is set in place of the built-in one: pulled, or an embeddings server on this
 * machine. Apart from memory.ts, because few have one.
 */
import { bracketed, SageError } from "../../base/errors.ts";
import type { Fs } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { type AheadEmbedder, isEndpointName } from "../../embed/embedder.ts";
import type { EndpointAddress } from "../../embed/endpoint/endpoint.ts";
import { type Chosen, type Memory, modelsFolder, type Opened, type Where } from "../memory.ts";

/** The model that is set. If it is missing or damaged, adds a warning and returns undefined. */
export async function openSetModel(
  { config, fs, places, confine, hook }: Memory,
  warnings: string[],
  { waits, opened }: Where,
): Promise<Chosen | undefined> {
  const name = config.get("embedding.model");
  const address = isEndpointName(name)
    ? (await import("../../embed/endpoint/endpoint.ts")).parseEndpoint(name)
    : undefined;
  const isReached = confine?.(address?.host) ?? false;
  if (address !== undefined && !isReached) return undefined;
  const { cachePath, withVectorCache } = await import("../../embed/vector_cache.ts");
  try {
    const warn = (warning: string): void => void warnings.push(warning);
    const models = modelsFolder(places);
    const embedder = address === undefined
      ? await openPulled(fs, models, name, { isHook: hook, warn, opened })
      : await openEndpoint(fs, models, address, warn, waits);
    return embedder &&
      withVectorCache(embedder, fs, cachePath(join(places.stateDir, "index"), embedder.id));
  } catch (error) {
    if (!(error instanceof SageError)) throw error;
    warnings.push(`${error.message}; the built-in model serves${bracketed(error)}`);
    return undefined;
  }
}

/** Undefined for a hook if opening the model alone would take longer than a hook may. */
async function openPulled(
  fs: Fs,
  models: string,
  name: string,
  { isHook, warn, opened }: {
    readonly isHook: boolean;
    readonly warn: (warning: string) => void;
    readonly opened: Opened | undefined;
  },
): Promise<Chosen | undefined> {
  const { readInstalled } = await import("../../embed/pulled/installed.ts");
  const facts = readInstalled(fs, models, name);
  if (facts.onnx === undefined) {
    const { holdModel, openBertEmbedder } = await import("../../embed/bert_embedder.ts");
    const holder = opened === undefined ? undefined : opened.pulled ??= holdModel();
    return openBertEmbedder(fs, models, name, warn, holder);
  }
  if (isHook) return undefined;
  const { openOnnxEmbedder } = await import("../../embed/onnx_embedder.ts");
  return openOnnxEmbedder(fs, models, facts, warn);
}

async function openEndpoint(
  fs: Fs,
  models: string,
  address: EndpointAddress,
  warn: (warning: string) => void,
  waits: Where["waits"],
): Promise<AheadEmbedder> {
  const [{ readEndpoint }, { openEndpointEmbedder }] = await Promise.all([
    import("../../embed/endpoint/endpoint.ts"),
    import("../../embed/endpoint/embedder.ts"),
  ]);
  return openEndpointEmbedder(address, readEndpoint(fs, models, address.name), warn, waits);
}
