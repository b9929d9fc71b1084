/**
 * Finds what changed in a store since an earlier scan, by comparing stamps in one walk. Knows nothing of an
 * index. A file that the walk did not meet is looked up by name before it counts as removed, because a
 * listing may be incomplete.
 */
import { join } from "../base/path.ts";
import { isSameFile } from "../base/atomic.ts";
import { count } from "../base/text/text.ts";
import type { Store } from "./handle.ts";
import type { Ignores } from "./ignore.ts";
import { foldName } from "./layout.ts";
import { type FileStamp, type KnownStamps, noText } from "./stamp.ts";
import { openInside, resolvePath } from "./paths.ts";
import { walkInParts, type WalkResult, walkStore } from "./walk.ts";

export type Change =
  | { readonly kind: "added" | "modified"; readonly path: string; readonly stamp: FileStamp }
  | { readonly kind: "removed"; readonly path: string }
  | { readonly kind: "skipped"; readonly path: string; readonly reason: string };

export interface ScanOptions {
  readonly ignores?: Ignores;
  /** False if the caller reads changed files anyway, and so finds out which are no text. */
  readonly opensFiles?: boolean;
}

/** Compares the store with earlier stamps. A file whose earlier stamp is racy counts as modified. */
export function scanStore(store: Store, known: KnownStamps, options: ScanOptions = {}): Change[] {
  return compared(store, known, walkStore(store, { ...options, known }), options);
}

/**
 * The same with pauses. A file that is moved during a pause may be met at neither place, so callers should
 * check what seems removed.
 */
export async function scanInParts(
  store: Store,
  known: KnownStamps,
  options: ScanOptions,
  pause: () => Promise<void>,
): Promise<Change[]> {
  return compared(store, known, await walkInParts(store, { ...options, known }, pause), options);
}

function compared(
  store: Store,
  known: KnownStamps,
  walk: WalkResult,
  options: ScanOptions,
): Change[] {
  const changes: Change[] = walk.skipped.map((skip) => ({ kind: "skipped", ...skip }));
  let met = walk.unchanged.length;
  for (const { path, stamp } of walk.files) {
    const isKnown = known.has(path);
    if (isKnown) met++;
    if (known.isUnchanged(path, stamp)) continue;
    const reason = options.opensFiles === false ? undefined : noTextIn(store, path);
    if (reason !== undefined) changes.push({ kind: "skipped", path, reason });
    else changes.push({ kind: isKnown ? "modified" : "added", path, stamp });
  }
  if (met < known.size) changes.push(...removals(store, known, walk));
  return changes;
}

/** The reason given when no folder of notes is left. */
export const BECAME_EMPTY = "the store became empty";

function removals(store: Store, known: KnownStamps, walk: WalkResult): Change[] {
  const seen = new Set([...walk.unchanged, ...walk.files.map(({ path }) => path)]);
  let folded: ReadonlyMap<string, string> | undefined;
  const listedAs = (path: string): string | undefined => {
    folded ??= new Map([...seen].map((one) => [foldName(one), one]));
    return folded.get(foldName(path));
  };
  const missing = [...known.keys()].filter((path) => !seen.has(path));
  if (walk.folders === 0) {
    // An unmounted disk or an emptied sync folder looks the same.
    const reason = `${BECAME_EMPTY}: ${count(known.size, "note")} missing`;
    return [{ kind: "skipped", path: "", reason }];
  }
  const { unreadable } = walk;
  const mayBeThere = (path: string): boolean =>
    unreadable.some((place) => path === place || path.startsWith(place + "/"));
  const skipped = new Set(walk.skipped.map(({ path }) => path));
  return missing
    .filter((path) =>
      !mayBeThere(path) && (skipped.has(path) || isGone(store, path, skipped, listedAs))
    )
    .map((path) => ({ kind: "removed", path }));
}

/**
 * Whether a file that was not met is gone: it cannot be found by name, or its folder is skipped now, or it
 * was renamed in case only (macOS and Windows find `Auth.md` as `auth.md`).
 */
function isGone(
  store: Store,
  path: string,
  skipped: ReadonlySet<string>,
  listedAs: (path: string) => string | undefined,
): boolean {
  const segments = path.split("/");
  for (let i = 1; i < segments.length; i++) {
    if (skipped.has(segments.slice(0, i).join("/"))) return true;
  }
  try {
    const info = store.fs.lstat(join(store.root, path));
    if (info === undefined) return true;
    const name = listedAs(path);
    const listed = name === undefined ? undefined : store.fs.lstat(join(store.root, name));
    return listed !== undefined && isSameFile(info, listed);
  } catch {
    // Unknown: left to the next scan.
    return false;
  }
}

/** Why a file is no text, by its first bytes. Undefined for an unreadable one: reading it will report that. */
function noTextIn(store: Store, path: string): string | undefined {
  try {
    using handle = openInside(store.fs, resolvePath(store, path));
    const bytes = new Uint8Array(4096);
    return noText(bytes.subarray(0, handle.read(bytes)));
  } catch {
    return undefined;
  }
}
