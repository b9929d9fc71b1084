/**
 * The published release: `release.json` from a server, accepted only with the signature of a known key. It
 * lists every file with size and SHA-256, so that one signature covers all of them.
 */
import { SageError } from "../../base/errors.ts";
import { decode } from "../../base/utf8.ts";
import { isSha256 } from "../../base/hash.ts";
import { RELEASE_SENDERS } from "../../base/release_origin.ts";
import { fetchWhole, type Remote } from "../../base/remote.ts";

export interface ReleaseFile {
  readonly name: string;
  /** The platform, as the compiler calls it. */
  readonly target: string;
  readonly size: number;
  readonly sha256: string;
}

export interface Release {
  readonly version: string;
  readonly files: readonly ReleaseFile[];
}

const DOCUMENT_BYTES_MAX = 256 * 1024;
const SIGNATURE_BYTES_MAX = 1024;
/** The largest archive of a program that is accepted. */
const FILE_BYTES_MAX = 1024 * 1024 * 1024;
const VERSION = /^(\d{1,6})\.(\d{1,6})\.(\d{1,6})(?:-([0-9a-z.-]{1,40}))?$/;

export const SERVER: Remote = {
  senders: RELEASE_SENDERS,
  forbidden: "a program connects only to the server that it was built for, and to this machine",
  offline: "check the connection; nothing was changed",
  lied: (why) =>
    new SageError("refused", `The release server cannot be trusted: ${why}`, {
      hint: "nothing was changed; check update.url, or repeat it later",
    }),
  refused: ({ status }) =>
    new SageError(
      status === 404 ? "not_found" : "unreachable",
      `The release server answered with status ${status}`,
      { hint: "nothing was changed; check update.url, or repeat it later" },
    ),
};

export async function fetchRelease(url: string, keys: readonly string[]): Promise<Release> {
  const bytes = await fetchWhole(SERVER, new URL(`${url}/release.json`), DOCUMENT_BYTES_MAX);
  const signature = decode(
    await fetchWhole(SERVER, new URL(`${url}/release.json.sig`), SIGNATURE_BYTES_MAX),
  );
  if (!await isSigned(bytes, signature.trim(), keys)) {
    throw SERVER.lied("what it publishes is not signed by a key that this program knows");
  }
  const release = readRelease(bytes);
  if (release === undefined) throw SERVER.lied("its list of files cannot be read");
  return release;
}

async function isSigned(
  bytes: Uint8Array<ArrayBuffer>,
  signature: string,
  keys: readonly string[],
): Promise<boolean> {
  const signed = fromBase64(signature);
  if (signed === undefined) return false;
  for (const text of keys) {
    const raw = fromBase64(text);
    if (raw?.length !== 32) continue;
    const key = await crypto.subtle.importKey("raw", raw, "Ed25519", false, ["verify"]);
    if (await crypto.subtle.verify("Ed25519", key, signed, bytes)) return true;
  }
  return false;
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.fromBase64(text);
  } catch {
    return undefined;
  }
}

function readRelease(bytes: Uint8Array): Release | undefined {
  try {
    const { version, files } = JSON.parse(decode(bytes));
    if (!VERSION.test(version) || !Array.isArray(files) || !files.every(isFile)) return undefined;
    return { version, files };
  } catch {
    return undefined;
  }
}

function isFile(file: Record<string, unknown> | null): boolean {
  const { name, target, size, sha256 } = file ?? {};
  return typeof name === "string" && /^[a-z0-9][\w.-]{0,120}$/.test(name) &&
    typeof target === "string" && isSha256(sha256) &&
    Number.isInteger(size) && Number(size) > 0 && Number(size) <= FILE_BYTES_MAX;
}

/** Negative if `a` is older than `b`, by the rules of semantic versions. */
export function compareVersions(a: string, b: string): number {
  const [, ...left] = VERSION.exec(a) ?? [];
  const [, ...right] = VERSION.exec(b) ?? [];
  for (const i of [0, 1, 2]) {
    const order = Number(left[i]) - Number(right[i]);
    if (order !== 0) return order;
  }
  const [early, late] = [left[3], right[3]];
  // A pre-release comes before its release.
  if (early === undefined || late === undefined) {
    return Number(early === undefined) - Number(late === undefined);
  }
  return compareParts(early.split("."), late.split("."));
}

function compareParts(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < Math.max(a.length, b.length); i++) {
    const [left, right] = [a[i], b[i]];
    if (left === right) continue;
    if (left === undefined || right === undefined) return left === undefined ? -1 : 1;
    const [isCount, isOtherCount] = [/^\d+$/.test(left), /^\d+$/.test(right)];
    if (isCount && isOtherCount) return Number(left) - Number(right);
    return isCount !== isOtherCount ? (isCount ? -1 : 1) : left < right ? -1 : 1;
  }
  return 0;
}
