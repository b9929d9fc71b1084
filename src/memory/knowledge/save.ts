/**
 * Knowledge on disk: new, or an update of what is there. A contradiction is never resolved here: the
 * caller is shown both texts and chooses.
 */
import { rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { PATTERNS_PER_NOTE_MAX } from "../../base/limits.ts";
import { collapse, cut, slug } from "../../base/text.ts";
import { type KnowledgeDraft, renderKnowledge } from "../../note/knowledge.ts";
import { checkPattern } from "../../search/patterns.ts";
import { knownToEditor } from "../builtin_memory.ts";
import { cleanDraft } from "../clean_draft.ts";
import { findWhole } from "../find.ts";
import { homeStore, type Memory } from "../memory.ts";
import type { Author, NotSaved } from "../outcome.ts";
import { writeNote } from "../write.ts";
import { idOfFile, renderFromFile } from "./given_file.ts";
import type { KnowledgeInput, KnowledgeOutcome } from "./outcome.ts";
import { findRelated } from "./related.ts";
import { updateKnowledge } from "./update.ts";

export type { KnowledgeInput, KnowledgeOutcome };

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
  const missing = missingParts(clean);
  if (missing.length > 0) return { kind: "thin", missing };

  if (clean.id !== undefined) return await replaceNamed(memory, clean.id, clean, author);
  const id = clean.file === undefined ? undefined : await idOfFile(clean.file);
  const related = clean.onConflict === "both" ? undefined : await findRelated(memory, clean, id);
  if (related !== undefined) {
    return clean.onConflict === "update"
      ? await updateKnowledge(
        memory,
        related.stored,
        clean,
        author,
        "replaced by a newer statement",
      )
      : related.outcome;
  }
  // What the editor loads by itself need not be told twice; a person may want it here all the same.
  const known = author.by === "person" || clean.onConflict !== undefined
    ? undefined
    : await knownToEditor(memory, clean).catch(() => undefined);
  if (known !== undefined) return { kind: "duplicate", ...known };
  const at = rfc3339(memory.now());
  const draft = toDraft(clean, author, at);
  // What a person keeps in their own store on purpose is known in every project.
  const project = clean.scope === "user" ? undefined : memory.places.projectId;
  const header = { created: at, project };
  const { file } = clean;
  return await writeNote(memory, {
    store: homeStore(memory, clean.scope),
    kind: "knowledge",
    stem: id ?? slug(clean.title),
    title: clean.title,
    render: file === undefined
      ? (id) => renderKnowledge(draft, { ...header, id })
      : await renderFromFile({ ...clean, file }, draft, header, author),
    author,
    redactions: cleaned.redactions,
  });
}

async function replaceNamed(
  memory: Memory,
  id: string,
  input: KnowledgeInput,
  author: Author,
): Promise<KnowledgeOutcome> {
  const found = await findWhole(memory, id, ["knowledge"]);
  switch (found.kind) {
    case "none":
      return { kind: "none", id, nearest: found.nearest };
    case "many":
      throw new SageError("ambiguous", `"${cut(id, 80)}" fits ${found.items.length} notes`, {
        hint: "repeat with a whole id",
      });
    case "one":
      return await updateKnowledge(memory, found.item, input, author, `updated by ${author.by}`);
  }
}

function missingParts({ title, content }: KnowledgeInput): string[] {
  return [
    ...(collapse(title) === "" ? ["title"] : []),
    ...(collapse(content) === "" ? ["content"] : []),
  ];
}

/** Refusals that need no look at the disk. */
async function invalid(input: KnowledgeInput, author: Author): Promise<NotSaved | undefined> {
  const missing = missingParts(input);
  if (missing.length > 0) return { kind: "thin", missing };
  const { patterns = [] } = input;
  if (patterns.length > PATTERNS_PER_NOTE_MAX) {
    const reason =
      `${patterns.length} patterns are more than the ${PATTERNS_PER_NOTE_MAX} a note may have`;
    return { kind: "invalid", reason };
  }
  for (const pattern of patterns) {
    const checked = await checkPattern(pattern);
    if (!checked.ok) {
      const reason = `the pattern "${cut(pattern, 40)}" is not valid: ${
        plainReason(checked.reason, pattern)
      }`;
      return { kind: "invalid", reason };
    }
  }
  if (input.scope === "user" && author.by !== "person") {
    return {
      kind: "excluded",
      reason: "user scope is the person's to grant: ask them to run `sage knowledge add`",
    };
  }
  return undefined;
}

/** `error parsing regexp: missing closing ): \`(?i)(a\`` without what only the engine knows. */
function plainReason(reason: string, pattern: string): string {
  const plain = reason.replace(/^error parsing regexp: /, "").replace("`(?i)", "`");
  const quoted = `: \`${pattern}\``;
  const short = plain.endsWith(quoted) ? plain.slice(0, -quoted.length) : plain;
  return short.replace(/^the pattern /, "it ");
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
