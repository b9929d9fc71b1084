/**
 * A scratch home with a project in it, and memory opened on both: what the tests of src/memory stand
 * on. Real files, one clock that only the test moves, nothing shared between two tests.
 */
import assert from "node:assert/strict";
import type { HookInput } from "../../src/editor/editor.ts";
import { saveCheckpoint } from "../../src/memory/checkpoint/save.ts";
import { findNote } from "../../src/memory/find.ts";
import { initStores } from "../../src/memory/init.ts";
import type { StoredNote } from "../../src/memory/item.ts";
import type { KnowledgeInput } from "../../src/memory/knowledge/outcome.ts";
import { saveKnowledge } from "../../src/memory/knowledge/save.ts";
import { type Memory, openMemory, type Where } from "../../src/memory/memory.ts";
import { readNote } from "../../src/memory/read.ts";
import type { Author, Saved } from "../../src/memory/write/outcome.ts";
import { register } from "../../src/memory/session/begin.ts";
import type { CheckpointDraft } from "../../src/note/checkpoint.ts";
import { tempDir, writeOld } from "./temp_store.ts";
import { TranscriptBuilder } from "./transcript.ts";

/** When every world begins. */
export const NOW = Date.UTC(2026, 0, 13, 14, 30);
export const MINUTE = 60_000;
export const DAY = 86_400_000;

export const SESSION = "11111111-0000-4000-8000-000000000001";
export const OTHER = "22222222-0000-4000-8000-000000000002";

export const PERSON: Author = { by: "person", explicit: true };
export const AGENT: Author = { by: "agent", session: SESSION, explicit: true };
export const SAGE: Author = { by: "sage", session: SESSION, explicit: false };

export interface World extends Disposable {
  readonly home: string;
  /** The project's folder. */
  readonly cwd: string;
  /** The environment of the processes; a test may add to it before it opens one. */
  readonly env: Record<string, string>;
  /** The first process. */
  readonly memory: Memory;
  /** Another process, now. */
  open(where?: Partial<Where>): Promise<Memory>;
  /** Moves the clock of all of them. */
  later(milliseconds: number): void;
}

export interface WorldOptions {
  /** `none`: notes go to the user's store. `foreign`: it came with a clone. */
  readonly project?: "own" | "none" | "foreign";
  readonly hook?: boolean;
  /** The user's tuning.yaml. */
  readonly tuning?: string;
}

export async function world(options: WorldOptions = {}): Promise<World> {
  const { home, cwd } = folders(options);
  let now = NOW;
  const env: Record<string, string> = { HOME: home };
  const opened: Memory[] = [];
  const open = async (where: Partial<Where> = {}): Promise<Memory> => {
    const memory = await openMemory({
      cwd,
      env: (name) => env[name],
      holder: "test",
      now: () => now,
      ...where,
    });
    opened.push(memory);
    return memory;
  };
  if (options.project !== "foreign") {
    await initStores(await open(), { project: options.project !== "none" });
  }
  return {
    home,
    cwd,
    env,
    memory: await open({ hook: options.hook ?? false }),
    open,
    later: (milliseconds) => void (now += milliseconds),
    [Symbol.dispose]: () => opened.forEach((memory) => memory.close()),
  };
}

function folders(options: WorldOptions): { home: string; cwd: string } {
  const base = tempDir();
  const [home, cwd] = [`${base}/home`, `${base}/project`];
  for (const folder of [home, cwd]) Deno.mkdirSync(folder);
  if (options.tuning !== undefined) writeOld(`${home}/.sage/tuning.yaml`, options.tuning);
  if (options.project === "foreign") Deno.mkdirSync(`${cwd}/.sage`);
  return { home, cwd };
}

/** A file's text. */
export function read(path: string): string {
  return Deno.readTextFileSync(path);
}

/** A file as somebody else writes it, this moment. */
export function put(path: string, text: string | Uint8Array): void {
  Deno.mkdirSync(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  Deno.writeFileSync(path, typeof text === "string" ? new TextEncoder().encode(text) : text);
}

/** Makes a git repository of a folder, with a remote. */
export function repository(dir: string, remote?: string): void {
  put(`${dir}/.git/HEAD`, "ref: refs/heads/main\n");
  put(`${dir}/.git/config`, remote === undefined ? "" : `[remote "origin"]\n\turl = ${remote}\n`);
}

/** A checkpoint with every part that a save wants; no two theses of different words are alike. */
export function draft(parts: Partial<CheckpointDraft> = {}): CheckpointDraft {
  return {
    coreQuestion: "Why do worktrees run no hooks?",
    thesis: "Git shares hooks through the common folder, so a worktree runs those of its checkout.",
    confidence: 0.8,
    trigger: "synthesis",
    keyEvidence: ["git rev-parse --git-common-dir names the main checkout"],
    reasoningTrace: "Looked at the folder, then at the documentation.",
    openQuestions: ["Does core.hooksPath change this?"],
    tensions: [],
    sources: [],
    ...parts,
  };
}

/** Saves a checkpoint, which has to succeed. */
export async function checkpoint(
  memory: Memory,
  parts: Partial<CheckpointDraft> = {},
  author: Author = PERSON,
): Promise<Saved> {
  const outcome = await saveCheckpoint(memory, draft(parts), author);
  assert.equal(outcome.kind, "saved", JSON.stringify(outcome));
  return outcome as Saved;
}

/** This many checkpoints about one thing, with the same words. */
export async function alike(memory: Memory, many: number): Promise<void> {
  for (let hall = 1; hall <= many; hall++) {
    const title = `Number ${hall}: the importer of hall ${hall}`;
    await checkpoint(memory, { title, thesis: `${title} stalls on rows without a date.` });
  }
}

/** Saves knowledge, which has to succeed. */
export async function knowledge(
  memory: Memory,
  title: string,
  content: string,
  parts: Partial<KnowledgeInput> = {},
  author: Author = PERSON,
): Promise<Saved> {
  const outcome = await saveKnowledge(memory, { title, content, ...parts }, author);
  assert.equal(outcome.kind, "saved", JSON.stringify(outcome));
  return outcome as Saved;
}

/** Has the agent of `AGENT` read a note, as one does before it replaces its text. */
export async function readByAgent(on: World, id: string): Promise<void> {
  const memory = await on.open({ session: SESSION });
  assert.equal((await readNote(memory, id, { forChange: true })).kind, "one");
}

/** A note as a person leaves it in a store, with the keys given. */
export function byHand(
  root: string,
  path: string,
  front: Readonly<Record<string, string>>,
  body: string,
): string {
  const keys = Object.entries(front).map(([key, value]) => `${key}: ${value}\n`).join("");
  writeOld(`${root}/${path}`, `---\n${keys}---\n\n${body}\n`);
  return `${root}/${path}`;
}

/** A world with four notes, each about one word. */
export async function filled(): Promise<World> {
  const on = await world();
  for (const word of ["memory", "search", "before", "handled"]) {
    byHand(`${on.cwd}/.sage`, `knowledge/${word}.md`, {}, `# ${word}\n\nEverything about ${word}.`);
  }
  return on;
}

/** The payload of a hook in a session of this world. */
export function hookInput(on: World, parts: Partial<HookInput> = {}): HookInput {
  return {
    event: "session-start",
    sessionId: SESSION,
    cwd: on.cwd,
    transcriptPath: undefined,
    ...parts,
  };
}

/** A session that the editor started. */
export function begin(memory: Memory, on: World, parts: Partial<HookInput> = {}): void {
  register(memory, hookInput(on, { source: "startup", ...parts }));
}

/** Nobody is at work, and nobody was cut off. */
export function noSessions({ home }: World): void {
  const folder = `${home}/.sage/state/instances`;
  Deno.mkdirSync(folder, { recursive: true });
  for (const { name } of Deno.readDirSync(folder)) Deno.removeSync(`${folder}/${name}`);
}

/** The note that this names, which must be one. */
export async function stored(memory: Memory, ref: string): Promise<StoredNote> {
  const found = await findNote(memory, ref);
  assert.ok(found.kind === "one", `${ref}: ${found.kind}`);
  return found.item;
}

/** Two turns of real work, enough for a note, around one statement. */
export function conversation(
  statement: string,
  options: { readonly session?: string; readonly startMs?: number } = {},
): TranscriptBuilder {
  const { session = SESSION, startMs = NOW - 30 * MINUTE } = options;
  return new TranscriptBuilder({ sessionId: session, startMs, bare: true })
    .user("Why does the importer stall on large files, and what should we do about it?")
    .assistant("I will read the importer first.", [
      { name: "Read", input: { file_path: "/p/importer.ts" }, result: "export function load() {}" },
      { name: "Edit", input: { file_path: "/p/importer.ts" }, result: "updated" },
    ])
    .user("And does that hold for the nightly job as well?")
    .assistant(
      `${statement} We decided to stream the rows instead of collecting them, because memory stayed ` +
        "at 40 MB in the measurement where it was 900 MB before. The nightly job uses the same path, " +
        "so it gains as well. Next I would write a test with a large file.",
    );
}

/** Writes a session file where the editor keeps them; returns its path. */
export function transcriptFile(on: World, builder: TranscriptBuilder): string {
  const folder = `${on.home}/.claude/projects/-project`;
  Deno.mkdirSync(folder, { recursive: true });
  return builder.write(folder);
}

/** Paths of all files below home and project in whose name or bytes the text stands. */
export function placesOf(on: World, text: string): string[] {
  const found: string[] = [];
  const wanted = text.toLowerCase();
  const visit = (folder: string): void => {
    for (const { name, isDirectory } of Deno.readDirSync(folder)) {
      const path = `${folder}/${name}`;
      if (isDirectory) visit(path);
      const bytes = isDirectory ? "" : new TextDecoder("latin1").decode(Deno.readFileSync(path));
      if (`${name}\n${bytes}`.toLowerCase().includes(wanted)) found.push(path);
    }
  };
  for (const root of [on.home, on.cwd]) visit(root);
  return found.sort();
}
