/**
 * A list of which most entries stay. What is the same stays the same object, list included: whoever
 * remembers what it found out about one finds it again, and nothing is copied for nothing.
 */
export function mapChanged<T>(items: readonly T[], change: (item: T) => T): readonly T[] {
  let changed: T[] | undefined;
  items.forEach((item, i) => {
    const now = change(item);
    if (now !== item) changed ??= items.slice(0, i);
    changed?.push(now);
  });
  return changed ?? items;
}
