/**
 * What a compaction dropped: compares the conversation with the summary that the editor kept. Measured
 * when the summariser ends, before the new context begins, so that the orientation after it can give
 * the exact things back. Kept in the session's private state; deletable.
 */
import { defined } from "../../base/defined.ts";
import { plainText, splitSentences } from "../../base/text/text.ts";
import { parseTime } from "../../base/clock.ts";
import { exactDetails, shortened } from "../../detect/checkpoint/exact.ts";
import { isOpen } from "../../detect/checkpoint/exact_lines.ts";
import { asTyped, weighed } from "../../detect/checkpoint/needed_again.ts";
import { rankSentences } from "../../detect/checkpoint/rank_sentences.ts";
import { rejectsPartOf } from "../../detect/decisions/reversals.ts";
import { sentencesOf, termsOf } from "../../detect/text/sentences.ts";
import { scoreSalience } from "../../detect/checkpoint/salience.ts";
import { isClientsOwn } from "../../editor/claude_code/payload.ts";
import type { Embedder } from "../../embed/embedder.ts";
import { type EmbeddedText, embedText, similarity } from "../../embed/similarity.ts";
import { stripPrivate } from "../../guard/private.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import type { Memory } from "../memory.ts";
import { bySage } from "../write/outcome.ts";
import { redactor } from "../write/redact_turns.ts";
import { isOfThis } from "./after_compaction.ts";
import type { LostThing } from "./state/session_state.ts";
import { readSession, updateSession } from "./state/state.ts";
import { readTurns } from "./turns.ts";

interface CompactionLoss {
  readonly kept: number;
  readonly lost: readonly LostThing[];
}

/** How much is recorded; an orientation tells a few of these things. */
const LOST_MAX = 80;
/** A summary covers a decision with this share of its words, or with a sentence this similar. */
const COVERED = 0.6;
const SAID = 0.88;
/** A longer summary is compared by its beginning. */
const SUMMARY_SENTENCES_MAX = 200;

/** Compares what was said since the last compaction with the summary, and records the loss. */
export async function measureCompaction(
  memory: Memory,
  session: string,
  transcriptPath: string | undefined,
  given?: string,
): Promise<CompactionLoss | undefined> {
  const transcript = await readTurns(memory, transcriptPath);
  if (transcript === undefined) return undefined;
  const last = transcript.compactions.at(-1);
  // When the summariser ends, the boundary is not in the file yet.
  const turns = given === undefined
    ? transcript.turns.slice(0, transcript.sinceCompaction)
    : transcript.turns.slice(transcript.sinceCompaction);
  const summary = given ??
    (isOfThis(memory, parseTime(last?.at ?? "")) ? last?.summary : undefined);
  if (summary === undefined) return undefined;

  const before = readSession(memory, session)?.compaction?.lost ?? [];
  const salient = scoreSalience(turns, rankSentences(sentencesOf(turns), memory.builtIn()));
  // Its plans and its memory are the client's own files, which it names by itself.
  const things = asTyped(exactDetails(turns, memory.places.projectDir, salient))
    .filter(({ kind, text }) => kind !== "file" || !isClientsOwn(text, memory.env));
  const measured = compareWithSummary(
    [...things, ...(turns.length === 0 ? before : lostBefore(before, things))],
    summary,
    memory.builtIn(),
  );
  const redact = redactor(memory);
  const isOld = ({ isOlder }: LostThing): boolean => isOlder === true;
  const lost = [
    ...weighed(measured.lost.filter((thing) => !isOld(thing)), turns),
    ...measured.lost.filter(isOld),
  ];
  const open = lost.slice(0, LOST_MAX)
    .filter(({ kind, text }) => kind !== "name" || isOpen(text, turns, redact));
  const cleaned = await cleanDraft(memory, open, bySage(session));
  const loss = { kept: measured.kept, lost: cleaned.draft.map(shortened) };
  updateSession(memory, session, (state) => ({
    ...state,
    compaction: { at: memory.now(), kept: loss.kept, lost: loss.lost },
  }));
  return loss;
}

/**
 * What an earlier compaction lost is lost again unless this summary tells it: a decision as long as it stands, all
 * else once more, because an error of last week is fixed.
 */
function lostBefore(before: readonly LostThing[], things: readonly LostThing[]): LostThing[] {
  const known = new Set(things.map(({ kind, mark }) => `${kind} ${mark}`));
  const decided = things.filter(({ kind }) => kind === "decision");
  return before.filter(({ kind, text, mark, isOlder }) =>
    !known.has(`${kind} ${mark}`) &&
    (kind === "decision"
      ? !decided.some((later) => rejectsPartOf(later.text, text))
      : isOlder === undefined)
  ).map((thing) => ({ ...thing, isOlder: true }));
}

/** The same from the transcript, for clients that did not report the end of the summariser. */
export async function measureIfMissed(
  memory: Memory,
  session: string,
  transcriptPath: string | undefined,
): Promise<CompactionLoss | undefined> {
  if (isOfThis(memory, readSession(memory, session)?.compaction?.at)) return undefined;
  return await measureCompaction(memory, session, transcriptPath);
}

/** Which of the things the summary tells: decisions by meaning, all else verbatim. */
export function compareWithSummary(
  things: readonly LostThing[],
  summary: string,
  embedder: Embedder,
): CompactionLoss {
  // The summariser's notes to itself are not kept.
  const told = stripPrivate(summary).replace(/<analysis>[^]*?<\/analysis>/g, "");
  const text = plainText(told);
  const sentences = splitSentences(told).slice(0, SUMMARY_SENTENCES_MAX);
  const gists = sentences.map((sentence) => embedText(embedder, sentence));
  const isTold = ({ kind, mark }: LostThing): boolean =>
    isIn(mark, text) ||
    (kind === "command" && mark.split(/&&|;/).every((part) => isIn(part, text))) ||
    (kind === "decision" && (coverage(mark, text) >= COVERED ||
      isSaid(mark, gists, embedder)));
  const lost = things.filter((thing) => !isTold(thing));
  return {
    kept: things.length - lost.length,
    lost: lost.map(({ kind, text, mark, isOlder, isUnlikely }) => ({
      kind,
      text,
      mark,
      ...defined({ isOlder, isUnlikely }),
    })),
  };
}

/** The share of a decision's words that the summary has anywhere. */
function coverage(decision: string, text: string): number {
  const terms = [...termsOf(decision)];
  return terms.filter((term) => text.includes(term)).length / Math.max(1, terms.length);
}

function isSaid(decision: string, sentences: readonly EmbeddedText[], embedder: Embedder): boolean {
  const wanted = embedText(embedder, decision);
  return sentences.some((sentence) => similarity(embedder, wanted, sentence) >= SAID);
}

/** Whether the mark is a whole word in the text: `18081` does not contain `8081`, nor `data.ts` `a.ts`. */
function isIn(mark: string, text: string): boolean {
  const wanted = plainText(mark);
  for (let at = text.indexOf(wanted); at >= 0; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [text[at - 1] ?? " ", text[at + wanted.length] ?? " "];
    if (!/[a-z0-9]/.test(before) && !/[a-z0-9]/.test(after)) return true;
  }
  return wanted === "";
}
