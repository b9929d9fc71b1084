/**
 * Knowledge on disk: new, or an update of what is there. A contradiction is never resolved here: the
 * caller is shown both texts and chooses.
 */
import { rfc3339 } from "../../base/clock.ts";
import { PATTERNS_PER_NOTE_MAX } from "../../base/limits.ts";
import { collapse, cut, fold, slug } from "../../base/text.ts";
import { shortId } from "../../base/id.ts";
import { similarity } from "../../embed/similarity.ts";
import {
  addHistory,
  type KnowledgeDraft,
  readKnowledge,
  renderKnowledge,
} from "../../note/knowledge.ts";
import { editFrontMatter, splitFrontMatter } from "../../note/front_matter.ts";
import { checkPattern } from "../../search/patterns.ts";
import { replaceNote } from "../../store/store.ts";
import { catalogue, readEntry } from "../catalogue.ts";
import { cleanDraft } from "../clean_draft.ts";
import { findNote } from "../find.ts";
import type { StoredNote } from "../item.ts";
import { homeStore, type Memory } from "../memory.ts";
import type { Author, NotSaved, SaveOutcome } from "../outcome.ts";
import { indexSaved, withoutPrivate } from "../reindex.ts";
import { writeNote } from "../write.ts";

export interface KnowledgeInput {
  readonly title: string;
  readonly content: string;
  readonly keywords?: readonly string[];
  readonly subject?: KnowledgeDraft["subject"];
  readonly skills?: readonly string[];
  readonly sources?: readonly { readonly id: string; readonly relation: string }[];
  readonly patterns?: readonly string[];
  readonly tags?: readonly string[];
  readonly scope?: "project" | "user";
  readonly id?: string;
  readonly onConflict?: "update" | "both";
}

export type KnowledgeOutcome =
  | SaveOutcome
  | Updated
  | Edited
  | {
    readonly kind: "conflict";
    readonly choices: readonly ["update", "keep_both", "discard"];
    readonly existing: {
      readonly id: string;
      readonly short_id: string;
      readonly title: string;
      readonly text: string;
    };
    readonly reason: string;
  };

export interface Updated {
  readonly kind: "updated";
  readonly id: string;
  readonly shortId: string;
  readonly title: string;
  readonly path: string;
  readonly scope: "project" | "user";
}

/** Somebody changed the file while it was being changed here: theirs is what stands. */
export interface Edited {
  readonly kind: "edited";
  readonly id: string;
  readonly path: string;
  readonly reason: string;
}

export async function saveKnowledge(
  memory: Memory,
  input: KnowledgeInput,
  author: Author,
): Promise<KnowledgeOutcome> {
  const wrong = await invalid(input, author);
  if (wrong !== undefined) return wrong;
  const cleaned = await cleanDraft(memory, input, author);
  if (cleaned.kind === "refused") return cleaned;
  const clean = cleaned.draft;

  if (clean.id !== undefined) {
    const found = await findNote(memory, clean.id, ["knowledge"]);
    if (found.kind === "one") {
      return await update(memory, found.item, clean, "updated by " + author.by);
    }
  } else if (clean.onConflict !== "both") {
    const related = await findRelated(memory, clean);
    if (related !== undefined) {
      if (clean.onConflict === "update") {
        return await update(memory, related.stored, clean, related.reason);
      }
      return related.outcome;
    }
  }
  const at = rfc3339(memory.now());
  const draft = toDraft(clean, author, at);
  return await writeNote(memory, {
    store: homeStore(memory, clean.scope),
    kind: "knowledge",
    stem: slug(clean.id ?? clean.title),
    title: clean.title,
    render: (stem) =>
      renderKnowledge(draft, { id: stem, created: at, project: memory.places.projectId }),
    author,
    redactions: cleaned.redactions,
  });
}

/** Refusals that need no look at the disk. */
async function invalid(input: KnowledgeInput, author: Author): Promise<NotSaved | undefined> {
  const missing: string[] = [];
  if (collapse(input.title) === "") missing.push("title");
  if (collapse(input.content) === "") missing.push("content");
  if ((input.patterns ?? []).length > PATTERNS_PER_NOTE_MAX) {
    missing.push(`at most ${PATTERNS_PER_NOTE_MAX} patterns`);
  }
  for (const pattern of input.patterns ?? []) {
    const checked = await checkPattern(pattern);
    if (!checked.ok) {
      missing.push(`a valid pattern instead of "${cut(pattern, 40)}" (${checked.reason})`);
    }
  }
  if (missing.length > 0) return { kind: "thin", missing };
  if (input.scope === "user" && author.by !== "person") {
    return {
      kind: "excluded",
      reason: "user scope is the person's to grant: ask them to run `sage knowledge add`",
    };
  }
  return undefined;
}

function toDraft(input: KnowledgeInput, author: Author, at: string): KnowledgeDraft {
  return {
    title: collapse(input.title),
    content: input.content.trim(),
    subject: input.subject ?? "fact",
    keywords: input.keywords ?? [],
    patterns: input.patterns ?? [],
    skills: input.skills ?? [],
    always: false,
    sources: input.sources ?? [],
    tags: input.tags ?? [],
    ...(author.by === "person" ? {} : {
      generated: {
        by: author.by,
        at,
        ...(author.session === undefined ? {} : { session: author.session }),
      },
    }),
  };
}

/** A note about the same thing: same title, or nearly the same meaning. */
async function findRelated(
  memory: Memory,
  input: KnowledgeInput,
): Promise<{ stored: StoredNote; reason: string; outcome: KnowledgeOutcome } | undefined> {
  const entries = (await catalogue(memory, ["knowledge"])).filter(({ note }) =>
    note.status === "active"
  );
  const sameTitle = entries.find(({ note }) => fold(note.title) === fold(collapse(input.title)));
  const candidates = sameTitle === undefined ? entries : [sameTitle];
  const embedder = memory.embedder();
  const wanted = embedder.embedQuery(`${input.title}. ${input.content}`);
  const threshold = memory.config.get("retrieval.dedup_threshold");

  for (const entry of candidates) {
    const stored = await readEntry(entry);
    if (stored === undefined) continue;
    const text = contentOf(stored);
    const vector = embedder.embedQuery(`${stored.note.title}. ${text}`);
    const near = wanted === undefined || vector === undefined
      ? 0
      : embedder.calibrate(similarity(wanted, vector));
    if (entry !== sameTitle && near < threshold) continue;
    const of = { id: stored.note.id, short_id: shortId(stored.note.id), title: stored.note.title };
    if (saysTheSame(text, input.content)) {
      return {
        stored,
        reason: "same statement",
        outcome: { kind: "duplicate", of, similarity: Math.max(near, 0.99) },
      };
    }
    const reason = entry === sameTitle
      ? "a note with this title exists"
      : "a note says nearly the same";
    const outcome: KnowledgeOutcome = {
      kind: "conflict",
      choices: ["update", "keep_both", "discard"],
      existing: { ...of, text: cut(text, 2000) },
      reason,
    };
    return { stored, reason, outcome };
  }
  return undefined;
}

/** The same words in the same number, however wrapped: then nothing was learned. */
function saysTheSame(a: string, b: string): boolean {
  const words = (text: string): string => fold(text).replace(/[^\p{L}\p{N}]+/gu, " ").trim();
  return words(a) === words(b);
}

/** The statement of a knowledge note: without title and history. */
export function contentOf(stored: StoredNote): string {
  return readKnowledge(withoutPrivate(stored.note)).content.trim();
}

async function update(
  memory: Memory,
  stored: StoredNote,
  input: KnowledgeInput,
  reason: string,
): Promise<KnowledgeOutcome> {
  const at = rfc3339(memory.now());
  const old = readKnowledge(stored.note);
  const title = collapse(input.title) || old.title;
  const body = splitFrontMatter(
    renderKnowledge({ ...old, title, content: input.content.trim() }, { id: old.id, created: at }),
  ).body;
  const head = stored.loaded.text.slice(0, splitFrontMatter(stored.loaded.text).bodyStart);
  let next = head + body;
  for (const entry of old.history.toReversed()) next = addHistory(next, entry.date, entry.reason);
  next = addHistory(next, at.slice(0, 10), reason);
  const text = await editFrontMatter(
    next,
    new Map<string, string | readonly string[]>([
      ["updated", at],
      ...(input.keywords === undefined ? [] : [["keywords", input.keywords] as const]),
      ...(input.subject === undefined ? [] : [["subject", input.subject] as const]),
    ]),
  );
  const outcome = await replaceNote(stored.store, stored.loaded, text);
  const { id } = stored.note;
  if (outcome.kind !== "written") {
    return {
      kind: "edited",
      id,
      path: stored.absolutePath,
      reason: "the file changed since it was read",
    };
  }
  await indexSaved(memory, stored.store);
  return {
    kind: "updated",
    id,
    shortId: shortId(id),
    title,
    path: stored.absolutePath,
    scope: stored.store.scope,
  };
}
