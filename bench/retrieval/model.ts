/**
 * The model that is measured: the built-in one, or any that this program's own encoder computes, from a
 * folder as it is published (`--model <folder>`): made ready and calibrated as `sage model pull` does it.
 */
import { realFs } from "../../src/base/fs.ts";
import { openBertEmbedder } from "../../src/embed/bert_embedder.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { findKnown } from "../../src/embed/known_models.ts";
import { pullModel } from "../../src/embed/pull.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";

export interface Measured {
  readonly embedder: Embedder;
  /** Undefined for the built-in model. */
  readonly folder: string | undefined;
  close(): Promise<void>;
}

export async function openMeasured(args: readonly string[] = Deno.args): Promise<Measured> {
  const at = args.indexOf("--model");
  const folder = at < 0 ? undefined : args[at + 1];
  if (folder === undefined) {
    const embedder = openStaticEmbedder();
    return { embedder, folder, close: () => Promise.resolve(embedder.close()) };
  }
  const modelsDir = await Deno.makeTempDir({ prefix: "sage-bench-model-" });
  const published = await Deno.realPath(folder);
  const known = findKnown(published.split("/").at(-1) ?? "");
  await pullModel({
    fs: realFs,
    modelsDir,
    name: "measured",
    from: { folder: published },
    queryPrefix: known?.queryPrefix,
    documentPrefix: known?.documentPrefix,
    now: Date.now,
    onProgress: () => {},
  });
  const embedder = openBertEmbedder(realFs, modelsDir, "measured", (warning) => {
    throw new Error(warning);
  });
  return {
    embedder,
    folder,
    async close() {
      embedder.close();
      await Deno.remove(modelsDir, { recursive: true });
    },
  };
}
