/**
 * Findings that a person accepted, with their reason: `allowed.jsonl` in the user store, one line each,
 * to be read and deleted by hand. A line holds only a salted hash of what was found. It counts for this
 * person alone: what one takes for a sample value need not be one for everybody.
 */
import { rfc3339 } from "../../base/clock.ts";
import { systemError } from "../../base/errors.ts";
import { readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { randomHex, sha256Hex } from "../../base/hash.ts";
import { appendJsonLine, readJsonLines } from "../../base/jsonl.ts";
import type { Memory } from "../memory.ts";

interface Allowance {
  readonly at: string;
  readonly rule: string;
  /** `src/a.ts:3`; for a note only "a note", because forgetting a note must remove its name everywhere. */
  readonly place: string;
  readonly reason: string;
}

interface Line extends Allowance {
  readonly salt: string;
  readonly hash: string;
}

const NAME = "allowed.jsonl";
const BYTES_MAX = 4 * 1024 * 1024;

export function listAllowances(memory: Memory): Allowance[] {
  return readLines(memory).map(({ at, rule, place, reason }) => ({ at, rule, place, reason }));
}

/** Whether a value that a rule found was accepted. */
export function allowances(memory: Memory): (rule: string, value: string) => boolean {
  const lines = readLines(memory);
  return (rule, value) =>
    lines.some((line) => line.rule === rule && line.hash === hashOf(line.salt, rule, value));
}

export function allow(
  memory: Memory,
  found: Omit<Allowance, "at"> & { readonly value: string },
): void {
  const { value, ...told } = found;
  const salt = randomHex(16);
  const line: Line = {
    at: rfc3339(memory.now()),
    ...told,
    salt,
    hash: hashOf(salt, found.rule, value),
  };
  try {
    memory.fs.makeDir(memory.places.userRoot, 0o700);
    appendJsonLine(memory.fs, fileOf(memory), line);
  } catch (error) {
    throw systemError(error, `write ${NAME}`);
  }
}

function readLines(memory: Memory): Line[] {
  const path = fileOf(memory);
  if (memory.fs.lstat(path)?.kind !== "file") return [];
  return readJsonLines(readBytes(memory.fs, path, BYTES_MAX)).filter(isLine);
}

function isLine(value: unknown): value is Line {
  const line = value as Partial<Line> | null;
  return typeof line?.rule === "string" && typeof line.salt === "string" &&
    typeof line.hash === "string";
}

function hashOf(salt: string, rule: string, value: string): string {
  return sha256Hex(`${salt}\n${rule}\n${value}`);
}

function fileOf({ places }: Memory): string {
  return join(places.userRoot, NAME);
}
