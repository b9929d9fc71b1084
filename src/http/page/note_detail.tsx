/** Any note, beside the list of any view: as its file says it, or what is known with all that belongs to it. */
import type { ComponentChildren, VNode } from "preact";
import { useRef } from "preact/hooks";
import type { NoteItem, ReadNoteAnswer } from "../../../clients/typescript/sage_client.ts";
import { Known } from "./known.tsx";
import { useLive } from "./live.ts";
import { Detail, Facts, linkTo, Waiting } from "./note.tsx";
import { Prose } from "./prose.tsx";
import { Remove } from "./remove.tsx";

export function NoteDetail(
  { id, back, children }: {
    readonly id: string;
    readonly back: string;
    /** What may be done with it in this view. */
    readonly children?: ComponentChildren;
  },
): VNode {
  const live = useLive<ReadNoteAnswer>(`/notes/${encodeURIComponent(id)}`);
  // Once and for all: an edit of it stays where it is, also where the note goes meanwhile.
  const known = useRef("");
  if (live.kind === "there" && live.data.note.type === "knowledge" && !isOutside(live.data.note)) {
    known.current = live.data.note.id;
  }
  if (known.current !== "") return <Known id={known.current} back={back} />;
  return (
    <Waiting live={live} back={back}>
      {({ note }) => (
        <Detail back={back} title={note.title}>
          <Facts note={note} />
          <p class="buttons">
            {children}
            <a href={linkTo("graph", note.id)} data-graph>Graph</a>
            {!isOutside(note) && <Remove id={note.id} title={note.title} back={back} />}
          </p>
          <Prose text={note.text.replace(/^\s*# .*/, "")} />
        </Detail>
      )}
    </Waiting>
  );
}

/** What is searched and not ours: nobody takes it away from here. */
function isOutside({ flags }: NoteItem): boolean {
  return flags.includes("vault") || flags.includes("built-in");
}
