/** Hashes. SHA-256 is the only one that identifies content. Synchronous: a save hashes between two system calls. */
import { createHash } from "node:crypto";

/** Lower-case hex of the SHA-256 of bytes or of the UTF-8 form of a string. */
export function sha256Hex(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("hex");
}

/** Whether a value has the form of `sha256Hex`. */
export function isSha256(value: unknown): value is string {
  return typeof value === "string" && /^[0-9a-f]{64}$/.test(value);
}

/** The SHA-256 in base64, as a content security policy has it. */
export function sha256Base64(data: Uint8Array | string): string {
  return createHash("sha256").update(data).digest("base64");
}

/** The SHA-256 (hex) of several parts as if concatenated. */
export function sha256Parts(parts: Iterable<Uint8Array>): string {
  const hash = createHash("sha256");
  for (const part of parts) hash.update(part);
  return hash.digest("hex");
}

/** `bytes` random bytes as lower-case hex. */
export function randomHex(bytes: number): string {
  return crypto.getRandomValues(new Uint8Array(bytes)).toHex();
}

/** FNV-1a, 32 bits: for detecting damage and for filters, not for identity. `seed`: a hash to go on from. */
export function hash32(bytes: Uint8Array, seed = 0x811c9dc5): number {
  let hash = seed;
  for (let i = 0; i < bytes.length; i++) hash = Math.imul(hash ^ (bytes[i] ?? 0), 0x01000193);
  return hash >>> 0;
}

export function equalBytes(a: Uint8Array, b: Uint8Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** An incremental SHA-256. */
export interface Hashing {
  update(bytes: Uint8Array): void;
  /** Finishes the hash. */
  hex(): string;
}

export function hashing(): Hashing {
  const hash = createHash("sha256");
  return { update: (bytes) => void hash.update(bytes), hex: () => hash.digest("hex") };
}

/** The blob id that git gives to these bytes. */
export function gitBlobHex(bytes: Uint8Array): string {
  return createHash("sha1").update(`blob ${bytes.length}\0`).update(bytes).digest("hex");
}
