/**
 * Files of a published model from the hub, at one commit. Whatever it sends is believed only when it is
 * what the revision itself names: size and SHA-256, or for small files git's own name of their bytes.
 */
import { SageError, systemError } from "../base/errors.ts";
import { decode, type Fs, readBytes } from "../base/fs.ts";
import { gitBlobHex, hashing } from "../base/hash.ts";
import { bytesOf, lied, refusal, request, wholeOf } from "./hub_request.ts";

export interface HubFile {
  readonly name: string;
  readonly size: number;
  /** Of large files; small ones have git's name. */
  readonly sha256: string | undefined;
  readonly gitBlob: string | undefined;
}

export interface HubRevision {
  readonly commit: string;
  readonly files: readonly HubFile[];
}

/** A list of all files of a model is a few kilobytes. */
const LIST_BYTES_MAX = 4 * 1024 * 1024;
/** A file above this is no model for a laptop. */
const FILE_BYTES_MAX = 4 * 1024 * 1024 * 1024;
/** What has no SHA-256 is read whole to be named. */
const SMALL_BYTES_MAX = 64 * 1024 * 1024;
/** A connection that was cut is taken up again so often by itself. */
const TRIES_MAX = 4;
const COMMIT = /^[0-9a-f]{40}$/;

/** Which files make up the revision. */
export async function listRevision(
  hub: string,
  repository: string,
  revision: string,
): Promise<HubRevision> {
  const path = `api/models/${repository}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const response = await request(new URL(path, `${hub}/`), {});
  if (!response.ok) throw await refusal(response, repository);
  const json = await readJson(response);
  const commit = String(json.sha);
  if (!COMMIT.test(commit) || (COMMIT.test(revision) && revision !== commit)) {
    throw lied(`it answers for revision "${commit.slice(0, 60)}"`);
  }
  const siblings = Array.isArray(json.siblings) ? json.siblings : [];
  return { commit, files: siblings.flatMap(toFile) };
}

function toFile(entry: Record<string, unknown> | null): HubFile[] {
  const { rfilename: name, size, blobId, lfs } = entry ?? {};
  const large = (lfs ?? {}) as Record<string, unknown>;
  const bytes = large.size ?? size;
  if (typeof name !== "string" || typeof bytes !== "number" || !Number.isInteger(bytes)) return [];
  const sha256 = typeof large.sha256 === "string" && /^[0-9a-f]{64}$/.test(large.sha256)
    ? large.sha256
    : undefined;
  // Of a large file git names the pointer only.
  const isNamed = lfs === undefined && typeof blobId === "string" && COMMIT.test(blobId);
  const gitBlob = isNamed ? blobId : undefined;
  return [{ name, size: bytes, sha256, gitBlob }];
}

async function readJson(response: Response): Promise<Record<string, unknown>> {
  const broken = (cause: unknown): SageError =>
    new SageError("unreachable", "The connection broke", { hint: "repeat the command", cause });
  const whole = await wholeOf(response, LIST_BYTES_MAX, broken);
  if (whole === undefined) throw lied("its list of files has no end");
  try {
    const json = JSON.parse(decode(whole));
    if (typeof json === "object" && json !== null) return json;
  } catch {
    // Said below.
  }
  throw lied("its list of files is no JSON");
}

export interface Download {
  readonly fs: Fs;
  readonly hub: string;
  readonly repository: string;
  readonly commit: string;
  readonly file: HubFile;
  /** Where it goes when it is whole and right; what is there of it meanwhile is `<target>.part`. */
  readonly target: string;
  onBytes(done: number): void;
}

/** Goes on where an earlier attempt stopped. Returns the SHA-256. */
export async function download(given: Download): Promise<string> {
  const { fs, hub, repository, commit, file, target } = given;
  if (file.size < 0 || file.size > FILE_BYTES_MAX) {
    throw lied(`"${file.name}" has ${file.size} bytes`);
  }
  if (file.sha256 === undefined && (file.gitBlob === undefined || file.size > SMALL_BYTES_MAX)) {
    throw lied(`it does not say what "${file.name}" must be`);
  }
  const part = `${target}.part`;
  // What is there whole is looked at again, like what is there in part.
  if (fs.lstat(target) !== undefined) fs.rename(target, part);
  const url = new URL(`${repository}/resolve/${commit}/${file.name}`, `${hub}/`);
  for (let attempt = 1;; attempt++) {
    const before = sizeOf(fs, part);
    try {
      const sha256 = await fetchRest(given, url, part);
      verify(fs, file, part, sha256);
      fs.rename(part, target);
      return sha256;
    } catch (error) {
      const isCut = error instanceof SageError && error.code === "unreachable";
      if (!isCut || attempt === TRIES_MAX || sizeOf(fs, part) <= before) throw error;
    }
  }
}

async function fetchRest(given: Download, url: URL, part: string): Promise<string> {
  const { fs, file, onBytes } = given;
  if (sizeOf(fs, part) > file.size) fs.unlink(part);
  let done = sizeOf(fs, part);
  let hash = hashing();
  if (done > 0) readInto(fs, part, (bytes) => hash.update(bytes));
  if (done === file.size && done > 0) return hash.hex();
  const response = await request(url, done === 0 ? {} : { range: `bytes=${done}-` });
  if (response.status === 416) {
    await response.body?.cancel();
    fs.unlink(part);
    throw cut(file, 0);
  }
  if (!response.ok) throw await refusal(response, given.repository);
  const goesOn = response.status === 206 &&
    response.headers.get("content-range") === `bytes ${done}-${file.size - 1}/${file.size}`;
  if (done > 0 && !goesOn) {
    // It begins anew, whatever it was asked for.
    if (response.status === 206) {
      await response.body?.cancel();
      throw lied(`it sends another part of "${file.name}"`);
    }
    fs.unlink(part);
    done = 0;
    hash = hashing();
  }
  const out = openPart(fs, part);
  try {
    for await (const bytes of bytesOf(response, (cause) => cut(file, done, cause))) {
      done += bytes.length;
      if (done > file.size) throw lied(`it sends more of "${file.name}" than there is`);
      hash.update(bytes);
      write(out, bytes, part);
      onBytes(done);
    }
    out.sync();
  } finally {
    out.close();
  }
  if (done < file.size) throw cut(file, done);
  return hash.hex();
}

function openPart(fs: Fs, part: string) {
  try {
    return fs.open(part, { append: true, create: true, mode: 0o600 });
  } catch (error) {
    throw systemError(error, `write "${part}"`);
  }
}

function write(out: { write(bytes: Uint8Array): void }, bytes: Uint8Array, part: string): void {
  try {
    out.write(bytes);
  } catch (error) {
    throw systemError(error, `write "${part}"`);
  }
}

/** Throws away what is not what was published. */
function verify(fs: Fs, file: HubFile, part: string, sha256: string): void {
  const isRight = file.sha256 !== undefined
    ? file.sha256 === sha256
    : file.gitBlob === gitBlobHex(readBytes(fs, part, SMALL_BYTES_MAX));
  if (isRight) return;
  fs.unlink(part);
  throw lied(`"${file.name}" is not what was published (SHA-256 ${sha256.slice(0, 16)}…)`);
}

function readInto(fs: Fs, path: string, take: (bytes: Uint8Array) => void): void {
  const file = fs.open(path, { read: true });
  try {
    const buffer = new Uint8Array(1024 * 1024);
    for (let count = file.read(buffer); count > 0; count = file.read(buffer)) {
      take(buffer.subarray(0, count));
    }
  } finally {
    file.close();
  }
}

function sizeOf(fs: Fs, path: string): number {
  return fs.lstat(path)?.size ?? 0;
}

function cut(file: HubFile, done: number, cause?: unknown): SageError {
  const [have, all] = [done, file.size].map((bytes) => (bytes / 1e6).toFixed(1));
  return new SageError(
    "unreachable",
    `The connection broke at ${have} of ${all} MB of "${file.name}"`,
    {
      hint: "repeat the command: it goes on there; until then the model in use goes on",
      cause,
    },
  );
}
