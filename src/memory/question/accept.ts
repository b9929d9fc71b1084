/** A person's yes: does what the agent wanted, in the project where it was asked. */
import { SageError } from "../../base/errors.ts";
import { defined } from "../../base/defined.ts";
import { sha256Hex } from "../../base/hash.ts";
import { findExact } from "../find.ts";
import type { StoredNote } from "../item.ts";
import { mergeKnowledge } from "../knowledge/merge.ts";
import type { KnowledgeInput, KnowledgeOutcome } from "../knowledge/outcome.ts";
import { isEntity, type PatchOutcome } from "../knowledge/patch.ts";
import { namesake, publicText } from "../knowledge/related.ts";
import { saveKnowledge } from "../knowledge/save.ts";
import { type Promoted, promoteKnowledge } from "../knowledge/promote.ts";
import { type Memory, openFrom } from "../memory.ts";
import type { Author } from "../write/outcome.ts";
import { type Question, settle } from "./question.ts";

export type Accepted =
  | { readonly kind: "save"; readonly outcome: KnowledgeOutcome }
  | { readonly kind: "merge"; readonly into: StoredNote; readonly outcome: PatchOutcome }
  | { readonly kind: "promote"; readonly outcome: Promoted };

export interface AcceptOptions {
  /** What to do if there is a note about the same by now. */
  readonly onConflict?: KnowledgeInput["onConflict"];
  /** Keep it in the person's own store, for every project of theirs. */
  readonly scope?: "user";
}

const DONE: readonly string[] = [
  ...["saved", "updated", "patched", "duplicate", "unchanged", "promoted"],
];

export function isDone({ outcome }: Accepted): boolean {
  return DONE.includes(outcome.kind);
}

/** The question is removed once it is done; after a conflict or a refusal it stays. */
export async function acceptQuestion(
  memory: Memory,
  question: Question,
  options: AcceptOptions = {},
): Promise<Accepted> {
  const { dir, id = "" } = question.project;
  const isGone = memory.fs.lstat(dir)?.kind !== "dir";
  const isHere = dir === memory.places.projectDir ||
    isGone && memory.places.projectIds.includes(id);
  if (!isHere && isGone) {
    throw new SageError("not_found", `Its project is gone: ${dir}`, {
      hint: `if it was moved, repeat there; otherwise sage inbox drop ${question.id}`,
    });
  }
  const there = isHere ? memory : await openFrom(memory, dir);
  try {
    const accepted = await act(there, question, options);
    if (isDone(accepted)) settle(memory, question);
    return accepted;
  } finally {
    if (!isHere) there.close();
  }
}

async function act(
  memory: Memory,
  question: Question,
  { onConflict, scope }: AcceptOptions,
): Promise<Accepted> {
  const { act, againstHash, session, why, by } = question;
  const author: Author = {
    by: by ?? "agent",
    explicit: true,
    accepted: true,
    ...defined({ session }),
  };
  if (act.kind === "save") {
    const { id, ...unnamed } = act.input;
    const isBeside = onConflict === "keep_both" || onConflict === "contradicts";
    // If both notes were to exist and the other is gone, only this one is saved.
    const isAlone = isBeside && id !== undefined &&
      (await findExact(memory, id, ["knowledge"])).kind === "none";
    const input = isAlone ? unnamed : act.input;
    const outcome =
      onConflict === undefined && await changedSince(memory, act.input, againstHash) ||
      await saveKnowledge(memory, { ...input, ...defined({ onConflict, scope }) }, author);
    // A preference about how to work holds for any prompt, so it is pinned.
    if (why === "preference" && outcome.kind === "saved") {
      const { pinNote } = await import("../project/pin.ts");
      await pinNote(memory, await one(memory, outcome.id), true, { keepVersion: false });
    }
    return { kind: "save", outcome };
  }
  if (act.kind === "promote") {
    return { kind: "promote", outcome: await promoteKnowledge(memory, await one(memory, act.id)) };
  }
  const [into, ...others] = await Promise.all(
    [act.into, ...act.others].map((id) => one(memory, id)),
  );
  if (into === undefined) throw new SageError("internal", "a merge has a first note");
  return { kind: "merge", into, outcome: await mergeKnowledge(memory, into, others, author) };
}

/** The conflict, if the note that would be replaced has changed since the question. */
async function changedSince(
  memory: Memory,
  input: KnowledgeInput,
  againstHash: string | undefined,
): Promise<KnowledgeOutcome | undefined> {
  if (input.id === undefined || againstHash === undefined) return;
  const found = await findExact(memory, input.id, ["knowledge"]);
  // An entity's note grows: nothing in it is replaced.
  if (found.kind !== "one" || isEntity(found.item)) return;
  if (sha256Hex(publicText(found.item)) === againstHash) return;
  return namesake(found.item, input, "the note was changed after you were asked").outcome;
}

async function one(memory: Memory, id: string): Promise<StoredNote> {
  const found = await findExact(memory, id, ["knowledge"]);
  if (found.kind === "one") return found.item;
  throw new SageError("not_found", `The note "${id}" no longer exists`);
}
