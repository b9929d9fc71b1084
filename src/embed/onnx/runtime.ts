/**
 * The door to the ONNX runtime in WebAssembly: 14 MB that lie behind the executable's code and are read
 * only where such a model is asked. One thread: what runs side by side are workers (bulk.ts).
 */
import { readAsset } from "../../base/assets.ts";
import { SageError } from "../../base/errors.ts";

export interface OnnxSession {
  readonly inputs: readonly string[];
  readonly outputs: readonly string[];
  /** One text; `outputs` by name with their sizes. */
  run(feeds: Readonly<Record<string, BigInt64Array>>): Promise<Record<string, OnnxOutput>>;
  close(): Promise<void>;
}

export interface OnnxOutput {
  readonly dims: readonly number[];
  readonly values: Float32Array;
}

/** A session over a model's bytes. SageError `invalid_model` where the runtime refuses it. */
export async function openSession(model: Uint8Array): Promise<OnnxSession> {
  // A worker's address has no origin, which the runtime takes for one: it must see none.
  Object.defineProperty(globalThis, "location", { value: undefined, configurable: true });
  const ort = await import("onnxruntime-web/wasm");
  const { wasm } = ort.env;
  wasm.numThreads = 1;
  // Else it would be fetched from the network.
  wasm.wasmBinary ??= readAsset("onnx.wasm").buffer;
  try {
    const session = await ort.InferenceSession.create(model, {
      executionProviders: ["wasm"],
      // Only what is fatal: warnings would go to stdout.
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
