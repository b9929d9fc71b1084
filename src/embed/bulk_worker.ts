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
let model: BertModel | undefined;

scope.onmessage = ({ data: { path, prefix, texts } }) => {
  try {
    const opened = model ??= new BertModel(realFs, path);
    scope.postMessage({ vectors: texts.map((text) => opened.embed(text, prefix)) });
  } catch (error) {
    const message = error instanceof SageError ? error.message : String(error);
    scope.postMessage({ failure: message });
  }
};
