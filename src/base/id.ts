/** Note ids. They are made only here, so that every id has been checked. */
import { lazyPattern } from "./text/pattern.ts";
import { sha256Hex } from "./hash.ts";

/** The stable id of a note. A note is found by it, never by its path. */
export type NoteId = string & { readonly __noteId: unique symbol };

/**
 * Characters that no id has, as the inside of a character class: separators, controls, and characters that
 * are invisible or change the writing direction. Zero-width joiners are allowed, because some scripts need them.
 */
export const NOT_IN_IDS = String
  .raw`\s\/\\\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{E0000}-\u{E0FFF}:*?"<>|#^[\]`;
const ID = lazyPattern(`^[^${NOT_IN_IDS}]{1,160}$`, "u");

/** Matches nearly every id, because Unicode classes cost a millisecond at their first use. */
const PLAIN_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,159}$/;

/** The text as an id; undefined if it cannot be one. */
export function asNoteId(text: string): NoteId | undefined {
  if (PLAIN_ID.test(text)) return text as NoteId;
  return ID().test(text) && !text.startsWith("-") && !text.startsWith(".")
    ? text.normalize("NFC") as NoteId
    : undefined;
}

/** Short ids that are kept, because lists and searches name the same notes again and again. */
const SHORT_KEPT_MAX = 4096;
const short = new Map<string, string>();

/** The first 8 hex digits of the id's SHA-256, which lists print and commands accept. */
export function shortId(id: string): string {
  let known = short.get(id);
  if (known === undefined) {
    if (short.size >= SHORT_KEPT_MAX) short.clear();
    short.set(id, known = sha256Hex(id).slice(0, 8));
  }
  return known;
}

/** Characters of an id that a prefix needs: shorter ones match too much by accident. */
export const PREFIX_CHARACTERS_MIN = 3;
