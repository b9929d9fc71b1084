/**
 * Reads a safetensors file tensor by tensor. The format: u64 length of the head, the head (JSON, with type,
 * shape and offsets of each tensor), the numbers. It comes from elsewhere, so the head is checked against
 * the file.
 */
import { SageError } from "../../base/errors.ts";
import { type FileHandle, readFull } from "../../base/fs.ts";
import { decode } from "../../base/utf8.ts";

/** The heads of the largest models that make sense here have a tenth of it. */
const HEAD_BYTES_MAX = 1024 * 1024;
const LENGTH_BYTES = 8;
const DTYPES = { F32: 4, F16: 2, BF16: 2 } as const;

interface Tensor {
  readonly dtype: keyof typeof DTYPES;
  readonly shape: readonly number[];
  readonly offset: number;
}

export class Safetensors {
  readonly #file: FileHandle;
  readonly #tensors: ReadonlyMap<string, Tensor>;

  constructor(file: FileHandle) {
    this.#file = file;
    const { size } = file.info();
    const length = new Uint8Array(LENGTH_BYTES);
    if (size < LENGTH_BYTES) throw refused("it is cut short");
    this.#fill(0, length);
    const headBytes = new DataView(length.buffer).getBigUint64(0, true);
    if (headBytes > BigInt(Math.min(HEAD_BYTES_MAX, size - LENGTH_BYTES))) {
      throw refused(`its head claims ${headBytes} bytes`);
    }
    const head = new Uint8Array(Number(headBytes));
    this.#fill(LENGTH_BYTES, head);
    this.#tensors = readHead(head, LENGTH_BYTES + head.length, size);
  }

  has(name: string): boolean {
    return this.#tensors.has(name);
  }

  /** Rows [from, to) of a tensor of exactly this shape (a vector is one row), as f32. */
  read(
    name: string,
    shape: readonly number[],
    from = 0,
    to = shape.length > 1 ? shape[0] : 1,
  ): Float32Array {
    const tensor = this.#tensors.get(name);
    if (tensor === undefined) throw refused(`it has no tensor "${name}"`);
    if (tensor.shape.join("×") !== shape.join("×")) {
      throw refused(`"${name}" is ${tensor.shape.join("×")}, ${shape.join("×")} is wanted`);
    }
    const width = shape.at(-1) ?? 1;
    const size = DTYPES[tensor.dtype];
    const bytes = new Uint8Array(((to ?? 1) - from) * width * size);
    this.#fill(tensor.offset + from * width * size, bytes);
    const values = toFloats(bytes, tensor.dtype);
    if (values.every(Number.isFinite)) return values;
    throw refused(`"${name}" holds what is no number`);
  }

  #fill(offset: number, into: Uint8Array): void {
    this.#file.seek(offset);
    if (readFull(this.#file, into).length < into.length) throw refused("it is cut short");
  }
}

function readHead(bytes: Uint8Array, start: number, size: number): Map<string, Tensor> {
  let json: unknown;
  try {
    json = JSON.parse(decode(bytes));
  } catch (cause) {
    throw refused("its head is no JSON", cause);
  }
  if (typeof json !== "object" || json === null) throw refused("its head is no list of tensors");
  const tensors = new Map<string, Tensor>();
  for (const [name, entry] of Object.entries(json)) {
    if (name === "__metadata__") continue;
    const { dtype, shape, data_offsets: offsets } = (entry ?? {}) as Record<string, unknown>;
    if (!isNumbers(shape) || !isNumbers(offsets)) throw refused(`"${name}" has no place in it`);
    const [from = -1, to = -1] = offsets;
    // Tensors of other types (counters) are not needed.
    if (typeof dtype !== "string" || !Object.hasOwn(DTYPES, dtype)) continue;
    const known = dtype as keyof typeof DTYPES;
    const wanted = shape.reduce((product, side) => product * side, DTYPES[known]);
    if (from < 0 || to - from !== wanted || start + to > size) {
      throw refused(`"${name}" lies outside of it`);
    }
    tensors.set(name, { dtype: known, shape, offset: start + from });
  }
  return tensors;
}

function isNumbers(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((item) => Number.isSafeInteger(item) && item >= 0);
}

function toFloats(bytes: Uint8Array<ArrayBuffer>, dtype: keyof typeof DTYPES): Float32Array {
  if (dtype === "F32") return new Float32Array(bytes.buffer);
  const halves = new Uint16Array(bytes.buffer);
  const words = Uint32Array.from(halves, dtype === "BF16" ? (half) => half << 16 : fromHalf);
  return new Float32Array(words.buffer);
}

/** IEEE half precision as the bits of an f32. */
function fromHalf(half: number): number {
  const sign = (half & 0x8000) << 16;
  const exponent = (half >> 10) & 31;
  const fraction = half & 1023;
  if (exponent === 31) return sign | 0x7f800000 | (fraction << 13);
  if (exponent !== 0) return sign | ((exponent + 112) << 23) | (fraction << 13);
  const small = new Float32Array([fraction / 16_777_216]);
  return sign | (new Uint32Array(small.buffer)[0] ?? 0);
}

function refused(why: string, cause?: unknown): SageError {
  return new SageError("invalid_model", `Cannot read the published weights: ${why}`, { cause });
}
