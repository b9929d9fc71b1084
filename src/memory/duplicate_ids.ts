/** What a person can do about two notes with one id, as a copied file makes them. */
import type { NoteKind } from "../note/note.ts";

/** Kinds with a trash of their own on the command line. */
const REMOVABLE: readonly NoteKind[] = ["knowledge", "checkpoint", "todo"];

/** `path`: of the one that may go. */
export function duplicateIdHint(kind: NoteKind, path: string): string {
  const renamed = "give one of them another id in its front matter";
  return REMOVABLE.includes(kind)
    ? `${renamed}, or put it away: sage ${kind} rm ${/\s/.test(path) ? `"${path}"` : path}`
    : renamed;
}
