/**
 * Where Claude Code keeps a project's sessions. The folder's name is made from the start directory and
 * cannot be read back; hooks get the path handed to them and do not need this.
 */
import { type Fs, listIfReadable, readBytes } from "../../base/fs.ts";
import { join, native } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { ifReadable } from "../../base/attempt.ts";
import { defined } from "../../base/defined.ts";
import { compareText } from "../../base/text/text.ts";

/** A longer name is cut here, and a hash appended. */
const FOLDER_NAME_CHARACTERS_MAX = 200;

export interface TranscriptFile {
  readonly path: string;
  readonly sessionId: string;
  readonly size: number;
  readonly mtimeMs: number;
}

/** The folder of a start directory's sessions; `dir` is its real path, links resolved. */
export function projectFolder(dir: string, configDir: string, os?: string): string {
  return join(configDir, "projects", folderName(native(dir, os)));
}

/** Ignores case on Windows, where the client names a folder as it was typed: `c--work`, `C--Work`. */
export function isFolderName(name: string, of: string): boolean {
  const isWindows = /^[A-Za-z]--/.test(of);
  return isWindows ? name.toLowerCase().startsWith(of.toLowerCase()) : name.startsWith(of);
}

function folderName(cwd: string): string {
  const name = cwd.replace(/[^A-Za-z0-9]/g, "-");
  if (name.length <= FOLDER_NAME_CHARACTERS_MAX) return name;
  let hash = 0;
  for (let i = 0; i < cwd.length; i++) hash = (Math.imul(hash, 31) + cwd.charCodeAt(i)) | 0;
  return `${name.slice(0, FOLDER_NAME_CHARACTERS_MAX)}-${Math.abs(hash).toString(36)}`;
}

/** The folders of all projects that have sessions, by name. */
export function listProjectFolders(configDir: string, fs: Fs): string[] {
  const folder = join(configDir, "projects");
  return listIfReadable(fs, folder).filter(({ kind }) => kind === "dir").map(({ name }) =>
    join(folder, name)
  )
    .sort();
}

/** The session files in projects' folders, newest first. Regular files only, no links or pipes. */
export function listTranscripts(folders: readonly string[], fs: Fs): TranscriptFile[] {
  const files = folders.flatMap((folder) =>
    listIfReadable(fs, folder).flatMap(({ name, kind }): TranscriptFile[] => {
      if (kind !== "file" || !name.endsWith(".jsonl")) return [];
      const path = join(folder, name);
      const info = ifReadable(undefined, () => fs.lstat(path));
      if (info === undefined) return []; // removed between the two calls, or closed to us
      const sessionId = name.slice(0, -".jsonl".length);
      return [{ path, sessionId, size: info.size, mtimeMs: info.mtimeMs }];
    })
  );
  return files.sort((a, b) => b.mtimeMs - a.mtimeMs || compareText(a.path, b.path));
}

/** How many bytes are read to learn who began a session: bookkeeping and one prompt may come before. */
const HEAD_BYTES = 64 * 1024;

export interface TranscriptHead {
  /** RFC 3339 with fractions. */
  readonly startedAt?: string;
  /** Whether a person began it, not a script that calls the client. */
  readonly isInteractive: boolean;
}

/** What the beginning of a session file says. Found without parsing, since lines may be incomplete. */
export function transcriptHead(path: string, fs: Fs): TranscriptHead {
  const text = decode(readBytes(fs, path, HEAD_BYTES));
  const startedAt = /"timestamp":"([0-9T:.Z-]{20,30})"/.exec(text)?.[1];
  return { isInteractive: text.includes('"entrypoint":"cli"'), ...defined({ startedAt }) };
}
