/** A store whose vault is not there, as on a disk that is not mounted: it has notes, and nobody can read them. */
import type { Store } from "../store/handle.ts";
import type { Memory } from "./memory.ts";

export function lostStore({ fs, stores }: Pick<Memory, "fs" | "stores">): Store | undefined {
  return stores.find(({ root, vault }) => vault !== undefined && fs.lstat(root)?.kind !== "dir");
}

export function lostText({ root }: Store): string {
  return `"${root}" in the vault is not there, nor are its notes (sage doctor)`;
}
