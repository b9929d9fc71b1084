/**
 * Agents' own files of past sessions, behind one interface: a list of the sessions with their folders, and
 * each as a transcript. These files are never written. Claude Code's are also read by hooks, so their reader
 * is in its folder.
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
  /** The sessions that are looked for; all if undefined. */
  readonly only?: ReadonlySet<string> | undefined;
  /** Called for a file or folder that may not be read, which does not stop the others. */
  readonly onUnreadable: (path: string) => void;
}

export interface PastFile {
  readonly agent: string;
  /** The file, folder or database that holds the session. */
  readonly path: string;
  readonly sessionId: string;
  readonly size: number;
  readonly mtimeMs: number;
  /** The folder it worked in, if known without reading it. */
  readonly cwd?: string;
}

export interface History {
  /** The sessions, unordered, without those that no person took part in. */
  list(): Promise<PastFile[]>;
  read(file: PastFile): Promise<Transcript>;
  close(): Promise<void>;
}

/** Readers by agent, imported only when past sessions are read. */
export const HISTORIES: Readonly<Record<string, (place: HistoryPlace) => Promise<History>>> = {
  cursor: async (place) => (await import("./cursor/history.ts")).openHistory(place),
  copilot: async (place) => (await import("./vscode/history.ts")).openHistory(place),
  codex: async (place) => (await import("./codex/history.ts")).openHistory(place),
  gemini: async (place) => (await import("./gemini/history.ts")).openHistory(place),
  opencode: async (place) => (await import("./opencode/history.ts")).openHistory(place),
};

/** How much of a file is read; no real conversation is longer. */
export const HISTORY_BYTES_MAX = 64 * 1024 * 1024;
