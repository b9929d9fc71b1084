/** `sage knowledge history|archive|restore|merge`: the versions of a note, and repairing it. */
import { dayOf } from "../../base/clock.ts";
import { defined } from "../../base/defined.ts";
import { SageError } from "../../base/errors.ts";
import { shortId } from "../../base/id.ts";
import type { DatedRef, NoteItem, StoredNote } from "../../memory/item.ts";
import { findNote } from "../../memory/find.ts";
import { settle } from "../../memory/index/settle.ts";
import { archiveKnowledge, unarchiveKnowledge } from "../../memory/knowledge/archive.ts";
import {
  type Lineage,
  lineageOf,
  restoreVersion,
  type RestoreVersionOutcome,
  type Version,
  versionItems,
  versionsOf,
  versionsThere,
} from "../../memory/knowledge/history.ts";
import { mergeKnowledge } from "../../memory/knowledge/merge.ts";
import type { PatchOutcome } from "../../memory/knowledge/patch.ts";
import type { Memory } from "../../memory/memory.ts";
import { proposeMerge } from "../../memory/question/approval.ts";
import {
  type Answer,
  bold,
  dim,
  failed,
  type Line,
  type Span,
  undone,
} from "../terminal/answer.ts";
import { toItems } from "../terminal/choice.ts";
import { defineVerb, type Input } from "../command.ts";
import { diffLines } from "../terminal/diff_lines.ts";
import type { Io } from "../io.ts";
import { knowledgeAnswer } from "./add.ts";
import { NAMED_WHOLE, withNamed, withNote } from "../note_operand.ts";
import { areSeveral, oneByOne } from "../one_by_one.ts";
import { saveAnswer } from "../outcome.ts";
import { when, whenHeading } from "../terminal/print.ts";
import { canAsk, confirm } from "../terminal/prompt.ts";
import { recalledPage } from "../recalled.ts";
import { restoreRemovedVerb } from "../restore_removed.ts";
import { table } from "../terminal/table.ts";
import { authorOf, withMemory } from "../with_memory.ts";

export const history = defineVerb({
  summary: "the versions of a note, and what it replaces",
  usage: "sage knowledge history <id> [--diff] [--version <n>]",
  operands: [1, 1],
  options: {
    diff: { type: "boolean", summary: "what each version changed" },
    version: { type: "number", min: 1, max: 100_000, summary: "print the text of this version" },
  },
  details:
    "Every text that Sage replaced is kept whole. The highest number is the present note; sage knowledge restore <id> --version <n> restores another.",
  examples: ["sage knowledge history git-worktrees --diff"],
  run(input, io) {
    const { diff, version: number } = input.options;
    return withMemory(input, io, async (opened) => {
      const memory = await settle(opened);
      const operand = { kind: "knowledge", ref: input.rest.join(" "), json: input.json } as const;
      return await withNote(memory, io, operand, async (stored) => {
        const versions = await versionsOf(stored);
        if (number !== undefined) return versionAnswer(memory, io, stored, versions, number);
        const lineage = await lineageOf(memory, stored);
        return historyAnswer(memory, io, { stored, versions, lineage, diff });
      });
    });
  },
});

const trashed = restoreRemovedVerb("knowledge");

export const restore = defineVerb({
  summary: "bring back a version, an archived note, or one from the trash",
  usage: "sage knowledge restore [<id>] [--version <n>]",
  operands: [0, Infinity],
  options: {
    version: {
      type: "number",
      min: 1,
      max: 100_000,
      summary: "this version, numbered as in the history",
    },
  },
  details:
    `${trashed.details} An archived note becomes active again; with --version a note gets its text of that version, and its present text becomes a version.`,
  examples: ["sage knowledge restore git-worktrees --version 2"],
  run(input, io) {
    const { version } = input.options;
    if (version !== undefined) {
      if (input.rest.length !== 1) {
        throw new SageError("usage", "--version wants the id of one note");
      }
      return withNamed(input, io, { kind: "knowledge" }, async (memory, stored) => {
        const outcome = await restoreVersion(memory, stored, version, authorOf(io));
        return restoredAnswer(outcome, stored, version);
      });
    }
    return withMemory(input, io, async (memory) => {
      const found = input.rest.length === 0
        ? undefined
        : await findNote(memory, input.rest.join(" "), ["knowledge"]);
      if (found?.kind === "one" && found.item.note.status === "archived") {
        const outcome = await unarchiveKnowledge(memory, found.item, authorOf(io));
        return patchAnswer(outcome, found.item, "Restored");
      }
      return await trashed.run(input, io) ?? { json: {}, text: [] };
    });
  },
});

export const archive = defineVerb({
  summary: "archive a note: kept and found by search, but not recalled",
  usage: "sage knowledge archive <id>…",
  operands: [1, Infinity],
  details: `sage knowledge restore undoes this. ${NAMED_WHOLE}`,
  run(input, io) {
    const { rest, json } = input;
    return withMemory(input, io, async (opened) => {
      const memory = await settle(opened);
      const several = await areSeveral(memory, "knowledge", rest);
      const put = (ref: string): Promise<Answer> =>
        withNote(memory, io, { kind: "knowledge", ref, json, isGoing: true }, async (stored) => {
          const outcome = await archiveKnowledge(memory, stored, authorOf(io));
          const answer = patchAnswer(outcome, stored, "Archived");
          if (!several || answer.error !== undefined) return answer;
          const { id, title } = stored.note;
          const item = { id, short_id: shortId(id), title, outcome: answer.json["outcome"] };
          return { ...answer, json: { items: [item] } };
        });
      return several ? await oneByOne(rest, put) : await put(rest.join(" "));
    });
  },
});

export const merge = defineVerb({
  summary: "merge several notes about the same into one",
  usage: "sage knowledge merge <id> <other>… [--yes]",
  operands: [2, 20],
  options: { yes: { type: "boolean", short: "y", summary: "without asking" } },
  details:
    "Adds the texts of the others below the first one's, with their keywords, tags and sources; the others are archived, and the first supersedes them. " +
    NAMED_WHOLE,
  examples: ["sage knowledge merge git-worktrees worktrees-and-hooks"],
  run(input, io) {
    return withMemory(input, io, (memory) => {
      const notes: StoredNote[] = [];
      const next = (refs: readonly string[]): Promise<Answer> => {
        const [ref, ...more] = refs;
        if (ref === undefined) return mergeAnswer(memory, io, input, notes);
        const operand = { kind: "knowledge", ref, json: input.json, isGoing: true } as const;
        return withNote(memory, io, operand, (stored) => {
          notes.push(stored);
          return next(more);
        });
      };
      return next(input.rest);
    });
  },
});

async function mergeAnswer(
  memory: Memory,
  io: Io,
  input: Input & { readonly options: { readonly yes: boolean } },
  [into, ...others]: readonly StoredNote[],
): Promise<Answer> {
  if (into === undefined) throw new SageError("usage", "There is nothing to merge");
  if (authorOf(io).by === "agent") {
    return knowledgeAnswer(memory, io, proposeMerge(memory, into, others, authorOf(io)));
  }
  const titles = others.map(({ note }) => `"${note.title}"`).join(", ");
  if (!input.options.yes && !input.json && canAsk(io)) {
    const question = `Merge ${titles} into "${into.note.title}" and archive the rest?`;
    if (!await confirm(io, question)) return undone(["Nothing was merged."]);
  }
  return patchAnswer(await mergeKnowledge(memory, into, others, authorOf(io)), into, "Merged into");
}

function restoredAnswer(
  outcome: RestoreVersionOutcome,
  { note }: StoredNote,
  version: number,
): Answer {
  const { id, title } = note;
  switch (outcome.kind) {
    case "restored":
    case "same": {
      const said = outcome.kind === "same" ? "is the same as in" : "is restored to";
      return {
        json: { outcome: outcome.kind, note: { id, short_id: shortId(id), title }, version },
        text: [`Knowledge ${shortId(id)} ${said} version ${version}: ${title}`],
      };
    }
    case "edited":
      return failed({
        code: "conflict",
        message: `Not restored, the file changed since it was read: ${outcome.path}`,
        hint: "look at it, then repeat",
      });
    default:
      return saveAnswer(outcome, "knowledge");
  }
}

/** The outcome of a change, in a word. */
export function patchAnswer(outcome: PatchOutcome, { note }: StoredNote, done: string): Answer {
  switch (outcome.kind) {
    case "patched": {
      const { id, short_id, title, path, notArchived: not_archived } = outcome;
      return {
        json: {
          outcome: done.split(" ")[0]?.toLowerCase(),
          note: { id, short_id, type: "knowledge", title, path },
          ...defined({ not_archived }),
        },
        text: [`${done} knowledge ${short_id}: ${title}`],
        notices: not_archived?.map((one) => `not archived: ${one}`) ?? [],
      };
    }
    case "unchanged":
      return { json: { outcome: "unchanged" }, text: [`Nothing to change: ${outcome.title}`] };
    case "conflict":
    case "no_section":
      return failed({
        code: "conflict",
        message: `Not done, somebody changed "${note.title}" meanwhile`,
        hint: "look at it, then repeat",
      });
    default:
      return saveAnswer(outcome, "knowledge");
  }
}

interface History {
  readonly stored: StoredNote;
  readonly versions: readonly Version[];
  readonly lineage: Lineage;
  readonly diff: boolean;
}

function historyAnswer(
  memory: Memory,
  io: Io,
  { stored, versions, lineage, diff }: History,
): Answer {
  const [item] = toItems([stored]);
  if (item === undefined) throw new SageError("internal", "a note has an item");
  const json = { note: item, versions: versionItems(versions, diff), ...lineage };
  const rows = versions.map(({ number, updated, author, hash, reason }): Span[] => [
    String(number),
    when(io, updated, memory.now()),
    author,
    dim(hash),
    reason,
  ]);
  const heading = ["", whenHeading(io), "author", "hash", "why"].map(dim);
  const lines: Line[] = [
    ...table(io, [heading, ...rows], { right: [0] }),
    ...relatedLines("Replaces", lineage.replaces),
    ...relatedLines("Replaced by", lineage.replaced_by),
    ...contradictionLines(item, lineage.contradicts),
    ...json.versions.flatMap(({ number, diff = "" }): Line[] =>
      diff === "" ? [] : ["", bold(`Version ${number}`), ...diffLines(diff)]
    ),
  ];
  return { json, text: recalledPage(memory, io, item, lines) };
}

function relatedLines(heading: string, notes: readonly DatedRef[]): Line[] {
  if (notes.length === 0) return [];
  return [
    "",
    bold(heading),
    ...notes.map(({ short_id, updated, title }): Line => [
      dim(`  ${short_id}  ${dayOf(updated)}  `),
      title,
    ]),
  ];
}

/** Pairs of notes, with both dates. */
function contradictionLines(item: NoteItem, notes: readonly DatedRef[]): Line[] {
  if (notes.length === 0) return [];
  return [
    "",
    bold("Contradicts"),
    ...notes.map(({ short_id, updated, title }): Line => [
      `  ${dayOf(item.updated)} "${item.title}" `,
      "↔",
      ` ${dayOf(updated)} "${title}" `,
      dim(short_id),
    ]),
  ];
}

function versionAnswer(
  memory: Memory,
  io: Io,
  stored: StoredNote,
  versions: readonly Version[],
  number: number,
): Answer {
  const version = versions.find((one) => one.number === number);
  const [item] = toItems([stored]);
  if (version === undefined || item === undefined) {
    return failed({
      code: "not_found",
      message: `"${stored.note.title}" has no version ${number}`,
      hint: versionsThere(versions.length),
    });
  }
  const { text, updated, author, hash } = version;
  return {
    json: { note: item, version: { number, updated, author, hash, text } },
    text: recalledPage(memory, io, { ...item, updated, author }, text.split("\n")),
  };
}
