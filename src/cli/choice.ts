/** Several notes fit: a numbered choice where somebody can choose, the list and exit 4 elsewhere. */
import { type NoteItem, type StoredNote, toItem } from "../memory/item.ts";
import { withoutPrivate } from "../memory/open_part.ts";
import { type Answer, dim, failed, type Span } from "./answer.ts";
import type { Io } from "./io.ts";
import { when } from "./print.ts";
import { canAsk, choose } from "./prompt.ts";
import { table } from "./table.ts";

/** Runs `again` with the id that was chosen. */
export async function chosen(
  io: Io,
  items: readonly NoteItem[],
  options: { readonly ref: string; readonly nowMs: number; readonly json: boolean },
  again: (id: string) => Promise<Answer>,
): Promise<Answer> {
  const rows = items.map((item): Span[] => [
    dim(item.short_id),
    when(io, item.created, options.nowMs),
    item.title,
  ]);
  if (canAsk(io) && !options.json) {
    const index = await choose(io, `Which one is "${options.ref}"?`, table(io, rows));
    const item = index === undefined ? undefined : items[index];
    if (item !== undefined) return await again(item.id);
    return failed({ code: "ambiguous", message: "Nothing was chosen" });
  }
  return failed({
    code: "ambiguous",
    message: `"${options.ref}" fits ${items.length} notes`,
    hint: "repeat with one of the ids",
  }, { json: { items }, text: table(io, rows) });
}

/** Notes as they may be shown. */
export function toItems(stored: readonly StoredNote[]): NoteItem[] {
  return stored.map((one) => toItem({ ...one, note: withoutPrivate(one.note) }));
}
