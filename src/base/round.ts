/** Numbers as they are told: so many digits behind the point, and no more. */
export function round(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit;
}
