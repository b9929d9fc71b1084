/**
 * Saves knowledge: as a new note, or as an update of an existing one. A contradiction is never
 * resolved here: the caller is shown both texts and chooses.
 */
import { rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { defined } from "../../base/defined.ts";
import { PATTERNS_PER_NOTE_MAX } from "../../base/limits.ts";
import { collapse, cut, fold, slug, splitSentences } from "../../base/text/text.ts";
import { type KnowledgeDraft, renderKnowledge } from "../../note/knowledge.ts";
import { checkPattern } from "../../search/query/patterns.ts";
import { kindFolder } from "../../store/layout.ts";
import { knownToEditor } from "../outside/builtin_memory.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import { findExact, type Found } from "../find.ts";
import type { StoredNote } from "../item.ts";
import { homeStore, type Memory } from "../memory.ts";
import { type Author, edited, generatedBy, type NotSaved } from "../write/outcome.ts";
import { writeNote } from "../write/write.ts";
import { idOfFile, renderFromFile } from "./given_file.ts";
import type { KnowledgeInput, KnowledgeOutcome } from "./outcome.ts";
import { approvalNeeded, proposeSave } from "../question/approval.ts";
import { growEntity } from "./grow.ts";
import { isEntity } from "./patch.ts";
import { findRelated, publicText, type Related } from "./related.ts";
import { refusedRetired, retiredNamesake } from "./retired.ts";
import { rememberShown, replaceText } from "./replace_text.ts";
import { updateKnowledge } from "./update.ts";

interface SaveOptions {
  /** SHA-256 of the file of note `id`: another one means an edit that the author has not seen. */
  readonly expectedHash?: string;
}

export async function saveKnowledge(
  memory: Memory,
  input: KnowledgeInput,
  author: Author,
  options: SaveOptions = {},
): Promise<KnowledgeOutcome> {
  const wrong = await invalid(input, author);
  if (wrong !== undefined) return wrong;
  const cleaned = await cleanDraft(memory, input, author);
  if (cleaned.kind === "refused") return cleaned;
  const clean = titledOnce(await anchored(memory, cleaned.draft));
  const missing = missingParts(clean);
  if (missing.length > 0) return { kind: "thin", missing };

  const why = approvalNeeded(clean, author);
  if (why !== undefined) {
    return proposeSave(memory, clean, why, await noteThere(memory, clean), author);
  }
  const named = clean.id === undefined ? undefined : await findMeant(memory, clean.id);
  if (named?.kind === "none") return { ...named, id: clean.id ?? "" };
  if (named !== undefined && !standsBeside(clean)) {
    return await replaceNamed(memory, named.item, clean, author, options);
  }
  const id = clean.file === undefined ? undefined : await idOfFile(clean.file);
  const related = named === undefined ? await findRelated(memory, clean, id) : undefined;
  const decided = related === undefined
    ? undefined
    : await decideBeside(memory, related, clean, author);
  if (decided !== undefined) return decided;
  // The editor loads its own memory anyway. Only a person may want a copy of it here.
  const known = author.by === "person" || clean.onConflict !== undefined
    ? undefined
    : await knownToEditor(memory, clean).catch(() => undefined);
  if (known !== undefined) return { kind: "duplicate", ...known };
  const at = rfc3339(memory.now());
  const { input: whole, unlinked } = linked(memory, clean, named?.item ?? related?.stored);
  const draft = toDraft(whole, author, at);
  // What a person keeps in their own store on purpose is known in every project.
  const project = clean.scope === "user" ? undefined : memory.places.projectId;
  const header = { created: at, project };
  const { file } = whole;
  // Before the note is written: what fails afterwards would say that it was not.
  const retired = author.explicit ? await retiredNamesake(memory, clean.title) : undefined;
  const outcome = await writeNote(memory, {
    store: homeStore(memory, clean.scope),
    kind: "knowledge",
    stem: id ?? slug(clean.title),
    title: clean.title,
    ...defined({ folder: folderOf(clean.skills) }),
    render: file === undefined
      ? (id) => renderKnowledge(draft, { ...header, id })
      : await renderFromFile({ ...whole, file }, draft, header, author),
    author,
    redactions: cleaned.redactions,
  });
  if (outcome.kind !== "saved") return outcome;
  return { ...outcome, ...defined({ unlinked, retired }) };
}

/** Of knowledge for one skill alone; it is found by its id there as anywhere. */
function folderOf([skill, ...others]: readonly string[] = []): string | undefined {
  if (skill === undefined || others.length > 0) return undefined;
  return `${kindFolder("knowledge")}/skills/${slug(skill)}`;
}

/** The existing note for this input: the one it names, or one about the same. */
async function noteThere(memory: Memory, input: KnowledgeInput): Promise<StoredNote | undefined> {
  if (input.id === undefined) return (await findRelated(memory, input))?.stored;
  const found = await findExact(memory, input.id, ["knowledge"]);
  return found.kind === "one" ? found.item : undefined;
}

/**
 * What to do with a statement if there is a note about the same: an addition is added, an entity's note
 * grows, anything else is returned as a conflict. Undefined if both notes are to exist.
 */
async function decideBeside(
  memory: Memory,
  { stored, outcome, isNamesake }: Related,
  input: KnowledgeInput,
  author: Author,
): Promise<KnowledgeOutcome | undefined> {
  const { onConflict } = input;
  // With the same text it is the same call again.
  if (standsBeside(input)) return outcome.kind === "duplicate" ? outcome : undefined;
  if (onConflict === undefined && outcome.kind !== "conflict") return outcome;
  const retired = await refusedRetired(memory, stored, author);
  if (retired !== undefined) return retired;
  if (isNamesake && author.by !== "person" && isEntity(stored)) {
    return await growEntity(memory, stored, input, author);
  }
  if (onConflict === "update") {
    return await replaceText(memory, stored, input, author, "replaced by a newer statement");
  }
  if (isNamesake && onlyAdds(publicText(stored), input.content)) {
    return await updateKnowledge(memory, stored, input, author, `added to by ${author.by}`);
  }
  rememberShown(memory, stored, author);
  return outcome;
}

/** Whether it says everything that the other says, sentence by sentence, and more. */
function onlyAdds(old: string, next: string): boolean {
  const said = new Set(splitSentences(next).map(collapse));
  return splitSentences(old).every((sentence) => said.has(collapse(sentence)));
}

function standsBeside({ onConflict }: KnowledgeInput): boolean {
  return onConflict === "keep_both" || onConflict === "contradicts";
}

interface Linked {
  readonly input: KnowledgeInput;
  /** Why there is no link although one was wanted. */
  readonly unlinked?: string;
}

/** The input with a link to the related note, unless that is private and this is not. */
function linked(memory: Memory, input: KnowledgeInput, other: StoredNote | undefined): Linked {
  const { onConflict, sources = [] } = input;
  if (!standsBeside(input)) return { input };
  if (other === undefined) {
    // A link of both kinds to one note becomes one; a contradiction must name a note.
    return onConflict === "keep_both"
      ? { input }
      : { input, unlinked: "no note here is about the same" };
  }
  const { store, note: { id } } = other;
  if (sources.some((source) => source.id === id)) return { input };
  if (store.scope === "user" && homeStore(memory, input.scope).scope === "project") {
    return { input, unlinked: "the other note is private, and this one is not" };
  }
  const relation = onConflict === "keep_both" ? "alternative" : "contradicts";
  return { input: { ...input, sources: [...sources, { id, relation }] } };
}

async function findMeant(
  memory: Memory,
  id: string,
): Promise<Exclude<Found, { readonly kind: "many" }>> {
  const found = await findExact(memory, id, ["knowledge"]);
  if (found.kind !== "many") return found;
  const paths = found.items.map(({ absolutePath }) => absolutePath).join(" and ");
  throw new SageError("ambiguous", `"${cut(id, 80)}" is the id of ${paths}`, {
    hint: "repeat with the path of one",
  });
}

async function replaceNamed(
  memory: Memory,
  stored: StoredNote,
  input: KnowledgeInput,
  author: Author,
  { expectedHash }: SaveOptions,
): Promise<KnowledgeOutcome> {
  const isKnown = expectedHash !== undefined;
  if (isKnown && expectedHash !== stored.hash) return edited(stored);
  const retired = await refusedRetired(memory, stored, author);
  if (retired !== undefined) return retired;
  return author.by !== "person" && isEntity(stored)
    ? await growEntity(memory, stored, input, author)
    : await replaceText(memory, stored, input, author, `updated by ${author.by}`, { isKnown });
}

/** Anchors the sources to the project's files, unless the note is to hold in every project. */
async function anchored(memory: Memory, input: KnowledgeInput): Promise<KnowledgeInput> {
  const { sources, scope } = input;
  if (sources === undefined || sources.length === 0 || scope === "user") return input;
  const { anchorSources } = await import("../source/anchor.ts");
  return { ...input, sources: await anchorSources(memory, sources) };
}

/** The title in one line, and the content without a heading that repeats it. */
function titledOnce(input: KnowledgeInput): KnowledgeInput {
  const title = collapse(input.title);
  const [first = "", ...rest] = input.content.trim().split("\n");
  const below = rest.join("\n").trim();
  const isTitle = first.startsWith("# ") &&
    fold(collapse(first.slice(2))) === fold(title);
  return { ...input, title, content: isTitle && below !== "" ? below : input.content };
}

function missingParts({ title, content }: KnowledgeInput): string[] {
  return [
    ...(collapse(title) === "" ? ["title"] : []),
    ...(collapse(content) === "" ? ["content"] : []),
  ];
}

/** Refuses what is invalid whatever is on disk. */
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
  if (input.scope === "user" && author.by === "sage" && author.accepted !== true) {
    return {
      kind: "excluded",
      reason: "only the person may save for every project: ask them to run `sage knowledge add`",
    };
  }
  return undefined;
}

/** Without what the engine adds: `error parsing regexp: missing closing ): \`(?i)(a\``. */
function plainReason(reason: string, pattern: string): string {
  const plain = reason.replace(/^error parsing regexp: /, "").replace("`(?i)", "`");
  const quoted = `: \`${pattern}\``;
  const short = plain.endsWith(quoted) ? plain.slice(0, -quoted.length) : plain;
  return short.replace(/^the pattern /, "it ");
}

function toDraft(input: KnowledgeInput, author: Author, at: string): KnowledgeDraft {
  return {
    title: input.title,
    content: input.content.trim(),
    subject: input.subject ?? "fact",
    keywords: input.keywords ?? [],
    patterns: input.patterns ?? [],
    skills: input.skills ?? [],
    always: false,
    sources: input.sources ?? [],
    tags: input.tags ?? [],
    ...(author.by === "person" ? {} : { generated: generatedBy(author, at) }),
  };
}
