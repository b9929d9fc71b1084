/** A world whose notes lie in a vault, and the vault as another program finds it on the disk. */
import assert from "node:assert/strict";
import { type Fs, realFs } from "../../src/base/fs.ts";
import { findNote } from "../../src/memory/find.ts";
import { patchKnowledge } from "../../src/memory/knowledge/patch.ts";
import { addTodo } from "../../src/memory/todo.ts";
import { enterVault, leaveVault, type MoveReport } from "../../src/memory/vault/move.ts";
import type { VaultRequest } from "../../src/memory/vault/request.ts";
import type { Memory } from "../../src/memory/memory.ts";
import { trashNote } from "../../src/store/trash.ts";
import { filesIn, writeOld } from "./temp_store.ts";
import { byHand, checkpoint, knowledge, PERSON, read, type World } from "./world.ts";

export function vaultOf(on: World): string {
  return `${on.home}/Vault`;
}

/** Another process goes into the vault; the next one that is opened stands in it. */
export async function intoVault(
  on: World,
  wish: Partial<VaultRequest> & { readonly fs?: Fs } = {},
): Promise<MoveReport> {
  const { fs = realFs } = wish;
  return await enterVault(await on.open({ fs }), { project: true, ...wish, dir: vaultOf(on) });
}

export async function outOfVault(on: World, fs: Fs = realFs): Promise<MoveReport> {
  return await leaveVault(await on.open({ fs }));
}

/** The map is made of what the index knew last. */
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

/** A store with one of everything that a switch has to take along; nothing in it is made up on the way. */
export async function fillStore(on: World): Promise<void> {
  const memory = await on.open();
  const root = `${on.cwd}/.sage`;
  const { id: trees } = await knowledge(memory, "Git Worktrees", "One folder for each branch.");
  await knowledge(memory, "Branching", `Cheap with [[${trees}]], see [how](${trees}.md#x).`);
  const found = await findNote(memory, trees);
  assert.ok(found.kind === "one");
  const patch = { kind: "append", text: "They share their hooks." } as const;
  await patchKnowledge(memory, found.item, [patch], PERSON, { reason: "hooks" });
  const { id: point } = await checkpoint(memory, {
    sources: [{ id: trees, relation: "supports" }],
  });
  await addTodo(memory, { content: "Try them", source: point }, PERSON);
  await knowledge(memory, "Mine alone", "For every project.", { scope: "user" });
  const { id: gone } = await knowledge(memory, "Removed", "Nobody asks for it.");
  const removed = await findNote(memory, gone);
  assert.ok(removed.kind === "one");
  await trashNote(removed.item.store, removed.item.loaded);
  const front = { id: "filed", type: "knowledge", status: "archived" };
  byHand(root, "archive/knowledge/filed.md", front, "# Filed\n\nOld.");
  byHand(root, "knowledge/skills/git/deep.md", { id: "deep", type: "knowledge" }, "# Deep\n\nx");
  byHand(root, "local/knowledge/own.md", { id: "own", type: "knowledge" }, "# Own\n\nx");
  // A person's names, and what is no note that Sage would write.
  byHand(root, "knowledge/My own name.md", { id: "named", type: "knowledge" }, "# Named\n\nx");
  writeOld(`${root}/knowledge/no-id.md`, "# No id\n\nSee [[git-worktrees]].\n");
  writeOld(`${root}/knowledge/broken.md`, "---\nid: broken\nx: [\n---\n# Broken\n");
  writeOld(`${root}/knowledge/picture.png`, new Uint8Array([137, 80, 78, 71, 0, 1]));
  writeOld(`${root}/knowledge/${trees}.sage-conflict-2026-01-13T14-30-00-abcd.md`, "theirs\n");
  on.later(60_000);
}

/** The notes of both stores, as they lie on the disk: path and bytes. State and settings are no notes. */
export function notesOf(on: World): Map<string, string> {
  const kept = new Map<string, string>();
  for (const root of [`${on.home}/.sage`, `${on.cwd}/.sage`]) {
    for (const path of filesIn(root)) {
      if (/^(?:state\/|[^/]+$)/.test(path)) continue;
      const name = root === `${on.home}/.sage` ? "user" : "project";
      kept.set(`${name}/${path}`, bytesOf(`${root}/${path}`));
    }
  }
  return kept;
}

export function bytesOf(path: string): string {
  return Deno.readFileSync(path).toHex();
}
