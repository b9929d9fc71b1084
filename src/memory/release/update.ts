/**
 * Replaces this program with a newer one. Everything is prepared and verified beside it; then one rename puts
 * it in place, so that the name always has a whole program. Sage may not start processes, so the new program
 * is untested: the old one stays beside it until the new one in turn runs an update.
 */
import { discard } from "../../base/atomic.ts";
import { SageError, systemError } from "../../base/errors.ts";
import { freeBytes, type Fs, listIfDir } from "../../base/fs.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { download } from "../../base/download.ts";
import { holdLock } from "../../base/lock.ts";
import { writeLog } from "../../base/log.ts";
import { RELEASE_KEYS, RELEASE_URL } from "../../base/release_origin.ts";
import type { Memory } from "../memory.ts";
import { dataBeside, packageManager, previousProgram, updateFolder } from "./placed.ts";
import {
  compareVersions,
  fetchRelease,
  type Release,
  type ReleaseFile,
  SERVER,
} from "./published.ts";
import { PUT_AWAY, swap } from "./swap.ts";
import { unpack } from "./unpack.ts";

export interface UpdateRequest {
  /** The running program's own path, links resolved. */
  readonly program: string;
  readonly version: string;
  readonly target: string;
  /** The name of its assets file, if it has one. */
  readonly data: string | undefined;
  /** Say what there is, and change nothing. */
  readonly checkOnly: boolean;
  /** 0..1 of the download. */
  onProgress(share: number): void;
}

export type UpdateOutcome =
  | { readonly kind: "current"; readonly version: string; readonly removed?: string }
  | { readonly kind: "available"; readonly version: string; readonly next: string }
  | {
    readonly kind: "updated";
    readonly version: string;
    readonly previous_version: string;
    /** The old program, which can be put back by renaming it. */
    readonly previous: string;
  };

/** Unpacked, an archive is about this many times as large. */
const UNPACKED_SHARE = 4;
const LOCK = "update.lock";

export async function update(memory: Memory, request: UpdateRequest): Promise<UpdateOutcome> {
  const { fs } = memory;
  const { program, version, target, checkOnly } = request;
  refuseManaged(program);
  const url = (memory.config.get("update.url") || RELEASE_URL).replace(/\/$/, "");
  if (url === "") {
    throw new SageError("usage", "This program was built without a server to update from", {
      hint:
        "get a newer one from where you got this one, or name a server: sage config set update.url <address>",
    });
  }
  const release = await fetchRelease(url, keysOf(memory));
  const order = compareVersions(release.version, version);
  if (order < 0) {
    throw new SageError(
      "refused",
      `The newest release is ${release.version}, and this is ${version}`,
      { hint: "an update never installs an older program; nothing was changed" },
    );
  }
  if (order === 0) return { kind: "current", version, ...checkOnly ? {} : settle(fs, request) };
  if (checkOnly) return { kind: "available", version, next: release.version };
  const file = fileFor(release, target);
  const work = updateFolder(program);
  try {
    fs.makeDir(work, 0o700);
  } catch (error) {
    throw systemError(error, `write beside "${program}"`);
  }
  const lock = holdLock(fs, join(work, LOCK), { deadlineMs: 0, holder: memory.holder });
  try {
    const archive = await fetchArchive(fs, url, file, work, request);
    const unpacked = await unpack(fs, archive, work);
    const previous = swap(fs, program, unpacked);
    writeLog(fs, memory.places.stateDir, memory.now(), "update", { detail: release.version });
    clear(fs, work);
    return { kind: "updated", version: release.version, previous_version: version, previous };
  } catch (error) {
    // A download that was refused is deleted; one that was interrupted is continued next time.
    if (error instanceof SageError && error.code === "refused") clear(fs, work);
    throw systemError(error, `update "${program}"`);
  } finally {
    lock.release();
    removeEmpty(fs, work);
  }
}

/** A program that a package manager installed is updated by that. */
function refuseManaged(program: string): void {
  const hint = packageManager(program)?.update;
  if (hint === undefined) return;
  throw new SageError("usage", "This program came from a package manager, which updates it", {
    hint,
  });
}

/** A published program has its keys built in; one that somebody built may be given another. */
function keysOf(memory: Memory): readonly string[] {
  if (RELEASE_KEYS.length > 0) return RELEASE_KEYS;
  const given = memory.env("SAGE_RELEASE_KEY");
  if (given !== undefined && given !== "") return [given];
  throw new SageError("refused", "This program has no key to verify a release with", {
    hint: "it was not built as a release; set SAGE_RELEASE_KEY to your own public key",
  });
}

function fileFor({ files, version }: Release, target: string): ReleaseFile {
  const file = files.find((one) => one.target === target && one.name.endsWith(".tar.gz"));
  if (file !== undefined) return file;
  throw new SageError("not_found", `${version} is not published for ${target}`);
}

async function fetchArchive(
  fs: Fs,
  url: string,
  file: ReleaseFile,
  work: string,
  { onProgress }: UpdateRequest,
): Promise<string> {
  const free = freeBytes(work);
  const needed = file.size * (1 + UNPACKED_SHARE);
  if (free !== undefined && free < needed) {
    const [need, have] = [needed, free].map((bytes) => Math.ceil(bytes / 1e6));
    throw new SageError("disk_full", `An update needs ${need} MB, the disk has ${have} MB left`, {
      hint: "free some space, then repeat; nothing was changed",
    });
  }
  const target = join(work, `${file.sha256.slice(0, 16)}.tar.gz`);
  await download({
    fs,
    remote: SERVER,
    url: new URL(`${url}/${file.name}`),
    file,
    target,
    isRight: (sha256) => sha256 === file.sha256,
    onBytes: (done) => onProgress(done / file.size),
  });
  return target;
}

/** This program evidently runs, so the previous one and its data are deleted. */
function settle(fs: Fs, { program, data }: UpdateRequest): { removed?: string } {
  const [previous, work] = [previousProgram(program), updateFolder(program)];
  for (const { name } of listIfDir(fs, work)) {
    if (name.endsWith(PUT_AWAY)) discard(fs, join(work, name));
  }
  removeEmpty(fs, work);
  if (fs.lstat(previous) === undefined) return {};
  try {
    fs.unlink(previous);
    for (const path of dataBeside(fs, program)) if (basename(path) !== data) fs.unlink(path);
    return { removed: previous };
  } catch {
    // They only take space.
    return {};
  }
}

/** Deletes what was prepared. A program that was renamed and still runs stays. */
function clear(fs: Fs, work: string): void {
  for (const { name, kind } of fs.list(work)) {
    if (kind === "file" && name !== LOCK) discard(fs, join(work, name));
  }
}

/** Removes the folder, unless it holds an interrupted download to continue. */
function removeEmpty(fs: Fs, work: string): void {
  try {
    const isIdle = fs.list(work).every(({ name }) => name.startsWith(LOCK));
    if (!isIdle) return;
    for (const { name } of fs.list(work)) fs.unlink(join(work, name));
    fs.removeDir(work);
    fs.syncDir(dirname(work));
  } catch {
    // Another process has begun.
  }
}
