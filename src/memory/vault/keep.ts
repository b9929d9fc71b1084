/** What a vault needs before and after work with its notes; never a reason to fail. */
import { SageError } from "../../base/errors.ts";
import { join } from "../../base/path.ts";
import { VAULT_FILE } from "../../store/layout.ts";
import type { Memory } from "../memory.ts";

/** Continues a move that was cut short. Reports what went wrong. */
export async function settleVault(memory: Memory): Promise<string | undefined> {
  if ((memory.places.vault?.moves.length ?? 0) === 0) return undefined;
  return await said(async () => await (await import("./move.ts")).settleMoves(memory));
}

export async function mapVault(memory: Memory): Promise<string | undefined> {
  const { fs, places: { userRoot, vault } } = memory;
  // The command may have taken the notes out of the vault, or Sage off this machine.
  if (vault === undefined || fs.lstat(join(userRoot, VAULT_FILE)) === undefined) return undefined;
  return await said(async () => await (await import("./maps.ts")).refreshMaps(memory));
}

async function said(body: () => Promise<void>): Promise<string | undefined> {
  try {
    await body();
    return undefined;
  } catch (error) {
    if (!(error instanceof SageError)) throw error;
    return error.message;
  }
}
