/** Edits that are neither saved nor cancelled, by id of note, so that a person may look something up meanwhile. */
import { cut } from "../../base/text/text.ts";
import { cameBack, hasComeBack, keep, keptAt } from "./kept.ts";
import { linkTo } from "./note.tsx";
import type { Typed } from "./note_form.tsx";
import { shown } from "./prose.tsx";

/** A note as it was read, and its ETag. */
export interface Edited {
  readonly note: Typed & {
    readonly id: string;
    readonly status: string;
    readonly flags?: readonly string[];
  };
  readonly etag: string;
}

export interface Draft extends Typed {
  /** The note that the edit started from. */
  readonly from: Edited;
}

const drafts = new Map<string, Draft>();
const KEPT = "edit ";
const SHOWN_MAX = 60;

for (const [id, kept] of keptAt(KEPT)) {
  if ([kept.title, kept.content, kept.etag].some((one) => typeof one !== "string")) continue;
  const text = (key: string): string => String(kept[key] ?? "");
  const title = text("title");
  const note = { id, title: text("titleBefore"), content: text("contentBefore") };
  drafts.set(id, {
    title,
    content: text("content"),
    from: { note: { ...note, status: text("status") }, etag: text("etag") },
  });
  cameBack({
    name: KEPT + id,
    title: `your edit of “${cut(shown(title), SHOWN_MAX)}”`,
    href: linkTo("knowledge", id),
    forget: () => putDraft(id, undefined),
  });
}

export function putDraft(id: string, draft: Draft | undefined): void {
  if (draft === undefined) {
    drafts.delete(id);
    return keep(KEPT + id, undefined);
  }
  drafts.set(id, draft);
  const { title, content, from: { note, etag } } = draft;
  const before = { titleBefore: note.title, contentBefore: note.content, status: note.status };
  keep(KEPT + id, { title, content, etag, ...before });
}

export function draftOf(id: string): Draft | undefined {
  return drafts.get(id);
}

/** Whether an edit was restored after a reload: then it is shown open again. */
export function cameBackTo(id: string): boolean {
  return hasComeBack(KEPT + id);
}
