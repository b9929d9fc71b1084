/** Values that are computed once, when first asked for. */

export function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => made ??= make();
}

/** Memoizes a function of an object; the value is garbage-collected with the object. */
export function memoize<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { readonly made: Made }>();
  return (of) => {
    let one = known.get(of);
    if (one === undefined) known.set(of, one = { made: make(of) });
    return one.made;
  };
}
