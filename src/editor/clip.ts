/** Text of a transcript, bounded: what a tool printed is megabytes, and memory keeps some lines of it. */
import { fieldsOf, textOf } from "../base/fields.ts";
import { decode, encode } from "../base/fs.ts";
import type { PlanItem } from "./editor.ts";

/** Of a field of a call: a command, a path. */
export const FIELD_CHARACTERS_MAX = 2000;
export const ITEMS_MAX = 60;
export const ITEM_CHARACTERS_MAX = 200;
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

/** The items of a plan, whose words stand under `key`; undefined where it is no list. */
export function planItems(plan: unknown, key: string): PlanItem[] | undefined {
  if (!Array.isArray(plan)) return undefined;
  return plan.slice(0, ITEMS_MAX).map(fieldsOf).map((item) => ({
    text: flat(textOf(item[key]) ?? "", ITEM_CHARACTERS_MAX),
    status: textOf(item.status) ?? "pending",
  })).filter(({ text }) => text !== "");
}

function apart(text: string): string {
  return decode(encode(text));
}
