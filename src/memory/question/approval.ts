/** Which of an agent's writes need a person's approval, and how the person is asked. */
import { shortId } from "../../base/id.ts";
import { collapse, cut } from "../../base/text/text.ts";
import { renderDiff } from "../../base/text/diff.ts";
import { countWrite, overCap } from "../write/allowance.ts";
import { encode } from "../../base/utf8.ts";
import { defined } from "../../base/defined.ts";
import { sha256Hex } from "../../base/hash.ts";
import type { StoredNote } from "../item.ts";
import type { KnowledgeInput, Proposed } from "../knowledge/outcome.ts";
import { publicText } from "../knowledge/related.ts";
import { homeStore, type Memory } from "../memory.ts";
import type { Author, NotSaved } from "../write/outcome.ts";
import { type Asked, askPerson, type Why } from "./question.ts";

/** A preference as agents write it down: `The user prefers tabs`, `We like small commits`. */
const TASTE =
  /^(?:(?:i|we|you|they)|(?:the )?(?:user|person|team|owner|author)|he|she)(?:'d| would)?(?: (?:strongly|really|generally|usually|always))? (?:prefers?|likes?|loves?|hates?|dislikes?|favou?rs?|wants? (?:me|us|you|agents?|claude) to)\b/i;

/** Why the person must be asked; undefined if they need not be. A subject that the agent gave is believed. */
export function approvalNeeded(input: KnowledgeInput, author: Author): Why | undefined {
  if (author.by !== "agent" || author.accepted === true) return undefined;
  if (input.scope === "user") return "every_project";
  if (input.subject === "preference") return "preference";
  const isTaste = [input.title, input.content].some((text) => TASTE.test(collapse(text)));
  return input.subject === undefined && isTaste ? "preference" : undefined;
}

/** Asks whether the agent's knowledge is to be kept. `there`: the related note. */
export function proposeSave(
  memory: Memory,
  input: KnowledgeInput,
  why: Why,
  there: StoredNote | undefined,
  author: Author,
): Proposed | NotSaved {
  const title = collapse(input.title);
  const named = `"${cut(title, 80)}"`;
  // Notes of the project may be shared: a person's own taste need not be everybody's.
  const where = input.scope === "user"
    ? " in every project of yours"
    : homeStore(memory).scope === "project"
    ? " in the project's notes"
    : "";
  const question = why === "every_project"
    ? `Should I remember ${named}${where}?`
    : `Should I remember this preference${where}: ${named}?`;
  const text = input.content.trim();
  const old = there === undefined ? undefined : publicText(there);
  const wish = {
    ...{ why, question, title, text },
    diff: old === undefined ? "" : cut(renderDiff(old, text), 4000),
    ...defined({ against: there?.note.id, againstHash: old === undefined ? old : sha256Hex(old) }),
  };
  return ask(memory, { ...wish, act: { kind: "save", input } }, author);
}

/** Asks whether notes are to be merged. */
export function proposeMerge(
  memory: Memory,
  into: StoredNote,
  others: readonly StoredNote[],
  author: Author,
): Proposed | NotSaved {
  const titles = others.map(({ note }) => `"${cut(note.title, 60)}"`).join(", ");
  const question = `May I merge ${titles} into "${cut(into.note.title, 60)}"?`;
  const act = {
    kind: "merge",
    into: into.note.id,
    others: others.map(({ note }) => note.id),
  } as const;
  const text = others.map(({ note }) => `${shortId(note.id)} ${note.title}`).join("\n");
  const wish = { why: "rearrangement", question, title: into.note.title, text, diff: "" } as const;
  return ask(memory, { ...wish, act }, author);
}

/** A question counts as much towards a session's allowance as the note would. */
function ask(
  memory: Memory,
  wish: Parameters<typeof askPerson>[1],
  author: Author,
): Proposed | NotSaved {
  const written = { notes: 1, bytes: encode(wish.text).length } as const;
  const refused = overCap(memory, author, written);
  if (refused !== undefined) return refused;
  const asked = askPerson(memory, wish, author);
  if (asked.kind === "proposed" && asked.isNew) countWrite(memory, author, written);
  return told(asked);
}

function told(asked: Asked): Proposed | NotSaved {
  switch (asked.kind) {
    case "declined":
      return {
        kind: "excluded",
        reason: `the person was asked and said no on ${asked.at.slice(0, 10)}`,
      };
    case "full":
      return {
        kind: "over_cap",
        reason: `${asked.waiting} questions are waiting for the person already`,
        hint: "ask them to look at `sage inbox`",
      };
    case "proposed": {
      const { id, question, title, text, diff } = asked.question;
      return { kind: "proposed", id, question, title, text, diff };
    }
  }
}
