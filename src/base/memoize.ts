/** Values that are made once, when first asked for. */

export function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

/** By object, and collected with it. */
export function memoize<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { readonly made: Made }>();
  return (of) => {
    let one = known.get(of);
    if (one === undefined) known.set(of, one = { made: make(of) });
    return one.made;
  };
}
