/** An edit, and the choice if the note changed meanwhile. Nothing that was typed is lost. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  SaveKnowledgeAnswer,
  ShowKnowledgeAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { cut } from "../../base/text/text.ts";
import { get, Refused, send } from "./api.ts";
import { Choices } from "./choices.tsx";
import { cameBack, hasComeBack, keep, keptAt } from "./kept.ts";
import { askAgain, reasonOf } from "./live.ts";
import { linkTo } from "./note.tsx";
import { NoteForm, SAVED_BEFORE, type Typed } from "./note_form.tsx";
import { Prose, shown } from "./prose.tsx";

/** The note and the ETag that an edit starts from. */
export interface Edited {
  readonly note: Typed & { readonly id: string };
  readonly etag: string;
}

interface Draft extends Typed {
  readonly etag: string;
}

/** Text typed and neither saved nor cancelled, by id of note, so that a person may look something up meanwhile. */
const drafts = new Map<string, Draft>();
const KEPT = "edit ";
const SHOWN_MAX = 60;

for (const [id, { title, content, etag }] of keptAt(KEPT)) {
  if ([title, content, etag].some((one) => typeof one !== "string")) continue;
  drafts.set(id, { title, content, etag } as Draft);
  cameBack({
    name: KEPT + id,
    title: `your edit of “${cut(shown(String(title)), SHOWN_MAX)}”`,
    href: linkTo("knowledge", id),
    forget: () => putDraft(id, undefined),
  });
}

function putDraft(id: string, draft: Draft | undefined): void {
  if (draft === undefined) drafts.delete(id);
  else drafts.set(id, draft);
  keep(KEPT + id, draft && { ...draft });
}

export function draftOf(id: string): Edited | undefined {
  const draft = drafts.get(id);
  return draft && { note: { ...draft, id }, etag: draft.etag };
}

/** Whether an edit was restored after a reload: then it is shown open again. */
export function cameBackTo(id: string): boolean {
  return hasComeBack(KEPT + id);
}

/** Keeps a text as the draft for a note that somebody else has changed. */
export function keepDraft({ note, etag }: Edited): void {
  putDraft(note.id, { title: note.title, content: note.content, etag });
}

/** Whether the note is what was sent, so that nobody else wrote meanwhile. Allows for the server's trimming. */
export function isAsSent(note: Typed, sent: Typed): boolean {
  return note.title === sent.title.replace(/\s+/g, " ").trim() &&
    note.content === sent.content.trim();
}

export function Edit(
  props: Edited & {
    /** The note as somebody else left it, if that is known already. */
    readonly theirs?: Edited | undefined;
    readonly done: () => void;
  },
): VNode {
  const { note } = props;
  const [begun, setDraft] = useState<Draft>({
    title: note.title,
    content: note.content,
    etag: props.etag,
  });
  const latest = (): Draft => drafts.get(note.id) ?? begun;
  const { title, content, etag } = latest();
  const done = (): void => {
    putDraft(note.id, undefined);
    props.done();
  };
  const path = `/knowledge/${encodeURIComponent(note.id)}`;
  const [said, setSaid] = useState("");
  const [theirs, setTheirs] = useState(props.theirs);
  const [isGone, setGone] = useState(false);
  const [hasMet, setMet] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const isSaving = useRef(false);
  // Before the first paint, because later it could steal the focus from another field.
  useLayoutEffect(() => field.current?.focus(), []);
  const type = (typed: Partial<Draft>): void => {
    const now = { ...latest(), ...typed };
    putDraft(note.id, now);
    setDraft(now);
  };

  const save = async (expected: string): Promise<void> => {
    if (isSaving.current) return;
    isSaving.current = true;
    setSaid("");
    const sent = latest();
    try {
      await send("PATCH", path, { title: sent.title, content: sent.content }, expected);
      askAgain();
      const now = latest();
      if (now.title === sent.title && now.content === sent.content) return done();
      await goOn(sent);
      // Only now, because the rest can be saved as well from here on.
      setSaid(SAVED_BEFORE);
    } catch (error) {
      if (error instanceof Refused && error.problem.status === 404) setGone(true);
      const isOlder = error instanceof Refused && error.problem.status === 412;
      const now = isOlder ? await get<ShowKnowledgeAnswer>(path).catch(() => undefined) : undefined;
      if (now === undefined) setSaid(reasonOf(error));
      // It was saved, but the answer did not arrive.
      else if (isAsSent(now.data.note, sent)) done();
      else setTheirs({ note: now.data.note, etag: now.etag });
    } finally {
      isSaving.current = false;
    }
  };

  /** Saves the text as a new note, if the note was removed meanwhile. */
  const saveNew = async (decided: { readonly on_conflict?: string }): Promise<void> => {
    if (isSaving.current) return;
    isSaving.current = true;
    setSaid("");
    const { title, content } = latest();
    try {
      const words = { title, content, ...decided };
      const { data } = await send<SaveKnowledgeAnswer>("POST", "/knowledge", words);
      askAgain();
      done();
      location.hash = linkTo("knowledge", data.id);
    } catch (error) {
      setMet(error instanceof Refused && error.problem.choices !== undefined);
      setSaid(reasonOf(error));
    } finally {
      isSaving.current = false;
    }
  };

  /** Continues the edit from what was just saved, unless somebody else wrote meanwhile. */
  const goOn = async (sent: Draft): Promise<void> => {
    const { data, etag } = await get<ShowKnowledgeAnswer>(path);
    const isOurs = isAsSent(data.note, sent);
    if (isOurs) type({ etag });
    setTheirs(isOurs ? undefined : { note: data.note, etag });
  };

  const putBoth = ({ note, etag }: Edited): void => {
    type({ content: `${note.content}\n\n${content}`, etag });
    setTheirs(undefined);
    field.current?.focus();
  };

  return (
    <NoteForm
      label={`Edit ${shown(note.title)}`}
      rows={14}
      typed={{ title, content }}
      textRef={field}
      type={type}
      save={() => void (isGone ? saveNew({}) : save(etag))}
      cancel={done}
      saveButton={!isGone
        ? undefined
        : hasMet
        ? <Choices decide={(choice) => void saveNew({ on_conflict: choice })} />
        : <button type="submit">Save as a new note</button>}
    >
      {said !== "" && <p class="warning" role="alert">{said}</p>}
      {theirs !== undefined && (
        <Conflict
          note={theirs.note}
          drop={done}
          replace={() => void save(theirs.etag)}
          putBoth={() => putBoth(theirs)}
        />
      )}
    </NoteForm>
  );
}

/** What somebody else wrote meanwhile, and the ways to resolve the conflict. */
function Conflict({ note, drop, replace, putBoth }: {
  readonly note: Edited["note"];
  readonly drop: () => void;
  readonly replace: () => void;
  readonly putBoth: () => void;
}): VNode {
  return (
    <section class="conflict" role="alert" aria-label="Changed meanwhile">
      <h2>It was changed while you wrote. Now it says:</h2>
      <p>
        <b>{shown(note.title)}</b>
      </p>
      <Prose text={note.content} />
      <p class="buttons">
        <button type="button" onClick={drop}>Keep that, drop mine</button>
        <button type="button" onClick={replace}>Save mine; that stays in the history</button>
        <button type="button" onClick={putBoth}>Put both into the text</button>
      </p>
    </section>
  );
}
