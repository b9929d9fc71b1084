/** Options without undefined values. */

export type Defined<T> = { readonly [K in keyof T]?: Exclude<T[K], undefined> };

/** The object without its undefined values, so that spreading it overwrites nothing with undefined. */
export function defined<T extends object>(values: T): Defined<T> {
  return Object.fromEntries(
    Object.entries(values).filter(([, value]) => value !== undefined),
  ) as Defined<T>;
}

/** The list, or undefined if it is empty, so that it counts as absent. */
export function nonEmpty<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
