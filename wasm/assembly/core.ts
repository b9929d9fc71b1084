// The exports of wasm/core.wasm, documented in src/base/core.ts. No imports, managed objects or strings:
// every kernel works on bytes that the host has written into the memory.
export { alloc, mark, release } from "./memory";
export { modelInit, modelTokenize } from "./tokenize";
export { add, dot, normalize, poolTokens } from "./pool";
export { dot16, dotRuns } from "./runs";
export { quantize, quantize16 } from "./quantize";
export { scanInt8, scanRows } from "./similarity";
export { topK } from "./top";
export { termHashes, termSpans } from "./terms";
export { buildPostings } from "./postings";
export { accumulateBest, accumulateBm25 } from "./bm25";
export { addWorths, spreadNotes } from "./bounds";
export { andBits, countBits, findTerms, isAscending, listBits, setBits } from "./sets";
export { cutStrings, findByte } from "./json";
