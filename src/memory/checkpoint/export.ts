/**
 * Exports a checkpoint for somebody else: as Markdown, JSON, or a page that needs only a browser.
 * Private text and secrets are taken out of the file's text first, and all three are made from the
 * rest.
 */
import { writeNew } from "../../base/atomic.ts";
import { dirname, native } from "../../base/path.ts";
import { encode } from "../../base/utf8.ts";
import { SageError, systemError, systemErrorCode } from "../../base/errors.ts";
import { stripPrivate } from "../../guard/private.ts";
import { redact } from "../../guard/redact.ts";
import { type Checkpoint, readCheckpoint } from "../../note/checkpoint.ts";
import type { Note } from "../../note/note.ts";
import { parseNote } from "../../note/parse.ts";
import { refuseUnreadable, type StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import type { ChainLink } from "./chain.ts";

export const EXPORT_FORMATS = ["md", "json", "html"] as const;
type ExportFormat = typeof EXPORT_FORMATS[number];

export interface Exported {
  /** The file's text for `md` and `html`; for `json` the surface renders `checkpoint`. */
  readonly text: string;
  readonly checkpoint: Checkpoint;
  /** Secrets that were found in it. */
  readonly redactions: number;
}

export async function exportCheckpoint(
  stored: StoredNote,
  format: ExportFormat,
  chain: readonly ChainLink[],
): Promise<Exported> {
  const open = await redact(stripPrivate(stored.loaded.text));
  const note: Note = await parseNote(open.text, stored.path);
  refuseUnreadable({ ...stored, note }, "export");
  const checkpoint = readCheckpoint(note);
  return {
    text: format === "html"
      ? (await import("./export_page.ts")).renderPage(checkpoint, note.body, chain)
      : open.text,
    checkpoint,
    redactions: open.findings.length,
  };
}

/** Writes it to a new file; never replaces one. */
export function writeExport(memory: Memory, path: string, text: string): void {
  if (memory.fs.lstat(path) !== undefined) {
    throw new SageError("conflict", `Cannot write "${path}": it is there already`, {
      hint: "name another file",
    });
  }
  try {
    writeNew(memory.fs, path, encode(text), 0o600);
  } catch (error) {
    // Not a lookup, so a missing folder is a failure.
    if (systemErrorCode(error) === "ENOENT") {
      throw new SageError("io", `Cannot write "${path}": there is no such folder`, {
        hint: `make ${native(dirname(path))} first, or name another file`,
        cause: error,
      });
    }
    throw systemError(error, `write "${path}"`);
  }
}
