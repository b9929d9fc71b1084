/**
 * The mode `offer`: a point is saved by extraction at once, and with the next prompt the agent is
 * offered to put it in its own words, which then replace the extract. Costs no turn. An offer that is
 * not taken up expires at the next stop, and nothing is lost (docs/decisions/0022).
 */
import { readBytes } from "../../base/fs.ts";
import { sha256Hex } from "../../base/hash.ts";
import { NOTE_BYTES_MAX } from "../../base/limits.ts";
import { type CheckpointDraft, readCheckpoint } from "../../note/checkpoint.ts";
import { trashNote } from "../../store/trash.ts";
import { findExact } from "../find.ts";
import type { StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import type { Author, Saved, SaveOutcome } from "../write/outcome.ts";
import { indexSaved } from "../index/reindex.ts";
import { readSession, recordInSession, updateSession } from "../session/state/state.ts";
import { findDuplicate } from "./autosave.ts";
import { saveCheckpoint } from "./save.ts";

/** Remembers what was saved by extraction, until the next prompt. */
export function makeOffer(memory: Memory, session: string, trigger: string, saved: Saved): void {
  const hash = sha256Hex(readBytes(memory.fs, saved.path, NOTE_BYTES_MAX));
  const offer = { id: saved.id, trigger, hash, told: false };
  updateSession(memory, session, (state) => ({ ...state, offer }));
}

/** The text beside a prompt, once; empty where nothing is offered. */
export function tellOffer(memory: Memory, session: string): string {
  const offer = readSession(memory, session)?.offer;
  if (offer === undefined || offer.told) return "";
  updateSession(memory, session, (state) => ({ ...state, offer: { ...offer, told: true } }));
  return `Sage saved where the last turn left off (${offer.trigger}), in extracts. First answer the ` +
    `prompt; while at it, call sage_autosave_check once with trigger "${offer.trigger}" and your own ` +
    "core question, thesis, key evidence and open questions of that turn. No need to mention it.";
}

/** Saves what the agent wrote: in place of the extract, or beside it if a person has changed that. */
export async function answerOffer(
  memory: Memory,
  draft: CheckpointDraft,
  author: Author & { readonly session: string },
): Promise<SaveOutcome> {
  const extract = await extractFor(memory, draft, author.session);
  const duplicate = await findDuplicate(memory, draft, { except: extract?.note.id });
  if (duplicate !== undefined) return duplicate;
  return extract === undefined
    ? await saveCheckpoint(memory, draft, author)
    : await saveInPlace(memory, draft, author, extract);
}

/** The offered extract, if it is still as Sage wrote it. */
async function extractFor(
  memory: Memory,
  draft: CheckpointDraft,
  session: string,
): Promise<StoredNote | undefined> {
  const offer = readSession(memory, session)?.offer;
  if (offer === undefined || offer.trigger !== draft.trigger) return undefined;
  const found = await findExact(memory, offer.id, ["checkpoint"]);
  return found.kind === "one" && found.item.hash === offer.hash ? found.item : undefined;
}

/** Saves the draft and trashes the extract. That is no verdict on the extract, so no use is recorded. */
async function saveInPlace(
  memory: Memory,
  draft: CheckpointDraft,
  author: Author & { readonly session: string },
  extract: StoredNote,
): Promise<SaveOutcome> {
  const { id } = extract.note;
  const { lastSave } = readSession(memory, author.session) ?? {};
  const parent = draft.parent ?? readCheckpoint(extract.note).parent ?? "";
  const outcome = await saveCheckpoint(memory, { ...draft, parent }, author);
  if (outcome.kind !== "saved") return outcome;
  recordInSession(memory, author.session, ({ offer: _, ...state }) => ({
    ...state,
    checkpoints: (state.checkpoints ?? []).filter((one) => one !== id),
    // The prompt beside which it was offered is in no save yet.
    ...(lastSave?.id === id ? { lastSave: { ...lastSave, id: outcome.id } } : {}),
  }));
  const trashed = await trashNote(extract.store, extract.loaded);
  if (trashed.kind === "trashed") await indexSaved(memory, extract.store, extract.path);
  return outcome;
}
