/** Text of a transcript, bounded: what a tool printed is megabytes, and memory keeps some lines of it. */
import { decode, encode } from "../base/fs.ts";

/** Of a result, its beginning and its end: what a command printed last usually decides. */
const RESULT_CHARACTERS_MAX = 2000;

export function ends(text: string): string {
  if (text.length <= RESULT_CHARACTERS_MAX) return text;
  const half = RESULT_CHARACTERS_MAX / 2;
  // An ellipsis of one sign would make each character of a plain text take two bytes.
  return apart(`${text.slice(0, half)}\n...\n${text.slice(-half)}`);
}

/** A cut that does not keep the long text alive: the engine's own slices point into their parent. */
export function flat(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : apart(text.slice(0, charactersMax));
}

function apart(text: string): string {
  return decode(encode(text));
}
