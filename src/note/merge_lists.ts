/** The three-way merge of a list in front matter. Pure. */
import { mapEach } from "../base/map_each.ts";
import { isSequence } from "../base/yaml/value.ts";
import { canonical } from "./front_values.ts";
import type { FrontValue } from "./note.ts";

/** Our list with the items that they added and without those that they removed. */
export function mergeLists(
  old: FrontValue | undefined,
  own: FrontValue | undefined,
  other: FrontValue | undefined,
): readonly FrontValue[] | undefined {
  const [was, ours, theirs] = mapEach(
    [old, own, other],
    (value) => new Map(itemsOf(value).map((item) => [canonical(item), item])),
  );
  const kept = [...ours].filter(([key]) => theirs.has(key) || !was.has(key));
  const added = [...theirs].filter(([key]) => !ours.has(key) && !was.has(key));
  const items = [...kept, ...added].map(([, item]) => item);
  return items.length === 0 ? undefined : items;
}

/** The items of a list; a single value is a list of one. */
export function itemsOf(value: FrontValue | undefined): readonly FrontValue[] {
  if (value === undefined || value === "") return [];
  return isSequence(value) ? value : [value];
}
