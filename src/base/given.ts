/** Options that were given, and those that were not. */

export type Given<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** Without undefined values: spreading the result hides nothing, and an absent option stays absent. */
export function given<T extends object>(values: T): Given<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Given<T>;
}

/** An empty list counts as absent, and must not hide one that was given elsewhere. */
export function filled<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
