/**
 * A prepared orientation, made when a session ends: the next start prints it if nothing it rests on
 * has changed. That is listed with it: folders, so that notes that came or went are seen, and each
 * file that it quotes or that decides what it quotes.
 */
import { versionName } from "../../../base/build_info.ts";
import { sha256Hex } from "../../../base/hash.ts";
import type { FileInfo, Fs } from "../../../base/fs.ts";
import { join } from "../../../base/path.ts";
import { readState } from "../../../store/state.ts";
import type { Oriented } from "../told.ts";

export const PREPARED_FOLDER = "prepared";

export interface Prepared extends Oriented {
  /** The build that made it: another one reads notes by other rules. */
  readonly version: string | undefined;
  readonly project: string;
  /** The project's folder. */
  readonly dir: string;
  /** Path and stamp. */
  readonly stamps: readonly (readonly [path: string, stamp: string])[];
  /** When it becomes out of date by time alone. */
  readonly until?: number;
}

/** For sessions that start in this folder. */
export function preparedName(cwd: string): string {
  return join(PREPARED_FOLDER, `${sha256Hex(cwd).slice(0, 16)}.json`);
}

/** What was prepared, if everything it rests on is unchanged. */
export function readPrepared(
  fs: Fs,
  stateDir: string,
  cwd: string,
  nowMs: number,
): Prepared | undefined {
  const prepared = readState<Prepared>(fs, stateDir, preparedName(cwd));
  if (prepared === undefined || prepared.version !== versionName()) return undefined;
  if (prepared.until !== undefined && nowMs >= prepared.until) return undefined;
  return prepared.stamps.every(([path, stamp]) => stampPath(fs, path) === stamp)
    ? prepared
    : undefined;
}

/** The stamp of a path: changes with a file, and with any coming or going in a folder. */
export function stampPath(fs: Fs, path: string): string {
  const info = targetOf(fs, path);
  if (info === undefined) return "";
  // The runtime gives ctime in whole seconds only; mtime alone could be set back.
  const { kind, inode, ctimeMs, mtimeMs, size } = info;
  return `${kind} ${inode} ${ctimeMs} ${mtimeMs} ${kind === "dir" ? "" : size}`;
}

/** A person's file may be a link; what it points to is what changes. */
function targetOf(fs: Fs, path: string): FileInfo | undefined {
  const info = fs.lstat(path);
  if (info?.kind !== "link") return info;
  try {
    return fs.lstat(fs.realPath(path));
  } catch {
    return info;
  }
}
