// GELU in place: x × Φ(x) with the error function (Abramowitz and Stegun 7.1.26, error 1.5e-7), not with
// the approximation by tanh.
import { exp4 } from "./exp";

/** Values per call of geluBlock. */
const BLOCK: u32 = 4096;

/** `count` f32, a multiple of 4. */
export function gelu(values: u32, count: u32): void {
  for (let from: u32 = 0; from < count; from += BLOCK) {
    geluBlock(values + (from << 2), min(BLOCK, count - from));
  }
}

export function geluBlock(values: u32, count: u32): void {
  const one = f32x4.splat(1);
  const end = values + (count << 2);
  for (let at = values; at < end; at += 16) {
    const x = v128.load(at);
    const z = f32x4.mul(f32x4.abs(x), f32x4.splat(0.70710678));
    const t = f32x4.div(one, f32x4.add(one, f32x4.mul(z, f32x4.splat(0.3275911))));
    let p = f32x4.splat(1.061405429);
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-1.453152027));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(1.421413741));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(-0.284496736));
    p = f32x4.add(f32x4.mul(p, t), f32x4.splat(0.254829592));
    const tail = f32x4.mul(f32x4.mul(p, t), exp4(f32x4.neg(f32x4.mul(z, z))));
    const erf = f32x4.sub(one, tail);
    // erf is odd: erf(|x|) with the sign of x.
    const signed = v128.or(erf, v128.and(x, i32x4.splat(0x80000000)));
    v128.store(at, f32x4.mul(f32x4.mul(x, f32x4.splat(0.5)), f32x4.add(one, signed)));
  }
}
