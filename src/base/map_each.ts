/** A few things of one kind, of which each has a name: two sides, three versions. */

/** As `map`: what comes of so many is so many. */
export function mapEach<const T extends readonly unknown[], U>(
  items: T,
  change: (item: T[number]) => U,
): { -readonly [K in keyof T]: U } {
  return items.map((item) => change(item)) as { -readonly [K in keyof T]: U };
}
