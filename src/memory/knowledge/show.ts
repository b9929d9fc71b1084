/** One knowledge note with everything about it: what recall would say, and its former versions. */
import { readKnowledge } from "../../note/knowledge.ts";
import { findNote, type NotFound } from "../find.ts";
import { attributed, authorOf, type StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import { withoutPrivate } from "../write/public_part.ts";
import { withDoubtFlag } from "../doubt_flags.ts";
import { keptVersions } from "./history.ts";
import { type KnowledgeItem, toKnowledgeItem } from "./list.ts";

interface KnowledgeVersion {
  readonly title: string;
  /** When this text was written. */
  readonly updated: string;
  readonly author: string;
  readonly content: string;
}

type KnowledgeShown =
  | {
    readonly kind: "one";
    readonly item: KnowledgeItem;
    /** Without title and history: what an edit replaces. */
    readonly content: string;
    readonly hash: string;
    /** Former versions, newest first. */
    readonly versions: readonly KnowledgeVersion[];
  }
  | NotFound;

/** How many are returned; all of them stay on disk. */
const VERSIONS_MAX = 50;

export async function showKnowledge(memory: Memory, ref: string): Promise<KnowledgeShown> {
  const found = await findNote(memory, ref, ["knowledge"]);
  if (found.kind !== "one") return found;
  const { hash, sources } = found.item;
  const versions = (await keptVersions(found.item, VERSIONS_MAX)).reverse().map(textOf);
  const { content } = textOf(found.item);
  const item = await withDoubtFlag(memory, toKnowledgeItem(found.item), sources);
  return { kind: "one", item, content, hash, versions };
}

function textOf({ store, note: whole }: StoredNote): KnowledgeVersion {
  const note = withoutPrivate(whole);
  return {
    title: note.title,
    updated: note.updated,
    author: attributed(store, authorOf(whole)),
    content: readKnowledge(note).content.trim(),
  };
}
