/**
 * Which note replaces which, by the ids of the older ones. Notes that replace each other in a circle, as
 * after two people merged them in opposite ways, replace nothing: else nobody would be told any of them.
 */
export function withoutCircles(
  successors: ReadonlyMap<string, string>,
): ReadonlyMap<string, string> {
  return new Map([...successors].filter(([id]) => !isInCircle(successors, id)));
}

function isInCircle(successors: ReadonlyMap<string, string>, id: string): boolean {
  const met = new Set<string>();
  let at = successors.get(id);
  while (at !== undefined && at !== id && !met.has(at)) {
    met.add(at);
    at = successors.get(at);
  }
  return at === id;
}
