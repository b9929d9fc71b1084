/**
 * Which note replaces which, by the ids of the older ones. Notes that replace each other in a cycle, as
 * after two people merged them in opposite directions, replace nothing: otherwise none would ever be shown.
 */
export function withoutCircles(
  successors: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  const inCircles = new Set(circlesIn(successors).flat());
  return new Map([...successors].filter(([id]) => !inCircles.has(id)));
}

/** Each cycle once, as the ids on it. */
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
