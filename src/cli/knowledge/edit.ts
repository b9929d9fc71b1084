/**
 * `sage knowledge edit|update`: replaces a part of a note, or its whole text; what somebody wrote meanwhile
 * stays.
 */
import { SageError } from "../../base/errors.ts";
import { NOTE_BYTES_MAX } from "../../base/limits.ts";
import { stripPrivate } from "../../guard/private.ts";
import type { NotFound } from "../../memory/find.ts";
import { HASH_DIGITS, rememberMergeBase } from "../../memory/write/merge_base.ts";
import type { StoredNote } from "../../memory/item.ts";
import {
  CONFLICT_CHOICES,
  type ConflictChoice,
  editKnowledge,
  type EditOutcome,
  fieldValue,
  UNMERGED_CHOICES,
} from "../../memory/knowledge/edit.ts";
import type { PatchConflict, Patched } from "../../memory/knowledge/patch.ts";
import type { Memory } from "../../memory/memory.ts";
import { readKnowledge } from "../../note/knowledge.ts";
import { parseNote } from "../../note/parse.ts";
import type { Patch } from "../../note/patch.ts";
import { type Answer, bold, failed, type Line, undone } from "../terminal/answer.ts";
import { defineVerb, type Input, type Options, type Values } from "../command.ts";
import { diffLines } from "../terminal/diff_lines.ts";
import type { Io } from "../io.ts";
import { knowledgeAnswer, MESSAGE, readOperandText, twoTexts } from "./add.ts";
import { notOne, withNote } from "../note_operand.ts";
import { pipedText } from "../piped.ts";
import { renderLines } from "../terminal/print.ts";
import { canAsk, choose } from "../terminal/prompt.ts";
import { recalledLines } from "../recalled.ts";
import { authorOf, withMemory } from "../with_memory.ts";

const CONFLICT_OPTIONS = {
  expect: {
    type: "string",
    value: "hash",
    summary:
      "the hash of the text that you read, from show --json: later changes are merged or reported",
  },
  "on-conflict": {
    type: "string",
    choices: CONFLICT_CHOICES,
    summary:
      "if the same place changed: merge it, add your text below, save it as a new note, or abort",
  },
} as const satisfies Options;

const EDIT_OPTIONS = {
  under: {
    type: "string",
    value: "heading",
    summary: "add below this heading, which is made if missing",
  },
  replace: { type: "string", value: "heading", summary: "replace the text below this heading" },
  append: { type: "boolean", summary: "add at the end, above the history (default)" },
  set: {
    type: "string",
    value: "key=value",
    summary: "set the title, or a key of the front matter; key= removes it",
  },
  message: MESSAGE,
  ...CONFLICT_OPTIONS,
} as const satisfies Options;

export const edit = defineVerb({
  summary: "change a part of a note and nothing else in it",
  usage: "sage knowledge edit <id> [--under <heading>|--replace <heading>|--append] [-m <text>|-]",
  operands: [1, 2],
  options: EDIT_OPTIONS,
  details:
    'Without a change it prints the path of the file, for your own editor: "$EDITOR" "$(sage knowledge edit <id>)". Changes that were made elsewhere in the note meanwhile stay; for changes in the same place you are asked.',
  examples: [
    'sage knowledge edit git-worktrees --under Gotchas -m "- hooks come from the main checkout"',
    "sage knowledge edit git-worktrees --set tags=git,build",
  ],
  run(input, io) {
    const [ref = "", operand] = input.rest;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const patch = await patchOf(input.options, operand, io);
      return patch === undefined
        ? await withNote(
          memory,
          io,
          { kind: "knowledge", ref, json: input.json },
          (stored) => pathAnswer(memory, stored),
        )
        : await change(memory, io, input, patch);
    });
  },
});

export const update = defineVerb({
  summary: "replace the whole text of a note; the version before is kept",
  usage: "sage knowledge update <id> [<file>|-] [-m <text>] [--expect <hash>]",
  operands: [1, 2],
  options: { message: MESSAGE, ...CONFLICT_OPTIONS },
  details:
    "Title, front matter and history of the note stay; only the text of the file is used. With --expect, changes made since are merged line by line.",
  examples: ["sage knowledge update git-worktrees worktrees.md"],
  run(input, io) {
    const [, operand] = input.rest;
    return withMemory(input, io, async (memory): Promise<Answer> => {
      const whole = stripPrivate(await readOperandText(io, operand, input.options.message));
      const text = readKnowledge(await parseNote(whole, "text.md")).content;
      return await change(memory, io, input, { kind: "rewrite", text });
    });
  },
});

async function patchOf(
  options: Values<typeof EDIT_OPTIONS>,
  operand: string | undefined,
  io: Io,
): Promise<Patch | undefined> {
  const { under, replace, append, set, message } = options;
  const ways = [under, replace, append || undefined, set].filter((way) => way !== undefined);
  if (ways.length > 1) {
    throw new SageError("usage", "Only one of --under, --replace, --append and --set at a time");
  }
  if (message !== undefined && operand !== undefined) throw twoTexts(operand);
  if (set !== undefined) {
    // It would be dropped silently.
    if (message !== undefined || operand !== undefined) {
      throw new SageError("usage", "--set takes no text beside it", {
        hint: "one command for the key, one for the text",
      });
    }
    return settingOf(set);
  }
  if (operand !== undefined && operand !== "-") {
    throw new SageError("usage", `Cannot take "${operand}" as text`, {
      hint: "give it with -m, or - for stdin",
    });
  }
  const given = message !== undefined || operand === "-";
  if (ways.length === 0 && !given) return undefined;
  const text = message ??
    (operand === "-"
      ? await io.readAll(NOTE_BYTES_MAX)
      : await pipedText(io, NOTE_BYTES_MAX) ?? "");
  if (text.trim() === "") {
    throw new SageError("usage", "There is no text", { hint: "give it with -m, or pipe it in" });
  }
  if (under !== undefined) return { kind: "insert", heading: under, text };
  return replace === undefined
    ? { kind: "append", text }
    : { kind: "replace", heading: replace, text };
}

function settingOf(typed: string): Patch {
  const [, key = "", value = ""] = /^([^=]+)=(.*)$/s.exec(typed) ?? [];
  if (key === "") {
    throw new SageError("usage", "--set wants key=value", { hint: "--set tags=a,b" });
  }
  return { kind: "set", key: key.trim(), value: fieldValue(key.trim(), value) };
}

function pathAnswer(memory: Memory, stored: StoredNote): Answer {
  rememberMergeBase(memory, stored);
  const { absolutePath: path, hash, note: { id } } = stored;
  return { json: { note: { id, path, hash: hash.slice(0, HASH_DIGITS) } }, text: [path] };
}

async function change(
  memory: Memory,
  io: Io,
  input: Input & { readonly options: Values<typeof CONFLICT_OPTIONS> },
  patch: Patch,
): Promise<Answer> {
  const { expect: expectedHash, "on-conflict": onConflict } = input.options;
  const again = async (ref: string, choice?: ConflictChoice): Promise<Answer> => {
    const edit = { patch, expectedHash, onConflict: choice ?? onConflict };
    const outcome = await editKnowledge(memory, ref, edit, authorOf(io));
    if (outcome.kind === "many" || outcome.kind === "none") {
      return await notOne(memory, io, { kind: "note", ref, json: input.json }, outcome, again);
    }
    if (outcome.kind !== "conflict" || !canAsk(io) || input.json || input.rest.includes("-")) {
      return editAnswer(memory, io, outcome);
    }
    const choices = ["append", "new"] as const;
    io.err(renderLines([...conflictLines(outcome), ""], io.color));
    const picked = choices[
      await choose(io, "What now?", [
        "add yours below, marked as unmerged",
        "make a new note of yours",
      ]) ?? -1
    ];
    return picked === undefined ? aborted() : await again(ref, picked);
  };
  return await again(input.rest[0] ?? "");
}

function aborted(): Answer {
  return undone(["Nothing was changed."], { json: { outcome: "aborted" }, code: 4 });
}

function editAnswer(memory: Memory, io: Io, outcome: Exclude<EditOutcome, NotFound>): Answer {
  switch (outcome.kind) {
    case "patched":
      return patchedAnswer(outcome);
    case "unchanged":
      return { json: { outcome: "unchanged" }, text: [`Nothing to change: ${outcome.title}`] };
    case "aborted":
      return aborted();
    case "no_section":
      return failed({
        code: "not_found",
        message: `"${outcome.title}" has no such section`,
        hint: outcome.sections.length === 0
          ? "--under makes one"
          : `it has: ${outcome.sections.join(", ")}`,
      });
    case "thin":
      return failed({
        code: "usage",
        message: `Not changed: the ${outcome.missing.join(" and the ")} is empty`,
        hint: "sage knowledge rm moves a note to the trash",
      }, { json: { outcome: "thin", missing: outcome.missing } });
    case "conflict":
      return conflictAnswer(memory, io, outcome);
    default:
      return knowledgeAnswer(memory, io, outcome);
  }
}

function patchedAnswer(patched: Patched): Answer {
  const { id, short_id, title, path, scope, hash, merged, copy } = patched;
  const note = { id, short_id, type: "knowledge", title, path, scope, hash };
  return {
    json: { outcome: merged ? "merged" : "updated", note: { ...note, ...(copy && { copy }) } },
    text: [
      `Updated knowledge ${short_id}: ${title}${merged ? " (merged with what changed since)" : ""}`,
    ],
    notices: copy === undefined ? [] : [`what somebody wrote in the same moment is in ${copy}`],
  };
}

function conflictAnswer(memory: Memory, io: Io, conflict: PatchConflict): Answer {
  const { id, title, short_id, path, reason, there, loaded, yours, diff, hash } = conflict;
  const choices = UNMERGED_CHOICES;
  return failed({
    code: "conflict",
    message: `Not changed, ${reason}: ${short_id} "${title}"`,
    hint: `repeat with --on-conflict append|new, or with --expect ${hash} to replace what is there`,
  }, {
    json: { outcome: "conflict", id, path, loaded, there, yours, diff, hash, choices },
    text: recalledLines(
      memory,
      io,
      [{ ...conflict, text: `${there}\n\n${diff}` }],
      () => conflictLines(conflict),
    ),
  });
}

function conflictLines({ there, diff }: PatchConflict): Line[] {
  return [
    bold("there"),
    ...there.split("\n").map((line) => `  ${line}`),
    "",
    bold("from there to yours"),
    ...diffLines(diff),
  ];
}
