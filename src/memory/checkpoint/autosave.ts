/** The save that detection asks for, if it is confident enough, not thin, and not saved already. */
import { collapse } from "../../base/text/text.ts";
import { embedText, similarity } from "../../embed/similarity.ts";
import { type CheckpointDraft, readThesis, type Trigger } from "../../note/checkpoint.ts";
import { catalogue } from "../catalogue.ts";
import { isHere, knownEntries, newestFirst, readEntries } from "../index/entries.ts";
import { refOf } from "../item.ts";
import type { Memory } from "../memory.ts";
import type { Author, SaveOutcome } from "../write/outcome.ts";
import { readSession } from "../session/state/state.ts";
import { contradicts } from "./pair.ts";
import { saveCheckpoint } from "./save.ts";

/** A save below its trigger's confidence is not kept. What a person or the editor causes always is. */
const CONFIDENCE_MIN: Readonly<Record<Trigger, number>> = {
  topic_shift: 0.3,
  branch_point: 0.4,
  constraint_discovered: 0.4,
  synthesis: 0.5,
  precompact: 0,
  context_threshold: 0,
  manual: 0,
  recovery: 0,
  session_end: 0,
};

/** A thesis of fewer characters is a heading, not a conclusion. */
const THESIS_CHARACTERS_MIN = 40;

export async function autosaveCheck(
  memory: Memory,
  draft: CheckpointDraft,
  author: Author,
): Promise<SaveOutcome> {
  const missing = thinParts(draft);
  if (missing.length > 0) return { kind: "thin", missing };
  const { session } = author;
  if (session !== undefined && readSession(memory, session)?.offer?.told === true) {
    const { answerOffer } = await import("./offer.ts");
    return await answerOffer(memory, draft, { ...author, session });
  }
  const duplicate = await findDuplicate(memory, draft);
  if (duplicate !== undefined) return duplicate;
  return await saveCheckpoint(memory, draft, author);
}

function thinParts(draft: CheckpointDraft): string[] {
  const missing: string[] = [];
  if (draft.confidence < CONFIDENCE_MIN[draft.trigger]) {
    missing.push(`confidence of at least ${CONFIDENCE_MIN[draft.trigger]} for ${draft.trigger}`);
  }
  if (collapse(draft.thesis).length < THESIS_CHARACTERS_MIN) {
    missing.push("a thesis of at least one full sentence");
  }
  if (collapse(draft.coreQuestion) === "") missing.push("core_question");
  if (draft.keyEvidence.length === 0 && collapse(draft.reasoningTrace) === "") {
    missing.push("key_evidence or reasoning_trace");
  }
  return missing;
}

/**
 * Compares with the newest checkpoints by meaning; equal words count without a model. A conclusion
 * with another number, name or "not" is near in meaning and no duplicate: it corrects the earlier
 * one.
 */
export async function findDuplicate(
  memory: Memory,
  draft: CheckpointDraft,
  { except, onDisk }: {
    readonly except?: string | undefined;
    readonly onDisk?: boolean | undefined;
  } = {},
): Promise<Extract<SaveOutcome, { kind: "duplicate" }> | undefined> {
  const threshold = memory.config.get("retrieval.dedup_threshold");
  const window = memory.config.get("detection.dedup_window");
  // A hook uses the index as it stands: its own saves are in it.
  const known = memory.hook && onDisk !== true
    ? knownEntries(memory, { kinds: ["checkpoint"] }, window)
    : await catalogue(memory, ["checkpoint"]);
  const entries = known.filter((entry) => isHere(memory, entry) && entry.note.id !== except)
    .sort(newestFirst);
  const recent = await readEntries(entries.slice(0, window));
  if (recent.length === 0) return undefined;

  const embedder = memory.builtIn();
  const theses = recent.map(({ note }) => readThesis(note));
  const wanted = embedText(embedder, draft.thesis);
  for (const [i, stored] of recent.entries()) {
    const thesis = theses[i] ?? "";
    const same = collapse(thesis) === collapse(draft.thesis);
    const near = similarity(embedder, wanted, embedText(embedder, thesis));
    if (same || (near >= threshold && !contradicts(thesis, draft.thesis))) {
      return { kind: "duplicate", of: refOf(stored.note), similarity: same ? 1 : near };
    }
  }
  return undefined;
}
