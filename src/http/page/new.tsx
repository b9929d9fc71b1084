/** Something to keep, in a person's own words. Where the like is known already, they say what is to become of it. */
import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import type { SaveKnowledgeAnswer } from "../../../clients/typescript/sage_client.ts";
import { SAVED_BEFORE, useAct } from "./act.ts";
import { Refused, send } from "./api.ts";
import { Choices } from "./inbox.tsx";
import { linkTo } from "./note.tsx";
import { shown } from "./prose.tsx";

const EMPTY = { title: "", content: "" };
/** Stays while one looks something up in another view. */
let typed = EMPTY;

export function hasTyped(): boolean {
  return typed.title + typed.content !== "";
}

export function New({ done }: { readonly done: () => void }): VNode {
  const [note, setNote] = useState(typed);
  const [hasMet, setMet] = useState(false);
  const [hasMore, setMore] = useState(false);
  const { said, act } = useAct();
  const field = useRef<HTMLInputElement>(null);
  const isSaving = useRef(false);
  // Before anybody can type elsewhere: later it would take them away from there.
  useLayoutEffect(() => field.current?.focus(), []);
  const type = (part: Partial<typeof EMPTY>): void => setNote(typed = { ...typed, ...part });
  const close = (): void => {
    typed = EMPTY;
    done();
  };
  const save = (decided: { readonly on_conflict?: string }): Promise<void> =>
    act(async () => {
      if (isSaving.current) return;
      isSaving.current = true;
      setMore(false);
      const sent = typed;
      try {
        const body = { ...sent, ...decided };
        const { data } = await send<SaveKnowledgeAnswer>("POST", "/knowledge", body);
        if (typed !== sent) return setMore(true);
        close();
        // Who is elsewhere by now stays there.
        if (field.current !== null) location.hash = linkTo("knowledge", data.id);
      } catch (error) {
        if (error instanceof Refused && error.problem.choices !== undefined) setMet(true);
        throw error;
      } finally {
        isSaving.current = false;
      }
    });
  return (
    <form
      class="edit detail"
      aria-label="A new note"
      onSubmit={(event) => {
        event.preventDefault();
        void save({});
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save({});
      }}
    >
      <label>
        Title
        <input
          ref={field}
          type="text"
          required
          maxLength={200}
          value={note.title}
          onInput={(event) => type({ title: event.currentTarget.value })}
        />
      </label>
      <label>
        Text
        <textarea
          required
          rows={8}
          value={note.content}
          onInput={(event) => type({ content: event.currentTarget.value })}
        />
      </label>
      {said !== "" && <p class="warning" role="alert">{shown(said)}</p>}
      {hasMore && <p class="warning" role="alert">{SAVED_BEFORE}</p>}
      <p class="buttons">
        {hasMet
          ? <Choices decide={(choice) => void save({ on_conflict: choice })} />
          : <button type="submit">Save</button>}
        <button type="button" onClick={close}>Cancel</button>
        <span class="quiet">Ctrl+Enter saves</span>
      </p>
    </form>
  );
}
