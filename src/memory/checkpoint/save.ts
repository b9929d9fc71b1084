/** Saves a checkpoint: where the thinking stood. Immutable once written. */
import { fileStamp, rfc3339 } from "../../base/clock.ts";
import { defined, nonEmpty } from "../../base/defined.ts";
import { collapse, cutTitle, firstSentence, foldedWords, slug } from "../../base/text/text.ts";
import { type CheckpointDraft, renderCheckpoint } from "../../note/checkpoint.ts";
import { readGit } from "../../store/git/git.ts";
import { cleanDraft } from "../write/clean_draft.ts";
import { homeStore, type Memory } from "../memory.ts";
import { type Author, generatedBy, type SaveOutcome } from "../write/outcome.ts";
import type { SessionState } from "../session/state/session_state.ts";
import { quote } from "../recalled.ts";
import { redactor } from "../write/redact_turns.ts";
import { readSession, recordInSession } from "../session/state/state.ts";
import { writeNote } from "../write/write.ts";

export const TITLE_CHARACTERS_MAX = 80;

export async function saveCheckpoint(
  memory: Memory,
  draft: CheckpointDraft,
  author: Author,
): Promise<SaveOutcome> {
  const missing = missingParts(draft, author);
  if (missing.length > 0) return { kind: "thin", missing };
  const cleaned = await cleanDraft(memory, draft, author);
  if (cleaned.kind === "refused") return cleaned;
  // A question that was private or forgotten may be missing; without a conclusion nothing is left.
  if (collapse(cleaned.draft.thesis) === "") return { kind: "thin", missing: ["thesis"] };

  const at = memory.now();
  const titled = withTitle(cleaned.draft, author);
  const { title } = titled;
  const { parent, unlinked } = await resolveParent(memory, cleaned.draft.parent);
  const session = cleaned.draft.session ?? author.session;
  const before = session === undefined ? undefined : readSession(memory, session);
  const full = complete(memory, { ...titled, parent, session }, before, author.by, at);
  const outcome = await writeNote(memory, {
    store: homeStore(memory),
    kind: "checkpoint",
    stem: `${fileStamp(at)}_${slug(title)}`,
    title,
    render: (stem) =>
      renderCheckpoint(full, { id: stem, created: rfc3339(at), project: memory.places.projectId }),
    author,
    redactions: cleaned.redactions,
  });
  if (outcome.kind === "saved" && author.session !== undefined) {
    recordInSession(memory, author.session, (state) => {
      const { pendingAsk: _, restored: __, ...rest } = state;
      return {
        ...rest,
        checkpoints: [...state.checkpoints ?? [], outcome.id],
        lastSave: {
          at,
          turn: "",
          hash: state.lastSave?.hash ?? "",
          id: outcome.id,
        },
      };
    });
  }
  // Last, because it takes longest and may be missing.
  if (outcome.kind === "saved" && memory.config.get("privacy.keep_conversations")) {
    const { keepConversation } = await import("./conversation.ts");
    await keepConversation(memory, outcome.id, before);
  }
  return outcome.kind === "saved" ? { ...outcome, ...defined({ unlinked }) } : outcome;
}

/** What a checkpoint cannot do without. */
function missingParts(draft: CheckpointDraft, { by }: Author): string[] {
  const missing: string[] = [];
  if (collapse(draft.thesis) === "") missing.push("thesis");
  // Sage leaves it out where it was private or forgotten.
  if (collapse(draft.coreQuestion) === "" && draft.trigger !== "manual" && by !== "sage") {
    missing.push("core_question");
  }
  return missing;
}

/** The rest of a given title that had to be cut goes into the text, unless it is there already. */
function withTitle(
  draft: CheckpointDraft,
  author: Author,
): CheckpointDraft & { readonly title: string } {
  const title = checkpointTitle(draft, author);
  const given = collapse(draft.title ?? "");
  const { coreQuestion, thesis, keyEvidence, reasoningTrace } = draft;
  const text = foldedWords([coreQuestion, thesis, ...keyEvidence, reasoningTrace].join("\n"));
  const isCut = given !== "" && given !== title && !text.includes(foldedWords(given));
  return isCut
    ? { ...draft, title, reasoningTrace: `${given}\n\n${reasoningTrace}`.trimEnd() }
    : { ...draft, title };
}

/** The given title, else the first sentence of the conclusion, else of the question. */
function checkpointTitle(draft: CheckpointDraft, { by }: Author): string {
  const given = cutTitle(collapse(draft.title ?? ""), TITLE_CHARACTERS_MAX);
  // Sage's own title is a sentence of the conversation, and may be cut.
  if (given !== "") return by === "sage" ? given.replace(/(?<!\.)[.。]$/, "") : given;
  const sentence = firstSentence(draft.thesis, TITLE_CHARACTERS_MAX) ||
    firstSentence(draft.coreQuestion, TITLE_CHARACTERS_MAX);
  return sentence.replace(/^[-*#>\s]+/, "").replace(/[.。]$/, "") || "Checkpoint";
}

/**
 * Resolves short ids, which agents use because lists print them. An id that names no checkpoint stays as
 * given, because it may be in another clone; the caller is told.
 */
async function resolveParent(
  memory: Memory,
  parent: string | undefined,
): Promise<{ readonly parent: string | undefined; readonly unlinked?: string }> {
  if (parent === undefined || parent === "" || isKnown(memory, parent)) return { parent };
  const { findNote } = await import("../find.ts");
  const found = await findNote(memory, parent, ["checkpoint"]);
  if (found.kind === "one") return { parent: found.item.note.id };
  const who = found.kind === "many" ? "more than one checkpoint is" : "no checkpoint here is";
  return { parent, unlinked: `${who} called ${quote(parent, TITLE_CHARACTERS_MAX)}` };
}

function isKnown(memory: Memory, id: string): boolean {
  return memory.stores.some((store) =>
    memory.index(store).notes({ kinds: ["checkpoint"] }).some((note) => note.id === id)
  );
}

/** Adds what Sage knows by itself: origin, git, and the checkpoint before this one. */
function complete(
  memory: Memory,
  draft: CheckpointDraft,
  state: SessionState | undefined,
  by: Author["by"],
  at: number,
): CheckpointDraft {
  const git = draft.git ?? (memory.past === true ? undefined : gitOf(memory));
  const { session } = draft;
  const [previous] = nameable(memory, [state?.restored ?? state?.lastSave?.id ?? ""]);
  const parent = draft.parent ?? previous;
  const recalled = nameable(memory, draft.recalled ?? Object.keys(state?.shown ?? {}));
  return {
    ...draft,
    ...defined({ git, session, parent: parent || undefined, recalled: nonEmpty(recalled) }),
    generated: generatedBy({ by, session }, rfc3339(at)),
  };
}

/**
 * The ids that Sage may put into a checkpoint. An id holds words of a title, and a project's store may
 * be shared, so a checkpoint there names only notes of that store.
 */
function nameable(memory: Memory, ids: readonly string[]): readonly string[] {
  const home = homeStore(memory);
  if (home.scope === "user" || ids.every((id) => id === "")) return ids;
  const shared = new Set(
    memory.index(home).notes().filter(({ path }) => !path.startsWith("local/")).map(({ id }) => id),
  );
  return ids.filter((id) => shared.has(id));
}

function gitOf(memory: Memory): { branch?: string; commit?: string } | undefined {
  const git = readGit(memory.fs, memory.places.projectDir);
  if (git === undefined) return undefined;
  const { branch, commit } = git;
  // An id that the author gave is text like any other.
  return defined({ branch: branch === undefined ? branch : redactor(memory)(branch), commit });
}
