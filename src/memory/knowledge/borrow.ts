/**
 * Counts how often a note of one project is used in others. After three times (`promotion.recalls`), each
 * in another session or on another day, the person is asked once whether every project should have it.
 */
import { cut } from "../../base/text/text.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import { projectOf } from "../other_projects.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { askPerson, type Question } from "../question/question.ts";
import { isShared } from "../team/share.ts";
import { readUses, recordUse } from "../use.ts";

/** The text that a person reads before they decide; the note itself has the rest. */
const TEXT_CHARACTERS_MAX = 2000;

/** How often a note was used outside of its project, counted once for each session and day. */
export function timesBorrowed(memory: Memory, id: string): number {
  const times = readUses(memory).filter((use) => use.use === "borrowed" && use.id === id)
    .map(({ at, session = "" }) => `${at.slice(0, 10)} ${session}`);
  return new Set(times).size;
}

export interface Opened {
  /** The name of the note's project, where that is another one. */
  readonly of?: string;
  /** The question that this raised for the person. */
  readonly raised?: Question;
}

/** Records that a note was opened: as borrowed if it is another project's, otherwise as read. */
export async function recordOpened(memory: Memory, stored: StoredNote): Promise<Opened> {
  const { note: { id, kind }, store } = stored;
  const of = await projectOf(memory, stored);
  recordUse(memory, of === undefined ? "read" : "borrowed", id);
  if (of === undefined) return {};
  // Promoting moves a note, and teammates would lose one that is shared: no question then.
  const isTheirs = store.trust === "unknown" || (store.scope === "project" && isShared(store));
  const raised = kind === "knowledge" && !isTheirs ? ask(memory, stored, of) : undefined;
  return { of: of.name, ...(raised === undefined ? {} : { raised }) };
}

/** The question, when there is reason for it for the first time. */
function ask(
  memory: Memory,
  stored: StoredNote,
  of: { readonly id: string; readonly name: string; readonly root: string },
): Question | undefined {
  const { id } = stored.note;
  const times = timesBorrowed(memory, id);
  if (times < memory.config.get("promotion.recalls")) return undefined;
  const note = withoutPrivate(stored.note);
  const asked = askPerson(memory, {
    why: "borrowed",
    question: `"${cut(note.title, 80)}" of the project ${cut(of.name, 40)} was of use in others ` +
      `${times} times. Should it hold in every project?`,
    title: note.title,
    text: cut(readKnowledge(note).content.trim(), TEXT_CHARACTERS_MAX),
    diff: "",
    act: { kind: "promote", id },
    // Filed under the note's own project, so that there is one question wherever it was read.
    project: {
      id: of.id,
      name: of.name,
      dir: stored.store.scope === "project" ? of.root : memory.places.userRoot,
    },
  }, { by: "sage", explicit: false });
  return asked.kind === "proposed" && asked.isNew ? asked.question : undefined;
}
