/**
 * Which note replaces which, by the ids of the older ones. Notes that replace each other in a circle, as
 * after two people merged them in opposite ways, replace nothing: else nobody would be told any of them.
 */
export function withoutCircles(
  successors: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const inCircles = new Set(circlesIn(successors).flat());
  return new Map([...successors].filter(([id]) => !inCircles.has(id)));
}

/** Each circle once. */
export function circlesIn(successors: ReadonlyMap<string, string>): string[][] {
  const met = new Set<string>();
  return [...successors.keys()].flatMap((start) => {
    const way: string[] = [];
    let at: string | undefined = start;
    for (; at !== undefined && !met.has(at); at = successors.get(at)) {
      met.add(at);
      way.push(at);
    }
    const begin = at === undefined ? -1 : way.indexOf(at);
    return begin < 0 ? [] : [way.slice(begin)];
  });
}
