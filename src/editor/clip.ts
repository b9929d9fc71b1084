/**
 * Bounds the text of a transcript: a tool prints megabytes, and memory keeps a few lines. Private text is
 * removed before anything is cut, because half of it could not be recognised; and no word is cut in two,
 * because half a secret could not be either.
 */
import { fieldsOf, textOf } from "../base/fields.ts";
import { decode, encode } from "../base/utf8.ts";
import { stripPrivate, stripPrivateAcross, stripPrivateOfPart } from "../guard/private.ts";
import type { PlanItem } from "./editor.ts";

/** For a field of a call, such as a command or a path. */
export const FIELD_CHARACTERS_MAX = 2000;
const ITEMS_MAX = 60;
const LINES_MAX = 400;
export const ITEM_CHARACTERS_MAX = 200;
const OPTION_CHARACTERS_MAX = 300;
/** The beginning and the end of a result: what a command prints last usually matters most. */
const RESULT_CHARACTERS_MAX = 2000;

export function headAndTail(text: string): string {
  if (text.length <= RESULT_CHARACTERS_MAX) return text;
  // The reader of a large file may have taken the middle out.
  const open = stripPrivateOfPart(text);
  if (open.length <= RESULT_CHARACTERS_MAX) return apart(open);
  const half = RESULT_CHARACTERS_MAX / 2;
  // Not "…", which would make the engine store two bytes for each character.
  return apart(`${head(open, half)}\n...\n${tail(open, half)}`);
}

/** A cut that does not keep the long text in memory, as the engine's slices do. */
export function flattened(text: string, charactersMax: number): string {
  return text.length <= charactersMax ? text : apart(head(text, charactersMax));
}

/** The items of a plan, with their text under `key`; undefined if the plan is not a list. */
export function planItems(plan: unknown, key: string): PlanItem[] | undefined {
  if (!Array.isArray(plan)) return undefined;
  const items = plan.slice(0, ITEMS_MAX).map(fieldsOf);
  // What is private may begin in one item and end in another.
  const open = stripPrivateAcross(items.map((item) => textOf(item[key]) ?? ""));
  return items.map((item, i) => ({
    text: flattened(open[i] ?? "", ITEM_CHARACTERS_MAX),
    status: textOf(item.status) ?? "pending",
  })).filter(({ text }) => text.trim() !== "");
}

/** The options of a question, `{label, description}` or texts, as `label: description`. */
export function optionsOf(options: unknown): string[] {
  if (!Array.isArray(options)) return [];
  return options.map((option) => {
    const { label, description } = fieldsOf(option);
    const text = [textOf(label) ?? textOf(option) ?? "", textOf(description) ?? []].flat();
    return flattened(text.join(": "), OPTION_CHARACTERS_MAX);
  });
}

/** The lines of a plan that is a text. */
export function planLines(plan: string): PlanItem[] {
  return stripPrivate(plan).split("\n", LINES_MAX).map((line) => line.trim())
    .filter((line) => line !== "").slice(0, ITEMS_MAX)
    .map((text) => ({ text: flattened(text, ITEM_CHARACTERS_MAX), status: "" }));
}

/** Keeps whole words, if spaces separate them. */
function head(text: string, charactersMax: number): string {
  const kept = text.slice(0, charactersMax);
  return isInWord(text, charactersMax) ? kept.replace(/(?<![!-~])[!-~]+$/, "") || kept : kept;
}

function tail(text: string, charactersMax: number): string {
  const from = text.length - charactersMax;
  const kept = text.slice(from);
  return isInWord(text, from) ? kept.replace(/^[!-~]+/, "") || kept : kept;
}

function isInWord(text: string, at: number): boolean {
  return /^[!-~]{2}$/.test(text.slice(at - 1, at + 1));
}

function apart(text: string): string {
  return decode(encode(text));
}
