/**
 * The folders of a store, and what files in it may be called. Names must work with every file system and
 * sync tool at once, so the strictest rule of each applies. Pure: nothing here looks at a disk.
 */
import { pattern } from "../base/text/pattern.ts";
import { FILE_NAME_BYTES_MAX } from "../base/limits.ts";
import { cutBytes } from "../base/text/text.ts";
import { encode } from "../base/utf8.ts";
import { KIND_FOLDERS, type NoteKind } from "../note/note.ts";

/** Every first folder that may hold notes; the walk looks nowhere else. */
export const NOTE_FOLDERS: readonly string[] = [...Object.values(KIND_FOLDERS), "archive", "local"];

/** The table of contents of a store in a vault: in its root, and no note itself. */
export const MAP_NAME = "_index.md";

/** In the user store if notes are in a vault; see vault.ts. */
export const VAULT_FILE = "vault.yaml";

/** Folders of a store that hold copies of notes, never notes. */
export const HISTORY_FOLDER = ".history";
export const TRASH_FOLDER = ".trash";
export const INBOX_FOLDER = ".inbox";

/** A person's own notes, in such a folder at any depth: left out of git and of bundles. */
export const PRIVATE_FOLDER = "_PRIVATE";

/** The `.gitignore` of a project store: what is personal or temporary, and the history, which git keeps itself. */
export const GITIGNORE =
  `local/\n${PRIVATE_FOLDER}/\n${HISTORY_FOLDER}/\n${TRASH_FOLDER}/\n${INBOX_FOLDER}/\n.*.tmp\n`;

/** Stems that mean something else to other tools; no note gets one. */
const RESERVED_NAMES: ReadonlySet<string> = new Set(["index", "log", "_index", "readme"]);

/** Names that Windows takes for devices, with any extension. */
const DEVICE = /^(con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)(\.|$)/i;

const EXTENSION = ".md";

export function kindFolder(kind: NoteKind): string {
  return kind === "note" ? "" : KIND_FOLDERS[kind];
}

/** Whether a name is reserved (`index.md`, `log.md`), in upper or lower case. */
export function isReservedName(name: string): boolean {
  return RESERVED_NAMES.has(stemOf(name).toLowerCase());
}

/** The file name without `.md`. */
export function stemOf(name: string): string {
  return isMarkdown(name) ? name.slice(0, -EXTENSION.length) : name;
}

export function isMarkdown(name: string): boolean {
  return name.toLowerCase().endsWith(EXTENSION);
}

/** A name case-folded and in one Unicode form: two names with the same result may be the same file. */
export function foldName(name: string): string {
  return name.normalize("NFKC").toUpperCase().toLowerCase().normalize("NFC");
}

/** The file name of a note called `stem`, safe on every system. */
export function fileName(stem: string): string {
  return safeStem(stem) + EXTENSION;
}

/** The `n`th stem to try: `x`, `x-2`, `x-3`; safe and short enough like `safeStem`. */
export function numberedStem(stem: string, n: number): string {
  return n < 2 ? safeStem(stem) : safeStem(stem, `-${n}`);
}

/**
 * The stem of a note's file in a vault: its title as people read it, behind the date for kinds that are
 * made every day. `stem`: what the file is called outside a vault.
 */
export function titleStem(kind: NoteKind, title: string, stem: string): string {
  // A backtick or `%%` in the name would break links to the file.
  const name = title.replace(/`|%(?=%)/g, "");
  const isDaily = kind === "checkpoint" || kind === "session";
  const day = isDaily ? /^\d{4}-\d{2}-\d{2}/.exec(stem)?.[0] ?? "" : "";
  return safeStem(safeStem(name) === "note" ? stem : `${day} ${name}`);
}

/** A stem (or folder name) that is safe, not empty, not reserved and short enough. */
export function safeStem(text: string, suffix = ""): string {
  const bytesMax = FILE_NAME_BYTES_MAX - EXTENSION.length - encode(suffix).length;
  let stem = trimEnds(cutBytes(trimStart(clean(text)), bytesMax));
  if (stem === "") stem = "note";
  // `Chapter 2` beside `Chapter` looks like a conflict copy.
  stem = stem.replace(/ (\d+)$/, "-$1").replace(/ \((\d+)\)$/, "-$1");
  if (DEVICE.test(stem) || RESERVED_NAMES.has(stem.toLowerCase())) {
    const dot = stem.indexOf(".");
    const head = dot < 0 ? stem : stem.slice(0, dot);
    stem = trimEnds(cutBytes(`${head}-note${dot < 0 ? "" : stem.slice(dot)}`, bytesMax));
  }
  return (stem + suffix).normalize("NFC");
}

function clean(text: string): string {
  return text.toWellFormed().normalize("NFC")
    .replace(pattern(String.raw`[\p{Z}\t\r\n\f\v]+`, "gu"), " ")
    // Controls, format characters (bidi, zero width), private use, unassigned, the replacement sign.
    .replace(pattern(String.raw`[\p{C}\uFFFD]+`, "gu"), "")
    .replace(/[<>:"/\\|?*#^[\]]+( ?)/g, (_, space: string) => space === "" ? "-" : " - ")
    .replace(/-{3,}/g, "--")
    .replace(/ {2,}/g, " ");
}

/** Windows drops a trailing dot or space. For short text only: the pattern takes quadratic time. */
function trimEnds(text: string): string {
  return trimStart(text).replace(/[.\-\s]+$/, "");
}

/** A leading dot hides a file; a dash looks like an option, a tilde like a home. */
function trimStart(text: string): string {
  return text.replace(/^[.\-~\s]+/, "");
}
