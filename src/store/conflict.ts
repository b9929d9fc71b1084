/**
 * Names of files that sync tools, and Sage itself, leave when two sides wrote at once. They are kept
 * out of recall, listed by doctor, and never deleted by themselves.
 */
import { stemOf } from "./layout.ts";

/** Each captures the stem of the note that the copy is of. */
const FORMS: readonly RegExp[] = [
  // Syncthing, and our own.
  /^(.+?)\.sync-conflict-.*$/i,
  /^(.+?)\.sage-conflict-.*$/i,
  // Dropbox, OneDrive, Nextcloud, Google Drive, in English: `x (Ann's conflicted copy 2026-01-02)`.
  /^(.+?) \([^()]*(?:conflicted copy|case conflict|conflict)[^()]*\)$/i,
  /^(.+?)_conflict-\d{8}-\d{6}$/i,
  // Obsidian Sync.
  /^(.+?) \(Conflicted copy .*\)$/i,
  // Left by a merge tool of git.
  /^(.+?)\.(?:orig|BACKUP|BASE|LOCAL|REMOTE)(?:\.\d+)?$/,
  /^(.+?)_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+$/,
];

/** iCloud and Finder: `x 2`, `x (1)`. Only beside an `x`: titles end in numbers too. */
const NUMBERED = /^(.+?)(?: [2-9]| \([1-9]\))$/;

/** The stem of the note that `name` is a conflict copy of, or undefined. */
export function conflictOf(name: string, siblings?: ReadonlySet<string>): string | undefined {
  const stem = stemOf(name);
  for (const form of FORMS) {
    const match = form.exec(stem);
    if (match !== null) return stemOf(match[1] ?? "");
  }
  const original = NUMBERED.exec(stem)?.[1];
  if (original === undefined) return undefined;
  return siblings === undefined || siblings.has(`${original}.md`) ? original : undefined;
}

/** True for a conflict copy. With the names around it, `x 2.md` counts only beside an `x.md`. */
export function isConflictCopy(name: string, siblings?: ReadonlySet<string>): boolean {
  return conflictOf(name, siblings) !== undefined;
}

/** True for text with unresolved markers of a git merge, each at the start of a line. */
export function hasConflictMarkers(text: string): boolean {
  return /^<{7} /m.test(text) && /^={7}$/m.test(text) && /^>{7} /m.test(text);
}

/** The name of a copy that Sage makes beside `name`. */
export function conflictName(name: string, stamp: string, random: string): string {
  return `${stemOf(name)}.sage-conflict-${stamp}-${random}.md`;
}
