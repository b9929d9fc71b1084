/**
 * Registers Sage in Claude Code's settings and takes it out again, as plans: texts in, texts out. What
 * others wrote stays byte for byte; installing twice changes nothing. Who writes the files, keeps
 * their backups and the receipt is memory/install.ts.
 */
import { SageError } from "../../base/errors.ts";
import { sha256Hex } from "../../base/hash.ts";
import { join } from "../../base/fs.ts";
import {
  appendValue,
  isObject,
  type JsonObject,
  parseObject,
  removeValue,
  setValue,
} from "../jsonc.ts";
import { applySplices, type Splice, undoOf } from "../undo.ts";
import { ownHooks, removeHooks, serversOf } from "./entries.ts";
import {
  type HookChoice,
  hookGroups,
  isOwnServer,
  isOwnStatusLine,
  isSage,
  mcpServer,
  SERVER_NAME,
  statusLineEntry,
} from "./registration.ts";

export interface SettingsPaths {
  /** Where hooks are registered. */
  readonly settings: string;
  /** Where MCP servers are registered. */
  readonly mcp: string;
}

/** The text of each file now; undefined where there is none. */
export type FileTexts = ReadonlyMap<string, string | undefined>;

export interface FileChange {
  readonly path: string;
  readonly before: string | undefined;
  /** Undefined: the file goes. */
  readonly after: string | undefined;
  /** Makes the text before of the one after; null where there was no file. Of an installation only. */
  readonly undo?: readonly Splice[] | null;
  /** All of it is Sage's, so that there are no entries to look for. */
  readonly whole?: true;
}

/**
 * What uninstalling needs to know of one file. As it is, it may be kept as JSON. It holds no word that
 * was there before: tokens of other programs stand in these files.
 */
export interface ReceiptFile {
  readonly path: string;
  /** Of the text that was written. */
  readonly sha256: string;
  /** Makes the text before of it; null where there was no file; absent where it cannot be known. */
  readonly undo?: readonly Splice[] | null;
  /** Objects and lists that were made for our entries: `hooks`, `hooks.Stop`, `mcpServers`. */
  readonly containers: readonly string[];
  /** All of it is Sage's: a file of the plugin. */
  readonly whole?: true;
}

export interface Receipt {
  readonly files: readonly ReceiptFile[];
}

/** Where the client looks, for the user or for one project. */
export function settingsPaths(
  scope: "user" | "project",
  where: {
    readonly home: string;
    readonly projectDir: string;
    readonly configDir?: string | undefined;
  },
): SettingsPaths {
  if (scope === "project") {
    return {
      settings: join(where.projectDir, ".claude", "settings.json"),
      mcp: join(where.projectDir, ".mcp.json"),
    };
  }
  return {
    settings: join(where.configDir ?? join(where.home, ".claude"), "settings.json"),
    mcp: join(where.configDir ?? where.home, ".claude.json"),
  };
}

/** The changes that register `command`; none where it is registered already. */
export function planInstall(
  texts: FileTexts,
  options: {
    readonly paths: SettingsPaths;
    readonly command: string;
    /** Registers the status line too, where there is none. One that is there is nobody's to replace. */
    readonly statusLine?: boolean;
    readonly hooks?: HookChoice;
  },
): FileChange[] {
  const { paths, command, hooks, statusLine = false } = options;
  requireName(command);
  return changes(texts, [
    [paths.settings, function* (text) {
      let edited = text;
      for (edited of withHooks(text, paths.settings, command, hooks)) yield edited;
      yield withStatusLine(edited, paths.settings, command, statusLine);
    }],
    [paths.mcp, (text) => [withServer(text, paths.mcp, command)]],
  ]);
}

/** The changes that show the status line and register nothing else: a plugin brings the rest. */
export function planStatusLine(texts: FileTexts, file: string, command: string): FileChange[] {
  requireName(command);
  return changes(texts, [[file, (text) => [withStatusLine(text, file, command, true)]]]);
}

/** The changes that make these files of the plugin what they are to be, and take away those it had. */
export function planWhole(
  texts: FileTexts,
  wanted: ReadonlyMap<string, string>,
  known: readonly ReceiptFile[],
): FileChange[] {
  const made = new Map(known.map(({ path, sha256 }) => [path, sha256]));
  const paths = new Set([...wanted.keys(), ...made.keys()]);
  return [...paths].flatMap((path): FileChange[] => {
    const [before, after] = [texts.get(path), wanted.get(path)];
    if (before === after) return [];
    if (before !== undefined && made.get(path) !== sha256Hex(before)) {
      throw new SageError("conflict", `"${path}" is not as Sage wrote it`, {
        hint: "move it away, then repeat; nothing was changed",
      });
    }
    return [{ path, before, after, undo: null, whole: true }];
  });
}

/** What to keep of an installation, together with what is known of an earlier one. */
export function receiptOf(
  plan: readonly FileChange[],
  earlier: Receipt = { files: [] },
): Receipt {
  const files = new Map(earlier.files.map((file) => [file.path, file]));
  for (const change of plan) {
    const { path, before, after } = change;
    if (after === undefined) {
      files.delete(path);
      continue;
    }
    if (change.whole) {
      const { whole } = change;
      files.set(path, { path, sha256: sha256Hex(after), undo: null, containers: [], whole });
      continue;
    }
    const known = files.get(path);
    const created = containersOf(after, path).filter((name) =>
      before === undefined || !containersOf(before, path).includes(name)
    );
    const undo = wholeUndo(change, known);
    files.set(path, {
      path,
      sha256: sha256Hex(after),
      ...(undo === undefined ? {} : { undo }),
      containers: [...new Set([...known?.containers ?? [], ...created])],
    });
  }
  return { files: [...files.values()] };
}

/**
 * The changes that take Sage out. A file that is still what we wrote becomes what it was; in any other
 * exactly our entries go, and what was made to hold them when nothing else is in it.
 */
export function planUninstall(texts: FileTexts, receipt: Receipt): FileChange[] {
  return receipt.files.flatMap((file): FileChange[] => {
    const before = texts.get(file.path);
    if (before === undefined) return [];
    const after = sha256Hex(before) === file.sha256 && file.undo !== undefined
      ? file.undo === null ? undefined : applySplices(before, file.undo)
      : file.whole && !file.path.endsWith(".json")
      ? before
      : withoutSage(before, file);
    const whole = file.whole ? { whole: file.whole } : {};
    return after === before ? [] : [{ path: file.path, before, after, ...whole }];
  });
}

function requireName(command: string): void {
  if (isSage(command)) return;
  throw new SageError("usage", `Cannot install "${command}": it is not called sage`, {
    hint: "name the program sage, or sage-something: by that its entries are found again",
  });
}

/** For an installation whose receipt is lost: entries are found, containers stay. */
export function receiptWithoutMemory(paths: SettingsPaths): Receipt {
  return {
    files: [paths.settings, paths.mcp].map((path) => ({ path, sha256: "", containers: [] })),
  };
}

/** The key by which these settings switch off hooks of ours, or undefined. */
export function hooksOff(text: string | undefined, file: string): string | undefined {
  const settings = parseObject(text ?? "", file);
  return ["disableAllHooks", "allowManagedHooksOnly"].find((key) => settings[key] === true);
}

/** What is registered now: the programs named by our hooks, by event, and by the MCP server. */
export function registered(
  texts: FileTexts,
  paths: SettingsPaths,
): { readonly hooks: ReadonlyMap<string, string>; readonly server: string | undefined } {
  const settings = parseObject(texts.get(paths.settings) ?? "", paths.settings);
  const hooks = new Map(
    ownHooks(settings, paths.settings).map((
      { event, handler },
    ) => [event, String(handler.command)]),
  );
  const server =
    serversOf(parseObject(texts.get(paths.mcp) ?? "", paths.mcp), paths.mcp)[SERVER_NAME];
  return { hooks, server: isOwnServer(server) ? String(server.command) : undefined };
}

export interface OwnEntries {
  readonly hooks: number;
  readonly servers: number;
  readonly statusLines: number;
}

/** How many of our entries a settings text holds, of whichever of the two files. */
export function ownEntries(text: string | undefined, file: string): OwnEntries {
  const root = parseObject(text ?? "", file);
  return {
    hooks: ownHooks(root, file).length,
    servers: isOwnServer(serversOf(root, file)[SERVER_NAME]) ? 1 : 0,
    statusLines: isOwnStatusLine(root.statusLine) ? 1 : 0,
  };
}

function changes(
  texts: FileTexts,
  edits: readonly (readonly [string, (text: string) => Iterable<string>])[],
): FileChange[] {
  // Every file is planned before any is written, so a broken one stops the whole.
  return edits.flatMap(([path, edit]) => {
    const before = texts.get(path);
    const steps = [before ?? "", ...edit(before ?? "")];
    const after = steps.at(-1) ?? "";
    const undo = before === undefined ? null : undoOf(steps);
    return after === steps[0] ? [] : [{ path, before, after, undo }];
  });
}

/** The text after each edit, so that each can be undone by itself. */
function* withHooks(
  text: string,
  file: string,
  command: string,
  choice?: HookChoice,
): Iterable<string> {
  const groups = new Map(hookGroups(command, choice));
  // Of several for one event, and of events that are no longer ours, only the first known stays.
  let edited = removeHooks(
    text,
    file,
    ({ event, path }, all) =>
      !groups.has(event) || all.find((hook) => hook.event === event)?.path !== path,
  );
  yield edited;
  const kept = new Set<string>();
  for (const { event, path, handler } of ownHooks(parseObject(edited, file), file)) {
    kept.add(event);
    const wanted = (groups.get(event)?.hooks as JsonObject[] | undefined)?.[0] ?? {};
    for (const key of ["command", "args"]) {
      if (JSON.stringify(handler[key]) !== JSON.stringify(wanted[key])) {
        yield edited = setValue(edited, [...path, key], wanted[key]);
      }
    }
  }
  for (const [event, group] of groups) {
    if (kept.has(event)) continue;
    yield edited = appendValue(edited, ["hooks", event], group);
  }
}

/** Ours follows the program; where there is none, one comes when it was asked for. */
function withStatusLine(text: string, file: string, command: string, isWanted: boolean): string {
  const present = parseObject(text, file).statusLine;
  const entry = statusLineEntry(command);
  if (present === undefined) return isWanted ? setValue(text, ["statusLine"], entry) : text;
  return isOwnStatusLine(present) && present.command !== entry.command
    ? setValue(text, ["statusLine", "command"], entry.command)
    : text;
}

/** Whether there is a status line, and whether it is ours. */
export function statusLineOf(text: string | undefined, file: string): "none" | "own" | "other" {
  const present = parseObject(text ?? "", file).statusLine;
  return present === undefined ? "none" : isOwnStatusLine(present) ? "own" : "other";
}

function withServer(text: string, file: string, command: string): string {
  const present = serversOf(parseObject(text, file), file)[SERVER_NAME];
  if (present === undefined) {
    return setValue(text, ["mcpServers", SERVER_NAME], mcpServer(command));
  }
  if (!isOwnServer(present)) {
    throw new SageError("conflict", `"${file}" has another MCP server named "${SERVER_NAME}"`, {
      hint: `rename or remove mcpServers.${SERVER_NAME} there, then repeat; nothing was changed`,
    });
  }
  return present.command === command
    ? text
    : setValue(text, ["mcpServers", SERVER_NAME, "command"], command);
}

function withoutSage(text: string, file: ReceiptFile): string | undefined {
  let edited = removeHooks(text, file.path, () => true);
  if (isOwnServer(serversOf(parseObject(text, file.path), file.path)[SERVER_NAME])) {
    edited = removeValue(edited, ["mcpServers", SERVER_NAME]);
  }
  if (isOwnStatusLine(parseObject(edited, file.path).statusLine)) {
    edited = removeValue(edited, ["statusLine"]);
  }
  // The inner ones first: `hooks` is empty only after its lists went.
  const made = [...file.containers].sort((a, b) => b.split(".").length - a.split(".").length);
  for (const path of made.map((name) => name.split("."))) {
    if (isEmpty(valueAt(parseObject(edited, file.path), path))) {
      edited = removeValue(edited, path);
    }
  }
  const isOurs = file.undo === null && isEmpty(parseObject(edited, file.path));
  return isOurs ? undefined : edited;
}

function containersOf(text: string, file: string): string[] {
  const root = parseObject(text, file);
  return [
    ...(isObject(root.hooks)
      ? ["hooks", ...Object.keys(root.hooks).map((event) => `hooks.${event}`)]
      : []),
    ...(root.mcpServers === undefined ? [] : ["mcpServers"]),
  ];
}

/** What undoing would bring back; never a text that has us in it already. */
function wholeUndo(
  { path, before, undo }: FileChange,
  known: ReceiptFile | undefined,
): readonly Splice[] | null | undefined {
  if (before === undefined) return null;
  if (known !== undefined) {
    if (known.sha256 !== sha256Hex(before) || known.undo === undefined) return undefined;
    return known.undo === null ? null : [...undo ?? [], ...known.undo];
  }
  const root = parseObject(before, path);
  const hasUs = ownHooks(root, path).length > 0 || isOwnStatusLine(root.statusLine) ||
    isOwnServer(serversOf(root, path)[SERVER_NAME]);
  return hasUs ? undefined : undo;
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce((value: unknown, key) => isObject(value) ? value[key] : undefined, root);
}

function isEmpty(value: unknown): boolean {
  return Array.isArray(value)
    ? value.length === 0
    : isObject(value) && Object.keys(value).length === 0;
}
