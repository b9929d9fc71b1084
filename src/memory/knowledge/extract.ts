/**
 * Knowledge from conversations: proposals with their source, to be saved once somebody agrees. Proposing
 * writes nothing, and what is known already is not proposed again.
 */
import { basename } from "../../base/path.ts";
import { collapse } from "../../base/text/text.ts";
import type { Turn } from "../../editor/editor.ts";
import { saysPreference } from "../../detect/decisions/preferences.ts";
import { CAME_OUT } from "../../detect/summary/summary_marks.ts";
import { isTakenBack, withoutReversed } from "../../detect/decisions/reversals.ts";
import { redactSync } from "../../guard/redact.ts";
import { type Checkpoint, readCheckpoint } from "../../note/checkpoint.ts";
import { readSession as readSessionNote } from "../../note/session.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { redactTurns } from "../write/redact_turns.ts";
import { readTurns } from "../session/turns.ts";
import { decidedFact, type Fact, type FactKind, proposeFacts } from "./facts.ts";
import type { KnowledgeInput } from "./outcome.ts";
import { findRelated } from "./related.ts";

export interface Proposals {
  readonly facts: readonly Fact[];
  /** The source that a saved fact gets: a checkpoint's id, or `session:<id>`, then followed by `#<turn>`. */
  readonly source: string;
  /** Found, but known already. */
  readonly known: number;
}

/** More candidates than the limit, because known ones are dropped. */
const CANDIDATES_MAX = 60;

/** Proposals from a session's transcript. */
export async function proposeFromTranscript(
  memory: Memory,
  path: string,
  limit: number,
): Promise<Proposals> {
  const transcript = await readTurns(memory, path, { whole: true });
  const turns = redactTurns(memory, transcript?.turns ?? []);
  const id = transcript?.sessionId || basename(path).replace(/\.jsonl$/, "");
  return await propose(memory, turns, `session:${id}`, limit);
}

/** Proposals from a checkpoint: its conclusions and decisions, not its evidence. */
export async function proposeFromCheckpoint(
  memory: Memory,
  stored: StoredNote,
  limit: number,
): Promise<Proposals> {
  const checkpoint: Checkpoint = readCheckpoint(withoutPrivate(stored.note));
  const text = [checkpoint.thesis, ...checkpoint.decisions].join("\n\n");
  return await propose(memory, [turnOf(checkpoint.created, text)], checkpoint.id, limit);
}

/** Facts in the note of a session. Its decisions are taken without the question they answer. */
export function factsOfSession(memory: Memory, stored: StoredNote): Fact[] {
  const note = readSessionNote(withoutPrivate(stored.note));
  const done = note.done.filter((item) => !/^(?:Changed|Ran|Committed): /.test(item));
  const outcome = note.summary.split(CAME_OUT).slice(1).join(CAME_OUT);
  const said = (text: string): Turn => turnOf(note.updated, text);
  const decisions = note.decisions.map(withoutReversed)
    .filter((decision) => !isTakenBack(decision, note.decisions));
  // A rule of the person's, which only they can settle, is not taken for a fact of the project.
  const unasked = decisions.filter((decision) => !saysPreference(decision));
  const text = [outcome, ...done, ...unasked].join("\n\n");
  const facts = proposeFacts([said(text)], memory.builtIn(), CANDIDATES_MAX);
  const known = new Set(facts.map(({ text }) => text));
  const decided = decisions.flatMap((decision) => {
    const text = collapse(decision);
    return known.has(text) || known.has(decision) ? [] : [decidedFact(text, said(text))];
  });
  return [...facts, ...decided].filter(holdsNoSecret);
}

function holdsNoSecret({ text }: Fact): boolean {
  return redactSync(text).findings.length === 0;
}

/** The text of a note as a turn of the agent. */
function turnOf(at: string, text: string): Turn {
  return { uuid: "", role: "assistant", at, text, tools: [] };
}

async function propose(
  memory: Memory,
  turns: readonly Turn[],
  source: string,
  limit: number,
): Promise<Proposals> {
  const candidates = proposeFacts(turns, memory.builtIn(), CANDIDATES_MAX).filter(holdsNoSecret);
  const facts: Fact[] = [];
  let known = 0;
  for (const fact of candidates) {
    if (facts.length >= limit) break;
    if (await findRelated(memory, inputOf(fact, source)) === undefined) facts.push(fact);
    else known++;
  }
  return { facts, source, known };
}

const SUBJECTS = {
  quantity: "fact",
  definition: "fact",
  constraint: "fact",
  decision: "decision",
  preference: "preference",
} as const satisfies Readonly<Record<FactKind, KnowledgeInput["subject"]>>;

/** A fact in the form in which it is saved. */
export function inputOf(fact: Fact, source: string): KnowledgeInput {
  const { turn } = fact.source;
  return {
    title: fact.title,
    content: fact.text,
    subject: SUBJECTS[fact.kind],
    sources: [{ id: turn === "" ? source : `${source}#${turn}`, relation: "said in" }],
  };
}
