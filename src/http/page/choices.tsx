/** What is to become of what is written where a note about the same is there already: a person says it. */
import type { VNode } from "preact";

/** By the API's name for it. */
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
