/** Buttons for a text that conflicts with an existing note: the person chooses what happens. */
import type { VNode } from "preact";
import { cut } from "../../base/text/text.ts";
import { Refused } from "./api.ts";
import { shown } from "./prose.tsx";

/** Why a text was not saved, and the title of the note that is there. */
export interface Met {
  readonly reason: string;
  readonly title: string;
}

const TITLE_MAX = 60;

/** Undefined if there is nothing to choose. */
export function metBy(error: unknown): Met | undefined {
  if (!(error instanceof Refused) || error.problem.choices === undefined) return undefined;
  const title = shown(error.problem.existing?.title ?? "");
  return { reason: error.message, title: cut(title, TITLE_MAX) };
}

/** `decide`: with a choice by its name in the API. */
export function Choices(
  { met, decide }: { readonly met: Met; readonly decide: (choice: string) => void },
): VNode {
  const choices = [
    ["update", `Replace “${met.title}”; its history keeps it`],
    ["keep_both", "Keep both"],
    ["contradicts", "Keep both, as a contradiction"],
  ] as const;
  return (
    <>
      {choices.map(([choice, words]) => (
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
