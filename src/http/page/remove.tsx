/** Moves a note to the trash, after a confirmation in the same place. A double click keeps it. */
import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { useAct } from "./act.ts";
import { get, send } from "./api.ts";
import { shown } from "./prose.tsx";

/** `back`: where to go afterwards, if only the note was shown. */
export function Remove(
  { id, title, back }: { readonly id: string; readonly title: string; readonly back?: string },
): VNode {
  const [isAsked, setAsked] = useState(false);
  const { said, once } = useAct();
  const path = `/notes/${encodeURIComponent(id)}`;
  const name = shown(title);
  const remove = (): Promise<void> =>
    once(async () => {
      const { etag } = await get(path);
      await send("DELETE", path, undefined, etag);
      if (back !== undefined) location.hash = back;
    });
  return (
    <>
      <button
        type="button"
        aria-label={`${isAsked ? "Keep" : "Remove"}: ${name}`}
        onClick={() => setAsked(!isAsked)}
      >
        {isAsked ? "Keep" : "Remove"}
      </button>
      {isAsked && (
        <button
          type="button"
          aria-label={`Remove; it stays in the trash for 30 days: ${name}`}
          onClick={() => void remove()}
        >
          Remove; it stays in the trash for 30 days
        </button>
      )}
      {said !== "" && <span class="warning" role="alert">{shown(said)}</span>}
    </>
  );
}
