/** When a context window fills up: one save at each step, once. Pure arithmetic. */

const STEPS_AFTER_FIRST = [0.8, 0.9];

/**
 * The highest step in percent (70, 80, 90) that the use has reached and no save has had. Of steps jumped over
 * only the highest counts.
 */
export function contextThreshold(
  tokens: number,
  window: number,
  already: readonly number[],
  first = 0.7,
): number | undefined {
  if (window <= 0) return undefined;
  const share = tokens / window;
  const steps = [first, ...STEPS_AFTER_FIRST.filter((step) => step > first)];
  const reached = steps.filter((step) => share >= step).map((step) => Math.round(step * 100)).at(
    -1,
  );
  return reached === undefined || already.some((step) => step >= reached) ? undefined : reached;
}
