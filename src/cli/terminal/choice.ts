/** Several notes match: a numbered choice if somebody can choose, else the list and exit code 4. */
import { type NoteItem, type StoredNote, toItem } from "../../memory/item.ts";
import { withoutPrivate } from "../../memory/write/public_part.ts";
import { type Answer, dim, failed, type Span } from "./answer.ts";
import type { Io } from "../io.ts";
import { when } from "./print.ts";
import { canAsk, choose, chooseSome } from "./prompt.ts";
import { table } from "./table.ts";

/** With the score that search adds. */
type Choice = NoteItem & { readonly score?: number };

export interface ChoiceOptions {
  readonly ref: string;
  readonly nowMs: number;
  readonly json: boolean;
  /** What is said where nobody can choose, if none of them has the name that was typed. */
  readonly message?: string;
  /** Set if taking all of them makes sense. */
  readonly all?: (ids: readonly string[]) => Promise<Answer>;
}

/** Runs `again` with the chosen note's id, or with its path if several notes have that id. */
export async function chosen(
  io: Io,
  items: readonly Choice[],
  options: ChoiceOptions,
  again: (id: string) => Promise<Answer>,
): Promise<Answer> {
  const hasTwins = items.some((item) => nameOf(item, items) !== item.id);
  const rows = items.map((item): Span[] => [
    dim(item.short_id),
    when(io, item.created, options.nowMs),
    ...(item.score === undefined ? [] : [dim(item.score.toFixed(2))]),
    item.title,
    ...(hasTwins ? [dim(item.path)] : []),
  ]);
  if (canAsk(io) && !options.json) {
    // A number stands for a note, not for a line.
    const choices = table(io, rows, { isFlat: true });
    const question = `Which one is "${options.ref}"?`;
    if (options.all !== undefined) {
      const ids = (await chooseSome(io, question, choices)).flatMap((index) =>
        items[index] === undefined ? [] : nameOf(items[index], items)
      );
      if (ids.length > 1) return await options.all(ids);
      if (ids[0] !== undefined) return await again(ids[0]);
    } else {
      const item = items[await choose(io, question, choices) ?? -1];
      if (item !== undefined) return await again(nameOf(item, items));
    }
    return failed({ code: "ambiguous", message: "Nothing was chosen" });
  }
  return failed(
    { code: "ambiguous", ...said(items, hasTwins, options) },
    { json: { items }, text: table(io, rows) },
  );
}

function said(
  items: readonly Choice[],
  hasTwins: boolean,
  { ref, message }: ChoiceOptions,
): { readonly message: string; readonly hint: string } {
  const [first] = items;
  if (message === undefined && items.length === 1) {
    return {
      message: `"${ref}" is only a prefix of a note's id`,
      hint: "repeat with the whole id",
    };
  }
  return {
    message: message ?? `"${ref}" matches ${items.length} notes`,
    hint: hasTwins
      ? "some have the same id: repeat with the path of one; sage doctor says how to fix it"
      : items.length === 1
      ? `if it is, repeat with ${first?.short_id}`
      : "repeat with one of the ids",
  };
}

function nameOf(item: Choice, items: readonly Choice[]): string {
  const isAlone = items.filter(({ id }) => id === item.id).length === 1;
  return isAlone ? item.id : item.path;
}

/** Notes as they may be shown. */
export function toItems(stored: readonly StoredNote[]): NoteItem[] {
  return stored.map((one) => toItem({ ...one, note: withoutPrivate(one.note) }));
}
