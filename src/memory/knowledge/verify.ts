/**
 * Verifies a note: a person by their word, an agent with evidence only. Its sources are anchored
 * anew; its text and date stay.
 */
import { sha256Hex } from "../../base/hash.ts";
import { rfc3339 } from "../../base/clock.ts";
import { encode } from "../../base/utf8.ts";
import { collapse } from "../../base/text/text.ts";
import { editFrontMatter } from "../../note/front_matter.ts";
import { mapOrNothing } from "../../note/front_values.ts";
import { replaceNote } from "../../store/store.ts";
import { countWrite, overCap } from "../write/allowance.ts";
import { rememberChanged } from "../write/merge_base.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import { isOfProject } from "../index/entries.ts";
import { refOf, type StoredNote } from "../item.ts";
import type { Memory } from "../memory.ts";
import {
  type Author,
  type ChangedNote,
  type Edited,
  edited,
  type NotSaved,
} from "../write/outcome.ts";
import { indexSaved } from "../index/reindex.ts";
import { anchorAnew } from "../source/anchor.ts";

interface Verified extends Omit<ChangedNote, "scope"> {
  readonly kind: "verified";
}

export async function verifyKnowledge(
  memory: Memory,
  stored: StoredNote,
  evidence: string,
  author: Author,
): Promise<Verified | Edited | NotSaved> {
  const cleaned = await cleanDraft(memory, { evidence: collapse(evidence) }, author);
  if (cleaned.kind === "refused") return cleaned;
  const said = cleaned.draft.evidence;
  if (author.by !== "person") {
    const reason = said === ""
      ? "an agent verifies with evidence only: say what was run or read, and what came of it"
      : isOfProject(memory, stored)
      ? undefined
      : "that note belongs to every project, so only the person verifies it";
    if (reason !== undefined) return { kind: "excluded", reason };
  }
  const sources = await anchorAnew(memory, stored);
  const verified = mapOrNothing([
    ["by", author.by],
    ["at", rfc3339(memory.now())],
    ["evidence", said],
  ]);
  const text = await editFrontMatter(
    stored.loaded.text,
    new Map([
      ...(sources === undefined ? [] : [["sources", sources] as const]),
      ["verified", verified],
    ]),
  );
  const bytes = Math.max(0, encode(text).length - stored.loaded.bytes.length);
  const written = { notes: 0, bytes } as const;
  const refused = overCap(memory, author, written);
  if (refused !== undefined) return refused;
  const outcome = await replaceNote(stored.store, stored.loaded, text);
  if (outcome.kind !== "written") return edited(stored);
  countWrite(memory, author, written, { id: stored.note.id, hash: sha256Hex(text) });
  rememberChanged(memory, author, stored, text);
  await indexSaved(memory, stored.store, stored.path);
  return { kind: "verified", ...refOf(stored.note), path: stored.absolutePath };
}
