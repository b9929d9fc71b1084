/** Embeddings servers on this machine as models: recognised by name, registered, removed. */
import { isEndpointName } from "../../embed/embedder.ts";
import {
  type EndpointAddress,
  endpointPath,
  type KnownEndpoint,
  parseEndpoint,
  readEndpoint,
  slugOf,
  writeEndpoint,
} from "../../embed/endpoint/endpoint.ts";
import { learnEndpoint, resolveModel } from "../../embed/endpoint/learn.ts";
import { SageError } from "../../base/errors.ts";
import { dropIndexesOf } from "../sweep/index_folders.ts";
import { type Memory, modelsFolder } from "../memory.ts";

/** Override the prefixes known for the model's family. */
export interface Prefixes {
  readonly queryPrefix: string | undefined;
  readonly documentPrefix: string | undefined;
}

/** The `host:port` that a process must reach to use this model; undefined if it needs no network. */
export function hostOf(name: string | undefined): string | undefined {
  return name === undefined || !isEndpointName(name) ? undefined : addressOf(name).host;
}

/** The address in a name with a colon; fails unless it is on this machine. */
export function addressOf(name: string): EndpointAddress {
  const address = parseEndpoint(name);
  if (address !== undefined) return address;
  throw new SageError("usage", `"${name}" is not an embeddings server on this machine`, {
    hint: "ollama:<model>, or http://127.0.0.1:<port>/v1#<model>: nothing is sent anywhere else",
  });
}

/** Asks the server for its model's facts (dimensions, limits, speed, calibration) and stores them. */
export async function learn(
  memory: Memory,
  name: string,
  prefixes: Prefixes,
  onProgress: (share: number) => void,
): Promise<KnownEndpoint> {
  const models = modelsFolder(memory.places);
  const address = await resolveModel(addressOf(name));
  const now = () => memory.now();
  const before = knownBefore(memory, address.name);
  const known = await learnEndpoint(address, { ...prefixes, before, now, onProgress });
  writeEndpoint(memory.fs, models, known);
  // Another model under the same name: vectors of the old one are useless.
  if (before !== undefined && before.id !== known.id) dropIndexesOf(memory, slugOf(known.name));
  return known;
}

function knownBefore(memory: Memory, name: string): KnownEndpoint | undefined {
  try {
    return readEndpoint(memory.fs, modelsFolder(memory.places), name);
  } catch {
    // Not registered yet.
    return undefined;
  }
}

/** Removes the stored facts, and the indexes embedded with the model. */
export function removeEndpoint(memory: Memory, name: string): void {
  const models = modelsFolder(memory.places);
  const known = readEndpoint(memory.fs, models, addressOf(name).name);
  memory.fs.unlink(endpointPath(models, known.name));
  dropIndexesOf(memory, slugOf(known.name));
}
