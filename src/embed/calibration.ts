/** The static model's cosine as a share: 0.70 is 'about this', 0.90 'says the same'. */

/** (cosine, share), both rising. */
const KNOTS: readonly (readonly [number, number])[] = [[0, 0], [0.35, 0.7], [0.75, 0.9], [1, 1]];

export function calibrateStatic(cosine: number): number {
  let [x0, y0] = [0, 0];
  for (const [x, y] of KNOTS) {
    if (cosine < x) return y0 + (y - y0) * Math.max(0, cosine - x0) / (x - x0);
    [x0, y0] = [x, y];
  }
  return 1;
}
