/**
 * Tombstones of what was forgotten, so that recovery, back-fill and sync do not bring it back: a file for
 * each id in its store, each content hash and each session, named by a SHA-256 that reveals neither id nor
 * text. Ids count within their store, because an id follows from a title, and another project's note of the
 * same title is another note.
 */
import { writeNew } from "../base/atomic.ts";
import { now, rfc3339 } from "../base/clock.ts";
import { systemError, systemErrorCode } from "../base/errors.ts";
import type { Fs } from "../base/fs.ts";
import { join } from "../base/path.ts";
import { encode } from "../base/utf8.ts";
import { sha256Hex } from "../base/hash.ts";
import type { Store } from "./handle.ts";

type StoreName = Pick<Store, "scope" | "home" | "projectId">;

export type Forgotten =
  /** SHA-256 of a file's bytes or of a sentence, which counts in every store. */
  | { readonly contentHash: string }
  /** The session whose note was forgotten: it gets no other. */
  | { readonly session: string }
  | {
    readonly id: string;
    readonly store: StoreName;
    readonly contentHash?: string;
  };

/** Records that a note was forgotten. On disk when this returns. */
export function addTombstone(fs: Fs, stateDir: string, forgotten: Forgotten): void {
  const folder = join(stateDir, "tombstones");
  try {
    fs.makeDir(folder, 0o700);
    for (const name of names(forgotten)) {
      try {
        writeNew(fs, join(folder, name), encode(rfc3339(now()) + "\n"), 0o600);
      } catch (error) {
        if (systemErrorCode(error) !== "EEXIST") throw error;
      }
    }
  } catch (error) {
    throw systemError(error, "remember what was forgotten");
  }
}

/** Whether the note of this id in the store, content with this hash, or this session was forgotten. */
export function isForgotten(fs: Fs, stateDir: string, forgotten: Forgotten): boolean {
  return asNamed(forgotten)
    .some((name) => fs.lstat(join(stateDir, "tombstones", name)) !== undefined);
}

/** For many contents: whether one was forgotten. Undefined if nothing ever was. */
export function forgottenContents(
  fs: Fs,
  stateDir: string,
): ((contentHash: string) => boolean) | undefined {
  const known = listed(fs, stateDir);
  return known && ((contentHash) => known.has(nameOf("content", contentHash)));
}

/** So many are looked up one by one: a session in which a few notes changed lists no thousands of names. */
const LOOKED_UP_MAX = 32;

/**
 * The same as `isForgotten` for many notes in a row: after the first ones the folder is listed once. A look
 * at a file that is not there, as nearly all are, costs more than reading a note.
 */
export function forgottenAmong(fs: Fs, stateDir: string): (forgotten: Forgotten) => boolean {
  let asked = 0;
  let known: ReadonlySet<string> | undefined;
  return (forgotten) => {
    if (++asked <= LOOKED_UP_MAX) return isForgotten(fs, stateDir, forgotten);
    known ??= listed(fs, stateDir) ?? new Set();
    return known.size > 0 && asNamed(forgotten).some((name) => known?.has(name));
  };
}

function listed(fs: Fs, stateDir: string): ReadonlySet<string> | undefined {
  const folder = join(stateDir, "tombstones");
  if (fs.lstat(folder) === undefined) return undefined;
  return new Set(fs.list(folder).map(({ name }) => name));
}

/** Every name by which it may have been recorded: earlier versions recorded an id without its store. */
function asNamed(forgotten: Forgotten): string[] {
  const before = "id" in forgotten ? [nameOf("id", forgotten.id.normalize("NFC"))] : [];
  return [...names(forgotten), ...before];
}

function names(forgotten: Forgotten): string[] {
  if ("session" in forgotten) return [nameOf("session", forgotten.session)];
  const { contentHash } = forgotten;
  return [
    ...("id" in forgotten ? idsIn(forgotten.store, forgotten.id) : []),
    ...(contentHash === undefined ? [] : [nameOf("content", contentHash)]),
  ];
}

/**
 * The names of an id's tombstones: one by the store's `.sage` folder, which stays when notes go into a vault,
 * one by its project, which stays when the folder is moved, or cloned again and trusted.
 */
function idsIn({ scope, home, projectId }: StoreName, id: string): string[] {
  const owners = scope === "user" ? [""] : projectId === undefined ? [home] : [home, projectId];
  return owners.map((owner) => nameOf("id", `${owner}\n${id.normalize("NFC")}`));
}

function nameOf(kind: "id" | "content" | "session", what: string): string {
  return `${kind}-${sha256Hex(what).slice(0, 32)}`;
}
