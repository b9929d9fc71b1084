/**
 * A worker's side of bulk.ts: one model of its own, texts in, vectors out. An entry of the bundle, as
 * main.ts is.
 */
import { SageError } from "../base/errors.ts";
import { realFs } from "../base/fs.ts";
import { BertModel } from "./bert/model.ts";
import type { BulkAnswer, BulkTask } from "./bulk.ts";

interface WorkerScope {
  onmessage: ((event: MessageEvent<BulkTask>) => void) | null;
  postMessage(answer: BulkAnswer): void;
}

const scope = globalThis as unknown as WorkerScope;
type Embed = (text: string, prefix: string) => Vector | Promise<Vector>;
type Vector = Float32Array | undefined;
let embed: Embed | undefined;

scope.onmessage = async ({ data }) => {
  try {
    embed ??= await open(data);
    const vectors: Vector[] = [];
    for (const text of data.texts) vectors.push(await embed(text, data.prefix));
    scope.postMessage({ vectors });
  } catch (error) {
    const message = error instanceof SageError ? error.message : String(error);
    scope.postMessage({ failure: message });
  }
};

async function open({ path, onnx }: BulkTask): Promise<Embed> {
  if (onnx === undefined) {
    const model = new BertModel(realFs, path);
    return (text, prefix) => model.embed(text, prefix);
  }
  const { openOnnxModel } = await import("./onnx/model.ts");
  const model = await openOnnxModel(realFs, onnx);
  return (text, prefix) => model.embed(text, prefix);
}
