/** A world whose notes lie in a vault, and the vault as another program finds it on the disk. */
import { enterVault, leaveVault, type MoveReport } from "../../src/memory/vault/move.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { filesIn } from "./temp_store.ts";
import { read, type World } from "./world.ts";

export function vaultOf(on: World): string {
  return `${on.home}/Vault`;
}

/** Another process goes into the vault; the next one that is opened stands in it. */
export async function intoVault(
  on: World,
  wish: { readonly sources?: readonly string[]; readonly project?: boolean } = {},
): Promise<MoveReport> {
  return await enterVault(await on.open(), { project: true, ...wish, dir: vaultOf(on) });
}

export async function outOfVault(on: World): Promise<MoveReport> {
  return await leaveVault(await on.open());
}

/** What the map is made of is what the index knew last. */
export async function inVault<T>(on: World, body: (memory: Memory) => Promise<T>): Promise<T> {
  const memory = await on.open();
  try {
    return await body(memory);
  } finally {
    const { mapVault } = await import("../../src/memory/vault/keep.ts");
    await mapVault(memory);
  }
}

/** Every file with its text, from the root on. */
export function filesOf(root: string): Map<string, string> {
  return new Map(filesIn(root).map((path) => [path, read(`${root}/${path}`)]));
}

/** The id that a note's front matter says. */
export function idIn(text: string): string | undefined {
  return /^---\n(?:.*\n)*?id: "?(.+?)"?\n/.exec(text)?.[1];
}
