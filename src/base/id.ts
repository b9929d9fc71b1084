/** Note ids: made only here, so that every id has passed one check. */
import { lazyPattern } from "./pattern.ts";
import { sha256Hex } from "./hash.ts";

/** The stable name of a note. A note is found by it, never by its path. */
export type NoteId = string & { readonly __noteId: unique symbol };

/**
 * What no id has, in any form that people type: separators, controls, and characters that turn or hide
 * their neighbours. Joiners are part of how some scripts are spelled.
 */
export const NOT_IN_IDS = String
  .raw`\s\/\\\p{Cc}\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{E0000}-\u{E0FFF}:*?"<>|#^[\]`;
const ID = lazyPattern(`^[^${NOT_IN_IDS}]{1,160}$`, "u");

/** Nearly every id: Unicode classes cost a millisecond at their first use. */
const PLAIN_ID = /^[A-Za-z0-9_][A-Za-z0-9._-]{0,159}$/;

/** The id, or undefined where the text cannot be one. */
export function asNoteId(text: string): NoteId | undefined {
  if (PLAIN_ID.test(text)) return text as NoteId;
  return ID().test(text) && !text.startsWith("-") && !text.startsWith(".")
    ? text.normalize("NFC") as NoteId
    : undefined;
}

/** Lists and searches name the same notes again and again; a kilobyte for a dozen. */
const SHORT_KEPT_MAX = 4096;
const short = new Map<string, string>();

/** The first 8 hex digits of SHA-256 of the id: what lists print and commands accept. */
export function shortId(id: string): string {
  let known = short.get(id);
  if (known === undefined) {
    if (short.size >= SHORT_KEPT_MAX) short.clear();
    short.set(id, known = sha256Hex(id).slice(0, 8));
  }
  return known;
}

/** Shorter prefixes of an id match too much by accident. */
export const PREFIX_CHARACTERS_MIN = 3;
