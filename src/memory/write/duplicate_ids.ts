/** What a person can do about two notes with one id, as a copied file makes them. */

/** Kinds with an `rm` command of their own. */
const REMOVABLE: readonly string[] = ["knowledge", "checkpoint", "todo"];

/** `path`: of the note that may go. */
export function duplicateIdHint(kind: string, path: string): string {
  const renamed = "give one of them another id in its front matter";
  return REMOVABLE.includes(kind)
    ? `${renamed}, or put it away: sage ${kind} rm ${/\s/.test(path) ? `"${path}"` : path}`
    : renamed;
}
