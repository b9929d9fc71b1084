/**
 * Replaces the whole text of a note. An agent says what a note is to say, not which text it read: what somebody
 * else changed since then is merged with it, or shown to it first. A person's own text is replaced as they say.
 */
import { defined } from "../../base/defined.ts";
import { cut } from "../../base/text/text.ts";
import { canonical } from "../../note/front_values.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import type { Note } from "../../note/note.ts";
import { parseNote } from "../../note/parse.ts";
import { applyPatch, type Patch } from "../../note/patch.ts";
import { readGenerated } from "../../note/provenance.ts";
import { loadNote } from "../../store/load.ts";
import { isOwnWrite } from "../../store/own_writes.ts";
import { refOf, refuseUnreadable, type StoredNote, toStored } from "../item.ts";
import type { Memory } from "../memory.ts";
import { isWrittenSince } from "../session/own_bytes.ts";
import { readSession } from "../session/state/state.ts";
import { recordUse } from "../use.ts";
import { lastRead, recordRead } from "../write/last_read.ts";
import { mergeBaseOf, rememberMergeBase, rememberWritten } from "../write/merge_base.ts";
import type { Author } from "../write/outcome.ts";
import { refusedToAgent } from "./agent_limits.ts";
import type { KnowledgeInput, KnowledgeOutcome } from "./outcome.ts";
import { patchKnowledge, type PatchOptions } from "./patch.ts";
import { namesake, publicText } from "./related.ts";
import { fieldsIn, liesElsewhere, updateKnowledge } from "./update.ts";

/** The reason in the history where the text has somebody else's changes too. */
const MERGED = "updated beside other changes by agent";
const CHANGED = "somebody changed the note since you read it";
const UNREAD = "a person wrote in the note, and you have not read it";
/** Enough to save again with what stands there; `get_note` has the rest. */
const SHOWN_CHARACTERS_MAX = 8000;

export async function replaceText(
  memory: Memory,
  stored: StoredNote,
  input: KnowledgeInput,
  author: Author,
  reason: string,
  /** The author has said which text it replaces, and it is this one. */
  { isKnown = false }: { readonly isKnown?: boolean } = {},
): Promise<KnowledgeOutcome> {
  if (author.by !== "agent" || author.accepted === true || isKnown) {
    return await updateKnowledge(memory, stored, input, author, reason);
  }
  const refused = refusedToAgent(memory, stored, author) ?? liesElsewhere(stored, input);
  if (refused !== undefined) return refused;
  refuseUnreadable(stored);
  const known = lastRead(memory, author.session, stored.note.id);
  if (known === undefined && !isAgentsOwn(memory, stored)) {
    return shownFirst(memory, stored, input, author, UNREAD);
  }
  if (known === undefined || known === stored.hash) {
    const outcome = await updateKnowledge(memory, stored, input, author, reason);
    // Somebody saved it between the reading above and this.
    return outcome.kind === "edited"
      ? await mergeText(memory, stored, stored.loaded.text, input, author)
      : outcome;
  }
  const base = await mergeBaseOf(memory, stored, known);
  return base === undefined
    ? shownFirst(memory, stored, input, author, CHANGED)
    : await mergeText(memory, stored, base, input, author, { expectedHash: known });
}

/** Lets the agent know the text that it is shown with a conflict, so that it may replace it afterwards. */
export function rememberShown(memory: Memory, stored: StoredNote, { by, session }: Author): void {
  if (by !== "agent") return;
  rememberMergeBase(memory, stored);
  recordRead(memory, session, [{ id: stored.note.id, hash: stored.hash }]);
}

/** Makes the changes that the agent made to `base` in the note as it is now. */
async function mergeText(
  memory: Memory,
  stored: StoredNote,
  base: string,
  input: KnowledgeInput,
  author: Author,
  { expectedHash }: Pick<PatchOptions, "expectedHash"> = {},
): Promise<KnowledgeOutcome> {
  const patches = await changesSince(await parseNote(base, stored.path), input, author);
  const outcome = patches.length === 0
    ? { kind: "conflict" } as const
    : await patchKnowledge(memory, stored, patches, author, {
      reason: MERGED,
      ...defined({ expectedHash }),
    });
  switch (outcome.kind) {
    case "patched": {
      const { kind: _, hash: _hash, ...note } = outcome;
      recordUse(memory, "replaced", stored.note.id);
      // It has not seen what the others changed: its next save is merged with that as well.
      rememberWritten(memory, author, stored.note.id, await patchedBase(base, patches));
      return { ...note, kind: "updated" };
    }
    case "unchanged":
      return { kind: "duplicate", of: refOf(stored.note), similarity: 1 };
    case "conflict":
    case "no_section": {
      const now = toStored(stored.store, await loadNote(stored.store, stored.path));
      return shownFirst(memory, now, input, author, CHANGED);
    }
    default:
      return outcome;
  }
}

/** The note as the agent knows it, with its own changes alone. */
async function patchedBase(base: string, patches: readonly Patch[]): Promise<string> {
  let text = base;
  for (const patch of patches) text = await applyPatch(text, patch) ?? text;
  return text;
}

/** What the input says otherwise than the note that the agent knew. */
async function changesSince(
  known: Note,
  input: KnowledgeInput,
  author: Author,
): Promise<Patch[]> {
  const { title, content } = readKnowledge(known);
  const wanted = input.content.replace(/\r\n?/g, "\n").trim();
  const fields = [...await fieldsIn(input, author)].filter(([key, value]) =>
    canonical(value) !== canonical(known.front.get(key))
  );
  return [
    ...(wanted === content.trim() ? [] : [{ kind: "rewrite", text: wanted }] as const),
    ...(input.title === title ? [] : [{ kind: "set", key: "title", value: input.title }] as const),
    ...fields.map(([key, value]) => ({ kind: "set", key, value }) as const),
  ];
}

/** Nothing is written; from now on the agent knows this text. */
function shownFirst(
  memory: Memory,
  stored: StoredNote,
  input: KnowledgeInput,
  author: Author,
  reason: string,
): KnowledgeOutcome {
  rememberShown(memory, stored, author);
  const { outcome } = namesake(stored, input, reason);
  if (outcome.kind !== "conflict") return outcome;
  const whole = publicText(stored);
  const text = cut(whole, SHOWN_CHARACTERS_MAX);
  const existing = { ...outcome.existing, text };
  return { ...outcome, existing, unseen: { isCut: text !== whole } };
}

/** What the history says of a text that an agent replaced as a whole. */
const BY_AGENT = ["updated by agent", "added to by agent", "replaced by a newer statement"];

/**
 * Whether nobody wrote in it since an agent wrote all of it, as far as is known: then another agent may replace it
 * without having read it, as the history keeps it. The session that wrote it knows its bytes; otherwise the time
 * has to tell.
 */
function isAgentsOwn(memory: Memory, { store, note, loaded, hash }: StoredNote): boolean {
  const { by = "person", session = "" } = readGenerated(note.front) ?? {};
  if (by === "person") return false;
  const [last] = readKnowledge(note).history;
  if (last !== undefined && !BY_AGENT.includes(last.reason)) return false;
  const left = readSession(memory, session)?.wrote?.[note.id];
  if (left === hash || isOwnWrite(store, loaded.bytes)) return true;
  return left === undefined && !isWrittenSince(loaded, loaded.note.updated);
}
