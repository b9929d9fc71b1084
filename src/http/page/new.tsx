/** A new knowledge note. If it conflicts with an existing one, the person chooses what happens. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  SaveKnowledgeAnswer,
  ShowKnowledgeAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { cut } from "../../base/text/text.ts";
import { useAct } from "./act.tsx";
import { get, Refused, send } from "./api.ts";
import { Choices, type Met, metBy } from "./choices.tsx";
import { type Edited, putDraft } from "./draft.ts";
import { Edit, isAsSent, UNREAD } from "./edit.tsx";
import { cameBack, keep, keptAt } from "./kept.ts";
import { SAVING } from "./late.ts";
import { linkTo } from "./note.tsx";
import { NoteForm, SAVED_BEFORE, type Typed } from "./note_form.tsx";
import { shown } from "./prose.tsx";

interface Made {
  readonly id: string;
  readonly etag: string;
}

/** The state of a new note, from an empty form until it is saved or cancelled. */
interface Sheet {
  typed: Typed;
  /** The note that was saved while the person went on typing; the next save updates it. */
  made: Made | undefined;
  isSaving: boolean;
}

/** Outlives a change of view. Answers to requests of an earlier sheet are ignored. */
let sheet = blank();
const KEPT = "new";
const SHOWN_MAX = 60;
const [before] = keptAt(KEPT);
if (before !== undefined) {
  const { title, content, id, etag } = before[1];
  sheet.typed = { title: String(title), content: String(content) };
  if (typeof id === "string" && typeof etag === "string") sheet.made = { id, etag };
  cameBack({
    name: KEPT,
    title: title === ""
      ? "your new note"
      : `your new note “${cut(shown(String(title)), SHOWN_MAX)}”`,
    href: "#/knowledge",
    forget: () => put(blank()),
  });
}
/** Closes the form that is shown now, which may be another one than when the save began. */
let leave = (): void => {};

function blank(): Sheet {
  return { typed: { title: "", content: "" }, made: undefined, isSaving: false };
}

function put(next: Sheet): void {
  sheet = next;
  keep(KEPT, hasTyped() ? { ...next.typed, ...next.made } : undefined);
}

export function hasTyped(): boolean {
  return sheet.typed.title + sheet.typed.content !== "";
}

function pathTo(id: string): string {
  return `/knowledge/${encodeURIComponent(id)}`;
}

/** The ETag of the note that was just saved. */
async function etagOf(id: string, sent: Typed): Promise<string> {
  const now = await get<ShowKnowledgeAnswer>(pathTo(id)).catch(() => undefined);
  return now !== undefined && isAsSent(now.data.note, sent) ? now.etag : UNREAD;
}

export function New({ done }: { readonly done: () => void }): VNode {
  const [note, setNote] = useState(() => {
    // A form that was emptied and left starts anew.
    if (!hasTyped()) sheet = blank();
    return sheet.typed;
  });
  const [met, setMet] = useState<Met | undefined>(undefined);
  const [hasMore, setMore] = useState(sheet.made !== undefined);
  const [theirs, setTheirs] = useState<Edited | undefined>(undefined);
  const { said, act } = useAct(SAVING);
  const field = useRef<HTMLInputElement>(null);
  // Before the first paint, because later it could steal the focus from another field.
  useLayoutEffect(() => field.current?.focus(), []);
  useLayoutEffect(() => void (leave = done));
  const type = (part: Partial<Typed>): void => {
    setNote(sheet.typed = { ...sheet.typed, ...part });
    put(sheet);
    setMet(undefined);
  };
  const close = (): void => {
    put(blank());
    leave();
  };
  const save = (decided: { readonly on_conflict?: string }): Promise<void> =>
    act(async () => {
      const at = sheet;
      if (at.isSaving) return;
      setMore(false);
      at.isSaving = true;
      const sent = at.typed;
      try {
        const { data } = at.made === undefined
          ? await send<SaveKnowledgeAnswer>("POST", "/knowledge", { ...sent, ...decided })
          : await send<SaveKnowledgeAnswer>("PATCH", pathTo(at.made.id), sent, at.made.etag);
        if (at !== sheet) return;
        if (at.typed !== sent) {
          const etag = await etagOf(data.id, sent);
          if (at !== sheet) return;
          at.made = { id: data.id, etag };
          put(at);
          setMet(undefined);
          return setMore(true);
        }
        close();
        // Stays where the person is, if they left the form.
        if (field.current !== null) location.hash = linkTo("knowledge", data.id);
      } catch (error) {
        if (!(error instanceof Refused) || at !== sheet) throw error;
        const { status } = error.problem;
        const met = at.typed === sent ? metBy(error) : undefined;
        setMet(met);
        if (status === 412 && at.made !== undefined) return await choose(at, at.made);
        // The note is gone: saved again, the text becomes a new one.
        if (status === 404) at.made = undefined;
        if (met === undefined) throw error;
      } finally {
        at.isSaving = false;
      }
    });
  /** Somebody else changed the note that was saved: from here on it is an edit like any other. */
  const choose = async (at: Sheet, { id, etag }: Made): Promise<void> => {
    const now = await get<ShowKnowledgeAnswer>(pathTo(id));
    if (at !== sheet) return;
    const { note } = now.data;
    putDraft(id, { ...at.typed, from: { note: { ...note, ...at.typed }, etag } });
    put(blank());
    setTheirs({ note, etag: now.etag });
  };
  if (theirs !== undefined) {
    const show = (): void => {
      done();
      location.hash = linkTo("knowledge", theirs.note.id);
    };
    return <Edit {...theirs} theirs={theirs} done={show} />;
  }
  return (
    <NoteForm
      label="A new note"
      rows={8}
      typed={note}
      titleRef={field}
      type={type}
      save={() => void save({})}
      cancel={close}
      saveButton={met && (
        <Choices
          met={met}
          decide={(choice) => void save({ on_conflict: choice })}
        />
      )}
    >
      {met !== undefined && <p class="warning" role="alert">{shown(met.reason)}</p>}
      {said}
      {hasMore && <p class="warning" role="alert">{SAVED_BEFORE}</p>}
    </NoteForm>
  );
}
