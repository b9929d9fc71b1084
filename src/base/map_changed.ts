/**
 * Maps a list of which most entries stay the same: unchanged entries, and an unchanged list, stay the
 * same objects, so that what was remembered about them is found again, and nothing is copied.
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
