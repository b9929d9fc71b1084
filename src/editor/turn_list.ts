/**
 * Collects turns of an agent other than Claude Code, in the order of its records: what was said, calls under
 * the names that memory knows (Bash, Edit, Write, TodoWrite), and their results.
 */
import { type Fields, fieldsOf, textOf } from "../base/fields.ts";
import { isAbsolute, slashedAsWritten } from "../base/path.ts";
import { defined } from "../base/defined.ts";
import { FIELD_CHARACTERS_MAX, flattened, headAndTail, optionsOf } from "./clip.ts";
import type { Compaction, PlanItem, Transcript, Turn } from "./editor.ts";
import { markNotRun, type PendingTool } from "./calls_not_run.ts";
import type { HandedPlan } from "./handed_plan.ts";

const TEXT_CHARACTERS_MAX = 200_000;
const TURNS_MAX = 20_000;

export interface Call {
  readonly id: string;
  readonly name: string;
  readonly command?: string | undefined;
  readonly filePath?: string | undefined;
  readonly items?: readonly PlanItem[] | undefined;
  /** Of a tool that asks the person: one call for each question. */
  readonly question?: string | undefined;
  readonly options?: readonly string[] | undefined;
}

type OpenTurn = { -readonly [K in keyof Turn]: Turn[K] } & { tools: PendingTool[] };

export class TurnList {
  readonly #turns: OpenTurn[] = [];
  readonly #calls = new Map<string, PendingTool[]>();
  readonly #compactions: Compaction[] = [];
  #sinceCompaction = 0;
  #contextTokens: number | undefined;

  say(role: Turn["role"], text: string, at: string, uuid: string, model?: string): void {
    const said = flattened(text, TEXT_CHARACTERS_MAX).trim();
    if (said === "" || this.#turns.length >= TURNS_MAX) return;
    this.#turns.push({ uuid, role, at, text: said, tools: [], ...defined({ model }) });
  }

  /** Adds a call to the reply before it, which may be without text. */
  call({ id, name, command, filePath, items, question, options }: Call, at: string): void {
    const tool: PendingTool = {
      id,
      name,
      ...(command === undefined ? {} : { command: flattened(command, FIELD_CHARACTERS_MAX) }),
      ...(filePath === undefined ? {} : { filePath: flattened(filePath, FIELD_CHARACTERS_MAX) }),
      ...(question === undefined ? {} : { question: flattened(question, FIELD_CHARACTERS_MAX) }),
      ...defined({ items, options }),
    };
    this.#calls.set(id, [...this.#calls.get(id) ?? [], tool]);
    const last = this.#turns.at(-1);
    if (last?.role === "assistant") last.tools.push(tool);
    else if (this.#turns.length < TURNS_MAX) {
      this.#turns.push({ uuid: `call:${id}`, role: "assistant", at, text: "", tools: [tool] });
    }
  }

  /** A call for each file that a patch changes. */
  edits(id: string, paths: readonly string[], cwd: string, at: string): void {
    for (const path of paths) {
      this.call({ id, name: "Edit", filePath: absolutePath(path, cwd) }, at);
    }
  }

  /** A tool that asks the person `{question, options}`: a call for each question. */
  ask(id: string, questions: readonly Fields[], at: string): void {
    for (const { question, options } of questions) {
      this.call({
        id,
        name: "AskUserQuestion",
        question: textOf(question),
        options: optionsOf(options),
      }, at);
    }
  }

  /** `failed`: undefined if nobody knows. */
  result(id: string, text: string, failed: boolean | undefined): void {
    for (const tool of this.#calls.get(id) ?? []) {
      tool.result = headAndTail(text);
      if (failed !== undefined) tool.failed = failed;
    }
  }

  /** What the person answered to the questions of a call, in their order: a text, or the options taken. */
  answers(id: string, answers: readonly unknown[]): void {
    for (const [i, tool] of (this.#calls.get(id) ?? []).entries()) {
      const said = answers[i];
      const answer = Array.isArray(said) && said.length > 0
        ? said.map(String).join(", ")
        : textOf(said);
      if (answer !== undefined) tool.answer = flattened(answer, FIELD_CHARACTERS_MAX);
    }
  }

  /** A plan that the person approved, in place of their words. */
  handPlan({ said, tool }: HandedPlan, at: string, uuid: string): void {
    if (this.#turns.length >= TURNS_MAX) return;
    this.#turns.push({ uuid, role: "user", at, text: said, tools: [tool] });
  }

  /** Marks a call as refused, or its outcome as unknown. */
  notRun(id: string): void {
    markNotRun(this.#calls.get(id) ?? []);
  }

  /** Tokens in the context after the newest reply, if the agent counts them. */
  used(tokens: unknown): void {
    if (typeof tokens === "number" && tokens > 0) this.#contextTokens = tokens;
  }

  compaction(at: string, summary: string | undefined): void {
    this.#sinceCompaction = this.#turns.length;
    this.#contextTokens = undefined;
    this.#compactions.push({
      at,
      ...(summary === undefined ? {} : { summary: flattened(summary, TEXT_CHARACTERS_MAX) }),
    });
  }

  /** Leaves out turns that turn out not to be anybody's words. */
  keep(isKept: (turn: Turn) => boolean): void {
    const kept = this.#turns.filter(isKept);
    this.#sinceCompaction = this.#turns.slice(0, this.#sinceCompaction).filter(isKept).length;
    this.#turns.splice(0, this.#turns.length, ...kept);
  }

  finish(about: Pick<Transcript, "sessionId" | "cwd"> & Partial<Transcript>): Transcript {
    return {
      title: undefined,
      turns: this.#turns,
      compactions: this.#compactions,
      sinceCompaction: this.#sinceCompaction,
      contextTokens: this.#contextTokens,
      model: this.#turns.findLast(({ model }) => model !== undefined)?.model,
      fromStart: true,
      endOffset: 0,
      ...about,
      cwd: slashedAsWritten(about.cwd),
    };
  }
}

/** A path as an agent wrote it, resolved against its working folder. */
export function absolutePath(path: string, cwd: string): string {
  return isAbsolute(path) || cwd === ""
    ? slashedAsWritten(path)
    : slashedAsWritten(`${cwd}/${path.replace(/^\.\//, "")}`);
}

/** A list of `{text}` parts, or a text. */
export function joinedText(content: unknown): string {
  if (typeof content === "string") return content;
  const parts = Array.isArray(content) ? content : [content];
  return parts.map((part) => typeof part === "string" ? part : textOf(fieldsOf(part).text) ?? "")
    .filter((text) => text !== "").join("\n");
}

/** The files that a patch names, in the form of `*** Update File: src/a.ts`; a file that is moved by its new name. */
export function patchedFiles(patch: string): string[] {
  return [...patch.matchAll(PATCHED)].map(([, path = "", moved = path]) => moved.trim());
}

const PATCHED = /^\*\*\* (?:Add|Update|Delete) File: (.+)(?:\r?\n\*\*\* Move to: (.+))?$/gm;
