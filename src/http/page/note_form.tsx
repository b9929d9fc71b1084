/** The form of a note, new or edited. */
import type { ComponentChildren, RefObject, VNode } from "preact";

/** For text that was typed while the note was being saved. */
export const SAVED_BEFORE = "Saved, except for what you typed since.";

export interface Typed {
  readonly title: string;
  readonly content: string;
}

export function NoteForm(
  { label, rows, typed, titleRef, textRef, type, save, cancel, children, saveButton }: {
    readonly label: string;
    readonly rows: number;
    readonly typed: Typed;
    readonly titleRef?: RefObject<HTMLInputElement | null>;
    readonly textRef?: RefObject<HTMLTextAreaElement | null>;
    readonly type: (part: Partial<Typed>) => void;
    readonly save: () => void;
    readonly cancel: () => void;
    /** Messages, above the buttons. */
    readonly children: ComponentChildren;
    /** Replaces the button Save. */
    readonly saveButton?: VNode | undefined;
  },
): VNode {
  return (
    <form
      class="edit detail"
      aria-label={label}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
      onKeyDown={(event) => {
        if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) save();
      }}
    >
      <label>
        Title
        <input
          ref={titleRef ?? null}
          type="text"
          required
          maxLength={200}
          value={typed.title}
          onInput={(event) => type({ title: event.currentTarget.value })}
        />
      </label>
      <label>
        Text
        <textarea
          ref={textRef ?? null}
          required
          rows={rows}
          value={typed.content}
          onInput={(event) => type({ content: event.currentTarget.value })}
        />
      </label>
      {children}
      <p class="buttons">
        {saveButton ?? <button type="submit">Save</button>}
        <button type="button" onClick={cancel}>Cancel</button>
        <span class="quiet keys">Ctrl+Enter saves</span>
      </p>
    </form>
  );
}
