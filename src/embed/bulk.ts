/**
 * Embeds many texts in parallel, with a worker for each core; two take half the time of one. It only fills
 * the vector cache, from which later embeddings are served: if workers fail, only time is lost.
 */
import { buildInfo } from "../base/build_info.ts";
import type { OnnxFiles } from "./pulled/installed.ts";

export interface BulkModel {
  /** The converted model. */
  readonly path: string;
  readonly prefix: string;
  /** Set for a model that the ONNX runtime computes. */
  readonly onnx?: OnnxFiles;
}

export interface BulkTask extends BulkModel {
  readonly texts: readonly string[];
}

export type BulkAnswer =
  | { readonly vectors: readonly (Float32Array | undefined)[] }
  | { readonly failure: string };

export interface Bulk {
  readonly workers: number;
  /** Passes each part to `take` as soon as it is embedded. Returns false if a worker failed. */
  embed(
    texts: readonly string[],
    take: (texts: readonly string[], vectors: readonly (Float32Array | undefined)[]) => void,
  ): Promise<boolean>;
  close(): void;
}

/** More workers gain little: they share the memory's bandwidth. */
const WORKERS_MAX = 4;
/** Of all workers' models together. */
const WEIGHTS_BYTES_MAX = 512 * 1024 * 1024;
/** Texts of one task: a second of work or less. */
const TASK_TEXTS = 8;
/** A worker costs about as much to start as this many texts. */
const WORKER_TEXTS_MIN = 12;

/** Starts workers when there is enough to do. Close it. */
export function openBulk(model: BulkModel, weightsBytes: number): Bulk {
  const cores = Math.min(WORKERS_MAX, navigator.hardwareConcurrency);
  const workers = Math.max(1, Math.min(cores, Math.floor(WEIGHTS_BYTES_MAX / weightsBytes)));
  const pool: Worker[] = [];
  const close = (): void => {
    for (const worker of pool.splice(0)) worker.terminate();
  };
  return {
    workers,
    async embed(texts, take) {
      const wanted = Math.min(workers, Math.floor(texts.length / WORKER_TEXTS_MIN));
      if (wanted < 2) return true;
      while (pool.length < wanted) pool.push(start());
      let next = 0;
      const run = async (worker: Worker): Promise<void> => {
        while (next < texts.length) {
          const part = texts.slice(next, next + TASK_TEXTS);
          next += part.length;
          take(part, await ask(worker, { ...model, texts: part }));
        }
      };
      try {
        await Promise.all(pool.map(run));
        return true;
      } catch {
        // The caller embeds the rest in this thread, which also reports what is wrong with the model.
        // Late answers of the other workers would be taken for answers to their next task.
        close();
        return false;
      }
    },
    close,
  };
}

function start(): Worker {
  const packed = (globalThis as Record<symbol, unknown>)[Symbol.for("sage.worker")];
  if (typeof packed === "string") return new Worker(packed, { type: "module" });
  // The bundle keeps the folders of its entries; its chunks lie beside the first.
  const name = buildInfo === undefined ? "./bulk_worker.ts" : "./src/embed/bulk_worker.js";
  return new Worker(new URL(name, import.meta.url), { type: "module" });
}

function ask(worker: Worker, task: BulkTask): Promise<readonly (Float32Array | undefined)[]> {
  return new Promise((resolve, reject) => {
    worker.onmessage = ({ data }: MessageEvent<BulkAnswer>) => {
      if ("vectors" in data) resolve(data.vectors);
      else reject(new Error(data.failure));
    };
    worker.onerror = (event) => {
      event.preventDefault();
      reject(new Error(event.message));
    };
    worker.postMessage(task);
  });
}
