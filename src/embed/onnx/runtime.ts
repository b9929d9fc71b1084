/**
 * The only file that imports the ONNX runtime (WebAssembly): 14 MB of assets, read only if such a model is
 * used. It runs in one thread; workers run in parallel (bulk.ts).
 */
import { readAsset } from "../../base/assets.ts";
import { SageError } from "../../base/errors.ts";

export interface OnnxSession {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** Runs one text. Returns the float outputs by name. */
  run(feeds: Readonly<Record<string, BigInt64Array>>): Promise<Record<string, OnnxOutput>>;
  close(): Promise<void>;
}

export interface OnnxOutput {
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/** A session over a model's bytes. Throws `invalid_model` if the runtime refuses it. */
export async function openSession(model: Uint8Array): Promise<OnnxSession> {
  // The runtime would parse a worker's address, which has no origin, and fail: hide it.
  Object.defineProperty(globalThis, "location", { value: undefined, configurable: true });
  const ort = await import("onnxruntime-web/wasm");
  const { wasm } = ort.env;
  wasm.numThreads = 1;
  // Without this the runtime would fetch it from the network.
  wasm.wasmBinary ??= readAsset("onnx.wasm").buffer;
  try {
    const session = await ort.InferenceSession.create(model, {
      executionProviders: ["wasm"],
      // Fatal errors only: warnings would go to stdout.
      logSeverityLevel: 4,
    });
    return {
      inputs: session.inputNames,
      outputs: session.outputNames,
      async run(feeds) {
        const tensors = Object.entries(feeds).map(([name, values]) =>
          [name, new ort.Tensor("int64", values, [1, values.length])] as const
        );
        const answers = await session.run(Object.fromEntries(tensors));
        return Object.fromEntries(
          Object.entries(answers).filter(([, { type }]) => type === "float32")
            .map(([name, { dims, data }]) => [name, { dims, values: data as Float32Array }]),
        );
      },
      close: () => session.release(),
    };
  } catch (cause) {
    throw new SageError("invalid_model", "The ONNX runtime cannot use the model", { cause });
  }
}
