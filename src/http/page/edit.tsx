/** An edit, and the choice where somebody else was faster. Nothing that was typed is ever dropped. */
import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import type { ShowKnowledgeAnswer } from "../../../clients/typescript/sage_client.ts";
import { get, Refused, send } from "./api.ts";
import { askAgain, reasonOf } from "./live.ts";
import { Prose, shown } from "./prose.tsx";

type Known = ShowKnowledgeAnswer["note"];

interface Draft {
  readonly title: string;
  readonly content: string;
  readonly etag: string;
}

/** By id, what was typed and neither saved nor cancelled: one may look something up in between. */
const drafts = new Map<string, Draft>();

export function hasDraft(id: string): boolean {
  return drafts.has(id);
}

export function Edit(
  props: { readonly note: Known; readonly etag: string; readonly done: () => void },
): VNode {
  const { note } = props;
  const draft = drafts.get(note.id) ??
    { title: note.title, content: note.content, etag: props.etag };
  const done = (): void => {
    drafts.delete(note.id);
    props.done();
  };
  const path = `/knowledge/${encodeURIComponent(note.id)}`;
  const [title, setTitle] = useState(draft.title);
  const [content, setContent] = useState(draft.content);
  const [etag, setEtag] = useState(draft.etag);
  const [said, setSaid] = useState("");
  const [theirs, setTheirs] = useState<{ note: Known; etag: string } | undefined>(undefined);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => field.current?.focus(), []);
  const type = (typed: Partial<Draft>): void => {
    const now = { title, content, etag, ...typed };
    drafts.set(note.id, now);
    setTitle(now.title);
    setContent(now.content);
    setEtag(now.etag);
  };

  const save = async (expected: string): Promise<void> => {
    setSaid("");
    try {
      await send("PATCH", path, { title, content }, expected);
      askAgain();
      done();
    } catch (error) {
      const isOlder = error instanceof Refused && error.problem.status === 412;
      const now = isOlder ? await get<ShowKnowledgeAnswer>(path).catch(() => undefined) : undefined;
      if (now === undefined) setSaid(reasonOf(error));
      else setTheirs({ note: now.data.note, etag: now.etag });
    }
  };

  return (
    <form
      class="edit detail"
      aria-label={`Edit ${shown(note.title)}`}
      onSubmit={(event) => {
        event.preventDefault();
        void save(etag);
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save(etag);
      }}
    >
      <label>
        Title
        <input
          type="text"
          required
          maxLength={200}
          value={title}
          onInput={(event) => type({ title: event.currentTarget.value })}
        />
      </label>
      <label>
        Text
        <textarea
          ref={field}
          required
          rows={14}
          value={content}
          onInput={(event) => type({ content: event.currentTarget.value })}
        />
      </label>
      {said !== "" && <p class="warning" role="alert">{said}</p>}
      {theirs !== undefined && (
        <section class="conflict" role="alert" aria-label="Changed meanwhile">
          <h3>It was changed while you wrote. Now it says:</h3>
          <p>
            <b>{shown(theirs.note.title)}</b>
          </p>
          <Prose text={theirs.note.content} />
          <p class="buttons">
            <button type="button" onClick={done}>Keep that, drop mine</button>
            <button
              type="button"
              onClick={() =>
                void save(theirs.etag)}
            >
              Save mine; that stays in the history
            </button>
            <button
              type="button"
              onClick={() => {
                type({ content: `${theirs.note.content}\n\n${content}`, etag: theirs.etag });
                setTheirs(undefined);
              }}
            >
              Put both into the text
            </button>
          </p>
        </section>
      )}
      <p class="buttons">
        <button type="submit">Save</button>
        <button type="button" onClick={done}>Cancel</button>
        <span class="quiet">Ctrl+Enter saves</span>
      </p>
    </form>
  );
}
