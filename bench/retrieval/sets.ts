/**
 * The sets as they lie in sets/: notes with questions about them, split into development and test.
 * What is tuned is tuned on development; the bench shows test questions as figures only.
 */
import { chunkNote } from "../../src/note/chunk.ts";
import type { NoteKind } from "../../src/note/note.ts";
import type { NoteDocument } from "../../src/search/document.ts";
import { noteDocument } from "../../tests/search/notes.ts";
import { DEVELOPMENT } from "../detection/sets.ts";

export type Split = "dev" | "test";

export interface Question {
  readonly split: Split;
  readonly category: string;
  /** What the store has on the question: present, absent, superseded, contradictory, adjacent. */
  readonly condition: string;
  readonly query: string;
  /** Ids that answer it; none where nothing in store does. */
  readonly expect: readonly string[];
  /** The same in other words, where somebody wrote any (sets/also/README.md). */
  readonly also?: readonly string[] | undefined;
  /** The prompt before it, where it goes on from that. */
  readonly before?: string;
}

/** The notes of one store, and the questions about it. */
export interface World {
  readonly name: string;
  readonly nowMs: number;
  readonly notes: readonly NoteDocument[];
  readonly questions: readonly Question[];
  /** Prompts that nobody asked memory about: what may be surfaced for each, or nothing. */
  readonly prompts: readonly Question[];
}

interface StoredNote {
  readonly id: string;
  readonly kind: NoteKind;
  readonly title: string;
  readonly text: string;
  readonly keywords: readonly string[];
  readonly tags: readonly string[];
  readonly updated: string;
  readonly supersedes: readonly string[];
  readonly contradicts?: readonly string[];
  readonly status?: NoteDocument["status"];
  /** The session of a captured note; all captured notes are of one day. */
  readonly session?: string;
}

interface Paraphrase {
  readonly id: string;
  readonly query: string;
  readonly note: string;
  readonly distractor: string;
}

const FOLDER = new URL("./sets/", import.meta.url);

export async function worlds(): Promise<readonly World[]> {
  const all = [
    ...await firstWorlds(),
    ...await vault(),
    await other("skerry"),
    await other("laurel"),
    await other("east_asian"),
    await turns(),
  ];
  const said = await readLines<Pick<Question, "query" | "also">>("also/phrasings.jsonl");
  const also = new Map(said.map((one) => [one.query, one.also]));
  return all.map((world) => ({
    ...world,
    questions: world.questions.map((one) => ({ ...one, also: also.get(one.query) })),
  }));
}

interface TurnQuestion {
  readonly split: Split;
  readonly category?: string;
  readonly query: string;
  readonly conversation: string;
  readonly turns: readonly number[];
}

/** Turns of conversations, a note for each, and later questions about them (sets/turns/README.md). */
async function turns(): Promise<World> {
  const notes = DEVELOPMENT.flatMap(({ name, steps }) =>
    steps.map(({ prompt, answer }, i) => {
      const chunks = chunkNote({ title: "", body: `${prompt}\n\n${answer}` });
      return { ...noteDocument(`session/${turnId(name, i)}.md`, "", { title: "" }), chunks };
    })
  );
  const known = new Set(notes.map(({ id }) => id));
  const stored = await readLines<TurnQuestion>("turns/questions.jsonl");
  const questions = stored.map((question): Question => {
    const { split, category = "turns", query, conversation, turns } = question;
    const expect = turns.map((i) => turnId(conversation, i));
    const missing = expect.find((id) => !known.has(id));
    if (missing !== undefined) throw new Error(`no such turn: ${missing}`);
    return { split, category, condition: "present", query, expect };
  });
  return {
    name: "turns",
    nowMs: Date.parse("2026-02-10T00:00:00Z"),
    notes,
    questions,
    prompts: [],
  };
}

function turnId(conversation: string, i: number): string {
  return `${conversation.replaceAll(" ", "-")}-${i}`;
}

interface Prompt {
  readonly split: Split;
  readonly prompt: string;
  readonly relevant: readonly string[];
  readonly before?: string;
}

const ASKED_IN = [
  "German",
  "French",
  "Spanish",
  "Portuguese",
  "Italian",
  "Chinese",
  "Japanese",
] as const;

/** Ten months of two projects, labelled by hand without looking at any scorer (sets/vault/README.md). */
async function vault(): Promise<readonly World[]> {
  const stored = [
    ...await readLines<StoredNote>("vault/notes_software.jsonl"),
    ...await readLines<StoredNote>("vault/notes_research.jsonl"),
  ];
  const asked = await storeOf("vault", stored);
  // The same notes, asked by somebody who writes another language.
  const inOthers = await Promise.all(
    ASKED_IN.map(async (language): Promise<World> => {
      const questions = await readLines<Question>(`${language.toLowerCase()}/questions.jsonl`);
      return { ...asked, name: `vault, in ${language}`, questions, prompts: [] };
    }),
  );
  return [asked, ...inOthers];
}

/** Whatever else was pasted into a prompt; some of it has the words of notes (sets/foyer/README.md). */
export async function readPastes(): Promise<ReadonlyMap<string, string>> {
  const pastes = await readLines<{ name: string; text: string }>("foyer/pastes.jsonl");
  return new Map(pastes.map(({ name, text }) => [name, text]));
}

interface FormedPrompt extends Prompt {
  readonly form: string;
}

/** Prompts in the forms that they have at work. Not for any fit: pasted words would count as asked. */
export async function formed(): Promise<World> {
  const pastes = await readPastes();
  const prompts = (await readLines<FormedPrompt>("foyer/prompts.jsonl")).map((one): Question => {
    const { split, form, prompt, relevant } = one;
    const query = prompt.replace(/\{\{([\w-]+)\}\}/g, (_, name: string) => pastes.get(name) ?? "");
    const category = relevant.length === 0 ? `${form}, nothing asked` : form;
    return { split, category, condition: "", query, expect: relevant };
  });
  const notes = (await readLines<StoredNote>("foyer/notes.jsonl")).map(documentOf);
  return {
    name: "foyer",
    nowMs: Date.parse("2026-02-10T00:00:00Z"),
    notes,
    questions: [],
    prompts,
  };
}

/** Each by somebody who had seen neither the search nor the other sets. Not for any fit. */
export async function unseen(): Promise<readonly World[]> {
  return [
    await other("sheaf"),
    await other("inflected"),
    await other("western"),
    await other("sorrel", "2026-11-20"),
    await other("quern", "2026-11-20"),
    await other("harrow", "2026-11-20"),
    await other("pocket", "2026-11-20"),
  ];
}

/** A store of other people, each with a README where it lies. */
async function other(name: string, today?: string): Promise<World> {
  return await storeOf(name, await readLines<StoredNote>(`${name}/notes.jsonl`), today);
}

async function storeOf(
  name: string,
  stored: readonly StoredNote[],
  today = "2026-02-10",
): Promise<World> {
  const knowledge = new Set(stored.filter(({ kind }) => kind === "knowledge").map(({ id }) => id));
  const prompts = (await readLines<Prompt>(`${name}/prompts.jsonl`)).map((prompt) => {
    // What only checkpoints, sessions and todos answer is reported separately.
    const shown = prompt.relevant.some((id) => knowledge.has(id));
    const isOther = prompt.relevant.length === 0;
    const category = prompt.before !== undefined
      ? isOther ? "follow-up, nothing asked" : "follow-up"
      : isOther
      ? "unrelated"
      : shown
      ? "relevant"
      : "not knowledge";
    return { ...prompt, category, condition: "", query: prompt.prompt, expect: prompt.relevant };
  });
  return {
    name,
    nowMs: Date.parse(`${today}T00:00:00Z`),
    notes: stored.map(documentOf),
    questions: await readLines<Question>(`${name}/questions.jsonl`),
    prompts,
  };
}

/** Small and all development: handmade notes and questions, and paraphrases that share no word. */
async function firstWorlds(): Promise<World[]> {
  const notes = (await readLines<StoredNote>("notes.jsonl")).map(documentOf);
  const questions = (await readLines<Question>("questions.jsonl")).map((question) => ({
    ...question,
    split: "dev" as const,
    condition: question.expect.length === 0 ? "absent" : "present",
  }));
  const paraphrases = await readLines<Paraphrase>("paraphrase-dev.jsonl");
  const sentence = (id: string, text: string): NoteDocument =>
    noteDocument(`knowledge/${id}.md`, text, { title: "" });
  const sentences = paraphrases.map(({ id, note }) => sentence(id, note));
  const traps = paraphrases.map(({ id, distractor }) => sentence(`trap-${id}`, distractor));
  const rephrased = paraphrases.map(({ id, query }) => ({
    split: "dev" as const,
    category: "paraphrase",
    condition: "present",
    query,
    expect: [id],
  }));
  const nowMs = Date.parse("2026-02-10T00:00:00Z");
  const all = [...notes, ...sentences];
  const both = [...questions, ...rephrased];
  return [
    { name: "first", nowMs, notes: all, questions: both, prompts: [] },
    { name: "first, traps", nowMs, notes: [...all, ...traps], questions: rephrased, prompts: [] },
  ];
}

function documentOf(note: StoredNote): NoteDocument {
  const { id, kind, title, text, session } = note;
  const made = session === undefined
    ? {}
    : { session, author: "sage", created: `${note.updated}T00:00:00Z` };
  return {
    ...noteDocument(`${kind}/${id}.md`, "", { id, kind, title, ...made }),
    keywords: note.keywords,
    tags: note.tags,
    supersedes: note.supersedes,
    status: note.status ?? "active",
    updated: `${note.updated}T00:00:00Z`,
    contentHash: `hash of ${text}`,
    chunks: chunkNote({ title, body: text }),
  };
}

async function readLines<T>(name: string): Promise<T[]> {
  const text = await Deno.readTextFile(new URL(name, FOLDER));
  return text.trim().split("\n").map((line) => JSON.parse(line) as T);
}
