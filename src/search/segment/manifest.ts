/**
 * Which segments make up the index at this revision, and which of their notes are gone. The only
 * file that is replaced in place (by rename); segments never change once they are named in one.
 */
import { writeAtomic } from "../../base/atomic.ts";
import { isShortage } from "../../base/errors.ts";
import { randomHex, sha256Hex } from "../../base/hash.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode, encode } from "../../base/utf8.ts";
import type { FileStampLike } from "../document.ts";
import { FORMAT_VERSION, isSegmentName, MANIFEST_NAME } from "./format.ts";

export interface ManifestSegment {
  /** File name in the index's folder. */
  readonly name: string;
  readonly bytes: number;
  /** Ordinals of notes that were replaced or removed since, ascending. */
  readonly dead: readonly number[];
  /** Newer stamps of notes whose files changed without their content; absent for none. */
  readonly seen?: readonly (readonly [note: number, stamp: FileStampLike])[] | undefined;
}

export interface Manifest {
  /** The embedder of these vectors. */
  readonly embedder: string;
  readonly revision: number;
  /** How many of the segments are main ones; a huge store has several. */
  readonly mains: number;
  /** The main ones first, then the deltas in the order they were made. */
  readonly segments: readonly ManifestSegment[];
}

/** Room for a hundred thousand dead notes, the most there can be before a merge drops them. */
const MANIFEST_BYTES_MAX = 4 * 1024 * 1024;

export type ManifestRead =
  | { readonly kind: "missing" }
  | { readonly kind: "damaged" }
  | { readonly kind: "read"; readonly manifest: Manifest; readonly check: string };

export function newSegmentName(): string {
  return `${randomHex(8)}.segment`;
}

export function readManifest(fs: Fs, dir: string): ManifestRead {
  const path = join(dir, MANIFEST_NAME);
  const info = fs.lstat(path);
  if (info === undefined) return { kind: "missing" };
  if (info.kind !== "file" || info.size > MANIFEST_BYTES_MAX) return { kind: "damaged" };
  const text = readText(fs, path);
  if (text === undefined) return { kind: "damaged" };
  const line = text.indexOf("\n");
  const check = text.slice(0, Math.max(0, line));
  const body = text.slice(line + 1);
  if (line < 0 || sha256Hex(body) !== check) return { kind: "damaged" };
  const manifest = parse(body);
  return manifest === undefined ? { kind: "damaged" } : { kind: "read", manifest, check };
}

/** Undefined if it may not be read: it can be replaced all the same. */
function readText(fs: Fs, path: string): string | undefined {
  try {
    return decode(readBytes(fs, path, MANIFEST_BYTES_MAX));
  } catch (error) {
    if (isShortage(error)) throw error;
    return undefined;
  }
}

/** Makes this the index's current revision. Returns its `check`. */
export function writeManifest(fs: Fs, dir: string, manifest: Manifest): string {
  const body = JSON.stringify({ format: FORMAT_VERSION, ...manifest });
  const check = sha256Hex(body);
  const path = join(dir, MANIFEST_NAME);
  const write = (): void =>
    writeAtomic(fs, path, encode(`${check}\n${body}`), { mode: 0o600, durable: false });
  try {
    write();
  } catch (error) {
    if (fs.lstat(path)?.kind !== "dir") throw error;
    // No file can replace a folder, and what is in it may be somebody's.
    fs.rename(path, join(dir, `${MANIFEST_NAME}.${randomHex(6)}.aside`));
    write();
  }
  return check;
}

function parse(body: string): Manifest | undefined {
  // The checksum matched, so some version of this program wrote this.
  const value = JSON.parse(body) as Partial<Manifest> & { format?: number };
  if (value.format !== FORMAT_VERSION || !Array.isArray(value.segments)) return undefined;
  const { embedder, revision, mains, segments } = value;
  if (typeof embedder !== "string" || typeof revision !== "number") return undefined;
  if (typeof mains !== "number") return undefined;
  for (const segment of segments) {
    if (!isSegmentName(segment.name) || !Array.isArray(segment.dead)) return undefined;
  }
  return { embedder, revision, mains, segments };
}
