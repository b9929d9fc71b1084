/**
 * Replaces the content of a note: the version before is kept whole, and the history says why. The
 * last author of the content is the note's author; a person's verification ends.
 */
import { sha256Hex } from "../../base/hash.ts";
import { rfc3339 } from "../../base/clock.ts";
import { defined } from "../../base/defined.ts";
import { encode } from "../../base/utf8.ts";
import { collapse, fold } from "../../base/text/text.ts";
import { privateParts } from "../../guard/private.ts";
import { editFrontMatter, splitFrontMatter } from "../../note/front_matter.ts";
import {
  addHistory,
  historyText,
  readKnowledge,
  renderKnowledge,
  withoutHistory,
} from "../../note/knowledge.ts";
import type { FrontChanges, FrontValue } from "../../note/note.ts";
import { generatedValue } from "../../note/provenance.ts";
import { replaceNote } from "../../store/store.ts";
import { countWrite, overCap } from "../write/allowance.ts";
import { rememberWritten } from "../write/merge_base.ts";
import { refOf, refuseUnreadable, type StoredNote } from "../item.ts";
import { withoutPrivate } from "../write/public_part.ts";
import type { Memory } from "../memory.ts";
import {
  type Author,
  changedNote,
  type Edited,
  edited,
  generatedBy,
  type NotSaved,
} from "../write/outcome.ts";
import { indexSaved } from "../index/reindex.ts";
import { recordUse } from "../use.ts";
import { anchorAnew } from "../source/anchor.ts";
import { linkedText } from "../vault/links.ts";
import { fieldChanges, otherChanges, withHistory } from "./given_file.ts";
import { refusedToAgent } from "./agent_limits.ts";
import type { KnowledgeInput, Updated } from "./outcome.ts";

export async function updateKnowledge(
  memory: Memory,
  stored: StoredNote,
  input: KnowledgeInput,
  author: Author,
  reason: string,
): Promise<Updated | Edited | NotSaved> {
  const foreign = refusedToAgent(memory, stored, author);
  if (foreign !== undefined) return foreign;
  refuseUnreadable(stored);
  const elsewhere = liesElsewhere(stored, input);
  if (elsewhere !== undefined) return elsewhere;
  const fields = await fieldsIn(input, author);
  if (await saysNothingNew(stored, input, fields)) {
    return { kind: "duplicate", of: refOf(stored.note), similarity: 1 };
  }
  const at = rfc3339(memory.now());
  // A new text is anchored to the files as they are now, unless Sage itself made the change.
  const sources = fields.has("sources") || !author.explicit
    ? undefined
    : await anchorAnew(memory, stored);
  if (sources !== undefined) fields.set("sources", sources);
  const { store, loaded } = stored;
  const title = collapse(input.title);
  if (fold(title) !== fold(stored.note.title)) fields.set("aliases", formerTitles(stored, title));
  const text = await editFrontMatter(
    await linkedText(memory, store, withContent(stored, input, at, reason), loaded.text),
    new Map([...fields, ...authorChanges(author, at)]),
  );
  const written = { notes: 0, bytes: encode(text).length } as const;
  const refused = overCap(memory, author, written);
  if (refused !== undefined) return refused;

  const outcome = await replaceNote(store, loaded, text);
  const copy = outcome.kind === "conflict" ? outcome.copy : undefined;
  if (outcome.kind !== "written" && copy === undefined) return edited(stored);
  countWrite(memory, author, written, { id: stored.note.id, hash: sha256Hex(text) });
  rememberWritten(memory, author, stored.note.id, text);
  recordUse(memory, "replaced", stored.note.id);
  // A copy beside it is found by a walk only.
  await indexSaved(memory, stored.store, copy === undefined ? stored.path : undefined);
  return { kind: "updated", ...changedNote(stored), title, ...defined({ copy }) };
}

/** Refuses a scope that is not the note's. */
export function liesElsewhere(
  { note: { id }, store }: StoredNote,
  { scope = store.scope }: KnowledgeInput,
): Extract<NotSaved, { readonly kind: "excluded" }> | undefined {
  if (scope === store.scope) return undefined;
  return {
    kind: "excluded",
    reason: `"${id}" lies in the ${store.scope} store, not in the ${scope}'s`,
  };
}

/** The keys of front matter that the input sets. */
export async function fieldsIn(
  input: KnowledgeInput,
  author: Author,
): Promise<Map<string, FrontValue | undefined>> {
  return new Map([
    ...input.file === undefined ? [] : await otherChanges(input.file, author),
    ...fieldChanges(input),
  ]);
}

/** Links by the former title still lead there. */
function formerTitles({ note }: StoredNote, next: string): string[] {
  const names = new Set([...note.aliases, note.title]);
  return [...names].filter((name) => !["", fold(next)].includes(fold(name)));
}

/** The file with other title and content; front matter and history stay as they are. */
function withContent(stored: StoredNote, input: KnowledgeInput, at: string, why: string): string {
  const { text } = stored.loaded;
  const { bodyStart, eol, body } = splitFrontMatter(text);
  // Kept, because an agent that writes through Sage can neither see nor repeat private parts.
  const hidden = privateParts(withoutHistory(body));
  const content = [input.content.trim(), ...hidden].join("\n\n");
  const draft = { ...readKnowledge(stored.note), title: collapse(input.title), content };
  const header = { id: stored.note.id, created: at };
  const rendered = splitFrontMatter(renderKnowledge(draft, header)).body;
  const next = withHistory(rendered, historyText(body)).replace(/\r?\n/g, eol);
  return addHistory(text.slice(0, bodyStart) + next, at.slice(0, 10), why);
}

/** The same title, text and fields: a version of it would be noise. */
async function saysNothingNew(
  stored: StoredNote,
  input: KnowledgeInput,
  fields: FrontChanges,
): Promise<boolean> {
  // Private parts stay as they are, whatever is said around them.
  const old = readKnowledge(withoutPrivate(stored.note));
  const content = input.content.replace(/\r\n?/g, "\n").trim();
  if (old.title !== collapse(input.title) || old.content.trim() !== content) return false;
  const { text } = stored.loaded;
  return await editFrontMatter(text, fields) === text;
}

function authorChanges(author: Author, at: string): FrontChanges {
  const { by } = author;
  return new Map([
    ["updated", at],
    ["generated", by === "person" ? undefined : generatedValue(generatedBy(author, at))],
    ...(by === "person" ? [] : [["verified", undefined]] as const),
  ]);
}
