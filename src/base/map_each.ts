/** `map` for tuples, such as two sides or three versions: the result's type has the same length. */
export function mapEach<const T extends readonly unknown[], U>(
  items: T,
  change: (item: T[number]) => U,
): { -readonly [K in keyof T]: U } {
  return items.map((item) => change(item)) as { -readonly [K in keyof T]: U };
}
