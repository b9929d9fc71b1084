/**
 * The model that is measured: the built-in one; any that this program's own encoder computes, from a
 * folder as it is published (`--model <folder>`); or any that a server on this machine has
 * (`--model ollama:<model>`). Made ready and calibrated as `sage model` does it.
 */
import { realFs } from "../../src/base/fs.ts";
import { openBertEmbedder } from "../../src/embed/bert_embedder.ts";
import type { Embedder } from "../../src/embed/embedder.ts";
import { parseEndpoint } from "../../src/embed/endpoint/endpoint.ts";
import { findKnown } from "../../src/embed/pulled/known_models.ts";
import { pullModel } from "../../src/embed/pulled/pull.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { option } from "../option.ts";
import { openServedModel } from "./served_model.ts";

export interface Measured {
  readonly embedder: Embedder;
  readonly isBuiltIn: boolean;
  close(): Promise<void>;
}

type Vector = Float32Array | undefined;
type Closing = Embedder & { close(): void };

export async function openMeasured(args: readonly string[] = Deno.args): Promise<Measured> {
  const named = option("model", args);
  if (named === undefined) return closing(openStaticEmbedder(), true);
  const address = parseEndpoint(named);
  if (address !== undefined) return closing(await openServedModel(address), false);
  const modelsDir = await Deno.makeTempDir({ prefix: "sage-bench-model-" });
  const published = await Deno.realPath(named);
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
    embedder: { ...embedder, ...remembering(embedder) },
    isBuiltIn: false,
    async close() {
      embedder.close();
      await Deno.remove(modelsDir, { recursive: true });
    },
  };
}

/** Each text is embedded once: systems read the same notes, and a text takes as long as a whole search. */
function remembering(embedder: Embedder): Pick<Embedder, "embedQuery" | "embedDocuments"> {
  const [questions, passages] = [new Map<string, Vector>(), new Map<string, Vector>()];
  const once = (known: Map<string, Vector>, text: string, embed: () => Vector): Vector => {
    const vector = known.has(text) ? known.get(text) : embed();
    known.set(text, vector);
    return vector;
  };
  return {
    embedQuery: (text) => once(questions, text, () => embedder.embedQuery(text)),
    embedDocuments: (texts) =>
      texts.map((text) => once(passages, text, () => embedder.embedDocuments([text])[0])),
  };
}

function closing(embedder: Closing, isBuiltIn: boolean): Measured {
  return { embedder, isBuiltIn, close: () => Promise.resolve(embedder.close()) };
}
