/** What a person replied, and what it replies to: kept apart, and joined where it is told. */
import type { Turn } from "../editor/editor.ts";

export interface Said {
  /** What it takes up, where it says nothing without. */
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

/** Whether the other takes up the same reply of a prompt, or more of it. */
export function isSameReply(one: Said, other: Said): boolean {
  return other.asked !== undefined && other.said.startsWith(one.said);
}
