/** The checkpoint that Sage makes from the transcript alone: quiet, redacted, traceable. */
import { sha256Hex } from "../../base/hash.ts";
import { collapse, cut } from "../../base/text/text.ts";
import { extractCheckpoint } from "../../detect/checkpoint/extract.ts";
import type { Extract } from "../../detect/checkpoint/fill.ts";
import type { Transcript, Turn } from "../../editor/editor.ts";
import { redactSync } from "../../guard/redact.ts";
import type { CheckpointDraft, Trigger } from "../../note/checkpoint.ts";
import type { Memory } from "../memory.ts";
import { bySage, type SaveOutcome } from "../write/outcome.ts";
import { redactTurns } from "../write/redact_turns.ts";
import { readSession, recordInSession } from "../session/state/state.ts";
import { lastTurnId, newTurns } from "../session/turns.ts";
import { findDuplicate } from "./autosave.ts";
import { saveCheckpoint } from "./save.ts";

export type ExtractiveOutcome = SaveOutcome | { readonly kind: "nothing"; readonly reason: string };

export interface ExtractiveCause {
  readonly session: string;
  readonly trigger: Trigger;
  readonly confidence: number;
  /** How many of the last exchanges are about another subject. */
  readonly newSubject?: number | undefined;
  /** A process that was killed before it indexed the note may have saved it already. */
  readonly again?: boolean;
  /** A compaction is about to drop the conversation: a near-duplicate is better than nothing. */
  readonly always?: boolean;
}

/** The most tokens of an extractive checkpoint. */
const TOKENS_MAX = 500;
const LAST_WORDS_CHARACTERS = 300;
/** Turns before the last save that are read along, for what was left open there. */
const EARLIER_TURNS_MAX = 60;

export async function saveExtractive(
  memory: Memory,
  transcript: Transcript,
  cause: ExtractiveCause,
): Promise<ExtractiveOutcome> {
  const state = readSession(memory, cause.session);
  const fresh = newTurns(transcript, state);
  const turns = redactTurns(memory, fresh);
  if (turns.length === 0) return { kind: "nothing", reason: "no turn since the last save" };
  const kept = transcript.turns.slice(0, transcript.turns.length - fresh.length);
  const options = {
    earlier: redactTurns(memory, kept.slice(-EARLIER_TURNS_MAX)),
    newSubject: cause.newSubject,
    embedder: memory.builtIn(),
    tokensMax: TOKENS_MAX,
    cwd: memory.places.projectDir,
    redact: (text: string) => redactSync(text).text,
  };
  // In the middle of a turn the new part alone may say nothing: edits, and no word about them yet.
  const extract = extractCheckpoint(turns, options) ??
    (cause.always === true
      ? extractCheckpoint(redactTurns(memory, transcript.turns), { ...options, effortMin: 0 })
      : undefined);
  if (extract === undefined) {
    return { kind: "nothing", reason: "too little was said since the last save" };
  }

  const hash = sha256Hex(
    JSON.stringify([extract.coreQuestion, extract.thesis, extract.keyEvidence]),
  );
  if (hash === state?.lastSave?.hash) {
    return { kind: "nothing", reason: "the same as the last save" };
  }
  const thesis = cause.always === true ? extract.thesis || lastWords(turns) : extract.thesis;
  const draft = toDraft({ ...extract, thesis }, transcript, cause);
  if (cause.always !== true) {
    const duplicate = await findDuplicate(memory, draft, { onDisk: cause.again });
    if (duplicate !== undefined) return duplicate;
  }
  const outcome = await saveCheckpoint(memory, draft, bySage(cause.session));
  if (outcome.kind === "saved") {
    recordInSession(memory, cause.session, (now) => ({
      ...now,
      lastSave: {
        at: memory.now(),
        turn: lastTurnId(transcript),
        offset: transcript.endOffset,
        hash,
        id: outcome.id,
      },
    }));
  }
  return outcome;
}

/** Where no sentence states a conclusion: the last thing said, before a compaction drops it. */
function lastWords(turns: readonly Turn[]): string {
  const said = turns.findLast(({ role, text }) => role === "assistant" && text.trim() !== "") ??
    turns.findLast(({ text }) => text.trim() !== "");
  return cut(collapse(said?.text ?? ""), LAST_WORDS_CHARACTERS);
}

function toDraft(
  extract: Extract,
  transcript: Transcript,
  cause: ExtractiveCause,
): CheckpointDraft {
  return {
    title: extract.title,
    coreQuestion: extract.coreQuestion,
    thesis: extract.thesis,
    confidence: cause.confidence,
    trigger: cause.trigger,
    keyEvidence: extract.keyEvidence,
    reasoningTrace: extract.reasoningTrace,
    openQuestions: extract.openQuestions,
    tensions: [],
    sources: [],
    decisions: extract.decisions,
    ...(extract.nextStep === undefined || extract.nextStep === ""
      ? {}
      : { nextStep: extract.nextStep }),
    session: cause.session,
    messages: transcript.turns.length,
    ...(transcript.contextTokens === undefined ? {} : { contextTokens: transcript.contextTokens }),
  };
}
