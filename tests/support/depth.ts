/**
 * How much a property test does: `normal` on every change, `deep` with SAGE_TEST_DEPTH=deep. One
 * place, so that the numbers of docs/RELIABILITY.md are reached by one switch. It runs nothing.
 */

/** The count for this run. */
export function depth(normal: number, deep: number): number {
  return Deno.env.get("SAGE_TEST_DEPTH") === "deep" ? deep : normal;
}
