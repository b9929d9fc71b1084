/**
 * Reads a checkpoint from Markdown: the sections of a checkpoint file, or any text as the conclusion. A
 * section for which a checkpoint has no place is refused by name, because it would be missed too late.
 */
import { defined, nonEmpty } from "../../base/defined.ts";
import { SageError } from "../../base/errors.ts";
import { cut, nearest } from "../../base/text/text.ts";
import {
  type CheckpointDraft,
  readCheckpoint,
  readTrigger,
  TRIGGERS,
} from "../../note/checkpoint.ts";
import { frontText } from "../../note/front_values.ts";
import { nameOf, type Section, sections } from "../../note/markdown.ts";
import type { FrontMap, Note } from "../../note/note.ts";
import { parseNote } from "../../note/parse.ts";

/** The name of a text from stdin, which distinguishes it from a title. */
const NAMELESS = "stdin";

const SECTIONS = [
  "Core Question",
  "Thesis",
  "Key Evidence",
  "Reasoning Trace",
  "Decisions",
  "Next Step",
  "Open Questions",
  "Tensions",
  "Sources",
];

/** Earlier layouts have the sections in the front matter. */
const IN_FRONT = SECTIONS.map((name) => name.toLowerCase().replace(" ", "_"));
const KEYS = ["title", "trigger", "confidence", "skill", "parent", ...IN_FRONT];
/** Keys that every save sets: a checkpoint's own file may be given, and becomes a new one. */
const SAID_ANEW = [
  ...["id", "type", "created", "timestamp", "ts", "date", "updated", "modified", "status"],
  ...["project", "session", "git", "recalled", "messages", "context_tokens", "tokens"],
  ...["token_count", "generated"],
];

export async function draftFromMarkdown(text: string): Promise<Partial<CheckpointDraft>> {
  const note = await parseNote(text, `${NAMELESS}.md`);
  if (note.problem !== undefined) {
    const { line, column, reason } = note.problem;
    throw new SageError("invalid_note", `Cannot read stdin:${line}:${column}: ${reason}`);
  }
  checkKeys(note.front);
  const read = readCheckpoint(note);
  const hasSections = fieldSections(note).some(({ heading }) => isKnown(heading)) ||
    IN_FRONT.some((key) => note.front.has(key));
  if (hasSections) checkSections(note);
  return {
    trigger: read.trigger,
    coreQuestion: read.coreQuestion,
    thesis: hasSections ? read.thesis : note.body.replace(/^\s*# .*\n/, "").trim(),
    keyEvidence: read.keyEvidence,
    reasoningTrace: read.reasoningTrace,
    openQuestions: read.openQuestions,
    tensions: read.tensions,
    sources: read.sources,
    ...defined({
      title: note.title === NAMELESS ? undefined : note.title,
      confidence: note.front.has("confidence") ? read.confidence : undefined,
      decisions: nonEmpty(read.decisions),
      nextStep: read.nextStep,
      skill: read.skill,
      parent: read.parent,
    }),
  };
}

/** A cause that a person names; an unknown one would be saved as "manual". */
export function requireTrigger(name: string): CheckpointDraft["trigger"] {
  const trigger = readTrigger(name);
  if (trigger === "manual" && !/^(?:manual|explicit)$/i.test(name)) {
    throw new SageError("usage", `Cannot save a checkpoint with the trigger "${cut(name, 40)}"`, {
      hint: `it is one of ${TRIGGERS.join(", ")}`,
    });
  }
  return trigger;
}

function checkKeys(front: FrontMap): void {
  const unknown = [...front.keys()].find((key) => ![...KEYS, ...SAID_ANEW].includes(key));
  if (unknown !== undefined) {
    const meant = nearest(unknown, KEYS);
    throw new SageError(
      "usage",
      `A checkpoint has no key "${cut(unknown, 40)}": nothing was saved`,
      { hint: meant === undefined ? `it has ${KEYS.join(", ")}` : `perhaps "${meant}"` },
    );
  }
  const trigger = frontText(front, "trigger");
  if (trigger !== undefined) requireTrigger(trigger);
}

function checkSections(note: Note): void {
  const found = fieldSections(note);
  const odd = found.find(({ heading }, i) =>
    !isKnown(heading) || found.slice(0, i).some((one) => nameOf(one.heading) === nameOf(heading))
  );
  if (odd !== undefined) throw oddSection(odd.heading);
  const end = found[0]?.start ?? Infinity;
  const above = sections(note.body).find(({ level, start, text }) =>
    start < end && (level > 2 || text.trim() !== "")
  );
  if (above !== undefined) {
    const text = above.level > 2 ? above.heading : above.text;
    throw new SageError(
      "usage",
      `"${cut(text.trim(), 40)}" is in no section of the checkpoint`,
      { hint: `put it below one of ${SECTIONS.join(", ")}` },
    );
  }
}

function oddSection(heading: string): SageError {
  if (isKnown(heading)) {
    return new SageError(
      "usage",
      `The section "${heading}" is there twice: nothing was saved`,
      { hint: "join the two" },
    );
  }
  const meant = SECTIONS.find((name) => nameOf(name).includes(nameOf(heading))) ??
    nearest(heading, SECTIONS);
  const what = `A checkpoint has no section "${cut(heading, 40)}": nothing was saved`;
  return new SageError("usage", what, {
    hint: meant === undefined
      ? `put it below one of ${SECTIONS.join(", ")}, with a deeper heading (###) if you like`
      : `perhaps "${meant}"`,
  });
}

/** Headings that divide a checkpoint into fields; deeper ones belong to a field's text. */
function fieldSections({ body }: Note): Section[] {
  const headed = sections(body).filter(({ level }) => level === 1 || level === 2);
  const title = headed.find(({ level, heading }) => level === 1 && heading !== "");
  return headed.filter((section) => section !== title);
}

function isKnown(heading: string): boolean {
  return SECTIONS.some((name) => nameOf(name) === nameOf(heading));
}
