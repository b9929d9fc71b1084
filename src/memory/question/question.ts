/**
 * Questions: what an agent wants to write and only a person may decide, such as a preference, knowledge
 * for every project, or a large rearrangement. A question holds the text and the difference; nothing of
 * it is in any note until a person has agreed.
 */
import { DAY_MS, rfc3339 } from "../../base/clock.ts";
import { SageError } from "../../base/errors.ts";
import { listIfReadable } from "../../base/fs.ts";
import { join } from "../../base/path.ts";
import { sha256Hex } from "../../base/hash.ts";
import { PREFIX_CHARACTERS_MIN } from "../../base/id.ts";
import { compareText, nearest } from "../../base/text/text.ts";
import {
  isDamaged,
  readKept,
  readState,
  removeState,
  removeStates,
  writeState,
} from "../../store/state.ts";
import type { KnowledgeInput } from "../knowledge/outcome.ts";
import type { Memory } from "../memory.ts";
import type { Author } from "../write/outcome.ts";

/** What a yes does. */
type Act =
  | { readonly kind: "save"; readonly input: KnowledgeInput }
  | { readonly kind: "merge"; readonly into: string; readonly others: readonly string[] }
  | { readonly kind: "promote"; readonly id: string };

export type Why = "preference" | "every_project" | "rearrangement" | "borrowed";

export interface Question {
  /** 8 hex digits: the same request is the same question. */
  readonly id: string;
  /** RFC 3339. */
  readonly asked: string;
  readonly session?: string;
  /** Set if Sage itself asks, because the person said it in a conversation; otherwise an agent asks. */
  readonly by?: "sage";
  /** Where it was asked; `id` identifies the project after its folder was moved. */
  readonly project: { readonly name: string; readonly dir: string; readonly id?: string };
  readonly why: Why;
  /** One sentence with a question mark. */
  readonly question: string;
  readonly title: string;
  readonly text: string;
  /** Difference from the present text; empty where there is none. */
  readonly diff: string;
  readonly act: Act;
  /** Id of the note that it would replace, or contradicts. */
  readonly against?: string;
  /** SHA-256 of that note's text then. */
  readonly againstHash?: string;
  /** RFC 3339. Put off by the person: not announced before. */
  readonly later?: string;
}

/** A person said no: the text is deleted, and the id prevents the question from being asked again. */
interface Declined {
  readonly id: string;
  readonly declined: string;
}

const FOLDER = "questions";
const NAME = /^[0-9a-f]{8}\.json$/;
const LATER_DAYS = 7;
/** Nobody reads more open questions. */
const WAITING_MAX = 50;

export type Asked =
  | { readonly kind: "proposed"; readonly question: Question; readonly isNew: boolean }
  | { readonly kind: "declined"; readonly at: string }
  | { readonly kind: "full"; readonly waiting: number };

/** Keeps the question until a person answers it. */
export function askPerson(
  memory: Memory,
  wish:
    & Pick<Question, "why" | "question" | "title" | "text" | "diff" | "act">
    & Partial<Pick<Question, "project" | "against" | "againstHash">>,
  author: Author,
): Asked {
  const { fs, places } = memory;
  const here = { name: places.projectName, dir: places.projectDir, id: places.projectId };
  const { project = here } = wish;
  const id = sha256Hex(JSON.stringify([project.dir, wish.act])).slice(0, 8);
  // Where it cannot be read, or is damaged, it may be a no.
  const before = toKept(readKept(fs, places.stateDir, nameOf(id), isWhole));
  if (before !== undefined) {
    return "declined" in before
      ? { kind: "declined", at: before.declined }
      : { kind: "proposed", question: before, isNew: false };
  }
  const waiting = listQuestions(memory);
  if (waiting.length >= WAITING_MAX) {
    // Sage's own oldest question makes room, since nobody has answered it for so long.
    const oldest = waiting.find(({ by }) => by === "sage");
    if (oldest === undefined) return { kind: "full", waiting: waiting.length };
    settle(memory, oldest);
  }
  const question: Question = {
    id,
    asked: rfc3339(memory.now()),
    ...(author.session === undefined ? {} : { session: author.session }),
    ...(author.by === "sage" ? { by: author.by } : {}),
    ...wish,
    project,
  };
  writeState(fs, places.stateDir, nameOf(id), question, { durable: true });
  return { kind: "proposed", question, isNew: true };
}

/** Changes whenever a question is asked or answered, by whichever process. */
export function questionsMark({ fs, places }: Memory): string {
  const info = fs.lstat(join(places.stateDir, FOLDER));
  return info === undefined ? "" : `${info.inode} ${info.mtimeMs}`;
}

/** The open questions of every project, oldest first. */
export function listQuestions(memory: Memory): Question[] {
  const { fs, places } = memory;
  return filesThere(memory).flatMap((file) => {
    const read = toKept(readState(fs, places.stateDir, file));
    return read === undefined || "declined" in read ? [] : [read];
  }).sort((a, b) => compareText(a.asked, b.asked) || compareText(a.id, b.id));
}

/** Whether it was asked in this folder, or in a folder of this project that is gone: it was moved. */
export function isAskedHere({ project }: Question, { fs, places }: Memory): boolean {
  return project.dir === places.projectDir ||
    isOfThisProject({ project }, places) && fs.lstat(project.dir) === undefined;
}

/** The same, or in another checkout of this project. */
export function isOfThisProject(
  { project: { dir, id } }: Pick<Question, "project">,
  { projectDir, projectIds }: Memory["places"],
): boolean {
  return dir === projectDir || id !== undefined && projectIds.includes(id);
}

/** Preferences for a project are asked in its checkouts; everything else anywhere. */
function concernsHere(question: Question, { project, places }: Memory): boolean {
  const { why, act } = question;
  const isOfOne = why === "preference" && act.kind === "save" && act.input.scope !== "user";
  return project === undefined || !isOfOne || isOfThisProject(question, places);
}

/** The questions for this place, or all open ones; `elsewhere`: how many are left out. */
export function listInbox(
  memory: Memory,
  isAll: boolean,
): { readonly items: readonly Question[]; readonly elsewhere: number } {
  const waiting = listQuestions(memory);
  const items = isAll ? waiting : waiting.filter((one) => concernsHere(one, memory));
  return { items, elsewhere: waiting.length - items.length };
}

/** By id of a note that a person is being asked about: since when. */
export function questionedNotes(memory: Memory): ReadonlyMap<string, string> {
  return new Map(
    listQuestions(memory).flatMap(({ against, asked }) =>
      against === undefined ? [] : [[against, asked]]
    ),
  );
}

/** The files of which neither the question is known nor whether it was answered. */
export function damagedQuestions(memory: Memory): string[] {
  const { fs, places: { stateDir } } = memory;
  return filesThere(memory).filter((file) => isDamaged(fs, stateDir, file, isWhole))
    .map((file) => join(stateDir, file));
}

/** In the folder of the state. */
function filesThere({ fs, places }: Memory): string[] {
  return listIfReadable(fs, join(places.stateDir, FOLDER))
    .flatMap(({ name }) => NAME.test(name) ? [`${FOLDER}/${name}`] : []);
}

function isWhole(read: unknown): boolean {
  return toKept(read) !== undefined;
}

/** A damaged file counts as none, because every list and every recall asks for questions. */
function toKept(read: unknown): Question | Declined | undefined {
  const { project, act, ...rest } = Object(read) as Partial<Question & Declined>;
  if (typeof rest.declined === "string") return read as Declined;
  const texts = [rest.id, rest.asked, rest.question, rest.title, rest.text, rest.diff];
  const needed = [...texts, project?.dir, project?.name, act?.kind];
  return needed.every((one) => typeof one === "string") ? read as Question : undefined;
}

/** How many ids an error names. */
const NAMED_MAX = 8;

/**
 * The question with that id or a prefix of it; with `isWhole`, for callers that delete it, only by its
 * whole id. An error names those that may be meant.
 */
export function findQuestion(
  memory: Memory,
  id: string,
  { isWhole = false }: { readonly isWhole?: boolean } = {},
): Question {
  const all = listQuestions(memory);
  const typed = id.trim().toLowerCase();
  const fits = typed.length < PREFIX_CHARACTERS_MIN
    ? []
    : all.filter((one) => one.id.startsWith(typed));
  const [first, ...others] = fits;
  if (first !== undefined && others.length === 0 && (!isWhole || first.id === typed)) return first;
  const ids = (some: readonly Question[]): string[] => some.map((one) => one.id);
  if (first !== undefined) {
    const message = others.length === 0
      ? `"${id}" is only a prefix of a question's id`
      : `"${id}" matches ${fits.length} questions`;
    const named = ids(fits).slice(0, NAMED_MAX).join(", ");
    throw new SageError("ambiguous", message, { hint: `repeat with the whole id: ${named}` });
  }
  const meant = nearest(id, ids(all));
  throw new SageError("not_found", `No question is called "${id}"`, {
    hint: meant === undefined
      ? "sage inbox list shows what waits"
      : `did you mean ${meant}? sage inbox list shows what waits`,
  });
}

/** Puts it off: it stays open, and is announced again after some days. */
export function putOff(memory: Memory, question: Question): string {
  const { fs, places } = memory;
  const later = rfc3339(memory.now() + LATER_DAYS * DAY_MS);
  writeState(fs, places.stateDir, nameOf(question.id), { ...question, later }, { durable: true });
  return later;
}

/** Removes a question that is done. */
export function settle({ fs, places }: Memory, { id }: Question): void {
  removeState(fs, places.stateDir, nameOf(id));
}

/** Records a no. */
export function decline(memory: Memory, { id }: Question): void {
  const { fs, places } = memory;
  const declined: Declined = { id, declined: rfc3339(memory.now()) };
  writeState(fs, places.stateDir, nameOf(id), declined, { durable: true });
}

/**
 * Deletes questions about a note that is being forgotten, or that repeat its text; returns the deleted
 * files.
 */
export function forgetQuestions(
  memory: Memory,
  { id, title }: { readonly id: string; readonly title: string },
  saysForgotten: (text: string) => boolean,
): string[] {
  const { fs, places } = memory;
  // As a JSON value or a link, not as a word in a text or as a key.
  const named = new RegExp(String.raw`"${RegExp.escape(id)}"(?!:)|\[\[${RegExp.escape(id)}[\]|]`);
  // Without the project, whose name may equal the note's id.
  const said = (question: Question): string => JSON.stringify({ ...question, project: undefined });
  const going = listQuestions(memory).filter((question) =>
    named.test(said(question)) || question.title === title || saysForgotten(question.text)
  );
  return removeStates(fs, places.stateDir, going.map((question) => nameOf(question.id)));
}

function nameOf(id: string): string {
  return `${FOLDER}/${id}.json`;
}
