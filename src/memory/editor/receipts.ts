/**
 * Which files of an editor have Sage's entries: by the private receipt that installing leaves, which undoes
 * it byte for byte, and by the files themselves where there is no receipt.
 */
import { unlessGone } from "../../base/attempt.ts";
import { basename, dirname, join } from "../../base/path.ts";
import { defined } from "../../base/defined.ts";
import { pluginPaths } from "../../editor/claude_code/plugin.ts";
import { assumedReceipt, isAnything, type Receipt } from "../../editor/plan.ts";
import { type EditorName, type FileTexts, SCOPES } from "../../editor/setup.ts";
import { SETUPS } from "../../editor/setups.ts";
import { trackedFiles } from "../../store/git/staged.ts";
import { readKept, removeState, writeState } from "../../store/state.ts";
import type { Memory } from "../memory.ts";
import { fromReceipt, toReceipt } from "../receipt_paths.ts";
import { receiptName } from "../status/unseen.ts";
import { readTexts } from "./files.ts";
import { assumedPluginFiles, pluginFolderOf } from "./plugin.ts";
import { placeOf } from "./state.ts";

/** A receipt, with the folders that installing had to make. */
type Kept = Receipt & { readonly folders?: readonly string[] };

export function receipt({ fs, places }: Memory, name: EditorName): Kept | undefined {
  const kept = readKept<Kept>(fs, places.stateDir, receiptName(name), isWhole);
  return kept && withPaths(kept, (path) => fromReceipt(places, path));
}

export function isWhole(kept: unknown): boolean {
  const { files, folders = [] } = Object(kept) as Partial<Kept>;
  return Array.isArray(files) && files.every((file) => typeof file?.path === "string") &&
    Array.isArray(folders) && folders.every((folder) => typeof folder === "string");
}

export function writeReceipt(
  { fs, places }: Memory,
  name: EditorName,
  kept: Kept | undefined,
): void {
  if (kept === undefined) removeState(fs, places.stateDir, receiptName(name));
  else {
    const written = withPaths(kept, (path) => toReceipt(places, path));
    writeState(fs, places.stateDir, receiptName(name), written, { durable: true });
  }
}

function withPaths({ files, folders, ...kept }: Kept, change: (path: string) => string): Kept {
  return {
    ...kept,
    files: files.map((file) => ({ ...file, path: change(file.path) })),
    ...defined({ folders: folders?.map(change) }),
  };
}

/** The files that the receipt names, and others that hold Sage's entries or what the editor noted about them. */
export function filesWithUs(memory: Memory, name: EditorName): Receipt["files"] {
  const place = placeOf(memory);
  const told = receipt(memory, name)?.files ?? [];
  const usual = SCOPES.flatMap((scope) => assumedReceipt(SETUPS[name].files(scope, place)).files);
  const untold = usual.filter(({ path }) => told.every((file) => file.path !== path));
  const texts = readTexts(memory, untold.map(({ path }) => path));
  const ours = untold.filter(({ path }) => {
    const text = texts.get(path) ?? "";
    // A file without the name is not parsed: if it is broken, that is not Sage's concern.
    return /\bsage\b/i.test(text) && isAnything(SETUPS[name].format(path).own(text, path));
  });
  const known = [...told, ...ours].map(({ path }) => path);
  const names = [...withRealNames(memory, readTexts(memory, known)).keys()];
  const others = untold.filter((file) => {
    const text = texts.get(file.path)?.replace(/\\+/g, "/") ?? "";
    return ours.includes(file) || names.some((path) => text.includes(path));
  });
  if (name !== "claude-code") return [...told, ...others];
  const { settings, mcp } = pluginPaths(pluginFolderOf(memory));
  const plugin = assumedPluginFiles(memory, readTexts(memory, [settings, mcp]))
    .filter(({ path }) => told.every((file) => file.path !== path));
  return [...told, ...others, ...plugin];
}

/**
 * Of the files with Sage's entries, those of the project that hold them for everybody who shares it: git tracks
 * them, and no receipt says that they were written here.
 */
export function filesOfTeam(
  memory: Memory,
  name: EditorName,
  withUs: Receipt["files"],
): readonly string[] {
  const { fs, places, env } = memory;
  const told = receipt(memory, name)?.files ?? [];
  const project = assumedReceipt(SETUPS[name].files("project", placeOf(memory))).files;
  const has = (files: Receipt["files"], path: string): boolean =>
    files.some((file) => file.path === path);
  const untold = withUs.map(({ path }) => path)
    .filter((path) => has(project, path) && !has(told, path));
  if (untold.length === 0) return [];
  const tracked = trackedFiles(fs, places.here, { home: places.home, env });
  return untold.filter((path) => tracked.has(path));
}

/** The texts also under their real paths, because an editor may have followed links. */
export function withRealNames({ fs }: Memory, texts: FileTexts): FileTexts {
  const real = [...texts].flatMap(([path, text]) => {
    const folder = text === undefined ? undefined : unlessGone(() => fs.realPath(dirname(path)));
    return folder === undefined ? [] : [[join(folder, basename(path)), text] as const];
  });
  return new Map([...real, ...texts]);
}
