/** What is made of an object is made once, and goes with it. */
export function memoize<Of extends object, Made>(make: (of: Of) => Made): (of: Of) => Made {
  const known = new WeakMap<Of, { readonly made: Made }>();
  return (of) => {
    let one = known.get(of);
    if (one === undefined) known.set(of, one = { made: make(of) });
    return one.made;
  };
}
