/** `map` for tuples: two sides, three versions. */

/** The result has the same length in its type. */
export function mapEach<const T extends readonly unknown[], U>(
  items: T,
  change: (item: T[number]) => U,
): { -readonly [K in keyof T]: U } {
  return items.map((item) => change(item)) as { -readonly [K in keyof T]: U };
}
