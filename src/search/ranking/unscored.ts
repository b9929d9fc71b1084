/** A note that is shown without a search, as a candidate whose numbers are all 0. */
import type { Candidate, IndexedNote } from "../document.ts";
import { NO_EVIDENCE } from "./score.ts";

export function unscored(note: IndexedNote): Candidate {
  return {
    note,
    chunk: { heading: note.title, snippet: "" },
    evidence: NO_EVIDENCE,
    sum: 0,
    certainty: 0,
    competing: 0,
    combined: 0,
    emb: 0,
    kw: 0,
    carriedBy: "mix",
    cosine: 0,
    terms: [],
    shares: [],
    synonyms: [],
    trigger: undefined,
    phrasing: 0,
    phrasings: undefined,
  };
}
