/** Options that were given, and those that were not. */

export type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without undefined values: spreading the result hides nothing, and an absent option stays absent. */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

/** An empty list counts as absent, and must not hide one that was given elsewhere. */
export function nonEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
