/**
 * What agents keep of their past sessions, each in its own way, behind one interface: which there are
 * and where they worked, and one of them as a transcript. Nothing of theirs is ever written. Claude Code's
 * own is read by hooks as well and stays in its folder.
 */
import type { Env } from "../base/environment.ts";
import type { Fs } from "../base/fs.ts";
import type { Transcript } from "./editor.ts";

export interface HistoryPlace {
  readonly fs: Fs;
  readonly home: string;
  readonly env: Env;
  /** A project whose folder an agent may know by its hash alone. */
  readonly projectDir: string;
  /** A folder of Sage's own, for files that must be copied before they can be read. */
  readonly scratch: string;
  /** Is told of a file or a folder that may not be read: it keeps nobody from the others. */
  readonly onUnreadable: (path: string) => void;
}

export interface PastFile {
  readonly agent: string;
  /** The file, or the folder or database in which the session stands. */
  readonly path: string;
  readonly sessionId: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** Where it worked, where that is known without reading it. */
  readonly cwd?: string;
}

export interface History {
  /** Sessions in no order; those that a person had no part in are left out. */
  list(): Promise<PastFile[]>;
  read(file: PastFile): Promise<Transcript>;
  close(): Promise<void>;
}

/** Each is loaded when somebody looks into the past, and by nobody else. */
export const HISTORIES: Readonly<Record<string, (place: HistoryPlace) => Promise<History>>> = {
  codex: async (place) => (await import("./codex/history.ts")).openHistory(place),
  gemini: async (place) => (await import("./gemini/history.ts")).openHistory(place),
  opencode: async (place) => (await import("./opencode/history.ts")).openHistory(place),
};

/** A file beyond this is no conversation that anybody had; what comes after it is left out. */
export const HISTORY_BYTES_MAX = 64 * 1024 * 1024;
