/**
 * Names of conflict copies, which sync tools and Sage itself make when two sides wrote at once. They are
 * kept out of recall, listed by `sage doctor`, and never deleted automatically.
 */
import { fileStamp, now } from "../base/clock.ts";
import { randomHex } from "../base/hash.ts";
import { SEGMENT_BYTES_MAX } from "../base/limits.ts";
import { cutBytes } from "../base/text/text.ts";
import { stemOf } from "./layout.ts";

/** Names that are conflict copies for certain. Each pattern captures the stem of the original note. */
const FORMS: readonly RegExp[] = [
  // Syncthing, and our own.
  /^(.+?)\.sync-conflict-.*$/i,
  /^(.+?)\.sage-conflict-.*$/i,
  // Dropbox, OneDrive, Nextcloud, Google Drive, in English: `x (Ann's conflicted copy 2026-01-02)`.
  /^(.+?) \([^()]*(?:conflicted copy|case conflict|conflict [^()]*\d{4})[^()]*\)$/i,
  /^(.+?)_conflict-\d{8}-\d{6}$/i,
  // Obsidian Sync.
  /^(.+?) \(Conflicted copy .*\)$/i,
  // Left by a merge tool of git.
  /^(.+?)\.(?:orig|BACKUP|BASE|LOCAL|REMOTE)(?:\.\d+)?$/,
  /^(.+?)_(?:BACKUP|BASE|LOCAL|REMOTE)_\d+$/,
];

/**
 * iCloud and Finder: `x 2`, `x (1)`; sync tools that name conflicts in the system's language: `x
 * (Konfliktkopie von Ann 2026-01-02)`. Not certain, because people number and date their titles too.
 */
const NUMBERED = /^(.+?)(?: [2-9]| \([1-9]\)| \(.*\d{4}-\d{2}-\d{2}.*\))$/;

/** OneDrive appends the machine's name: `x-LAPTOP-AB12CD`. Sage's own names have no capital there. */
const HOSTED = /^(.+?)-[A-Z][A-Za-z0-9]*(?:-[A-Za-z0-9]+)*$/;

/** The stem of the note that `name` is a conflict copy of, by its form alone; undefined for other names. */
export function conflictOf(name: string): string | undefined {
  const stem = stemOf(name);
  for (const form of FORMS) {
    const match = form.exec(stem);
    if (match !== null) return stemOf(match[1] ?? "");
  }
  return undefined;
}

/**
 * The stem that `name` numbers or dates: `x` of `x 2.md`. It may be a copy or the next chapter; the files'
 * content tells (sync_copies.ts).
 */
export function numberedOf(name: string): string | undefined {
  return NUMBERED.exec(stemOf(name))?.[1];
}

/** The stem before what may be a machine's name, or a word of a title; again the content tells. */
export function hostedOf(name: string): string | undefined {
  return HOSTED.exec(stemOf(name))?.[1];
}

/** The name of a copy that Sage makes beside `name`. */
export function conflictName(name: string): string {
  const end = `.sage-conflict-${fileStamp(now())}-${randomHex(2)}.md`;
  // The original's name may be as long as the file system allows; the copy's must still fit.
  return cutBytes(stemOf(name), SEGMENT_BYTES_MAX - end.length) + end;
}
