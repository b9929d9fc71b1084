/** `sage knowledge add`: a file or stdin becomes knowledge; the person is shown what contradicts it. */
import { SageError } from "../../base/errors.ts";
import { readBytes, realFs } from "../../base/fs.ts";
import { basename } from "../../base/path.ts";
import { decodeExact } from "../../base/utf8.ts";
import { defined, nonEmpty } from "../../base/defined.ts";
import { NOTE_BYTES_MAX } from "../../base/limits.ts";
import { cut, firstSentence } from "../../base/text/text.ts";
import { stripPrivate } from "../../guard/private.ts";
import type { KnowledgeInput, KnowledgeOutcome } from "../../memory/knowledge/outcome.ts";
import { saveKnowledge } from "../../memory/knowledge/save.ts";
import type { Memory } from "../../memory/memory.ts";
import { unanchored } from "../../memory/source/anchor.ts";
import { readableRule } from "../../memory/knowledge/cursor_rule.ts";
import { splitFrontMatter } from "../../note/front_matter.ts";
import { historyText, readKnowledge, SUBJECTS } from "../../note/knowledge.ts";
import { parseNote } from "../../note/parse.ts";
import { DEFAULT_RELATION } from "../../note/provenance.ts";
import { type Answer, bold, failed, type Line, undone } from "../terminal/answer.ts";
import { defineVerb, type Options, type Values } from "../command.ts";
import { absolute, bringingIn } from "../folder.ts";
import type { Io } from "../io.ts";
import { editedAnswer, noneAnswer, saveAnswer, savedAnswer } from "../outcome.ts";
import { pipedText } from "../piped.ts";
import { renderLines } from "../terminal/print.ts";
import { canAsk, choose } from "../terminal/prompt.ts";
import { recalledLines } from "../recalled.ts";
import { diffLines } from "../terminal/diff_lines.ts";
import { authorOf, withMemory } from "../with_memory.ts";

const TITLE_CHARACTERS_MAX = 80;

/** The text of a note, typed. */
export const MESSAGE = {
  type: "string",
  short: "m",
  value: "text",
  summary: "the text, instead of a file or what is piped in",
} as const;

/** What to do with a text if a note about the same exists. */
export const KNOWLEDGE_CHOICES = ["update", "keep_both", "contradicts"] as const;
export const CHOICE_ALIASES = { both: "keep_both" } as const;

const OPTIONS = {
  message: MESSAGE,
  title: { type: "string", value: "text", summary: "a title, instead of the first heading" },
  keywords: { type: "list", summary: "words that should recall it" },
  subject: { type: "string", choices: SUBJECTS, summary: "the kind of knowledge" },
  skill: { type: "list", summary: "only for these skills" },
  tag: { type: "list", summary: "tags" },
  pattern: { type: "strings", value: "regex", summary: "recall it when this matches" },
  source: { type: "strings", value: "path|id", summary: "a file or note this rests on" },
  scope: { type: "string", choices: ["project", "user"], summary: "the store to keep it in" },
  id: { type: "string", value: "id", summary: "replace the text of this note" },
  "on-conflict": {
    type: "string",
    choices: KNOWLEDGE_CHOICES,
    aliases: CHOICE_ALIASES,
    summary:
      "if a note about the same exists, or with --id: replace its text, or keep both, linked as alternatives or as a contradiction",
  },
} as const satisfies Options;

type Given = Values<typeof OPTIONS>;

export const add = defineVerb({
  summary: "keep something you know",
  usage:
    "sage knowledge add [<file>|<title>|-] [-m <text>] [--title <text>] [--keywords <a,b>] [--skill <name>]",
  operands: [0, 1],
  options: OPTIONS,
  details:
    "Without a file the text comes from -m or from stdin, and the title from --title or the operand; with - stdin is read however long it takes. A file keeps its front matter, with its id, and its history; options override them. For a folder of files use sage migrate --from markdown <folder>. An agent cannot pin a note (pinned or always: true) or mark it verified in this way.",
  examples: [
    "sage knowledge add worktrees.md --keywords git,worktree",
    'sage knowledge add "API limits" -m "The API allows 10 requests a second." --subject fact',
  ],
  connects: "endpoint",
  run(input, io) {
    return withMemory(input, io, async (memory) => {
      const { options, rest: [operand], json } = input;
      const knowledge = {
        ...await readInput(io, operand, options.message),
        ...fromOptions(options),
      };
      const save = (more: Partial<KnowledgeInput>): Promise<KnowledgeOutcome> =>
        saveKnowledge(memory, { ...knowledge, ...more }, authorOf(io));
      const onConflict = options["on-conflict"];
      const outcome = await save(defined({ onConflict }));
      if (outcome.kind === "conflict" && canAsk(io) && operand !== "-" && !json) {
        const choice = await decide(io, outcome, knowledge);
        return choice === undefined
          ? undone(["Nothing was saved."], { code: 4 })
          : knowledgeAnswer(memory, io, await save({ onConflict: choice }));
      }
      const answer = knowledgeAnswer(memory, io, outcome);
      const notices = outcome.kind === "duplicate"
        ? unkept(options, outcome.of.short_id)
        : await doubts(memory, options);
      return { ...answer, notices: [...answer.notices ?? [], ...notices] };
    });
  },
});

/** The note that says the same is left unchanged, including by options typed with the text. */
function unkept({ keywords, skill, tag, pattern, source }: Given, id: string): string[] {
  const given = { keywords, skills: skill, tags: tag, patterns: pattern, sources: source };
  const names = Object.entries(given).flatMap(([key, list]) => list.length === 0 ? [] : [key]);
  return names.length === 0 ? [] : [
    `its ${names.join(", ")} stay as they are; --id ${id} or --on-conflict keep_both saves yours`,
  ];
}

/** A misspelt path would be kept as a name that is never compared with anything. */
async function doubts(memory: Memory, { source, scope }: Given): Promise<string[]> {
  if (source.length === 0 || scope === "user") return [];
  return (await unanchored(memory, source)).map((name) =>
    `Not compared with anything: ${name} is not a readable file of this project.`
  );
}

/** Only options that were typed, so that these win over the file and nothing else does. */
function fromOptions(options: Given): Partial<KnowledgeInput> {
  const { title, keywords, subject, skill, tag, pattern, source, scope, id } = options;
  return defined({
    title,
    keywords: nonEmpty(keywords),
    subject,
    skills: nonEmpty(skill),
    tags: nonEmpty(tag),
    patterns: nonEmpty(pattern),
    sources: nonEmpty(source.map((id) => ({ id, relation: DEFAULT_RELATION }))),
    scope,
    id,
  });
}

/** The typed text; else a file's, stdin's for `-`, or what was piped in if nothing is named. */
export async function readOperandText(
  io: Io,
  operand: string | undefined,
  message?: string,
): Promise<string> {
  if (message !== undefined) {
    if (operand === undefined) return message;
    throw twoTexts(operand);
  }
  if (operand === undefined) {
    const piped = await pipedText(io, NOTE_BYTES_MAX);
    if (piped !== undefined) return textOnly(piped, "stdin");
    throw new SageError("usage", "There is no text: say it with -m, name a file, or pipe it in");
  }
  return operand === "-"
    ? textOnly(await io.readAll(NOTE_BYTES_MAX), "stdin")
    : readFile(io, operand);
}

export function twoTexts(operand: string): SageError {
  return new SageError("usage", `"${operand}" and -m are two texts`, { hint: "give one of them" });
}

function textOnly(text: string, name: string): string {
  if (!text.includes("\0")) return text;
  throw new SageError("invalid_note", `Cannot add "${name}": it is not text`);
}

/** The input from a file, stdin or the command line; under a title, if a title was named and no file. */
async function readInput(
  io: Io,
  operand: string | undefined,
  message: string | undefined,
): Promise<KnowledgeInput> {
  const isFile = operand === undefined || isThere(io, operand) ||
    isFileName(operand, message !== undefined);
  const title = isFile ? undefined : operand;
  const text = title === undefined ? undefined : message ?? await pipedText(io, NOTE_BYTES_MAX);
  if (title === undefined || text === undefined) {
    const whole = await readOperandText(io, operand, message);
    return await readText(whole, message === undefined ? operand ?? "-" : "-");
  }
  return { ...await readText(textOnly(text, "stdin"), "-"), title };
}

/** A folder is no text: `build` is a title even if a folder has that name; `.` or `docs/` are none. */
function isThere(io: Io, typed: string): boolean {
  const kind = typed === "-" ? "file" : realFs.lstat(absolute(io, typed))?.kind;
  return kind === "dir" ? /^\.|[\\/]/.test(typed) : kind !== undefined;
}

/**
 * Beside a text, or with several words, only a name with a text extension is a file: `Node.js` and `TCP/IP`
 * are titles.
 */
function isFileName(typed: string, isBesideText: boolean): boolean {
  const isPerhapsTitle = isBesideText || /\s/.test(typed);
  return (isPerhapsTitle ? /\.(?:mdc?|markdown|txt)$/i : /[\\/]|\.\w{1,8}$/).test(typed);
}

async function readText(whole: string, operand: string): Promise<KnowledgeInput> {
  // Before splitting into title and text: half a pair of tags protects nothing.
  const text = stripPrivate(readableRule(operand, whole));
  const name = operand === "-" ? "stdin" : basename(operand).replace(/\.(mdc?|markdown|txt)$/i, "");
  const note = await parseNote(text, `${name}.md`);
  if (note.problem !== undefined) {
    const { line, column, reason } = note.problem;
    throw new SageError("invalid_note", `Cannot read ${operand}:${line}:${column}: ${reason}`);
  }
  const { content, keywords, patterns, skills, sources, subject, tags } = readKnowledge(note);
  const front = splitFrontMatter(text).front?.text ?? "";
  const history = historyText(note.body);
  const untitled = operand === "-" && note.title === name;
  return {
    title: untitled ? firstSentence(content, TITLE_CHARACTERS_MAX).replace(/\.$/, "") : note.title,
    content,
    ...defined({
      keywords: nonEmpty(keywords),
      patterns: nonEmpty(patterns),
      skills: nonEmpty(skills),
      sources: nonEmpty(sources),
      tags: nonEmpty(tags),
      subject: SUBJECTS.find((one) => one === subject),
      file: front.trim() === "" && history === "" ? undefined : { front, history },
    }),
  };
}

/** Regular files only: a FIFO or device could be read for ever. */
function readFile(io: Io, typed: string): string {
  const path = absolute(io, typed);
  const info = realFs.lstat(path);
  if (info === undefined) {
    throw new SageError("usage", `Cannot read "${typed}": there is no such file`, {
      hint: /\s/.test(typed)
        ? `to save a text: sage knowledge add "${cut(typed, 40)}" -m "…"`
        : "name a file, or say the text with -m",
    });
  }
  const target = info.kind === "link" ? realFs.lstat(realFs.realPath(path)) : info;
  if (target?.kind !== "file") {
    const reason = target?.kind === "dir" ? "it is a folder" : "it is not a file";
    throw new SageError(
      "usage",
      `Cannot read "${typed}": ${reason}`,
      defined({ hint: bringingIn(io, typed) }),
    );
  }
  if (target.size > NOTE_BYTES_MAX) {
    const most = `${NOTE_BYTES_MAX / 1024} KiB`;
    throw new SageError("too_large", `Cannot add "${typed}": it is larger than ${most}`, {
      hint: "make several of it: a note holds one thing",
    });
  }
  const text = decodeExact(readBytes(realFs, path, NOTE_BYTES_MAX));
  if (text === undefined) {
    throw new SageError("invalid_note", `Cannot add "${typed}": it is not UTF-8 text`);
  }
  return textOnly(text, typed);
}

type Conflict = KnowledgeOutcome & { kind: "conflict" };

async function decide(
  io: Io,
  { existing, reason, diff }: Conflict,
  wanted: KnowledgeInput,
): Promise<KnowledgeInput["onConflict"]> {
  const lines = [...bothTexts(existing, wanted, reason), "", ...diffLines(diff), ""];
  io.err(renderLines(lines, io.color));
  const choice = await choose(io, "What now?", [
    `update ${existing.short_id} with yours`,
    "keep both, as alternatives",
    "keep both, as a contradiction",
  ]);
  return choice === undefined ? undefined : KNOWLEDGE_CHOICES[choice];
}

function bothTexts(existing: Conflict["existing"], wanted: KnowledgeInput, reason: string): Line[] {
  return [
    `${reason}:`,
    "",
    [bold("there "), `${existing.short_id} ${existing.title}`],
    ...existing.text.split("\n").map((line) => `  ${line}`),
    "",
    [bold("yours "), wanted.title],
    ...wanted.content.split("\n").map((line) => `  ${line}`),
  ];
}

/** The outcome of saving knowledge, for a person. */
export function knowledgeAnswer(memory: Memory, io: Io, outcome: KnowledgeOutcome): Answer {
  switch (outcome.kind) {
    case "updated": {
      const { merged = false, copy } = outcome;
      const answer = savedAnswer({ ...outcome, redactions: 0 }, "knowledge");
      const also = [
        ...(merged ? ["It had been changed since; both changes stand."] : []),
        ...(copy === undefined ? [] : [`What somebody wrote at the same moment is in ${copy}`]),
      ];
      return { ...answer, notices: [...answer.notices ?? [], ...also] };
    }
    case "none":
      return noneAnswer("knowledge", outcome.id, outcome);
    case "proposed": {
      const { id, question, text, diff } = outcome;
      return failed({
        code: "conflict",
        message: `Not saved yet, a person is to decide: ${question}`,
        hint: `they answer with: sage inbox accept ${id}, or drop ${id}`,
      }, { json: { outcome: "proposed", question_id: id, question, text, diff } });
    }
    case "edited":
      return editedAnswer("Not saved", outcome);
    case "conflict": {
      const { existing, choices, reason, diff, unseen } = outcome;
      return failed({
        code: "conflict",
        message: `Not saved, ${reason}: ${existing.short_id} "${existing.title}"`,
        hint: unseen === undefined
          ? "repeat with --on-conflict update to replace its text, or keep_both, or contradicts"
          : "join yours with what it says now, and repeat with the whole text",
      }, {
        json: { outcome: "conflict", existing, choices, reason, diff },
        text: recalledLines(
          memory,
          io,
          [existing],
          () => existing.text.split("\n").map((line) => `  ${line}`),
        ),
      });
    }
    default:
      return saveAnswer(outcome, "knowledge");
  }
}
