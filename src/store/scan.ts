/**
 * What changed in a store since its files were last looked at: compares stamps in one walk, and knows
 * nothing of an index. A listing proves nothing: a file that is not in it is looked for by name, and in
 * the other form of the name where both mean one file, before it counts as removed.
 */
import { join } from "../base/fs.ts";
import { isSameFile } from "../base/atomic.ts";
import { count } from "../base/text.ts";
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
  /** False where the caller reads changed files anyway, and finds out itself which are no text. */
  readonly opensFiles?: boolean;
}

/** Compares the store with what is known of it. A racy file in `known` counts as changed. */
export function scanStore(
  store: Store,
  known: KnownStamps,
  options: ScanOptions = {},
): Change[] {
  return compared(store, known, walkStore(store, { ...options, known }), options);
}

/**
 * The same with pauses. A file that is moved during one may be met at neither place: look again for
 * what seems removed.
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

/** No folder of notes is left, where some were. */
export const BECAME_EMPTY = "the store became empty";

function removals(
  store: Store,
  known: KnownStamps,
  walk: WalkResult,
): Change[] {
  const seen = new Set([...walk.unchanged, ...walk.files.map(({ path }) => path)]);
  let folded: ReadonlyMap<string, string> | undefined;
  const listedAs = (path: string): string | undefined => {
    folded ??= new Map([...seen].map((one) => [foldName(one), one]));
    return folded.get(foldName(path));
  };
  const missing = [...known.keys()].filter((path) => !seen.has(path));
  if (walk.folders === 0) {
    // An unmounted disk or an emptied sync folder looks just so.
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
 * Not there by name, or in a folder that is not looked into any more, or there under another name
 * alone: macOS and Windows find `auth.md` where it is `Auth.md` now.
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
    // Nobody knows; the next scan may.
    return false;
  }
}

/** By its first bytes. An unreadable file is not called binary: reading it will say what is wrong. */
function noTextIn(store: Store, path: string): string | undefined {
  try {
    using handle = openInside(store.fs, resolvePath(store, path));
    const bytes = new Uint8Array(4096);
    return noText(bytes.subarray(0, handle.read(bytes)));
  } catch {
    return undefined;
  }
}
