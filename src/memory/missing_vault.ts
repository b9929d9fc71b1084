/**
 * A store in a vault that is not there, as on a disk that is not mounted: its notes exist, and
 * nobody can read them.
 */
import type { Store } from "../store/handle.ts";
import type { Memory } from "./memory.ts";

export function storeWithoutVault(
  { fs, stores }: Pick<Memory, "fs" | "stores">,
): Store | undefined {
  return stores.find(({ root, vault }) => vault !== undefined && fs.lstat(root)?.kind !== "dir");
}

export function missingVaultText({ root }: Store): string {
  return `"${root}" in the vault is not there, nor are its notes (sage doctor)`;
}
