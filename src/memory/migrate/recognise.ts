/** Whose memory lies at a path, by the names of what is there, for people who name no program. */
import { type Fs, readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decode } from "../../base/utf8.ts";
import { realRoot } from "../../store/handle.ts";
import type { SourceName } from "./sources.ts";

/** What a folder has one of, if it is of that program. */
const FOLDERS: readonly (readonly [SourceName, readonly string[]])[] = [
  ["claude-mem", ["claude-mem.db"]],
  ["memory.jsonl", ["memory.jsonl"]],
  ["engram", [".engram", "chunks"]],
  ["tabula", ["claude/projects", "claude/global"]],
  ["claude-sage", [".sage", "knowledge/index.yaml", "knowledge/index.yml", "checkpoints"]],
];
const FILES: readonly (readonly [SourceName, RegExp])[] = [
  ["claude-mem", /\.db$/i],
  ["memory.jsonl", /\.jsonl$/i],
  ["engram", /\.json$/i],
  ["markdown", /\.mdc?$/i],
];
/** Stands in the front matter of a bundle's index. */
const BUNDLE = /^okf_version:/m;
const HEAD_BYTES = 1024;

/** Undefined if there is nothing, or a file of no program that is known. */
export function recognise(fs: Fs, path: string): SourceName | undefined {
  const kind = fs.lstat(realRoot(fs, path))?.kind;
  if (kind === "file") return FILES.find(([, name]) => name.test(path))?.[0];
  if (kind !== "dir") return undefined;
  const index = join(path, "index.md");
  const isBundle = fs.lstat(index)?.kind === "file" &&
    BUNDLE.test(decode(readBytes(fs, index, HEAD_BYTES)));
  if (isBundle) return "okf";
  const found = FOLDERS.find(([, names]) =>
    names.some((name) => fs.lstat(join(path, name)) !== undefined)
  );
  return found?.[0] ?? "markdown";
}
