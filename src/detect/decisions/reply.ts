/** A reply and what it replies to, kept apart so that replies can be compared; joined for display. */
import type { Turn } from "../../editor/editor.ts";

export interface Said {
  /** What it takes up, if it says nothing without that. */
  readonly asked?: string | undefined;
  readonly said: string;
}

export interface Reply extends Said {
  readonly turn: Turn;
}

/** 'Which one, A or B? → B, it is already deployed.' */
export function renderReply({ asked, said }: Said): string {
  return asked === undefined ? said : `${asked} → ${said}`;
}

/** Whether the other is the same reply of a prompt, or contains it. */
export function isSameReply(one: Said, other: Said): boolean {
  return other.asked !== undefined && other.said.startsWith(one.said);
}
