/** A new knowledge note. If it conflicts with an existing one, the person chooses what happens. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  SaveKnowledgeAnswer,
  ShowKnowledgeAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { cut } from "../../base/text/text.ts";
import { useAct } from "./act.ts";
import { get, Refused, send } from "./api.ts";
import { Edit, type Edited, isAsSent, keepDraft } from "./edit.tsx";
import { Choices } from "./choices.tsx";
import { cameBack, keep, keptAt } from "./kept.ts";
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
/** An ETag that matches no note, so that the next save shows what somebody else wrote. */
const UNREAD = '"unread"';

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
  const [hasMet, setMet] = useState(false);
  const [hasMore, setMore] = useState(sheet.made !== undefined);
  const [theirs, setTheirs] = useState<Edited | undefined>(undefined);
  const { said, act } = useAct();
  const field = useRef<HTMLInputElement>(null);
  // Before the first paint, because later it could steal the focus from another field.
  useLayoutEffect(() => field.current?.focus(), []);
  useLayoutEffect(() => void (leave = done));
  const type = (part: Partial<Typed>): void => {
    setNote(sheet.typed = { ...sheet.typed, ...part });
    put(sheet);
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
          setMet(false);
          return setMore(true);
        }
        close();
        // Stays where the person is, if they left the form.
        if (field.current !== null) location.hash = linkTo("knowledge", data.id);
      } catch (error) {
        if (!(error instanceof Refused) || at !== sheet) throw error;
        const { choices, status } = error.problem;
        if (status === 412 && at.made !== undefined) return await choose(at, at.made);
        // The note is gone: saved again, the text becomes a new one.
        if (status === 404) at.made = undefined;
        if (choices !== undefined) setMet(true);
        throw error;
      } finally {
        at.isSaving = false;
      }
    });
  /** Somebody else changed the note that was saved: from here on it is an edit like any other. */
  const choose = async (at: Sheet, { id, etag }: Made): Promise<void> => {
    const now = await get<ShowKnowledgeAnswer>(pathTo(id));
    if (at !== sheet) return;
    keepDraft({ note: { ...at.typed, id }, etag });
    put(blank());
    setTheirs({ note: now.data.note, etag: now.etag });
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
      saveButton={hasMet
        ? <Choices decide={(choice) => void save({ on_conflict: choice })} />
        : undefined}
    >
      {said !== "" && <p class="warning" role="alert">{shown(said)}</p>}
      {hasMore && <p class="warning" role="alert">{SAVED_BEFORE}</p>}
    </NoteForm>
  );
}
