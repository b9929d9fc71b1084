// The exports of wasm/encoder.wasm, the kernels of a BERT encoder, documented in src/embed/bert/kernels.ts.
// A module of its own, because only users of such a model load it.
export { alloc, mark, release } from "./memory";
export { normalize } from "./pool";
export { attend } from "./encoder/attention";
export { checksum } from "./encoder/checksum";
export { gelu } from "./encoder/gelu";
export { addNorm, addRow, norm, sumRows } from "./encoder/norm";
export { linear, narrowRows } from "./encoder/linear";
// The bodies of long loops, exported so that they are not inlined: V8 switches to optimised code only at a
// call, and a short-lived process makes few calls of the outer functions.
export { blend, score, softmax } from "./encoder/attention";
export { sumBlock } from "./encoder/checksum";
export { geluBlock } from "./encoder/gelu";
export { narrowRow, block } from "./encoder/linear";
