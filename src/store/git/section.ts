/**
 * Sets or removes one section of a repository's own configuration as git does: under `config.lock`, with
 * every other byte unchanged.
 */
import { discard } from "../../base/atomic.ts";
import { SageError, systemError, systemErrorCode } from "../../base/errors.ts";
import { followed, type Fs, readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decodeExact, encode } from "../../base/utf8.ts";

const BYTES_MAX = 256 * 1024;

/**
 * `head`: what is in the brackets. `lines` (`key = value`): the section's new content in
 * `<commonDir>/config`; undefined removes the section. Returns false if nothing had to change.
 */
export function writeGitSection(
  fs: Fs,
  commonDir: string,
  head: string,
  lines: readonly string[] | undefined,
): boolean {
  const path = configPath(fs, commonDir);
  const lock = `${path}.lock`;
  let isHeld = false;
  try {
    const file = fs.open(lock, {
      write: true,
      createNew: true,
      mode: (fs.lstat(path)?.mode ?? 0o644) & 0o777,
    });
    isHeld = true;
    try {
      const before = readText(fs, path);
      const after = withSection(before, head, lines);
      if (after === before) return false;
      file.write(encode(after));
      file.sync();
    } finally {
      file.close();
    }
    fs.rename(lock, path);
    isHeld = false;
    return true;
  } catch (error) {
    if (systemErrorCode(error) === "EEXIST") {
      throw new SageError("locked", `Cannot change ${path}: git holds it (${lock})`, {
        hint: "let git finish; a lock that it left behind may be deleted",
      });
    }
    throw systemError(error, `change ${path}`);
  } finally {
    if (isHeld) discard(fs, lock);
  }
}

/** The lines of the section, or undefined if there is none. */
export function readGitSection(fs: Fs, commonDir: string, head: string): string[] | undefined {
  const lines = readText(fs, configPath(fs, commonDir)).split("\n");
  const at = lines.findIndex((line) => isHead(line, head));
  if (at < 0) return undefined;
  return lines.slice(at + 1, endOf(lines, at)).map((line) => line.trim()).filter((line) =>
    line !== ""
  );
}

/** Quotes a value, in which git would otherwise see comments or escapes. */
export function quoteGitValue(value: string): string {
  return `"${value.replace(/[\\"]/g, "\\$&")}"`;
}

function withSection(text: string, head: string, wanted: readonly string[] | undefined): string {
  const lines = text.split("\n");
  const at = lines.findIndex((line) => isHead(line, head));
  const block = wanted === undefined ? [] : [`[${head}]`, ...wanted.map((line) => `\t${line}`)];
  if (at < 0) {
    if (block.length === 0) return text;
    // Adds no line end that was not there, because removing the section must restore every byte.
    return text === "" || text.endsWith("\n")
      ? `${text}${block.join("\n")}\n`
      : `${text}\n${block.join("\n")}`;
  }
  const end = endOf(lines, at);
  return [...lines.slice(0, at), ...block, ...lines.slice(end)].join("\n");
}

/** The index behind the section's last line that is not blank. */
function endOf(lines: readonly string[], at: number): number {
  const next = lines.findIndex((line, i) => i > at && /^\s*\[/.test(line));
  let end = next < 0 ? lines.length : next;
  while (end > at + 1 && lines[end - 1]?.trim() === "") end--;
  return end;
}

function isHead(line: string, head: string): boolean {
  return line.trim() === `[${head}]`;
}

function configPath(fs: Fs, commonDir: string): string {
  return followed(fs, join(commonDir, "config"));
}

function readText(fs: Fs, path: string): string {
  if (fs.lstat(path) === undefined) return "";
  const bytes = readBytes(fs, path, BYTES_MAX + 1);
  const text = bytes.length > BYTES_MAX ? undefined : decodeExact(bytes);
  if (text !== undefined) return text;
  throw new SageError("invalid_config", `Cannot read ${path}: it is no text, or too large`);
}
