/** An edit, and the choice if the note changed meanwhile. Nothing that was typed is lost. */
import type { VNode } from "preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type {
  SaveKnowledgeAnswer,
  ShowKnowledgeAnswer,
} from "../../../clients/typescript/sage_client.ts";
import { useAct } from "./act.tsx";
import { get, Refused, send } from "./api.ts";
import { Choices, type Met, metBy } from "./choices.tsx";
import { type Draft, draftOf, type Edited, putDraft } from "./draft.ts";
import { SAVING } from "./late.ts";
import { reasonOf } from "./live.ts";
import { isUnparsable, linkTo } from "./note.tsx";
import { NoteForm, SAVED_BEFORE, type Typed } from "./note_form.tsx";
import { Prose, shown } from "./prose.tsx";

/** Whether the note is what was sent, so that nobody else wrote meanwhile. Allows for the server's trimming. */
export function isAsSent(note: Typed, sent: Typed): boolean {
  return note.title === sent.title.replace(/\s+/g, " ").trim() &&
    note.content === sent.content.trim();
}

/** An ETag that matches no note, so that the next save shows what somebody else wrote. */
export const UNREAD = '"unread"';

const ARCHIVED = "It is saved. It was archived meanwhile, and stays so until you restore it.";

function isArchivedSince(before: Edited, now: Edited): boolean {
  return now.note.status === "archived" && before.note.status !== "archived";
}

function pathTo(id: string): string {
  return `/knowledge/${encodeURIComponent(id)}`;
}

function isMissing(error: unknown): boolean {
  return error instanceof Refused && error.problem.status === 404;
}

/**
 * Saves over the note as the person knows it, also if only something else than its text changed. Returns what
 * is to be said of that, or the note that somebody else wrote.
 */
async function put(sent: Typed, from: Edited, isAgain = false): Promise<string | Edited> {
  const path = pathTo(from.note.id);
  try {
    await send("PATCH", path, { title: sent.title, content: sent.content }, from.etag);
    return "";
  } catch (error) {
    if (!(error instanceof Refused && error.problem.status === 412)) throw error;
    const { data: { note }, etag } = await get<ShowKnowledgeAnswer>(path);
    const now = { note, etag };
    // What was sent is there if it was saved, but the answer did not arrive.
    if (!isAsSent(note, sent)) {
      if (isAgain || !isAsSent(note, from.note)) return now;
      const outcome = await put(sent, now, true);
      if (outcome !== "") return outcome;
    }
    return isArchivedSince(from, now) ? ARCHIVED : "";
  }
}

export function Edit(
  { note, etag, isThere, done, ...props }: Edited & {
    /** The note as somebody else left it, if that is known already. */
    readonly theirs?: Edited | undefined;
    /** Whether the note exists, as far as the page was told. */
    readonly isThere?: boolean;
    /** `said`: what is to be said of the save; undefined if nothing was saved. */
    readonly done: (said?: string) => void;
  },
): VNode {
  const [begun, setDraft] = useState<Draft>({
    title: note.title,
    content: note.content,
    from: { note, etag },
  });
  const latest = (): Draft => draftOf(note.id) ?? begun;
  const { title, content, from } = latest();
  const end = (said?: string): void => {
    putDraft(note.id, undefined);
    done(said);
  };
  const { said, once } = useAct(SAVING);
  const [theirs, setTheirs] = useState(props.theirs);
  /** Why the note is not there; undefined if it is. */
  const [gone, setGone] = useState<string | undefined>(undefined);
  const [met, setMet] = useState<Met | undefined>(undefined);
  const [hasMore, setMore] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  // Before the first paint, because later it could steal the focus from another field.
  useLayoutEffect(() => field.current?.focus(), []);
  // Whoever removed the note may bring it back.
  useEffect(() => {
    if (isThere) setGone(undefined);
  }, [isThere]);
  const type = (typed: Partial<Draft>): void => {
    const now = { ...latest(), ...typed };
    putDraft(note.id, now);
    setDraft(now);
    setMet(undefined);
  };

  const save = (from: Edited, decided: { readonly on_conflict?: string } = {}): Promise<void> =>
    once(async () => {
      setMore(false);
      const sent = latest();
      let outcome: string | Edited;
      try {
        outcome = await put(sent, from);
      } catch (error) {
        if (!isMissing(error)) throw error;
        return gone === undefined ? setGone(reasonOf(error)) : await saveNew(sent, decided);
      }
      setGone(undefined);
      if (typeof outcome !== "string") return setTheirs(outcome);
      const now = latest();
      if (now.title === sent.title && now.content === sent.content) return end(outcome);
      await goOn(sent);
      // Only now, because the rest can be saved as well from here on.
      setMore(true);
    });

  /** Saves the text of a note that was removed as a new note. */
  const saveNew = async (
    { title, content }: Draft,
    decided: { readonly on_conflict?: string },
  ): Promise<void> => {
    try {
      const words = { title, content, ...decided };
      const { data: { id } } = await send<SaveKnowledgeAnswer>("POST", "/knowledge", words);
      const now = latest();
      end("");
      // What was typed since is an edit of the new note.
      if (now.title !== title || now.content !== content) {
        const saved = { ...from.note, id, title, content };
        putDraft(id, { ...now, from: { note: saved, etag: UNREAD } });
      }
      location.hash = linkTo("knowledge", id);
    } catch (error) {
      const met = metBy(error);
      setMet(met);
      if (met === undefined) throw error;
    }
  };

  /** Continues the edit from what was just saved, unless somebody else wrote meanwhile. */
  const goOn = async (sent: Draft): Promise<void> => {
    const { data, etag } = await get<ShowKnowledgeAnswer>(pathTo(note.id));
    const from = { note: data.note, etag };
    const isOurs = isAsSent(data.note, sent);
    if (isOurs) type({ from });
    setTheirs(isOurs ? undefined : from);
  };

  const putBoth = (from: Edited): void => {
    type({ content: `${from.note.content}\n\n${content}`, from });
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
      save={() => void save(from)}
      cancel={() => end()}
      saveButton={gone === undefined
        ? undefined
        : met === undefined
        ? <button type="submit">Save as a new note</button>
        : <Choices met={met} decide={(choice) => void save(from, { on_conflict: choice })} />}
    >
      {hasMore && <p class="warning" role="alert">{SAVED_BEFORE}</p>}
      {gone !== undefined && <p class="warning" role="alert">{shown(met?.reason ?? gone)}</p>}
      {said}
      {theirs !== undefined && (
        <Conflict
          note={theirs.note}
          isArchived={isArchivedSince(from, theirs)}
          drop={() => end()}
          replace={() => void save(theirs)}
          putBoth={() => putBoth(theirs)}
        />
      )}
    </NoteForm>
  );
}

/** What somebody else wrote meanwhile, and the ways to resolve the conflict. */
function Conflict({ note, isArchived, drop, replace, putBoth }: {
  readonly note: Edited["note"];
  readonly isArchived: boolean;
  readonly drop: () => void;
  readonly replace: () => void;
  readonly putBoth: () => void;
}): VNode {
  return (
    <section class="conflict" role="alert" aria-label="Changed meanwhile">
      <h2>It was changed {isArchived && "and archived "}while you wrote. Now it says:</h2>
      <p>
        <b>{shown(note.title)}</b>
      </p>
      <Prose text={note.content} isPlain={isUnparsable(note)} />
      <p class="buttons">
        <button type="button" onClick={drop}>Keep that, drop mine</button>
        <button type="button" onClick={replace}>Save mine; that stays in the history</button>
        <button type="button" onClick={putBoth}>Put both into the text</button>
      </p>
    </section>
  );
}
