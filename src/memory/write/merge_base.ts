/**
 * The texts of notes as they were last handed out to be changed: the base of a three-way merge
 * when a person has edited the note since. Derived and bounded; a note with private parts is never
 * kept here, and forgetting any note empties it.
 */
import { listIfDir } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { privateRanges } from "../../guard/private.ts";
import { loadNote } from "../../store/load.ts";
import { readState, removeState, removeStates, writeState } from "../../store/state.ts";
import { listVersions } from "../../store/versions.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { lastRead, recordRead } from "./last_read.ts";
import type { Author } from "./outcome.ts";

const FOLDER = "handed";
const NAME = /^[0-9a-f]{64}\.json$/;
/** An agent works on a few notes at a time, and is shown some more; changes of older ones become conflicts. */
const TEXTS_MAX = 256;
const CHARACTERS_MAX = 64 * 1024;
/** A shorter beginning of a hash matches too much by accident. */
export const HASH_DIGITS_MIN = 8;
/** The digits that are handed out: enough to be unique, few enough to be repeated. */
export const HASH_DIGITS = 16;

/** Keeps the note's text, for a later change against it. */
export function rememberMergeBase(memory: Memory, { hash, loaded }: StoredNote): void {
  if (loaded.readOnly === undefined) keepText(memory, hash, loaded.text);
}

/** The same for a text that an agent has written itself, and so knows as one that it read. */
export function rememberWritten(memory: Memory, author: Author, id: string, text: string): void {
  if (author.by !== "agent") return;
  const hash = sha256Hex(text);
  keepText(memory, hash, text);
  recordRead(memory, author.session, [{ id, hash }]);
}

/** The same after a change of a part: the agent knows the whole if it knew the text before. */
export function rememberChanged(
  memory: Memory,
  author: Author,
  { note: { id }, hash }: StoredNote,
  text: string,
): void {
  if (lastRead(memory, author.session, id) === hash) rememberWritten(memory, author, id, text);
}

function keepText(memory: Memory, hash: string, text: string): void {
  const { fs, places } = memory;
  if (text.length > CHARACTERS_MAX || privateRanges(text).length > 0) return;
  try {
    const folder = join(places.stateDir, FOLDER);
    if (fs.lstat(join(folder, `${hash}.json`)) !== undefined) return;
    writeState(fs, places.stateDir, `${FOLDER}/${hash}.json`, { text });
    const names = namesIn(memory);
    if (names.length <= TEXTS_MAX) return;
    const age = (name: string): number => fs.lstat(join(folder, name))?.mtimeMs ?? 0;
    const oldest = names.sort((a, b) => age(a) - age(b)).slice(0, names.length - TEXTS_MAX);
    for (const name of oldest) removeState(fs, places.stateDir, `${FOLDER}/${name}`);
  } catch {
    // Without it a change of the same place is a conflict instead of a merge.
  }
}

/** The text whose hash begins with `hash`: a version of the note, or a text that was handed out. */
export async function mergeBaseOf(
  memory: Memory,
  { store, note }: StoredNote,
  hash: string,
): Promise<string | undefined> {
  for (const { path } of listVersions(store, note.id).toReversed()) {
    const version = await loadNote(store, path).catch(() => undefined);
    if (version !== undefined && isHash(version.bytes, hash)) return version.text;
  }
  const { fs, places } = memory;
  for (const name of namesIn(memory)) {
    if (!name.startsWith(hash)) continue;
    const kept = readState<{ text?: unknown }>(fs, places.stateDir, `${FOLDER}/${name}`);
    const text = kept?.text;
    if (typeof text === "string" && sha256Hex(text).startsWith(hash)) return text;
  }
  return undefined;
}

/** Deletes all of them: any may hold words of a note that is being forgotten. */
export function dropMergeBases(memory: Memory): string[] {
  const { fs, places } = memory;
  return removeStates(fs, places.stateDir, namesIn(memory).map((name) => `${FOLDER}/${name}`));
}

function isHash(bytes: Uint8Array, hash: string): boolean {
  return sha256Hex(bytes).startsWith(hash);
}

function namesIn({ fs, places }: Memory): string[] {
  const folder = join(places.stateDir, FOLDER);
  return listIfDir(fs, folder).map(({ name }) => name).filter((name) => NAME.test(name));
}
