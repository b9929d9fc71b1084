/**
 * Downloads the files of a published model from the hub, at one commit. A file is accepted only if it has
 * the size and hash that the revision lists: SHA-256, or git's blob id for small files.
 */
import { download } from "../../base/download.ts";
import { SageError } from "../../base/errors.ts";
import { isObject, parsed } from "../../base/fields.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { decode } from "../../base/utf8.ts";
import { gitBlobHex, isSha256 } from "../../base/hash.ts";
import { fetchWhole, type Remote } from "../../base/remote.ts";

export interface HubFile {
  readonly name: string;
  readonly size: number;
  /** Of large files (Git LFS) only; small ones have `gitBlob`. */
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
/** A file without a SHA-256 is read whole to compute its blob id. */
const SMALL_BYTES_MAX = 64 * 1024 * 1024;
const COMMIT = /^[0-9a-f]{40}$/;

export function isCommit(revision: string): boolean {
  return COMMIT.test(revision);
}

/** Which files make up the revision. */
export async function listRevision(
  hub: string,
  repository: string,
  revision: string,
): Promise<HubRevision> {
  const path = `api/models/${repository}/revision/${encodeURIComponent(revision)}?blobs=true`;
  const remote = hubCalled(hub, repository);
  const json = toJson(remote, await fetchWhole(remote, new URL(path, `${hub}/`), LIST_BYTES_MAX));
  const commit = String(json.sha);
  if (!COMMIT.test(commit) || (isCommit(revision) && revision !== commit)) {
    throw remote.lied(`it answers for revision "${commit.slice(0, 60)}"`);
  }
  const siblings = Array.isArray(json.siblings) ? json.siblings : [];
  return { commit, files: siblings.flatMap(toFile) };
}

function toFile(entry: Record<string, unknown> | null): HubFile[] {
  const { rfilename: name, size, blobId, lfs } = entry ?? {};
  const large = (lfs ?? {}) as Record<string, unknown>;
  const bytes = large.size ?? size;
  if (typeof name !== "string" || typeof bytes !== "number" || !Number.isInteger(bytes)) return [];
  const sha256 = isSha256(large.sha256) ? large.sha256 : undefined;
  // The blob id of a large file is that of its LFS pointer.
  const isNamed = lfs === undefined && typeof blobId === "string" && COMMIT.test(blobId);
  const gitBlob = isNamed ? blobId : undefined;
  return [{ name, size: bytes, sha256, gitBlob }];
}

function toJson(remote: Remote, bytes: Uint8Array): Record<string, unknown> {
  const json = parsed(decode(bytes));
  if (isObject(json)) return json;
  throw remote.lied("its list of files is no JSON");
}

export interface HubDownload {
  readonly fs: Fs;
  readonly hub: string;
  readonly repository: string;
  readonly commit: string;
  readonly file: HubFile;
  /** Where it goes when it is whole and right. */
  readonly target: string;
  onBytes(done: number): void;
}

/** Downloads one file of a revision. Returns its SHA-256. */
export async function fetchFile(given: HubDownload): Promise<string> {
  const { fs, hub, repository, commit, file, target, onBytes } = given;
  const remote = hubCalled(hub, repository);
  if (file.size < 0 || file.size > FILE_BYTES_MAX) {
    throw remote.lied(`"${file.name}" has ${file.size} bytes`);
  }
  if (file.sha256 === undefined && (file.gitBlob === undefined || file.size > SMALL_BYTES_MAX)) {
    throw remote.lied(`it does not say what "${file.name}" must be`);
  }
  const url = new URL(`${repository}/resolve/${commit}/${file.name}`, `${hub}/`);
  const isRight = (sha256: string, part: string): boolean =>
    file.sha256 !== undefined
      ? file.sha256 === sha256
      : file.gitBlob === gitBlobHex(readBytes(fs, part, SMALL_BYTES_MAX));
  return await download({ fs, remote, url, file, target, isRight, onBytes });
}

/** The hub as the sender of this repository's files. Hugging Face redirects large files to hosts of its own. */
function hubCalled(hub: string, repository: string): Remote {
  return {
    senders: new URL(hub).hostname === "huggingface.co" ? [".hf.co"] : [],
    forbidden: "it reaches huggingface.co and this machine; a folder with the files works too",
    offline: "check the connection; until then the model in use goes on",
    lied: (why) =>
      new SageError("refused", `The hub is not to be trusted: ${why}`, {
        hint: "nothing was changed; check embedding.hub, or repeat it later",
      }),
    refused({ status }) {
      if ([401, 403, 404].includes(status)) {
        return new SageError("not_found", `The hub shows no model "${repository}" (${status})`, {
          hint: "check the name and the revision; what needs an account cannot be pulled",
        });
      }
      return new SageError("unreachable", `The hub answers with ${status}`, {
        hint: "repeat it later; until then the model in use goes on",
      });
    },
  };
}
