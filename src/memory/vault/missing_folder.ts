/**
 * A folder that is missing together with its notes: of a store in a vault, as on a disk that is not
 * mounted, and of a project that was deleted while a server works in it.
 */
import type { Store } from "../../store/handle.ts";
import type { Memory } from "../memory.ts";

export function storeWithoutVault(
  { fs, stores }: Pick<Memory, "fs" | "stores">,
): Store | undefined {
  return stores.find(({ root, vault }) => vault !== undefined && fs.lstat(root)?.kind !== "dir");
}

/** The warning to show; undefined if no folder is missing. */
export function missingFolder(memory: Memory): string | undefined {
  return missingVault(memory) ?? missingProject(memory);
}

export function missingVault(memory: Memory): string | undefined {
  const store = storeWithoutVault(memory);
  return store === undefined
    ? undefined
    : `"${store.root}" in the vault is missing, and so are its notes (sage doctor)`;
}

function missingProject({ fs, places }: Memory): string | undefined {
  return fs.lstat(places.here) === undefined
    ? `the folder "${places.here}" is gone, with any notes in it`
    : undefined;
}
