/**
 * The models that can be pulled by name: where they are published, at which revision, and their prefixes.
 * Any other is pulled by its address. The hashes are those that other projects pin for the same revisions.
 */
import { nearest } from "../../base/text/text.ts";

export interface KnownModel {
  readonly name: string;
  /** `owner/name` on the hub. */
  readonly repository: string;
  /** A commit; `main` is resolved to one at each pull. */
  readonly revision: string;
  /** The weights must have this hash, whatever the hub lists. */
  readonly weightsSha256?: string;
  /** Put before questions, and before passages. */
  readonly queryPrefix: string;
  readonly documentPrefix: string;
  readonly summary: string;
}

export const RETRIEVAL_PREFIX = "Represent this sentence for searching relevant passages: ";

export const KNOWN_MODELS: readonly KnownModel[] = [
  {
    name: "all-MiniLM-L6-v2",
    repository: "sentence-transformers/all-MiniLM-L6-v2",
    revision: "1110a243fdf4706b3f48f1d95db1a4f5529b4d41",
    weightsSha256: "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    queryPrefix: "",
    documentPrefix: "",
    summary: "small and quick, English",
  },
  {
    name: "bge-small-en-v1.5",
    repository: "BAAI/bge-small-en-v1.5",
    revision: "5c38ec7c405ec4b44b94cc5a9bb96e735b38267a",
    weightsSha256: "3c9f31665447c8911517620762200d2245a2518d6e7208acc78cd9db317e21ad",
    queryPrefix: RETRIEVAL_PREFIX,
    documentPrefix: "",
    summary: "half as quick, better at questions, English",
  },
  {
    name: "e5-small-v2",
    repository: "intfloat/e5-small-v2",
    revision: "ffb93f3bd4047442299a41ebb6fa998a38507c52",
    weightsSha256: "45bfa60070649aae2244fbc9d508537779b93b6f353c17b0f95ceccb1c5116c1",
    queryPrefix: "query: ",
    documentPrefix: "passage: ",
    summary: "half as quick, English",
  },
  {
    name: "multilingual-e5-small",
    repository: "intfloat/multilingual-e5-small",
    revision: "fd1525a9fd15316a2d503bf26ab031a61d056e98",
    weightsSha256: "1a55775f53449dac10a2bcbc312469fac40b96d53198c407081a831f81c98477",
    queryPrefix: "query: ",
    documentPrefix: "passage: ",
    summary: "half as quick, a hundred languages",
  },
  {
    name: "mxbai-embed-large-v1",
    repository: "mixedbread-ai/mxbai-embed-large-v1",
    revision: "990580e27d329c7408b3741ecff85876e128e203",
    queryPrefix: RETRIEVAL_PREFIX,
    documentPrefix: "",
    summary: "thirty times slower, better still, English",
  },
];

/** The command that pulls a model; undefined if its name does not say from where. */
export function pullOf(name: string): string | undefined {
  const isAddress = /[\\/]/.test(name);
  return isAddress || findKnown(name) !== undefined ? `sage model pull ${name}` : undefined;
}

/** A hint that lists the models there are, the one most like `name` first. `here`: the installed ones. */
export function otherModels(name: string, here: readonly string[] = []): string {
  const known = KNOWN_MODELS.map((model) => model.name).filter((other) => !here.includes(other));
  const names = new Map([...here, ...known].map((other) => [other.toLowerCase(), other]));
  const near = names.get(nearest(name.toLowerCase(), names.keys()) ?? "");
  const listed = new Set([...near === undefined ? [] : [near], ...names.values()]);
  return `there are ${
    [...listed].join(", ")
  }; sage model pull brings any other, as owner/name or ./folder; sage model use takes ollama:<model> and http://127.0.0.1:<port>/v1, too`;
}

/** The known model of this name, regardless of case. */
export function findKnown(name: string): KnownModel | undefined {
  const wanted = name.toLowerCase();
  return KNOWN_MODELS.find((model) => model.name.toLowerCase() === wanted);
}
