/** Writes a safetensors file: u64 length of the head, the head, the numbers of each tensor as f32. */

export type Shape = readonly number[];

/** `fill` puts the numbers of each tensor, in this order, into the array that it is given. */
export function safetensors(
  shapes: readonly (readonly [name: string, shape: Shape])[],
  fill: (values: Float32Array, name: string, shape: Shape) => void,
): Uint8Array {
  const head: Record<string, unknown> = { __metadata__: { format: "pt" } };
  let end = 0;
  for (const [name, shape] of shapes) {
    const bytes = 4 * sizeOf(shape);
    head[name] = { dtype: "F32", shape, data_offsets: [end, end + bytes] };
    end += bytes;
  }
  const text = JSON.stringify(head);
  // Numbers at a multiple of eight, as the format recommends.
  const json = new TextEncoder().encode(text.padEnd(Math.ceil(text.length / 8) * 8));
  const out = new Uint8Array(8 + json.length + end);
  new DataView(out.buffer).setBigUint64(0, BigInt(json.length), true);
  out.set(json, 8);
  let at = 8 + json.length;
  for (const [name, shape] of shapes) {
    const values = new Float32Array(out.buffer, at, sizeOf(shape));
    fill(values, name, shape);
    at += values.byteLength;
  }
  return out;
}

export function sizeOf(shape: Shape): number {
  return shape.reduce((product, side) => product * side, 1);
}
