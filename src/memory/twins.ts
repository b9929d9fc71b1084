/** Notes that have one id, as a copied file has its original's: what a person does about it. */
import type { NoteKind } from "../note/note.ts";

/** Kinds with a trash of their own on the command line. */
const REMOVABLE: readonly NoteKind[] = ["knowledge", "checkpoint", "todo"];

/** `path`: of the one that may go. */
export function mendTwins(kind: NoteKind, path: string): string {
  const renamed = "give one of them another id in its front matter";
  return REMOVABLE.includes(kind)
    ? `${renamed}, or put it away: sage ${kind} rm ${/\s/.test(path) ? `"${path}"` : path}`
    : renamed;
}
