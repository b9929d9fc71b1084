/**
 * One item of another program's memory, and the note that it becomes: what every reader in `from/` yields and
 * `import_items.ts` writes. Readers only read; `clean_item.ts` decides what may be kept.
 */
import { type Fs, readBytes } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { decodeExact } from "../../base/utf8.ts";
import { systemErrorCode } from "../../base/errors.ts";
import { compareText } from "../../base/text/text.ts";
import type { Embedder } from "../../embed/embedder.ts";
import type { KnowledgeDraft } from "../../note/knowledge.ts";
import type { NoteKind } from "../../note/note.ts";

export interface Item {
  /** Identifies it within its source, the same in every run. */
  readonly key: string;
  readonly kind: Exclude<NoteKind, "note">;
  readonly title: string;
  /** The name of its file, if that is free. */
  readonly stem: string;
  /** Renders the whole note under this id. */
  readonly render: (id: string) => string | Promise<string>;
  /**
   * The project's name in its source; empty if it holds in every project, missing if the source does not say.
   */
  readonly project?: string | undefined;
  /** What later runs compare: its state in the source, without times that the source does not give. */
  readonly state: string;
  /** Its first line in the source, from 1, and its text there: to tell a person the right line. */
  readonly line?: number | undefined;
  readonly raw?: string | undefined;
  /** Its folder instead of the kind's: `knowledge/skills/git`. */
  readonly folder?: string | undefined;
  /** It belongs to the person, whatever the project. */
  readonly scope?: "user";
  /** The stem is its id: a note with that id is the same note. */
  readonly keepsId?: boolean;
}

/** What could not be read: a whole file, or one line of it. */
export interface Problem {
  readonly key: string;
  readonly line?: number | undefined;
  readonly reason: string;
}

export type Found = Item | Problem;

export function isProblem(found: Found): found is Problem {
  return "reason" in found;
}

/** Where a reader reads, and with what. */
export interface Place {
  readonly fs: Fs;
  /** The file or the folder, absolute, links resolved. */
  readonly path: string;
  readonly isIgnored: (path: string) => boolean;
  /** A person's own folder, whose notes hold in every project. */
  readonly isOfAll: boolean;
  /** The roots of Sage's own notes, which are notes already. */
  readonly stores: readonly string[];
  /** A folder of Sage's own, for files that must be copied before they can be read. */
  readonly scratch: string;
  readonly embedder: Embedder;
}

export type Reader = (place: Place) => AsyncIterable<Found>;

/** Deeper or larger folders are not a memory. */
const DEPTH_MAX = 12;
const FILES_MAX = 100_000;

/** A larger text is not a note. */
const TEXT_BYTES_MAX = 1024 * 1024;
/** For a file that may hold years of use. */
export const EXPORT_BYTES_MAX = 256 * 1024 * 1024;

/**
 * The files below a folder by their relative paths, sorted; without hidden files, Sage's own, and installed
 * packages.
 */
export function filesBelow(
  { fs, path: root, stores }: Place,
  isWanted: RegExp,
): (string | Problem)[] {
  const found: (string | Problem)[] = [];
  const enter = (folder: string, depth: number): void => {
    const names = listed(fs, join(root, folder));
    if (typeof names === "string") return void found.push({ key: folder || ".", reason: names });
    for (const { name, kind } of names) {
      if (name.startsWith(".") || name === "node_modules" || found.length >= FILES_MAX) continue;
      const path = folder === "" ? name : `${folder}/${name}`;
      if (kind === "dir" && depth < DEPTH_MAX) {
        if (!stores.includes(join(root, path))) enter(path, depth + 1);
      } else if (kind === "file" && isWanted.test(path)) found.push(path);
      else if (kind === "link" && isWanted.test(path)) {
        found.push({ key: path, reason: "it is a link, and links are not followed" });
      }
    }
  };
  enter("", 1);
  return found;
}

function listed(fs: Fs, folder: string): { name: string; kind: string }[] | string {
  try {
    return fs.list(folder).toSorted((a, b) => compareText(a.name, b.name));
  } catch (error) {
    const code = systemErrorCode(error) ?? "unknown error";
    return code === "ENOTDIR" ? "it is not a folder" : `it cannot be listed (${code})`;
  }
}

/** A text file's content, or why it cannot be read. */
export function textAt(
  { fs, path: root, isIgnored }: Place,
  path: string,
  bytesMax = TEXT_BYTES_MAX,
): { readonly text: string } | { readonly reason: string } {
  try {
    if (isIgnored(path)) return { reason: ".sageignore excludes it" };
    const info = fs.lstat(path);
    if (info === undefined) return { reason: "it does not exist" };
    if (info.kind !== "file") return { reason: "it is not a file" };
    if (path !== root && !fs.realPath(path).startsWith(`${root}/`)) {
      return { reason: "it leads outside of the folder, and links are not followed" };
    }
    if (info.size > bytesMax) return { reason: `it is larger than ${bytesMax / 1024 ** 2} MiB` };
    const bytes = readBytes(fs, path, bytesMax);
    if (bytes.includes(0)) return { reason: "it is not text" };
    const text = decodeExact(bytes);
    return text === undefined ? { reason: "it is not valid UTF-8" } : { text };
  } catch (error) {
    return { reason: `it cannot be read (${systemErrorCode(error) ?? "unknown error"})` };
  }
}

/** Empty values for the fields of knowledge that other programs do not have. */
export const BARE_KNOWLEDGE = {
  keywords: [],
  patterns: [],
  skills: [],
  always: false,
  sources: [],
} as const satisfies Partial<KnowledgeDraft>;

/** The name without characters that would end a wikilink. */
export function linkName(name: string): string {
  return name.replace(/[\[\]|#^\s]+/gu, " ").trim();
}

export function wikilink(name: string): string {
  return `[[${linkName(name)}]]`;
}

/** An alias by which links find a note whose title they cannot hold. */
export function linkAliases(title: string): string[] {
  const name = linkName(title);
  return name === title || name === "" ? [] : [name];
}
