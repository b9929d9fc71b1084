/** What an agent is told about Sage while that is new, without what its editor does not let Sage do. */
import type { Memory } from "../../memory.ts";
import { explanationOf, SAVES_BY_ITSELF } from "../../teaching.ts";
import { readSession } from "../state/state.ts";

export function lessonFor(memory: Memory, session: string): readonly string[] {
  return explanationOf(memory, "orientation").map((line) =>
    line === SAVES_BY_ITSELF ? savesBy(memory, session) : line
  );
}

function savesBy(memory: Memory, session: string): string {
  // An agent that trusts in a save which never comes would not ask for one.
  if (!isRead(memory, session)) {
    return "- Nothing is saved by itself here: sage_save_checkpoint and sage_save_knowledge save.";
  }
  return memory.config.get("detection.mode") === "off"
    ? SAVES_BY_ITSELF.replace(" and at turning points", "")
    : SAVES_BY_ITSELF;
}

/** Whether Sage can read the session's transcript; some editors keep none that it may read. */
export function isRead(memory: Memory, session: string): boolean {
  return readSession(memory, session)?.transcriptPath !== undefined;
}
