/** Buttons for a text that conflicts with an existing note: the person chooses what happens. */
import type { VNode } from "preact";

/** By the API's names. */
const CHOICES = [
  ["update", "Replace it; its history keeps it"],
  ["keep_both", "Keep both"],
  ["contradicts", "Keep both, as a contradiction"],
] as const;

export function Choices({ decide }: { readonly decide: (choice: string) => void }): VNode {
  return (
    <>
      {CHOICES.map(([choice, words]) => (
        <button
          type="button"
          key={choice}
          onClick={() => decide(choice)}
        >
          {words}
        </button>
      ))}
    </>
  );
}
