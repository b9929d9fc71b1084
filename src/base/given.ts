/** What was given, and what was not, among options. */

export type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Leaves out of an object what nobody gave: to spread it hides nothing, and an absent option stays absent. */
export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Given<T>;
}

/** An empty list says nothing, and must not hide what was given elsewhere. */
export function filled<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
