/** The part of a graph that is drawn, and what its notes are called there. */
import { shortId } from "../../base/id.ts";
import { neutralize } from "../../base/printable.ts";
import { collapse, cut } from "../../base/text.ts";
import type { Edge, GraphNode } from "./graph.ts";

/** Links between its notes only. */
export interface Drawn {
  readonly nodes: readonly GraphNode[];
  /** Where each of them stands in the graph. */
  readonly places: readonly number[];
  /** Places in `nodes`. */
  readonly edges: readonly Edge[];
  /** Notes that fit and are not shown, because a picture of more says nothing. */
  readonly left: number;
}

/** A title as it may stand in a picture: what cannot be seen is gone. */
export function labelOf({ note }: GraphNode, charactersMax: number): string {
  return cut(collapse(neutralize(note.title)), charactersMax) || shortId(note.id);
}
