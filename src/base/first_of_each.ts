/** The first item with each key, in order. */
export function firstOfEach<T>(items: Iterable<T>, keyOf: (item: T) => string): T[] {
  const first = new Map<string, T>();
  for (const item of items) {
    const key = keyOf(item);
    if (!first.has(key)) first.set(key, item);
  }
  return [...first.values()];
}
