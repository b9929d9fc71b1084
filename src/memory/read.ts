/** Reads one note, whole or by section, as everyone but its owner's editor may see it. */
import { defined } from "../base/defined.ts";
import { NOTE_INDEXED_BYTES_MAX } from "../base/limits.ts";
import { sections, sectionText } from "../note/markdown.ts";
import { findInOtherProjects } from "./other_projects.ts";
import { findNote, type NotFound } from "./find.ts";
import { recordRead } from "./write/last_read.ts";
import { rememberMergeBase } from "./write/merge_base.ts";
import { type NoteItem, type StoredNote, toItem } from "./item.ts";
import type { Memory } from "./memory.ts";
import { withoutPrivate } from "./write/public_part.ts";
import { outsideFlag, readOutsides } from "./outside/sources.ts";
import { takeUpNote } from "./session/handoff.ts";
import { withDoubtFlag } from "./doubt_flags.ts";
import { type Opened, recordOpened } from "./knowledge/borrow.ts";

export type ReadOutcome =
  | {
    readonly kind: "one";
    readonly item: NoteItem;
    readonly text: string;
    readonly sections: readonly string[];
    readonly hash: string;
    readonly partly?: string;
  }
    & Opened
  | {
    readonly kind: "no_section";
    readonly item: NoteItem;
    readonly sections: readonly string[];
    /** Set if the file is so large that only its beginning was looked at. */
    readonly partly?: string;
  }
  | NotFound;

export async function readNote(
  memory: Memory,
  ref: string,
  options: {
    readonly section?: string;
    /** A change may follow: the text is remembered as the base of a merge. */
    readonly forChange?: boolean;
  } = {},
): Promise<ReadOutcome> {
  const found = await findNote(memory, ref);
  if (found.kind === "many") return found;
  const near = found.kind === "one" ? found.item : await readOutsides(memory, ref);
  // Optional: a fault in other projects' stores is no fault of this name.
  const others = near === undefined ? await findInOtherProjects(memory, ref).catch(() => []) : [];
  if (others.length > 1) return { kind: "many", items: others };
  const [other] = others;
  const stored = near ?? other;
  if (stored === undefined) return found as Extract<ReadOutcome, { readonly kind: "none" }>;
  const note = withoutPrivate(stored.note);
  const plain = toItem({ ...stored, note });
  // The files of another project's note are elsewhere.
  const judged = other === undefined ? await withDoubtFlag(memory, plain, stored.sources) : plain;
  const outside = outsideFlag(stored.store);
  const item = outside === undefined ? judged : { ...judged, flags: [...judged.flags, outside] };
  const headings = sections(note.body).map(({ heading }) => heading).filter((heading) =>
    heading !== ""
  );
  const text = options.section === undefined
    ? note.body.trim()
    : sectionText(note.body, options.section);
  const partly = defined({ partly: partlyRead(stored) });
  if (text === undefined) return { kind: "no_section", item, sections: headings, ...partly };
  if (options.forChange === true && item.type === "knowledge" && other === undefined) {
    rememberMergeBase(memory, stored);
    // Of a section alone the agent knows no more of the rest than before.
    if (options.section === undefined) {
      recordRead(memory, memory.session, [{ id: item.id, hash: stored.hash }]);
    }
  }
  // A use that cannot be recorded costs nobody the note.
  const opened = await recordOpened(memory, stored).catch(() => ({}));
  takeUpNote(memory, note);
  return {
    kind: "one",
    item,
    text: text.replaceAll("\r\n", "\n"),
    sections: headings,
    hash: stored.hash,
    ...partly,
    ...opened,
  };
}

function partlyRead({ loaded: { bytes, stamp } }: StoredNote): string | undefined {
  return stamp.size > bytes.length
    ? `only the first ${NOTE_INDEXED_BYTES_MAX / 1024} KiB of this file are read`
    : undefined;
}
