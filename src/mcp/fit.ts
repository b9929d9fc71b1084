/**
 * Recalled notes as a result shows them: fenced, attributed, and cut to what a client takes. What is
 * left out is said, so that the model can ask for it.
 */
import { MCP_RESULT_CHARACTERS_MAX } from "../base/limits.ts";
import { cut } from "../base/text.ts";
import type { Memory } from "../memory/memory.ts";
import { fenceItems, quote } from "../memory/recalled.ts";
import type { Answer } from "./answer.ts";

/** A note, and what of it is shown. */
export interface Recalled {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly scope: "project" | "user";
  readonly flags: readonly string[];
  readonly author?: string;
  readonly text: string;
}

/** Room for the protocol's own words around an answer. */
const ENVELOPE_CHARACTERS = 1000;
const TITLE_CHARACTERS_MAX = 80;

export function fenced(memory: Memory, notes: readonly Recalled[]): string {
  return fenceItems(notes.map((note) => ({
    id: note.id,
    title: note.title,
    date: note.updated.slice(0, 10),
    author: note.author ?? "",
    trust: trustOf(memory, note),
    flags: note.flags,
    body: note.text,
  })));
}

/** A title, or a model's own word, inside a sentence of ours. */
export function quoted(title: string): string {
  return quote(title, TITLE_CHARACTERS_MAX);
}

/**
 * The answer with as many of the notes as fit; a single one that does not is cut. `render` is told
 * how many were left out and whether the last one was cut.
 */
export function fit(
  notes: readonly Recalled[],
  render: (
    shown: readonly Recalled[],
    left: { readonly out: number; readonly cut: boolean },
  ) => Answer,
): Answer {
  let shown = notes;
  let isCut = false;
  for (;;) {
    const answer = render(shown, { out: notes.length - shown.length, cut: isCut });
    const excess = sizeOf(answer) / (MCP_RESULT_CHARACTERS_MAX - ENVELOPE_CHARACTERS);
    const [first] = shown;
    if (excess <= 1 || first === undefined || (shown.length === 1 && first.text === "")) {
      return answer;
    }
    if (shown.length > 1) {
      shown = shown.slice(
        0,
        Math.max(1, Math.min(shown.length - 1, Math.floor(shown.length / excess))),
      );
    } else {
      isCut = true;
      shown = [{ ...first, text: cut(first.text, Math.floor(first.text.length / excess * 0.95)) }];
    }
  }
}

/** Both forms go over the wire. */
function sizeOf(answer: Answer): number {
  return JSON.stringify(answer).length;
}

function trustOf(memory: Memory, note: Recalled): string {
  const store = memory.stores.find(({ scope }) => scope === note.scope);
  return store === undefined || store.trust === "unknown" ? "" : store.trust;
}
