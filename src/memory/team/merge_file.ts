/**
 * The merge driver, which git calls if both sides changed a note: it reads three files and writes the merged
 * note into the second. It opens no store, because git may call it in any worktree.
 */
import { writeAtomic } from "../../base/atomic.ts";
import { SageError, systemError } from "../../base/errors.ts";
import { type Fs, readBytes } from "../../base/fs.ts";
import { decodeExact, encode } from "../../base/utf8.ts";
import { NOTE_WALK_BYTES_MAX } from "../../base/limits.ts";
import { mapEach } from "../../base/map_each.ts";
import { mergeNotes } from "../../note/merge_notes.ts";

/** False where a person has to resolve the marks in `mine`. */
export async function mergeFile(
  fs: Fs,
  paths: { readonly base: string; readonly mine: string; readonly theirs: string },
): Promise<boolean> {
  const sides = [paths.base, paths.mine, paths.theirs] as const;
  const [base, mine, theirs] = mapEach(sides, (path) => readText(fs, path));
  const { text, isClean } = await mergeNotes(base, mine, theirs);
  if (text === mine) return isClean;
  try {
    const mode = fs.lstat(paths.mine)?.mode ?? 0o644;
    writeAtomic(fs, paths.mine, encode(text), { mode: mode & 0o777, durable: false });
  } catch (error) {
    throw systemError(error, `write "${paths.mine}"`);
  }
  return isClean;
}

function readText(fs: Fs, path: string): string {
  let bytes: Uint8Array;
  try {
    bytes = readBytes(fs, path, NOTE_WALK_BYTES_MAX + 1);
  } catch (error) {
    throw systemError(error, `read "${path}"`);
  }
  const text = bytes.length > NOTE_WALK_BYTES_MAX ? undefined : decodeExact(bytes);
  if (text !== undefined) return text;
  throw new SageError("invalid_note", `Cannot merge "${path}": it is not text, or too large`, {
    hint: "choose a side: git checkout --ours or --theirs",
  });
}
