/** Numbers as they are shown: rounded to so many digits. */
export function round(value: number, digits: number): number {
  const unit = 10 ** digits;
  return Math.round(value * unit) / unit;
}
