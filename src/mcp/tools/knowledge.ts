/** Tools for what is known: save, recall, list, remove. */
import { defined } from "../../base/defined.ts";
import { count } from "../../base/text/text.ts";
import { z } from "zod";
import { findNamed } from "../../memory/find.ts";
import { archiveKnowledge } from "../../memory/knowledge/archive.ts";
import { listKnowledge } from "../../memory/knowledge/list.ts";
import type { KnowledgeInput } from "../../memory/knowledge/outcome.ts";
import { type Recall, recallKnowledge } from "../../memory/knowledge/recall.ts";
import { type Pointer, recallElsewhere } from "../../memory/knowledge/recall_elsewhere.ts";
import type { Memory } from "../../memory/memory.ts";
import { recordShownWhole } from "../../memory/knowledge/shown_whole.ts";
import { removeNote } from "../../memory/removal/remove.ts";
import { saveKnowledge } from "../../memory/knowledge/save.ts";
import { showsWork } from "../../memory/notice.ts";
import { recordUses } from "../../memory/use.ts";
import { SUBJECTS } from "../../note/knowledge.ts";
import {
  type Answer,
  BOTH_STAND,
  edited,
  keptBeside,
  notFound,
  saved,
  say,
  unknown,
} from "../answer.ts";
import { fenced, quoted } from "../fenced.ts";
import { proposed } from "./proposed.ts";
import { ADDS, defineTool, READS, REMOVES } from "../tool.ts";
import {
  agent,
  label,
  labels,
  listing,
  notesShape,
  outcomeShape,
  phrasings,
  REPHRASE,
  sources,
  staleFact,
  text,
} from "./shapes.ts";

const scope = z.enum(["project", "user"]).optional();
const LIST_LIMIT = 30;

export const saveKnowledgeInput = z.strictObject({
  title: label,
  content: text,
  keywords: labels.optional(),
  subject: z.enum(SUBJECTS).optional(),
  skills: labels.optional(),
  sources: labels.optional(),
  scope,
  id: label.optional(),
  on_conflict: z.enum(["update", "keep_both", "contradicts"]).optional(),
});

/** The arguments as memory takes them. */
export function toKnowledgeInput(args: z.output<typeof saveKnowledgeInput>): KnowledgeInput {
  const { title, content, on_conflict, sources: lines, ...rest } = args;
  return {
    title,
    content,
    ...defined({
      ...rest,
      sources: lines === undefined ? undefined : sources(lines),
      onConflict: on_conflict,
    }),
  };
}

export const saveKnowledgeTool = defineTool({
  name: "sage_save_knowledge",
  title: "Save knowledge",
  description:
    "Keep a lasting fact, decision, preference or fix: one subject, self-contained, with its reason " +
    "and words one will ask with; sources: its files. id updates a note. After a conflict, ask the " +
    "person, then set on_conflict.",
  input: saveKnowledgeInput,
  // User scope is for the person to grant: an agent that asks for it has the person asked.
  unadvertised: ["scope"],
  output: outcomeShape,
  annotations: ADDS,
  async run(memory, args) {
    const outcome = await saveKnowledge(memory, toKnowledgeInput(args), agent(memory));
    switch (outcome.kind) {
      case "updated": {
        const { id, short_id, title, scope, merged = false, copy } = outcome;
        const also = merged ? ` ${BOTH_STAND}` : "";
        const message = `Updated knowledge ${short_id} ${
          quoted(title)
        }; the version before is in its history.${also}${keptBeside(copy)}`;
        return say(merged ? "merged" : "updated", message, { id, short_id, scope });
      }
      case "conflict": {
        const { existing: { id, short_id }, unseen } = outcome;
        const how = unseen === undefined
          ? 'Show the person both; then call again with on_conflict "update" (replaces it, history keeps ' +
            'it), "keep_both" (an alternative), "contradicts" (both stand, as a dated contradiction), or ' +
            "discard yours."
          : `What it says now is below${
            unseen.isCut ? ", cut: read the rest with get_note" : ""
          }. Join yours with it and call again with the whole text; ask the person where the two contradict ` +
            "each other.";
        const message = `Not saved: ${outcome.reason} (${short_id}). ${how}`;
        const existing = fenced(memory, [outcome.existing]);
        const diff = fenced(memory, [{ ...outcome.existing, text: outcome.diff }]);
        const answer = { existing, diff, choices: outcome.choices };
        return {
          kind: "done",
          text: `${message}\n\nStored:\n${existing}`,
          data: { outcome: "conflict", message, id, short_id, ...answer },
        };
      }
      case "none":
        return unknown("knowledge", outcome.id, outcome);
      case "proposed":
        return proposed(memory, outcome);
      case "edited":
        return edited(outcome.id, outcome.reason);
      default:
        return saved("knowledge", outcome);
    }
  },
});

export const recallInput = z.strictObject({
  query: text,
  also: phrasings.optional(),
  max_items: z.int().min(1).max(50).optional(),
  skill: label.optional(),
  scope,
});

export const recallKnowledgeTool = defineTool({
  name: "sage_recall_knowledge",
  title: "Recall knowledge",
  description:
    "What is known about a question; also: 2 rephrasings. Call before redoing research or deciding " +
    "what may be decided already.",
  input: recallInput,
  unadvertised: ["scope"],
  output: notesShape,
  annotations: READS,
  async run(memory, { query, also, max_items, skill, scope }) {
    const recall = await recallKnowledge(
      memory,
      query,
      defined({ also, maxItems: max_items, skill, scope }),
    );
    recordUses(memory, "recalled", recall.items.map(({ id }) => id));
    if (recall.items.length === 0 && scope === undefined) {
      // Optional: a failure in another project's store must not cost the answer.
      const pointers = await recallElsewhere(memory, query, also).catch(() => []);
      if (pointers.length > 0) return elsewhereAnswer(memory, pointers);
    }
    const notes = recall.items.map((item) => {
      const { score, emb, kw, formula } = item;
      const why = showsWork(memory) ? { why: formula } : {};
      return { ...item, facts: { score, emb, kw, ...staleFact(item), ...why } };
    });
    const level = memory.config.get("output.level");
    const near = recall.nearMisses.slice(0, 3).map(({ id, score }) => ({ id, score }));
    let fitting = 0;
    const answer = listing(
      memory,
      notes,
      (shown, { out, cut }) => {
        fitting = cut ? 0 : shown;
        return recallMessage(recall, shown, out, level !== "silent") +
          (shown === 0 && also === undefined ? ` ${REPHRASE}` : "");
      },
      near.length === 0 ? {} : { near_misses: near },
    );
    await recordShownWhole(memory, recall.items.slice(0, fitting));
    return answer;
  },
});

/**
 * Knowledge of other projects is named but not shown: the agent that opens it has to judge whether it holds
 * here.
 */
function elsewhereAnswer(memory: Memory, pointers: readonly Pointer[]): Answer {
  const notes = pointers.map((pointer) => ({
    ...pointer,
    text: "",
    facts: { of_project: pointer.of, score: Math.round(pointer.score * 1000) / 1000 },
  }));
  return listing(
    memory,
    notes,
    (shown) =>
      `Nothing is known here. In other projects of this person: ${count(shown, "note")}; ` +
      "get_note reads one. Say which project it is from.",
  );
}

export const listKnowledgeTool = defineTool({
  name: "sage_list_knowledge",
  title: "List knowledge",
  description: "Titles of what is known.",
  input: z.strictObject({ skill: label.optional(), scope }),
  unadvertised: ["scope"],
  output: notesShape,
  annotations: READS,
  async run(memory, { skill, scope }) {
    const limit = LIST_LIMIT + 1;
    const items = await listKnowledge(memory, { limit, ...defined({ skill, scope }) });
    const notes = items.slice(0, LIST_LIMIT).map((item) => ({
      ...item,
      text: item.keywords.length === 0 ? "" : `keywords: ${item.keywords.join(", ")}`,
      facts: { subject: item.subject, tokens: item.tokens },
    }));
    return listing(memory, notes, (shown) => {
      if (shown === 0) return "No knowledge yet.";
      const more = items.length > shown
        ? " There is more: sage_recall_knowledge or search_notes finds it."
        : "";
      return `${count(shown, "note")}, newest first.${more}`;
    });
  },
});

export const removeKnowledgeTool = defineTool({
  name: "sage_remove_knowledge",
  title: "Remove knowledge",
  description: "Trash a wrong or outdated note, restorable for 30 days.",
  input: z.strictObject({ id: label }),
  output: outcomeShape,
  annotations: REMOVES,
  async run(memory, { id }) {
    const author = agent(memory);
    const outcome = await removeNote(memory, id, ["knowledge"], { author });
    switch (outcome.kind) {
      case "removed": {
        const { short_id, title, restore_until } = outcome;
        const message = `Removed ${short_id} ${quoted(title)}; until ` +
          `${restore_until.slice(0, 10)} the person can bring it back with ` +
          `\`sage knowledge restore ${short_id}\`.`;
        return say("removed", message, { id: outcome.id, short_id });
      }
      case "many":
      case "none":
        return notFound("knowledge", id, outcome);
    }
  },
});

export const archiveKnowledgeTool = defineTool({
  name: "sage_archive_knowledge",
  title: "Archive knowledge",
  description: "Archive a note that no longer matters: still searched, no longer recalled.",
  input: z.strictObject({ id: label }),
  output: outcomeShape,
  annotations: ADDS,
  async run(memory, { id }) {
    const found = await findNamed(memory, id, ["knowledge"]);
    if (found.kind !== "one") return notFound("knowledge", id, found);
    const { note } = found.item;
    const outcome = await archiveKnowledge(memory, found.item, agent(memory));
    switch (outcome.kind) {
      case "patched": {
        const { short_id, title } = outcome;
        const back = `\`sage knowledge restore ${short_id}\` undoes it.`;
        const message = `Archived ${short_id} ${quoted(title)}; ${back}`;
        return say("archived", message, { id: outcome.id, short_id });
      }
      case "unchanged":
        return say("unchanged", `${quoted(outcome.title)} is archived already.`);
      case "conflict":
      case "no_section":
        return edited(note.id, "the file changed since it was read");
      default:
        return saved("knowledge", outcome);
    }
  },
});

/** What was found, and which setting would have found more. */
function recallMessage(recall: Recall, shown: number, out: number, tips: boolean): string {
  const { recall_threshold } = recall.config;
  const head = shown === 0
    ? `Nothing known scores ${recall_threshold.toFixed(2)} or more for this.`
    : `${count(shown, "note")} recalled.`;
  const left = out + recall.skipped.length;
  const more = left === 0 ? "" : ` ${left} left out: raise max_items.`;
  const missed = recall.nearMisses.length;
  const near = missed === 0
    ? ""
    : ` ${missed} near miss${missed === 1 ? "" : "es"}: get_note reads one.`;
  const lever = recall.levers[0];
  const tip = lever === undefined || !tips
    ? ""
    : ` Lever, the person's: \`${lever.command}\` ${lever.effect}.`;
  const blind = recall.lexicalOnly ? " Words only, no meaning, were compared." : "";
  return head + more + near + tip + blind;
}
