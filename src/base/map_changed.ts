/**
 * Maps a list of which most entries stay the same. An unchanged list is returned itself, so that nothing is
 * copied, and what was memoized for it is still found.
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
