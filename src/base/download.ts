/**
 * Downloads a file, which gets its name only when it is complete and correct. An interrupted download is
 * continued; wrong bytes are discarded.
 */
import { SageError, systemError } from "./errors.ts";
import { chunksOf, type Fs } from "./fs.ts";
import { hashing } from "./hash.ts";
import { bytesOf, refuse, type Remote, request } from "./remote.ts";

export interface Download {
  readonly fs: Fs;
  readonly remote: Remote;
  readonly url: URL;
  /** The name for messages, and the expected size. */
  readonly file: { readonly name: string; readonly size: number };
  /** The path of the finished file; until then it is `<target>.part`. */
  readonly target: string;
  /** Whether the file at `part` is the expected one. */
  isRight(sha256: string, part: string): boolean;
  onBytes(done: number): void;
}

/** Attempts, as long as each gets further than the one before. */
const TRIES_MAX = 4;

/** Downloads a file, continuing an earlier attempt. Returns its SHA-256. */
export async function download(given: Download): Promise<string> {
  const { fs, remote, file, target } = given;
  const part = `${target}.part`;
  // A file that is there already is checked like a complete part.
  if (fs.lstat(target) !== undefined) fs.rename(target, part);
  for (let attempt = 1;; attempt++) {
    const before = sizeOf(fs, part);
    try {
      const sha256 = await fetchRest(given, part);
      if (!given.isRight(sha256, part)) {
        fs.unlink(part);
        throw remote.lied(
          `"${file.name}" is not what was published (SHA-256 ${sha256.slice(0, 16)}…)`,
        );
      }
      fs.rename(part, target);
      return sha256;
    } catch (error) {
      const isCut = error instanceof SageError && error.code === "unreachable";
      if (!isCut || attempt === TRIES_MAX || sizeOf(fs, part) <= before) throw error;
    }
  }
}

async function fetchRest(given: Download, part: string): Promise<string> {
  const { fs, remote, file, onBytes } = given;
  if (sizeOf(fs, part) > file.size) fs.unlink(part);
  let done = sizeOf(fs, part);
  let hash = hashing();
  if (done > 0) {
    using file = fs.open(part, { read: true });
    for (const bytes of chunksOf(file)) hash.update(bytes);
  }
  if (done === file.size && done > 0) return hash.hex();
  const headers: Record<string, string> = done === 0 ? {} : { range: `bytes=${done}-` };
  const response = await request(remote, given.url, headers);
  if (response.status === 416) {
    await response.body?.cancel();
    fs.unlink(part);
    throw cut(given, 0);
  }
  await refuse(remote, response);
  const goesOn = response.status === 206 &&
    response.headers.get("content-range") === `bytes ${done}-${file.size - 1}/${file.size}`;
  if (done > 0 && !goesOn) {
    // The server sends the whole file although it was asked for the rest: begin anew.
    if (response.status === 206) {
      await response.body?.cancel();
      throw remote.lied(`it sends another part of "${file.name}"`);
    }
    fs.unlink(part);
    done = 0;
    hash = hashing();
  }
  using out = openPart(fs, part);
  for await (const bytes of bytesOf(response, (cause) => cut(given, done, cause))) {
    done += bytes.length;
    if (done > file.size) throw remote.lied(`it sends more of "${file.name}" than there is`);
    hash.update(bytes);
    write(out, bytes, part);
    onBytes(done);
  }
  out.sync();
  if (done < file.size) throw cut(given, done);
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

function sizeOf(fs: Fs, path: string): number {
  return fs.lstat(path)?.size ?? 0;
}

function cut({ file, remote }: Download, done: number, cause?: unknown): SageError {
  const [have, all] = [done, file.size].map((bytes) => (bytes / 1e6).toFixed(1));
  return new SageError(
    "unreachable",
    `The connection broke at ${have} of ${all} MB of "${file.name}"`,
    { hint: `repeat the command: it goes on there; ${remote.offline}`, cause },
  );
}
