/**
 * What `sage install` needs to know of an editor: where its files are, what is put into them, and how that is
 * found and taken out again. One for each editor's folder; texts go in, texts come out.
 * memory/editor/install.ts writes the files.
 */
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

/** The machine, as far as it says where an editor's files lie. */
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
  /** The status line too, where the person has none. */
  readonly statusLine?: boolean;
  /** What answers events that the editor could also send to our server; as registered, if missing. */
  readonly via?: Via | undefined;
}

/** A process of its own for each event, or the server that is connected. */
export const VIAS = ["process", "mcp"] as const;
export type Via = typeof VIAS[number];

export interface SetupFile {
  readonly path: string;
  /** The text after each step, so that each can be undone by itself; none where nothing is to do. */
  add(text: string, wanted: Wanted): Iterable<string>;
}

/** What of ours a text holds. */
export interface Own {
  /** The program that is called, by the editor's name of the event; undefined where the server is. */
  readonly hooks: ReadonlyMap<string, string | undefined>;
  /** The program that is started as MCP server. */
  readonly server: string | undefined;
  readonly hasStatusLine: boolean;
}

/** How our entries are found in a file of the editor, wherever it lies. */
export interface Format {
  /** The text's meaning; throws `invalid_config`, naming the place, where it has none. */
  parse(text: string, file: string): unknown;
  own(text: string, file: string): Own;
  /** What stands in the file only to hold entries, as dotted keys: it may have been made for ours. */
  containers(text: string, file: string): readonly string[];
  /** The text without what is ours, and without those of the containers `made` that are empty then. */
  remove(text: string, file: string, made: readonly string[]): string;
}

/** The text of each file now; undefined where there is none. */
export type FileTexts = ReadonlyMap<string, string | undefined>;

/** `reason` follows what is registered, `mend` is what a person does in the editor. */
export interface HeldBack {
  readonly reason: string;
  readonly mend: string;
}

export interface EditorSetup {
  readonly name: EditorName;
  /** As people call it. */
  readonly title: string;
  files(scope: Scope, place: Place): readonly SetupFile[];
  format(path: string): Format;
  /** The text without what the editor itself noted in it of our entries in all of these. */
  withoutNotes?(text: string, path: string, texts: FileTexts): string;
  /** Why the editor runs hooks of ours not that it has; `read` gives the text of a file. */
  heldBack?(
    scope: Scope,
    place: Place,
    read: (path: string) => string | undefined,
  ): HeldBack | undefined;
  /** Folders or files of which one is there where the editor was ever used. */
  traces(place: Place): readonly string[];
  /** The editor's names of the events that a whole installation has hooks for. */
  hookEvents(wanted: Pick<Wanted, "beforeEdits">): readonly string[];
  /** What a person has to do or to know, one line each. */
  readonly remarks: readonly string[];
}

export function isFound(setup: EditorSetup, place: Place): boolean {
  return setup.traces(place).some((path) => place.fs.lstat(path) !== undefined);
}
