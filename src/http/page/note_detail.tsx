/** Any note, beside the list of any view: its text, or for knowledge all that belongs to it. */
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
    /** Buttons of the view for this note. */
    readonly children?: ComponentChildren;
  },
): VNode {
  const live = useLive<ReadNoteAnswer>(`/notes/${encodeURIComponent(id)}`);
  // Decided once, so that an edit stays open even if the note is removed meanwhile.
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

/** A note of an external source, which cannot be removed here. */
function isOutside({ flags }: NoteItem): boolean {
  return flags.includes("vault") || flags.includes("built-in");
}
