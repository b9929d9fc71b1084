/**
 * What `sage install` needs to know of an editor: where its files are, what is written into them, and how
 * that is found and removed again. One implementation in each editor's folder; texts in, texts out.
 * memory/editor/install.ts writes the files.
 */
import { ifReadable } from "../base/attempt.ts";
import type { Env } from "../base/environment.ts";
import type { Fs } from "../base/fs.ts";

export const EDITORS = [
  "claude-code",
  "cursor",
  "vscode",
  "zed",
  "codex",
  "gemini",
  "opencode",
] as const;
export type EditorName = typeof EDITORS[number];

/** For one person in every project, or for everyone in one. */
export const SCOPES = ["user", "project"] as const;
export type Scope = typeof SCOPES[number];

/** The facts about the machine that decide where an editor's files are. */
export interface Place {
  readonly fs: Fs;
  readonly os: "linux" | "darwin" | "windows" | string;
  readonly home: string;
  readonly projectDir: string;
  readonly env: Env;
}

/** What is to be registered. */
export interface Wanted {
  /** Absolute path of the program. */
  readonly command: string;
  readonly os: Place["os"];
  /** The hook before edits too, if it was turned on. */
  readonly beforeEdits?: boolean;
  /** The status line too, unless the person has one. */
  readonly statusLine?: boolean;
  /** What handles events that the editor could also send to the server; if missing, as registered. */
  readonly via?: Via | undefined;
}

/** A process for each event, or the connected server. */
export const VIAS = ["process", "mcp"] as const;
export type Via = typeof VIAS[number];

export interface SetupFile {
  readonly path: string;
  /** The text after each step, so that each can be undone by itself; none if there is nothing to do. */
  add(text: string, wanted: Wanted): Iterable<string>;
}

/** Sage's entries in a text. */
export interface Own {
  /** The program for each event, by the editor's name; undefined if the server handles it. */
  readonly hooks: ReadonlyMap<string, string | undefined>;
  /** The program that is started as MCP server. */
  readonly server: string | undefined;
  readonly hasStatusLine: boolean;
}

/** Finds and removes Sage's entries in a file of the editor. */
export interface Format {
  /** The file is Sage's alone. */
  readonly isWhole?: true;
  /** Parses the text; throws `invalid_config` with line and column if it is invalid. */
  parse(text: string, file: string): unknown;
  own(text: string, file: string): Own;
  /** Objects and lists that may have been added for Sage's entries, as dotted keys. */
  containers(text: string, file: string): readonly string[];
  /** The text without Sage's entries, and without the containers in `made` that are empty then. */
  remove(text: string, file: string, made: readonly string[]): string;
}

/** The text of each file now; undefined if it does not exist. */
export type FileTexts = ReadonlyMap<string, string | undefined>;

/** Why hooks do not run. `mend`: what a person does about it in the editor. */
export interface HeldBack {
  readonly reason: string;
  readonly mend: string;
}

export interface EditorSetup {
  readonly name: EditorName;
  /** The editor's name for display. */
  readonly title: string;
  files(scope: Scope, place: Place): readonly SetupFile[];
  format(path: string): Format;
  /** The text without the editor's own records of Sage's entries in all of these. */
  withoutNotes?(text: string, path: string, texts: FileTexts): string;
  /** Why the editor does not run Sage's hooks although they are registered. `read` returns a file's text. */
  heldBack?(
    scope: Scope,
    place: Place,
    read: (path: string) => string | undefined,
  ): HeldBack | undefined;
  /** Folders or files of which at least one exists if the editor was ever used. */
  traces(place: Place): readonly string[];
  /** The editor's names of the events that a whole installation has hooks for. */
  hookEvents(wanted: Pick<Wanted, "beforeEdits">): readonly string[];
  /** What a person has to do or know, a line for each. */
  readonly remarks: readonly string[];
}

export function isFound(setup: EditorSetup, place: Place): boolean {
  return setup.traces(place).some((path) =>
    // What may not be looked at is there.
    ifReadable(true, () => place.fs.lstat(path) !== undefined)
  );
}
