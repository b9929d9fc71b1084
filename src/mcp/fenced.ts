/**
 * Recalled notes as a model may see them: in a fence, with author, date and trust; outside it a
 * title only, quoted. Everything that comes back from memory goes through here.
 */
import { flagWords, type NoteItem, trustSaid } from "../memory/item.ts";
import type { Memory } from "../memory/memory.ts";
import { fenceItems, quote } from "../memory/recalled.ts";

/** A note, and the text to show of it. */
export interface Recalled {
  readonly id: string;
  readonly title: string;
  readonly updated: string;
  readonly scope: "project" | "user";
  readonly flags: NoteItem["flags"];
  readonly questioned?: string;
  readonly contradicted_by?: NonNullable<NoteItem["contradicted_by"]>;
  readonly author: string;
  readonly text: string;
}

const TITLE_CHARACTERS_MAX = 80;

export function fenced(memory: Memory, notes: readonly Recalled[]): string {
  return fenceItems(notes.map((note) => ({
    id: note.id,
    title: note.title,
    date: note.updated.slice(0, 10),
    author: note.author,
    trust: trustSaid(memory, note.scope),
    flags: flagWords(note),
    body: note.text,
  })));
}

/** A title, or a word of the model, quoted for use in a sentence of Sage's. */
export function quoted(title: string): string {
  return quote(title, TITLE_CHARACTERS_MAX);
}
