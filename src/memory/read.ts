/** One note, whole or by section, as everyone but its owner's editor may see it. */
import { sections, sectionText } from "../note/markdown.ts";
import { readBuiltin } from "./builtin_memory.ts";
import { findNote, type Nearest } from "./find.ts";
import { attributed, authorOf, type NoteItem, type StoredNote, toItem } from "./item.ts";
import type { Memory } from "./memory.ts";
import { withoutPrivate } from "./open_part.ts";
import { recordUse } from "./use.ts";

export type ReadOutcome =
  | {
    readonly kind: "one";
    readonly item: NoteItem;
    readonly text: string;
    readonly sections: readonly string[];
    readonly author: string;
    readonly hash: string;
  }
  | { readonly kind: "no_section"; readonly item: NoteItem; readonly sections: readonly string[] }
  | { readonly kind: "none"; readonly nearest: readonly Nearest[] }
  | { readonly kind: "many"; readonly items: readonly StoredNote[] };

export async function readNote(
  memory: Memory,
  ref: string,
  options: { readonly section?: string } = {},
): Promise<ReadOutcome> {
  const found = await findNote(memory, ref);
  if (found.kind === "many") return found;
  const stored = found.kind === "one" ? found.item : await readBuiltin(memory, ref);
  if (stored === undefined) return found as Extract<ReadOutcome, { readonly kind: "none" }>;
  const note = withoutPrivate(stored.note);
  const item = toItem({ ...stored, note });
  const headings = sections(note.body).map(({ heading }) => heading).filter((heading) =>
    heading !== ""
  );
  const text = options.section === undefined
    ? note.body.trim()
    : sectionText(note.body, options.section);
  if (text === undefined) return { kind: "no_section", item, sections: headings };
  recordUse(memory, "read", item.id);
  return {
    kind: "one",
    item,
    text: text.replaceAll("\r\n", "\n"),
    sections: headings,
    author: attributed(stored.store, authorOf(note)),
    hash: stored.hash,
  };
}
