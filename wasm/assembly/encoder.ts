// The exports of wasm/encoder.wasm: the kernels of a BERT encoder, described in src/embed/bert/kernels.ts.
// Apart from the core, because only who uses such a model loads it.
export { alloc, mark, release } from "./memory";
export { normalize } from "./pool";
export { attend } from "./encoder/attention";
export { checksum } from "./encoder/checksum";
export { gelu } from "./encoder/gelu";
export { addNorm, addRow, norm, sumRows } from "./encoder/norm";
export { linear, narrowRows } from "./encoder/linear";
// The insides of long loops. Exported so that they stay calls: optimised code takes over at a call only,
// and a one-shot process has few of the outer ones.
export { blend, score, softmax } from "./encoder/attention";
export { sumBlock } from "./encoder/checksum";
export { geluBlock } from "./encoder/gelu";
export { narrowRow, block } from "./encoder/linear";
